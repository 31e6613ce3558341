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

/** How far beyond the edges a row counts as seen, in pixels: about a row. */
const EDGE = 48;

/**
 * Which rows of a table are seen, by their place among those that are not hidden. Of rows that are not
 * there yet: if they will be as tall as the last. Null where there are none to go by, laid out.
 */
export function seenIn(
  box: HTMLElement,
  blocks: Iterable<HTMLTableSectionElement>,
): ((place: number) => boolean) | null {
  const { top, bottom } = box.getBoundingClientRect();
  const [from, to] = [Math.max(top, 0) - EDGE, Math.min(bottom, window.innerHeight) + EDGE];
  const seen: boolean[] = [];
  let [end, height] = [0, 0];
  for (const block of blocks) {
    const count = [...block.rows].filter((row) => !row.hidden).length;
    if (!count) continue;
    const place = block.getBoundingClientRect();
    height = place.height / count;
    end = place.bottom;
    for (let at = 0; at < count; at += 1)
      seen.push(place.top + at * height <= to && place.top + (at + 1) * height >= from);
  }
  if (!height) return null;
  return (place) => seen[place] ?? end + (place - seen.length) * height <= to;
}
