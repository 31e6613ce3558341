import { infoOf } from "./columns";
import type { CellId, ColumnId, ColumnInfo, ModelInfo, Trace } from "./types";

/** Which cells are read by which: within a row, across rows, and at the edges of sentences. Pure. */

/** What the kinds of a layer that reads backward begin with. */
export const BACKWARD = "backward_";

/** Whether a network reads the words to come: then each of them changes every state. */
export const readsAhead = (columns: readonly ColumnId[]): boolean =>
  columns.some(({ kind }) => kind.startsWith(BACKWARD));

/**
 * How many timesteps take part in a cell: all up to it, and in a network that reads ahead those up to
 * the end of its sentence. No sentence takes part in the one before it.
 */
export function readUpTo(
  { tokens, columns }: Pick<Trace, "tokens" | "columns">,
  t: number,
): number {
  if (!readsAhead(columns)) return t + 1;
  const next = tokens.findIndex(({ span }, at) => at > t && span === null);
  return next < 0 ? tokens.length : next;
}

/** Whether a timestep beside t, above or below it, is of another sentence or not there at all. */
function isBeyond({ tokens }: Pick<Trace, "tokens">, t: number, lag: number): boolean {
  if (lag === 0) return false;
  return lag > 0 ? tokens[t]?.span === null : !tokens[t + 1]?.span;
}

/**
 * The cells that an equation reads: those of this row, of the row above (lag 1) or below (−1). At the
 * edge of a sentence there is none: the network begins there with zeros.
 */
export function operandsOf(trace: Trace, model: ModelInfo, cell: CellId): CellId[] {
  return (infoOf(model, cell)?.operands ?? [])
    .filter((o) => !isBeyond(trace, cell.t, o.lag))
    .map((o) => ({ ...cell, t: cell.t - o.lag, kind: o.kind, layer: o.layer }))
    .filter((o) => o.t >= 0);
}

/** Whether an equation reads the zeros from which a sentence is begun, at one end or the other. */
export const readsZeros = (trace: Trace, info: ColumnInfo, t: number): boolean =>
  info.operands.some((o) => isBeyond(trace, t, o.lag));

/** A sentence after the first starts here: the eye gets a slightly larger gap. */
export const startsSentence = (trace: Trace, t: number): boolean =>
  t > 0 && trace.tokens[t]?.span === null;
