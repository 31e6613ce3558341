import type { Column } from "../columns";
import { GAPS, type Measures, outputExtra, RECTANGLE, SIZES } from "../measures";
import type { Density } from "../state/choices";

/** Where the parts of the picture stand, in pixels: the grid's own measures, but a column of tokens that fits. */

export const EDGE = 24;
const CAME = { gap: 11, width: 112, height: 44, line: 18 };
const UNDER = 5;
const SENTENCE = 16;

export interface PlacedColumn extends Column {
  x: number;
  width: number;
}

export interface Places {
  columns: PlacedColumn[];
  /** Right end of the token column, where "came next" begins, and how wide it all is. */
  token: number;
  came: number;
  width: number;
  density: Density;
  /** A full bar, the same in every column: y_t's extra room is for its figures. */
  full: number;
}

export function across(
  columns: readonly Column[],
  { cell, token }: Measures,
  density: Density,
  next = true,
): Places {
  let x = EDGE + token;
  const placed = columns.map((column) => {
    x += GAPS[column.gap];
    const width = cell + (column.layer === null ? outputExtra(density) : 0);
    const at = { ...column, x, width };
    x += width + 3;
    return at;
  });
  const came = x + CAME.gap;
  const width = next ? came + CAME.width + EDGE : x + EDGE;
  return { columns: placed, token: EDGE + token, came, width, density, full: cell };
}

/** The top of every row, and under the last the end. */
export function down(
  top: number,
  gaps: readonly boolean[],
  bars: number,
  density: Density,
): number[] {
  const { bar } = SIZES[density];
  // Rectangles alone are close together: what came next is then one line.
  const least = density === "rectangles" ? CAME.line : CAME.height;
  const height = Math.max(RECTANGLE + bars * bar + UNDER, least);
  let y = top;
  const tops = gaps.map((gap) => {
    const at = y + (gap ? SENTENCE : 0);
    y = at + height;
    return at;
  });
  return [...tops, y];
}
