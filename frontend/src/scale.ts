import type { Column } from "./columns";
import type { Scale } from "./state/choices";
import type { Trace } from "./types";

/** What a bar's length stands for, and which bars there are. Pure. */

/** The probability that a full bar stands for, in every cell that is drawn; null when each has its own. */
export function domainOf(
  trace: Trace,
  rows: readonly number[],
  columns: readonly Column[],
  scale: Scale,
  has: (t: number, column: Column) => boolean = () => true,
): number | null {
  if (scale === "cell") return null;
  if (scale === "fixed" || scale === "root") return 1;
  let max = 0;
  for (const t of rows)
    for (const column of columns)
      if (has(t, column)) max = Math.max(max, trace.rows.top_probs[t]?.[column.index]?.[0] ?? 0);
  return max || 1;
}

/**
 * A word of less probability is not shown in a cell, and has no bar: it would be named only because
 * every list of so many words has some last ones.
 */
export const FLOOR = 5e-4;

/** How long a bar is, as a part of the full one. */
export function lengthOf(p: number, domain: number, scale: Scale): number {
  const part = Math.min(1, p / domain);
  return scale === "root" ? Math.sqrt(part) : part;
}

/** The mass of each class in the cells of these rows and columns, summed. */
export function massOf(
  trace: Trace,
  rows: readonly number[],
  columns: readonly Column[],
): Map<string, number> {
  const sums = trace.classes.map(() => 0);
  for (const t of rows)
    for (const { index } of columns)
      trace.rows.mass[t]?.[index]?.forEach((m, k) => {
        sums[k] = (sums[k] ?? 0) + m;
      });
  return new Map(trace.classes.map((id, k) => [id, sums[k] ?? 0]));
}
