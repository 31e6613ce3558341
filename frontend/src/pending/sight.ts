/**
 * Rows by how far they are from the middle of what is in sight, the nearest first. Only their blocks are
 * measured, once: within one, rows count as equally tall.
 */
export function nearest(
  box: HTMLElement,
  rows: readonly HTMLTableRowElement[],
): HTMLTableRowElement[] {
  const { top, height } = box.getBoundingClientRect();
  const middle = top + height / 2;
  const distance = new Map<HTMLTableRowElement, number>();
  for (const block of new Set(rows.map((row) => row.parentElement))) {
    if (!block) continue;
    const place = block.getBoundingClientRect();
    const all = [...block.children] as HTMLTableRowElement[];
    const row = place.height / all.length;
    all.forEach((tr, at) => distance.set(tr, Math.abs(place.top + (at + 0.5) * row - middle)));
  }
  return [...rows].sort((a, b) => (distance.get(a) ?? 0) - (distance.get(b) ?? 0));
}
