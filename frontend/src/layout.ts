import {
  type CellId,
  type ColumnId,
  type ColumnInfo,
  type ModelInfo,
  ofLabels,
  type Trace,
} from "./types";
import { once } from "./once";
import type { Density, Scale } from "./state/choices";
import type { View } from "./state/view";

/** Where everything goes: pure, no DOM. */

export interface Column extends ColumnInfo {
  key: string;
  /** Index into the last axes of the answer. */
  index: number;
  group: string;
  /** Of the greatest depth in its layer: what the layer above reads. */
  last: boolean;
  /** A small gap before a column of greater depth, a rule's gap before a new layer. */
  gap: "" | "depth" | "layer";
}

export interface Group {
  name: string;
  span: number;
}

/** What stands before a column, in pixels: as in the stylesheet. */
export const GAPS: Record<Column["gap"], number> = { "": 0, depth: 3, layer: 11 };

/** How tall the rectangle over the bars of a cell is, in pixels: as in the stylesheet. */
export const RECTANGLE = 13;

export const columnKey = (c: ColumnId): string =>
  c.layer === null ? c.kind : `${c.kind}.${c.layer}`;

export const layerKey = (c: ColumnId): string => String(c.layer ?? "output");

export const layerName = (key: string): string =>
  key === "0" ? "input" : key === "output" ? "output" : `layer ${key}`;

/** A column in words: cell state of layer 2. */
export const columnSaid = ({ name, layer }: Pick<ColumnInfo, "name" | "layer">): string =>
  `${name.toLowerCase()}${layer ? ` of layer ${layer}` : ""}`;

/** The kinds that are gates. */
export const gatesOf = ({ columns }: Pick<ModelInfo, "columns">): string[] => [
  ...new Set(columns.filter((c) => c.gate).map((c) => c.kind)),
];

/** The columns in view, in the model's order. */
export function columnsOf(
  model: ModelInfo,
  answered: readonly ColumnId[],
  view: Pick<View, "hide" | "hide_layers">,
): Column[] {
  const index = new Map(answered.map((c, i) => [columnKey(c), i]));
  const deepest = new Map<string, number>();
  for (const c of model.columns)
    deepest.set(layerKey(c), Math.max(c.depth, deepest.get(layerKey(c)) ?? 0));
  const shown = model.columns.flatMap((info): Column[] => {
    const at = index.get(columnKey(info));
    const hidden = view.hide.includes(info.kind) || view.hide_layers.includes(layerKey(info));
    if (at === undefined || hidden) return [];
    const layer = layerName(layerKey(info));
    const group = info.direction ? `${layer}, ${info.direction}` : layer;
    const last = info.depth === deepest.get(layerKey(info));
    return [{ ...info, key: columnKey(info), index: at, group, last, gap: "" }];
  });
  return spaced(shown);
}

/** Columns with the gaps that follow from what stands before them. */
export function spaced(shown: readonly Column[]): Column[] {
  return shown.map((column, i) => {
    const before = shown[i - 1];
    const gap = !before
      ? ""
      : before.group !== column.group
        ? "layer"
        : // What the last two depths hold (c, then h) is one step of the recurrence: together.
          before.depth < column.depth && !column.last
          ? "depth"
          : "";
    return { ...column, gap };
  });
}

export function groupsOf(columns: readonly Column[]): Group[] {
  const groups: Group[] = [];
  for (const { group } of columns) {
    const last = groups.at(-1);
    if (last?.name === group) last.span += 1;
    else groups.push({ name: group, span: 1 });
  }
  return groups;
}

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

/** What the kinds of a layer that reads backward begin with. */
export const BACKWARD = "backward_";

/** Whether a network reads the words to come: then each of them changes every state. */
export const readsAhead = (columns: readonly ColumnId[]): boolean =>
  columns.some(({ kind }) => kind.startsWith(BACKWARD));

/**
 * How many timesteps take part in a cell: all up to it, and in a network that reads ahead those up to
 * the end of its sentence. No sentence takes part in the one before it.
 */
export function readUpTo(
  { tokens, columns }: Pick<Trace, "tokens" | "columns">,
  t: number,
): number {
  if (!readsAhead(columns)) return t + 1;
  const next = tokens.findIndex(({ span }, at) => at > t && span === null);
  return next < 0 ? tokens.length : next;
}

/** Whether a timestep beside t, above or below it, is of another sentence or not there at all. */
function isBeyond({ tokens }: Pick<Trace, "tokens">, t: number, lag: number): boolean {
  if (lag === 0) return false;
  return lag > 0 ? tokens[t]?.span === null : !tokens[t + 1]?.span;
}

/**
 * The cells that an equation reads: those of this row, of the row above (lag 1) or below (−1). At the
 * edge of a sentence there is none: the network begins there with zeros.
 */
