import type { Order } from "../state";
import type { Inside } from "../types";

/** In which order the units of a cell stand. */

const byDescending = (weights: readonly number[]): number[] =>
  weights.map((_, unit) => unit).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));

/** The vector that the units are sorted by: the cell's own; of the output, the one that it reads. */
export const vectorOf = (inside: Inside): number[] =>
  inside.values ?? inside.operands[0]?.values ?? [];

/** For each unit how much larger l is than s, in absolute value; null where they are not added. */
export function marginOf({ won, operands }: Inside): number[] | null {
  const [long, short] = operands;
  if (!won || !long || !short) return null;
  return long.values.map((l, unit) => Math.abs(l) - Math.abs(short.values[unit] ?? 0));
}

/** Units, by index, in the order in which they are drawn; equal ones in the network's own. */
export function unitsIn(order: Order, inside: Inside): number[] {
  const values = vectorOf(inside);
  if (order === "unit") return values.map((_, unit) => unit);
  if (order === "value") return byDescending(values);
  return byDescending(marginOf(inside) ?? values.map(Math.abs));
}
