import { type GridRow, isRowOf, linesOf, numberOf, shownOf } from "./alignment";
import { columnKey, columnsOf, layerKey } from "./columns";
import { readSpans, writeSpans } from "./spans";
import type { State } from "./state";
import type { View } from "./state/view";
import type { CellId } from "./types";

/** Whether a cell stands in the grid, and what brings it back where its row or column is hidden. */

type Seen = Pick<State, "model" | "trace" | "second" | "comparison" | "view">;

const rowsAround = ({ trace, second, comparison }: Seen): GridRow[] =>
  trace ? linesOf(trace, second, comparison) : [];

function showsRow(state: Seen, cell: CellId): boolean {
  const lines = rowsAround(state);
  const at = lines.findIndex(isRowOf(cell));
  return at >= 0 && shownOf(lines, state.view.rows).includes(at);
}

function showsColumn({ model, trace, view }: Seen, cell: CellId): boolean {
  if (!model || !trace) return false;
  return columnsOf(model, trace.columns, view).some((c) => columnKey(c) === columnKey(cell));
}

/** Whether a cell is drawn: its text has it, and neither its row nor its column is hidden. */
export const isShown = (state: Seen, cell: CellId): boolean =>
  showsColumn(state, cell) && showsRow(state, cell);

/** What shows a cell again, with nothing else that is hidden; empty where nothing hides it. */
export function unhiding(state: Seen, cell: CellId): Partial<View> {
  const { hide, hide_layers, rows } = state.view;
  const line = rowsAround(state).find(isRowOf(cell));
  if (!line) return {};
  const column = showsColumn(state, cell)
    ? {}
    : {
        hide: hide.filter((kind) => kind !== cell.kind),
        hide_layers: hide_layers.filter((key) => key !== layerKey(cell)),
      };
  if (showsRow(state, cell)) return column;
  const at = numberOf(line);
  // A link holds so many spans: one more, and all rows are shown.
  return { ...column, rows: readSpans(writeSpans([...rows, [at, at]])) ?? [] };
}
