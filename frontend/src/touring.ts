import type { Store } from "./store";
import { DEFAULT_VIEW, type View } from "./state/view";
import { SENTENCE } from "./steps";
import type { CellId } from "./types";

/** The tour's way through the state: what it shows, and that what was there before comes back. */

/** What the tour speaks about must be in sight. */
const SHOWN: Partial<View> = {
  text: SENTENCE,
  semantic: "next",
  show: "class",
  density: "bars",
  bars: 3,
  compare: DEFAULT_VIEW.compare,
  inside: DEFAULT_VIEW.inside,
  hide: DEFAULT_VIEW.hide,
  hide_layers: DEFAULT_VIEW.hide_layers,
  rows: DEFAULT_VIEW.rows,
};

const KEY = "unrolled.tour";

/** Where storage is refused, nobody is asked twice on one page. */
function asked(answered?: true): boolean {
  try {
    if (answered) localStorage.setItem(KEY, "answered");
    return localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

export interface Touring {
  step: (index: number | null) => void;
  answer: (start: boolean) => void;
  /** The page was opened: who comes by a link came for what it shows. */
  arrive(fragment: string): void;
}

export function createTouring(
  store: Store,
  change: (patch: Partial<View>) => void,
  open: (cell: CellId | null) => void,
): Touring {
  let before: Partial<View> | null = null;
  function step(index: number | null): void {
    const { tour, view } = store.get();
    if (index !== null && tour === null) {
      const names = Object.keys(SHOWN) as (keyof View)[];
      before = Object.fromEntries(names.map((name) => [name, view[name]]));
      asked(true);
      store.set({ offered: false });
      change(SHOWN);
    }
    store.set({ tour: index });
    if (index !== null) return;
    open(null);
    // Who typed meanwhile is already somewhere else.
    if (before && view.text === SENTENCE) change(before);
    before = null;
  }
  return {
    step,
    answer(start) {
      asked(true);
      store.set({ offered: false });
      if (start) step(0);
    },
    arrive(fragment) {
      before = null;
      store.set({ tour: null, offered: fragment.length < 2 && !asked() });
    },
  };
}