export function operandsOf(trace: Trace, model: ModelInfo, cell: CellId): CellId[] {
  return (infoOf(model, cell)?.operands ?? [])
    .filter((o) => !isBeyond(trace, cell.t, o.lag))
    .map((o) => ({ ...cell, t: cell.t - o.lag, kind: o.kind, layer: o.layer }))
    .filter((o) => o.t >= 0);
}

/** Whether an equation reads the zeros from which a sentence is begun, at one end or the other. */
export const readsZeros = (trace: Trace, info: ColumnInfo, t: number): boolean =>
  info.operands.some((o) => isBeyond(trace, t, o.lag));

const infos = once(
  (columns: readonly ColumnInfo[]) => new Map(columns.map((c) => [columnKey(c), c])),
);
const indices = once(
  (columns: readonly ColumnId[]) => new Map(columns.map((c, index) => [columnKey(c), index])),
);

export const infoOf = (model: ModelInfo, cell: ColumnId): ColumnInfo | undefined =>
  infos(model.columns).get(columnKey(cell));

export const indexOf = (trace: Trace, cell: ColumnId): number =>
  indices(trace.columns).get(columnKey(cell)) ?? -1;

/** A sentence after the first starts here: the eye gets a slightly larger gap. */
export const startsSentence = (trace: Trace, t: number): boolean =>
  t > 0 && trace.tokens[t]?.span === null;

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

/** How wide the tokens' column is: for symbols, for short words, for long ones. */
const TOKEN = { symbols: 64, short: 104, long: 150 };

/** From this width on all columns of two layers have room beside the widest tokens. */
const ROOM = 1137;

/**
 * The tokens' column on the page, `longest` the width of the widest token. By the pixel it would move all
 * columns a little for every text, and have each cell styled and laid out anew.
 */
export function tokenWidth(longest: number, available: number): number {
  const { symbols, short, long } = TOKEN;
  const needed = BESIDE + longest;
  if (needed <= symbols) return symbols;
  if (available < 560) return short;
  return needed <= short && available < ROOM ? short : long;
}

/** The tokens' column of a figure, which is drawn once. */
export function fittedToken(longest: number): number {
  return Math.min(TOKEN.long, Math.max(TOKEN.symbols, BESIDE + Math.ceil(longest)));
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
  const gaps = columns.reduce((sum, column) => sum + GAPS[column.gap], 0);
  const output = columns.some((c) => c.kind === "output") ? 1 : 0;
  const extra = output * outputExtra(density);
  const room = available - token - gaps - came - extra - columns.length * 3;
  const cell = Math.floor(room / Math.max(1, columns.length));
  const { least, most } = SIZES[density];
  return { cell: Math.min(most, Math.max(least, cell)), token };
}

/** What a sheet of paper upright has between its margins, in pixels. */
export const PAPER = 720;

/** How wide the grid is, in pixels, from the tokens to what came next. */
export function widthOf(
  { cell, token }: Measures,
  columns: readonly Column[],
  density: Density,
  came = CAME,
): number {
  const output = columns.some((c) => c.kind === "output") ? outputExtra(density) : 0;
  const gaps = columns.reduce((sum, column) => sum + GAPS[column.gap], 0);
  return token + columns.length * (cell + 3) + gaps + output + came;
}

/** How many words were typed, and how many of them the network knows only as `<unk>`. */
export function unknownsOf({ tokens }: Trace): { unknown: number; typed: number } {
  const typed = tokens.filter(({ span }) => span);
  return { unknown: typed.filter(({ known }) => !known).length, typed: typed.length };
}

/** Said beside a perplexity of which unknown words are a part; "" where there are none. */
export function unknownSaid(trace: Trace): string {
  const { unknown, typed } = unknownsOf(trace);
  if (!unknown) return "";
  const { surprisal, next_ids } = trace.rows;
  const known = surprisal.filter((_, t) => trace.words[next_ids[t] ?? -1] !== "<unk>");
  const [all, without] = [perplexityOf(surprisal), perplexityOf(known)];
  const easy = all !== null && without !== null && all < without;
  const said = `${unknown} of ${typed} words unknown: read as <unk>`;
  return easy ? `${said}, which is easy to predict` : said;
}

/** The perplexity of a text; null also where every typed token is unknown: it would be that of `<unk>`. */
export function sentencePerplexityOf({
  tokens,
  rows,
}: Pick<Trace, "tokens" | "rows">): number | null {
  const typed = tokens.filter(({ span }) => span);
  return typed.length && typed.every(({ known }) => !known) ? null : perplexityOf(rows.surprisal);
}

/** 2 to the mean surprisal of the rows that are scored. */
export function perplexityOf(surprisal: readonly (number | null)[]): number | null {
  const scored = surprisal.filter((s) => s !== null);
  if (!scored.length) return null;
  return 2 ** (scored.reduce((a, b) => a + b, 0) / scored.length);
}
