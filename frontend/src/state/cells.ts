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

/**
 * What to say of pinned cells that a link names and its text has not; null where it has them all.
 *
 * @param rows - timesteps of the first text.
 * @param compared - whether there is a second text: how long that is its own answer says.
 */
export function pinnedPast(
  pins: readonly CellId[],
  rows: number,
  compared: boolean,
): string | null {
  const past = pins.filter((pin) => (pin.second ? !compared : pin.t >= rows)).length;
  if (!past) return null;
  const cells =
    past === 1 ? "1 pinned cell of the link is" : `${past} pinned cells of the link are`;
  return `${cells} past the end of its text, and not shown.`;
}
