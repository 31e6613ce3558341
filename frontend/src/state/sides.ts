import type { CellId, Trace } from "../types";
import type { State } from ".";
import { ofText } from "./cells";
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
const otherSide = ({ second, ...cell }: CellId): CellId => ({ ...cell, ...ofText(!second) });

/** The two texts change places; what is pinned, looked into or gave way stays with its own. */
export const swapped = ({
  view,
  dropped,
}: Pick<State, "view" | "dropped">): { view: Partial<View>; dropped: CellId | null } => ({
  view: {
    text: view.compare ?? "",
    compare: view.text,
    pins: view.pins.map(otherSide),
    inside: view.inside && otherSide(view.inside),
  },
  dropped: dropped && otherSide(dropped),
});
