import { comparable, domainOn, linesOf, rowsIn } from "./alignment";
import { groundOf } from "./colour/ground";
import { coloursOf } from "./colour/palette";
import type { Paint } from "./drawn";
import { columnsOf } from "./columns";
import { barsShown } from "./measures";
import type { State } from "./state";
import type { View } from "./state/view";
import type { ModelInfo, Trace } from "./types";

/** What cells are painted with, wherever they are: in the grid, in the inside of one, on a picture. Pure. */

interface Seen {
  trace: Trace;
  model: ModelInfo;
  view: View;
  dark: boolean;
}

/** @param of - what differs from place to place; what of it is left out is as in the grid. */
export const paintOf = (
  { trace, model, view, dark }: Seen,
  of: Pick<Paint, "columns" | "domain"> & Partial<Paint>,
): Paint => ({
  trace,
  model,
  colours: coloursOf(trace.classes, model.palettes, view),
  bars: barsShown(view),
  show: view.show,
  scale: view.scale,
  ...groundOf(dark),
  ...of,
});

/** The second text's trace, where its rows stand beside the first's. */
export const secondOf = ({ trace, second }: Pick<State, "trace" | "second">): Trace | null =>
  trace && second && comparable(trace, second) ? second : null;

/**
 * The probability of a full bar in the grid, and in all that shows a cell of it: one for what is in view
 * of both texts. Null when each cell has its own.
 */
export function domainIn(
  state: Pick<State, "trace" | "second" | "comparison" | "model" | "view">,
): number | null {
  const { trace, model, view, comparison } = state;
  if (!trace || !model) return null;
  const second = secondOf(state);
  // Only this scale depends on what is in view.
  const lines = view.scale === "view" ? linesOf(trace, second, comparison) : [];
  const inView = rowsIn(lines, view.rows);
  return domainOn(trace, inView, columnsOf(model, trace.columns, view), view.scale, second);
}
