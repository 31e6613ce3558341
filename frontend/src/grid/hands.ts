import { select } from "d3";
import { type GridRow, rowOf } from "../alignment";
import type { DrawnCell } from "../drawn";
import { isBrowsers } from "../keys";
import type { RowId } from "../state/cells";
import type { CellId } from "../types";

export interface GridCallbacks {
  /** The pointer is over a cell, or left it. */
  point(cell: CellId | null): void;
  /** A cell is to be opened at once: focus by keyboard. */
  open(cell: CellId | null): void;
  pin(cell: CellId): void;
  /** A cell is to be held open: a tap. */
  hold(cell: CellId): void;
  /** Tab from a cell whose popup is held: answers whether the focus went there. */
  enter(): boolean;
  escape(): void;
  /** Opens a cell's inside. */
  look(cell: CellId): void;
  /** Collapses a layer, or opens it again. */
  layer(key: string): void;
  row(row: RowId | null): void;
}

/** What the hands move over. */
export interface Field {
  /** The line of a row of the table. */
  line(row: HTMLTableRowElement): GridRow | undefined;
  /** The cell that a key leads to; null when it is no key of the grid. */
  next(cell: CellId, key: string, control: boolean): HTMLElement | null;
}

export const cellOf = (target: EventTarget | null): HTMLTableCellElement | null =>
  target instanceof Element ? target.closest<HTMLTableCellElement>("td.cell") : null;

const rowAt = (target: EventTarget | null): HTMLTableRowElement | null =>
  target instanceof Element ? target.closest<HTMLTableRowElement>("tbody tr") : null;

export const idOf = (td: Element): CellId => (select(td).datum() as DrawnCell).id;

/** Pointer, touch and keys over the table. Answers what makes a cell the one that Tab reaches. */
export function createHands(
  table: HTMLTableElement,
  on: GridCallbacks,
  field: Field,
): { stop(): HTMLElement | null; setStop(td: HTMLElement | undefined): void } {
  let tabStop: HTMLElement | null = null;
  let touch = false;
  /** One cell can be reached with Tab; the arrows do the rest. */
  function setStop(td: HTMLElement | undefined): void {
    if (tabStop === td || !td) return;
    tabStop?.setAttribute("tabindex", "-1");
    td.setAttribute("tabindex", "0");
    tabStop = td;
  }

  table.addEventListener("pointerdown", (event) => (touch = event.pointerType === "touch"));
  table.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const td = cellOf(event.target);
    on.point(td ? idOf(td) : null);
    const tr = rowAt(event.target);
    const line = tr ? field.line(tr) : undefined;
    on.row(line ? rowOf(line) : null);
  });
  table.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch") return;
    on.point(null);
    on.row(null);
  });
  table.addEventListener("click", (event) => {
    const { target } = event;
    const button = target instanceof Element ? target.closest("thead button") : null;
    if (button instanceof HTMLButtonElement) return on.layer(button.value);
    const td = cellOf(target);
    if (!td) {
      // A token that is cut is told in full by a press: a finger has no hover to read its title by.
      const cut = target instanceof Element ? target.closest("tbody th") : null;
      cut?.classList.toggle("full");
      return;
    }
    setStop(td);
    if (touch) on.hold(idOf(td));
    else on.pin(idOf(td));
  });
  table.addEventListener("focusin", (event) => {
    const td = cellOf(event.target);
    if (!td) return;
    setStop(td);
    if (td.matches(":focus-visible")) on.open(idOf(td));
  });
  table.addEventListener("focusout", (event) => {
    if (cellOf(event.target)) on.point(null);
  });
  table.addEventListener("keydown", (event) => {
    const td = cellOf(event.target);
    if (!td) return;
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Enter" || event.key === " ") on.pin(idOf(td));
    else if (event.key === "Escape") on.escape();
    else if (event.key.toLowerCase() === "i" && plain) on.look(idOf(td));
    else if (event.key === "Tab") {
      if (event.shiftKey || !on.enter()) return;
    } else {
      const next = isBrowsers(event) ? null : field.next(idOf(td), event.key, event.ctrlKey);
      if (!next) return;
      setStop(next);
      next.focus({ preventScroll: true });
      next.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
    event.preventDefault();
  });
  return { stop: () => tabStop, setStop };
}
