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

/** How much of a box lies under another, in square pixels. */
function covered(a: Box, b: Box): number {
  const across = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const down = Math.min(bottom(a), bottom(b)) - Math.max(a.top, b.top);
  // Boxes of neighbouring rows share an edge, but for rounding.
  return across > 1 && down > 1 ? across * down : 0;
}

const GAP = 9;

const clamp = (value: number, size: number, room: number) =>
  Math.max(GAP, Math.min(value, room - size - GAP));

/** What a pixel hidden of each weighs: the cell itself least of all may be under its popup. */
const WEIGHT = { cell: 1000, operand: 30, row: 1 };

/**
 * Where a popup stands by its cell: below, right, left or above the cell, or past all that must be
 * seen. Of the places on the screen the one that hides least of the cell, then of its operands, then
 * of their row; among equals the first.
 */
export function placePopup(
  cell: Box,
  { width, height }: { width: number; height: number },
  operands: readonly Box[],
  screen: { width: number; height: number },
  row: Box = cell,
): { left: number; top: number } {
  const all = [cell, row, ...operands];
  const middled = clamp(middle(cell) - width / 2, width, screen.width);
  const high = clamp(cell.top - 24, height, screen.height);
  const tops = [high, ...[cell.top, bottom(cell) - height, GAP, screen.height - height - GAP].map((top) => clamp(top, height, screen.height))]; // prettier-ignore
  const right = (box: Box) => box.left + box.width + GAP;
  const before = (box: Box) => box.left - GAP - width;
  const cells = [cell, ...operands];
  const sides = [
    right(cell),
    before(cell),
    Math.max(...cells.map(right)),
    Math.min(...cells.map(before)),
  ];
  const places = [
    { left: middled, top: bottom(cell) + GAP },
    { left: middled, top: Math.max(...all.map(bottom)) + GAP },
    { left: middled, top: cell.top - GAP - height },
    { left: middled, top: Math.min(...all.map((box) => box.top)) - GAP - height },
    ...sides.flatMap((left) => tops.map((top) => ({ left, top }))),
  ].filter(
    ({ left, top }) =>
      left >= 0 && top >= 0 && left + width <= screen.width && top + height <= screen.height,
  );
  const cost = (at: { left: number; top: number }) => {
    const box = { ...at, width, height };
    return (
      WEIGHT.cell * covered(box, cell) +
      WEIGHT.operand * operands.reduce((sum, operand) => sum + covered(box, operand), 0) +
      WEIGHT.row * covered(box, row)
    );
  };
  const costs = places.map(cost);
  return places[costs.indexOf(Math.min(...costs))] ?? { left: middled, top: high };
}
