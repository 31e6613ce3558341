import { isNowhere } from "../focus";
import type { CellId } from "../types";
import type { Find } from "./find";
import { cellOf, idOf } from "./hands";

/** The focus of a grid that waits: browsers take it from what is inert, and give it back to nobody. */
export interface Kept {
  /** Before the grid is inert: remembers the cell that has the focus, or the control of the head. */
  note(): void;
  /** The rows are there: what had the focus has it again, unless a person went on elsewhere. */
  give(): void;
}

/** @param stop - the cell that Tab reaches: for what is not there any more. */
export function createKept(
  table: HTMLTableElement,
  at: Find["at"],
  stop: () => HTMLElement | null,
): Kept {
  let cell: CellId | null = null;
  let control: HTMLElement | null = null;
  return {
    note() {
      const { activeElement: had } = document;
      control = had instanceof HTMLElement && table.contains(had) ? had : null;
      const td = cellOf(control);
      cell = td && idOf(td);
    },
    give() {
      const had = control;
      control = null;
      if (!had || !isNowhere()) return;
      // What a row's cell was drawn in may be another's now.
      const same = cell ? at(cell) : had.isConnected ? had : null;
      (same ?? stop())?.focus({ preventScroll: true });
    },
  };
}
