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
 * Which of the `count` rows that a table is to have are seen, by their place among those that are not
 * hidden: judged by the rows that it has. Those that are still to come will be as tall as the last; of
 * fewer rows the last come into sight. Null where there are none to go by, laid out.
 */
export function seenIn(
  box: HTMLElement,
  blocks: Iterable<HTMLTableSectionElement>,
  count: number,
): ((place: number) => boolean) | null {
  const { top, bottom } = box.getBoundingClientRect();
  const [from, to] = [Math.max(top, 0) - EDGE, Math.min(bottom, window.innerHeight) + EDGE];
  const seen: boolean[] = [];
  let [end, height] = [0, 0];
  for (const block of blocks) {
    const rows = [...block.rows].filter((row) => !row.hidden).length;
    if (!rows) continue;
    const place = block.getBoundingClientRect();
    height = place.height / rows;
    end = place.bottom;
    for (let at = 0; at < rows; at += 1)
      seen.push(place.top + at * height <= to && place.top + (at + 1) * height >= from);
  }
  if (!height) return null;
  // What is scrolled goes back as far as there are rows.
  const back = Math.max(0, seen.lastIndexOf(true) + 1 - count);
  return (place) => {
    const stays = seen[place] ?? end + (place - seen.length) * height <= to;
    return stays || (back > 0 && seen[place + back] === true);
  };
}
