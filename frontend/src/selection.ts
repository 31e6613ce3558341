import { type Column, columnsOf, spaced } from "./layout";
import { rowsOf } from "./spans";
import { sameCell, type View } from "./state";
import type { CellId, ModelInfo, Trace } from "./types";

/** Which part of the grid leaves the page as a file. */
export const PARTS = ["seen", "whole", "pinned"] as const;
export type Part = (typeof PARTS)[number];
export const PART_NAMES: Record<Part, string> = {
  seen: "as seen",
  whole: "the whole grid",
  pinned: "pinned cells only",
};

export interface Selection {
  rows: number[];
  columns: Column[];
  /** Whether a cell of these rows and columns is in it. */
  has: (cell: CellId) => boolean;
}

/** The cells of a part, in the grid's order. Hidden or not, what is pinned can be selected. */
export function selectionOf(
  trace: Trace,
  model: ModelInfo,
  view: Pick<View, "hide" | "hide_layers" | "rows" | "pins">,
  part: Part = "seen",
): Selection {
  const all = (): boolean => true;
  const whole = {
    rows: trace.tokens.map((_, t) => t),
    columns: columnsOf(model, trace.columns, { hide: [], hide_layers: [] }),
    has: all,
  };
  if (part === "whole") return whole;
  if (part === "seen")
    return {
      rows: rowsOf(trace.tokens.length, view.rows),
      columns: columnsOf(model, trace.columns, view),
      has: all,
    };
  const has = (cell: CellId) => view.pins.some((pin) => sameCell(pin, cell));
  const meets = (t: number, { kind, layer }: Column) => has({ t, kind, layer });
  return {
    rows: whole.rows.filter((t) => whole.columns.some((column) => meets(t, column))),
    columns: spaced(whole.columns.filter((column) => whole.rows.some((t) => meets(t, column)))),
    has,
  };
}
