import { type GridRow, lineKey } from "../alignment";
import { type Column, columnKey } from "../columns";
import type { RowId } from "../state/cells";
import type { CellId } from "../types";
import type { Pending } from "../pending";
import type { RowPool } from "./rows";

/** What the grid is laid out from. */
export interface Laid {
  columns: Column[];
  lines: GridRow[];
  /** The lines in view, by index. */
  shown: number[];
  /** Where each line stands, by its key. */
  places: Map<string, number>;
}

/** Where in the table a row, a cell or a column stands. */
export interface Find {
  row: (of: RowId) => HTMLTableRowElement | undefined;
  /** A cell, if it is drawn and not hidden. */
  drawn: (cell: CellId | null) => HTMLTableCellElement | undefined;
  /** A cell, drawn now if it was put off. */
  at: (cell: CellId | null) => HTMLTableCellElement | undefined;
  /** The head of a column and its cells, top to bottom. */
  column: (key: string | null) => HTMLElement[];
}

export function createFind(
  head: HTMLTableSectionElement,
  rows: RowPool,
  pending: Pending,
  laid: Readonly<Laid>,
): Find {
  const row = (of: RowId) => rows.all[laid.places.get(lineKey(of)) ?? -1];
  const drawn = (cell: CellId | null) => {
    const tr = cell ? row(cell) : undefined;
    if (!cell || !tr || tr.hidden) return undefined;
    return rows.cells(tr)[laid.columns.findIndex((c) => columnKey(c) === columnKey(cell))];
  };
  return {
    row,
    drawn,
    at(cell) {
      if (cell) pending.now(row(cell));
      return drawn(cell);
    },
    column(key) {
      const index = laid.columns.findIndex((column) => column.key === key);
      if (index < 0) return [];
      const cells = rows.all.flatMap((tr) => rows.cells(tr)[index] ?? []);
      const top = head.rows[1]?.cells[index + 1];
      return top ? [top, ...cells] : cells;
    },
  };
}
