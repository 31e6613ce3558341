import type { Column } from "./columns";
import type { Density } from "./state/choices";
import type { View } from "./state/view";
import { ofLabels, type Trace } from "./types";

/** How wide and tall everything of the grid is, in pixels. Pure. */

/** What stands before a column, in pixels: as in the stylesheet. */
export const GAPS: Record<Column["gap"], number> = { "": 0, depth: 3, layer: 11 };

/** How tall the rectangle over the bars of a cell is, in pixels: as in the stylesheet. */
export const RECTANGLE = 13;

/** The least length of a bar, in pixels: one that is there can be seen. */
export const LEAST_BAR = 1;

/** How a row's token is set: as in the stylesheet. */
export const TOKEN = { size: 13.5, weight: 600 };

/** What the letter of a text takes beside the timestep's number. */
export const MARK = 13;

/** Widest surprisal bar, in pixels, and how many a bit takes: its figure stands beside it. */
export const SURPRISAL = { most: 58, bit: 2.6 };

export interface Measures {
  cell: number;
  token: number;
}

/**
 * What a density is, in pixels. Bars are of whole pixels: a word rounded another way than its bar
 * would stand beside it. A column's least and greatest width, a bar's height and letters.
 */
export const SIZES: Record<Density, { least: number; most: number; bar: number; font: number }> = {
  rectangles: { least: 26, most: 84, bar: 0, font: 9.4 },
  bars: { least: 40, most: 84, bar: 12, font: 9.4 },
  roomy: { least: 84, most: 140, bar: 16, font: 12.5 },
};

/** What y_t takes more where it has bars: their percentages. */
export const outputExtra = (density: Density): number => (density === "rectangles" ? 0 : 38);

/** How many bars are drawn in a cell. */
export const barsShown = ({ bars, density }: Pick<View, "bars" | "density">): number =>
  density === "rectangles" ? 0 : bars;

/** From this width on a rectangle has room for a figure. */
export const FIGURE_WIDTH = 34;

/** What "came next" takes: its gap, a surprisal of 99.9 bits with the longest bar, and air. */
export const CAME = 126;

/** Nothing comes next where labels are said. */
export const cameOf = (trace: Pick<Trace, "semantic">): number => (ofLabels(trace) ? 0 : CAME);

/** What stands in the token's column besides the token: the timestep's number and the gaps. */
const BESIDE = 38;

/** How wide the tokens' column is: for `<bos>` and what is no wider, for short words, for long ones. */
const TOKEN_WIDTHS = { symbols: 88, short: 104, long: 150 };

/** From this width on all columns of two layers have room beside the widest tokens. */
const ROOM = 1137;

/**
 * The tokens' column on the page, `longest` the width of the widest token. By the pixel it would move all
 * columns a little for every text, and have each cell styled and laid out anew.
 */
export function tokenWidth(longest: number, available: number): number {
  const { symbols, short, long } = TOKEN_WIDTHS;
  const needed = BESIDE + longest;
  if (needed <= symbols) return symbols;
  if (available < 560) return short;
  return needed <= short && available < ROOM ? short : long;
}

/** The tokens' column of a figure, which is drawn once. */
export function fittedToken(longest: number): number {
  return Math.min(TOKEN_WIDTHS.long, BESIDE + Math.ceil(longest));
}

/**
 * Widths in pixels; `token` is that of the tokens' column. Every column of kinds has the same width, so
 * that a pixel of bar is the same probability in each; a whole number, so that edges are crisp.
 */
export function measure(
  available: number,
  columns: readonly Column[],
  token: number,
  density: Density = "bars",
  came = CAME,
): Measures {
  const room = available - gridWidth({ cell: 0, token }, columns, density, came);
  const cell = Math.floor(room / Math.max(1, columns.length));
  const { least, most } = SIZES[density];
  return { cell: Math.min(most, Math.max(least, cell)), token };
}

/** What a sheet of paper upright has between its margins, in pixels. */
export const PAPER = 720;

/** How wide the grid is, in pixels, from the tokens to what came next. */
export function gridWidth(
  { cell, token }: Measures,
  columns: readonly Column[],
  density: Density,
  came = CAME,
): number {
  const output = columns.some((c) => c.kind === "output") ? outputExtra(density) : 0;
  const gaps = columns.reduce((sum, column) => sum + GAPS[column.gap], 0);
  return token + columns.length * (cell + 3) + gaps + output + came;
}
