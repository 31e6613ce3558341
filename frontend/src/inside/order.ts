import type { Order } from "../state/choices";
import type { Inside } from "../types";

/** In which order the units of a cell stand. */

const byDescending = (weights: readonly number[]): number[] =>
  weights.map((_, unit) => unit).sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));

/** The vector that the units are sorted by: the cell's own; of the output, the one that it reads. */
export const vectorOf = (inside: Inside): number[] =>
  inside.values ?? inside.operands[0]?.values ?? [];

/** What is added: l and s in c, the terms of the operands inside a gate. None where nothing is. */
export function addedIn({ won, operands }: Inside): number[][] {
  const added = operands.flatMap(({ values, term }) => (won ? [values] : term ? [term] : []));
  return added.length > 1 ? added : [];
}

/**
 * For each unit how much more the operand at a place contributes than any other, in absolute value.
 * Null where nothing is added.
 */
export function marginOf(inside: Inside, at = 0): number[] | null {
  const added = addedIn(inside);
  const rest = added.filter((_, i) => i !== at);
  const size = (vector: readonly number[], unit: number) => Math.abs(vector[unit] ?? 0);
  const own = added[at];
  return own
    ? own.map((_, unit) => size(own, unit) - Math.max(...rest.map((other) => size(other, unit))))
    : null;
}

/** Units, by index, in the order in which they are drawn; equal ones in the network's own. */
export function unitsIn(order: Order, inside: Inside): number[] {
  const values = vectorOf(inside);
  if (order === "unit") return values.map((_, unit) => unit);
  if (order === "value") return byDescending(values);
  return byDescending(marginOf(inside) ?? values.map(Math.abs));
}
