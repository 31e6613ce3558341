import { settled } from "../alignment";
import { isIn, spansOf } from "../spans";
import type { CellId, Comparison, Op, Trace } from "../types";
import type { State } from ".";
import { ofText } from "./cells";
import { MAX_SPANS, type Span } from "./choices";
import type { View } from "./view";

/** The two texts: what is of the one or the other, and that they change places. */

/** The text that a cell is of, and its trace. */
export const textOf = (view: View, { second }: { second?: true }): string =>
  second ? (view.compare ?? "") : view.text;
export const traceOf = (
  state: Pick<State, "trace" | "second">,
  { second }: { second?: true },
): Trace | null => (second ? state.second : state.trace);

/** The state with a cell's own text and trace in the place of the first: for what shows one cell. */
export const sideOf = <S extends Pick<State, "view" | "trace" | "second">>(
  state: S,
  cell: { second?: true } | null,
): S =>
  cell?.second
    ? {
        ...state,
        trace: state.second,
        view: { ...state.view, text: textOf(state.view, cell) },
      }
    : state;

/** A cell whose text becomes the other one. */
export const otherSide = ({ second, ...cell }: CellId): CellId => ({ ...cell, ...ofText(!second) });

const OTHER_OPS: Partial<Record<Op, Op>> = { inserted: "deleted", deleted: "inserted" };

/** The same of the two texts in the other order: how far two cells part is the same either way. */
const mirrored = ({ tokens: [first, second], alignment, ...rest }: Comparison): Comparison => ({
  ...rest,
  tokens: [second, first],
  alignment: alignment.map(([i, j, op]) => [j, i, OTHER_OPS[op] ?? op]),
});

/** The timesteps of the first text by which rows are shown, as those of the one that takes its place. */
function rowsOf(rows: readonly Span[], { alignment }: Comparison): readonly Span[] {
  // What only the second text has is in view for its own number: nobody asked for it by that.
  const shown = alignment.flatMap(([i, j]) => (i !== null && isIn(rows, i) ? [j ?? i] : []));
  const spans = spansOf(shown);
  // None of them is of a text: all rows are shown.
  return spans.length && spans.length <= MAX_SPANS ? spans : rows;
}

/**
 * The two texts change places, and with them what was answered of each; what is pinned, looked into or
 * gave way stays with its own.
 */
export const swapped = ({
  view,
  trace,
  second,
  comparison,
  dropped,
  hover,
}: Pick<State, "view" | "trace" | "second" | "comparison" | "dropped" | "hover">) => ({
  view: {
    text: view.compare ?? "",
    compare: view.text,
    pins: view.pins.map(otherSide),
    inside: view.inside && otherSide(view.inside),
    rows: comparison && trace && second && settled(comparison, trace, second) ? rowsOf(view.rows, comparison) : view.rows, // prettier-ignore
  } satisfies Partial<View>,
  // A text that is not answered yet leaves what is shown, as one that is typed does.
  trace: second ?? trace,
  second: second && trace,
  comparison: comparison && mirrored(comparison),
  dropped: dropped.map(otherSide),
  hover: hover && otherSide(hover),
});
