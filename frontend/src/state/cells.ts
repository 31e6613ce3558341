import type { CellId } from "../types";

/** Which cell or row is meant, among those of two texts. */

/** A timestep of one of the texts. */
export type RowId = Pick<CellId, "t" | "second">;

export const sameRow = (a: RowId | null, b: RowId | null): boolean =>
  a === b || (!!a && !!b && a.t === b.t && a.second === b.second);

export const sameCell = (a: CellId | null, b: CellId | null): boolean =>
  a === b || (!!a && !!b && sameRow(a, b) && a.kind === b.kind && a.layer === b.layer);

/** A mark for a cell or row of the second text, and none for the first: spread into its id. */
export const ofText = (second: boolean): { second?: true } => (second ? { second: true } : {});

export const MAX_PINS = 4;

export function togglePin(pins: readonly CellId[], cell: CellId): CellId[] {
  const rest = pins.filter((p) => !sameCell(p, cell));
  // The oldest gives way: a click is never answered with nothing.
  return rest.length < pins.length ? rest : [...rest, cell].slice(-MAX_PINS);
}
