import { createHover } from "./hover";
import { isShown, unhiding } from "./showing";
import type { State } from "./state";
import { type RowId, sameCell, sameRow } from "./state/cells";
import type { View } from "./state/view";
import type { Store } from "./store";
import type { CellId } from "./types";

/** Which cell or row is pointed at, and which cell is looked into: how each comes and goes. */
export interface Pointing {
  /** The pointer is over a cell, or over none. */
  point: (cell: CellId | null) => void;
  /** Opens the popup on a cell at once, or closes it. */
  open: (cell: CellId | null) => void;
  /** Opens it so that it stays until it is dismissed. */
  hold: (cell: CellId) => void;
  /** Opens a cell and brings it into sight; a row or column of it that is hidden is shown again. */
  find: (cell: CellId) => void;
  /** Opens the inside of a cell, and puts the focus there. */
  look: (cell: CellId) => void;
  /** Back to the cell that was looked into. */
  leave: () => void;
  row: (now: RowId | null) => void;
  /** A popup whose cell is not in the grid any more is closed. */
  follow: (state: State) => void;
  /** From now on a press outside, Escape or a scroll dismisses what is transient, and only that. */
  watch: () => void;
}

export function createPointing(
  store: Store,
  change: (patch: Partial<View>) => void,
  page: { isSheet: () => boolean; focusInside: () => void },
): Pointing {
  /**
   * Opens the popup on a cell, or closes it; held, it stays until it is dismissed. Of a cell that is
   * not in the grid there is none: it would belong nowhere.
   */
  function show(wanted: CellId | null, hold = false): void {
    const now = store.get();
    const cell = wanted && isShown(now, wanted) ? wanted : null;
    const held = hold && cell !== null;
    const same = sameCell(cell, now.hover);
    if (!same || held !== now.held) store.set({ hover: cell, held, more: same ? now.more : null });
  }
  const hover = createHover<CellId>((cell) => show(cell));
  const open = (cell: CellId | null) => hover.now(cell);
  function hold(cell: CellId): void {
    hover.now(cell);
    show(cell, true);
  }
  function leave(): void {
    const cell = document.querySelector<HTMLElement>("td.cell.looked");
    (cell ?? document.querySelector<HTMLElement>("td.cell[tabindex='0']"))?.focus();
    // The focus there must not open its popup.
    open(null);
    change({ inside: null });
  }

  function pressed({ target }: PointerEvent): void {
    if (!(target instanceof Element && target.closest("td.cell, #popup, #tour, .pins"))) open(null);
  }
  function keyed({ key, target }: KeyboardEvent): void {
    if (key !== "Escape") return;
    const { hover: shown, view } = store.get();
    open(null);
    if (!shown && view.inside && target === document.body) leave();
  }
  function scrolled({ target }: Event): void {
    if (target instanceof Element && target.closest("#popup")) return;
    // The keyboard scrolls by itself, and a sheet is out of the way: there the popup only follows.
    const stays =
      store.get().held ||
      document.activeElement?.matches("td.cell:focus-visible") ||
      page.isSheet();
    if (!stays) hover.out();
    else if (store.get().hover) store.set({});
  }

  return {
    point(cell) {
      // While the popup is held, the pointer does not move it.
      if (store.get().held) return;
      if (cell) hover.over(cell);
      else hover.out();
    },
    open,
    hold,
    find(cell) {
      const hidden = unhiding(store.get(), cell);
      if (Object.keys(hidden).length) change(hidden);
      hold(cell);
      // It is marked when the state is drawn: a frame later.
      requestAnimationFrame(() =>
        document
          .querySelector("td.cell.on")
          // Over a sheet it must stand higher than at the edge.
          ?.scrollIntoView?.({ block: page.isSheet() ? "center" : "nearest", inline: "center" }),
      );
    },
    look(cell) {
      open(null);
      page.focusInside();
      change({ inside: cell });
    },
    leave,
    row(now) {
      if (!sameRow(now, store.get().row)) store.set({ row: now });
    },
    follow(state) {
      if (state.hover && !isShown(state, state.hover)) open(null);
    },
    watch() {
      document.addEventListener("pointerdown", pressed);
      document.addEventListener("keydown", keyed);
      document.addEventListener("scroll", scrolled, { capture: true, passive: true });
    },
  };
}
