import { type Compared, type GridRow, linesOf, rowsIn } from "./alignment";
import { type Column, columnsOf, spaced } from "./columns";
import { ofText, sameCell } from "./state/cells";
import type { View } from "./state/view";
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
  /** Rows, of one text or of two. */
  lines: GridRow[];
  columns: Column[];
  /** Whether a cell of these rows and columns is in it. */
  has: (cell: CellId) => boolean;
}

export const selected = (
  lines: GridRow[],
  columns: Column[],
  has: Selection["has"] = () => true,
): Selection => ({
  lines,
  columns,
  has,
});

/** The cells of a part, in the grid's order. Hidden or not, what is pinned can be selected. */
export function selectionOf(
  trace: Trace,
  model: ModelInfo,
  view: Pick<View, "hide" | "hide_layers" | "rows" | "pins">,
  part: Part = "seen",
  compared: Compared | null = null,
): Selection {
  const all = linesOf(trace, compared?.second ?? null, compared?.comparison ?? null);
  const whole = columnsOf(model, trace.columns, { hide: [], hide_layers: [] });
  if (part === "whole") return selected(all, whole);
  if (part === "seen")
    return selected(rowsIn(all, view.rows), columnsOf(model, trace.columns, view));
  const has = (cell: CellId) => view.pins.some((pin) => sameCell(pin, cell));
  const meets = ({ t, second }: GridRow, { kind, layer }: Column) =>
    has({ t, kind, layer, ...ofText(second) });
  return selected(
    all.filter((line) => whole.some((column) => meets(line, column))),
    spaced(whole.filter((column) => all.some((line) => meets(line, column)))),
    has,
  );
}
