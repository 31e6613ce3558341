/** Where wires run and where a popup stands: boxes in, places out. Pixels. */

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const middle = (box: Box) => box.left + box.width / 2;
const bottom = (box: Box) => box.top + box.height;
const n = (value: number) => String(Math.round(10 * value) / 10);

/**
 * The path of a wire from an operand to the cell that reads it, and the tip of its arrow. Within a row
 * it is an arc over the row, or under it where nothing can be seen above; from the row above it runs
 * through the gap between the rows.
 */
export function wire(from: Box, to: Box, under: boolean): { path: string; tip: string } {
  const [x1, x2] = [middle(from), middle(to)];
  const sameRow = Math.abs(from.top - to.top) < 1;
  const down = sameRow && under;
  const y1 = sameRow && !down ? from.top : bottom(from);
  const y2 = down ? bottom(to) : to.top;
  const bow = Math.min(26, 8 + Math.abs(x2 - x1) * 0.07);
  const [c1, c2] = sameRow
    ? [y1 + (down ? bow : -bow), y2 + (down ? bow : -bow)]
    : [y1 + 12, y2 - 12];
  const base = y2 + (down ? 6 : -6);
  return {
    path: `M${n(x1)} ${n(y1)}C${n(x1)} ${n(c1)} ${n(x2)} ${n(c2)} ${n(x2)} ${n(y2)}`,
    tip: `M${n(x2)} ${n(y2)}L${n(x2 - 3.5)} ${n(base)}H${n(x2 + 3.5)}Z`,
  };
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < bottom(b) && b.top < bottom(a);

const GAP = 9;

const clamp = (value: number, size: number, room: number) =>
  Math.max(GAP, Math.min(value, room - size - GAP));

/**
 * Where a popup stands by its cell: below, right, left or above, the first that fits the screen and
 * leaves in sight what must be seen, or else the first that fits.
 */
export function placePopup(
  cell: Box,
  size: { width: number; height: number },
  seen: readonly Box[],
  screen: { width: number; height: number },
): { left: number; top: number } {
  const left = clamp(middle(cell) - size.width / 2, size.width, screen.width);
  const tops = [cell.top - 24, cell.top, bottom(cell) - size.height].map((top) =>
    clamp(top, size.height, screen.height),
  );
  const beside = [cell.left + cell.width + GAP, cell.left - GAP - size.width];
  const places = [
    { left, top: bottom(cell) + GAP },
    ...beside.flatMap((side) => tops.map((top) => ({ left: side, top }))),
    { left, top: cell.top - GAP - size.height },
  ];
  const fitting = places.filter(
    (at) =>
      at.left >= 0 &&
      at.top >= 0 &&
      at.left + size.width <= screen.width &&
      at.top + size.height <= screen.height,
  );
  const clear = fitting.find((at) => !seen.some((box) => overlap({ ...at, ...size }, box)));
  return clear ?? fitting[0] ?? { left, top: tops[0] ?? GAP };
}
