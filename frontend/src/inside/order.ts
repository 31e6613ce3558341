import type { Order } from "../state/choices";
import type { Inside } from "../types";

/** In which order the units of a cell stand. */

const byDescending = (weights: readonly number[]): number[] =>
  weights.map((_, unit) => unit).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));

/** The vector that the units are sorted by: the cell's own; of the output, the one that it reads. */
export const vectorOf = (inside: Inside): number[] =>
  inside.values ?? inside.operands[0]?.values ?? [];

/**
 * For each unit how much more the first of what is added contributes than the second, in absolute
 * value: l and s in c, the terms of the operands inside a gate. Null where nothing is added.
 */
export function marginOf({ won, operands: [first, second] }: Inside): number[] | null {
  const added = won ? [first?.values, second?.values] : [first?.term, second?.term];
  const [a, b] = added;
  if (!a || !b) return null;
  return a.map((value, unit) => Math.abs(value) - Math.abs(b[unit] ?? 0));
}

/** Units, by index, in the order in which they are drawn; equal ones in the network's own. */
export function unitsIn(order: Order, inside: Inside): number[] {
  const values = vectorOf(inside);
  if (order === "unit") return values.map((_, unit) => unit);
  if (order === "value") return byDescending(values);
  return byDescending(marginOf(inside) ?? values.map(Math.abs));
}
