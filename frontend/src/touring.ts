import type { Store } from "./store";
import { reconcile } from "./state/reconcile";
import { DEFAULT_VIEW, type View } from "./state/view";
import { SENTENCE } from "./steps";
import type { CellId } from "./types";

/** The tour's way through the state: what it shows, and that what was there before comes back. */

/** What the tour speaks about must be in sight. */
const SHOWN = {
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
} satisfies Partial<View>;
export const TOURED = Object.keys(SHOWN) as (keyof typeof SHOWN)[];

/** The fields of a view that the tour sets. */
const fieldsOf = (view: View, names: readonly (keyof typeof SHOWN)[] = TOURED): Partial<View> =>
  Object.fromEntries(names.map((name) => [name, view[name]]));

/** The fields that are still as the tour set them; those that a person has changed since are newer. */
const untouched = (view: View) =>
  TOURED.filter((name) => JSON.stringify(view[name]) === JSON.stringify(SHOWN[name]));

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
  /** Ends it; answers what was there before, for what takes its place. */
  leave(): Partial<View>;
}

export function createTouring(
  store: Store,
  /** `typed`: the change goes with a text that is being typed. */
  change: (patch: Partial<View>, typed?: boolean) => void,
  open: (cell: CellId | null) => void,
): Touring {
  let before: View | null = null;

  /** What was there before, as far as the model at hand can show it; a text typed meanwhile stays. */
  function restored(old: View): Partial<View> {
    const { view, model } = store.get();
    const names = untouched(view);
    if (!model) return fieldsOf(old, names);
    const { view: fitted, notices } = reconcile({ ...view, ...fieldsOf(old, names) }, model);
    if (notices.length) store.set({ notices });
    return fieldsOf(fitted, names);
  }

  function leave(): Partial<View> {
    const back = before ? restored(before) : {};
    before = null;
    store.set({ tour: null });
    open(null);
    return back;
  }

  function step(index: number | null): void {
    const { tour, view } = store.get();
    if (index !== null && tour === null) {
      before = view;
      asked(true);
      store.set({ offered: false });
      change(SHOWN);
    }
    if (index !== null) return store.set({ tour: index });
    const back = leave();
    if (Object.keys(back).length) change(back, !("text" in back));
  }
  return {
    step,
    leave,
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
