import { isMeasure, mostOf, shadeOf, showOf } from "./colour/measure";
import { contrast, css, dilute, inkOn, needsRim, parseHex, type Rgb, WHITE } from "./colour/rgb";
import { diluted } from "./colour/rectangle";
import { type CellFacts, type Bar, factsOf, spoken, wordOf } from "./describe";
import { bits, fixed, percent, probability, rank, tokenLabel } from "./format";
import { widthOf } from "./figure/text";
import type { Column } from "./columns";
import { SIZES } from "./measures";
import { startsSentence } from "./operands";
import { FLOOR, lengthOf } from "./scale";
import { once } from "./once";
import { ofText } from "./state/cells";
import type { Scale, Show } from "./state/choices";
import type { CellId, ModelInfo, Trace } from "./types";

/** What the grid draws, worked out before anything is drawn. */

export interface DrawnBar {
  word: string;
  /** Part of the full bar, 0 to 1. */
  length: number;
  colour: string;
  /** Outlined, since its colour hardly stands out from the cell. */
  rim: boolean;
  ink: string | null;
  percent: string | null;
  /** The word that the cell was asked for: set in bold. */
  asked: boolean;
  /** The word may not fit: only then it is clipped, for each clip costs as much as a bar. */
  long: boolean;
}

export interface DrawnCell {
  id: CellId;
  column: Column;
  fill: string;
  rim: boolean;
  /** What the rectangle says, in which ink, and whether it may not fit. */
  figure: { text: string; ink: string; long: boolean } | null;
  label: string;
  bars: DrawnBar[];
}

export interface DrawnRow {
  t: number;
  token: string;
  /** What the network reads in its place. */
  read: string;
  known: boolean;
  quiet: boolean;
  gap: boolean;
  next: { word: string; rank: string; surprisal: string; bits: number } | null;
}

export interface Paint {
  trace: Trace;
  /** The trace is of the second text. */
  second?: boolean;
  model: ModelInfo;
  columns: readonly Column[];
  colours: ReadonlyMap<string, string>;
  bars: number;
  show: Show;
  domain: number | null;
  scale: Scale;
  ground: Rgb;
  /** The page's own ink. */
  ink: Rgb;
}

/** How opaque a bar is over the cell: its word is read through it, in dark ink and in light. */
const BAR = { light: 0.62, dark: 0.5 };

/** A bar's word begins so many pixels into the cell. */
const INSET = 3;

/** How much wider the bold word, or another of the system's fonts, may be than estimated. */
const WIDER = 1.2;

/** Widths of words in ems: the same words come again in every answer. */
const widths = new Map<string, number>();
function emsOf(word: string): number {
  const known = widths.get(word);
  if (known !== undefined) return known;
  if (widths.size >= 20_000) widths.clear();
  const ems = widthOf(word, 1);
  widths.set(word, ems);
  return ems;
}

/** Whether a word may be wider than the narrowest cell, at the letters that its cells have. */
function isLong(word: string): boolean {
  const { bars, roomy } = SIZES;
  const part = Math.max(bars.font / bars.least, roomy.font / roomy.least);
  return INSET / bars.least + WIDER * part * emsOf(word) > 1;
}

export function drawnRow(trace: Trace, t: number): DrawnRow {
  const token = trace.tokens[t];
  const [id, p, r, surprisal] = [
    trace.rows.next_ids[t],
    trace.rows.next_probs[t],
    trace.rows.next_ranks[t],
    trace.rows.surprisal[t],
  ];
  const scored = typeof id === "number" && typeof p === "number" && typeof surprisal === "number";
  return {
    t,
    token: token ? tokenLabel(token) : "",
    read: token?.word ?? "",
    known: token?.known ?? true,
    quiet: !token?.span,
    gap: startsSentence(trace, t),
    next: scored
      ? {
          word: wordOf(trace, id),
          rank: `${rank(r ?? 0)} · ${probability(p)}`,
          surprisal: bits(surprisal),
          bits: surprisal,
        }
      : null,
  };
}

/** Where a cell has no more words that count: it is as tall as the others. */
const BLANK: DrawnBar = {
  word: "",
  length: 0,
  colour: "transparent",
  rim: false,
  ink: null,
  percent: null,
  asked: false,
  long: false,
};

interface Tint {
  fill: string;
  rim: boolean;
  /** The ink of a word that its bar covers, where the page's own reads badly on it. */
  ink: string | null;
}

/** What follows from a class's colour, the page's ground and its ink: once for each of them. */
const tintsOf = once(({ ground, ink }: Paint) => {
  const known = new Map<string, Tint>();
  const light = inkOn(ground) === "#000";
  return (colour: string): Tint => {
    const found = known.get(colour);
    if (found) return found;
    const over = dilute(parseHex(colour), light ? BAR.light : BAR.dark, ground);
    const own = contrast(ink, over);
    const best = Math.max(contrast(over, [0, 0, 0]), contrast(over, WHITE));
    const better = own < 4.5 && best > own;
    const tint = {
      fill: css(over),
      rim: needsRim(colour, ground),
      ink: better ? inkOn(over) : null,
    };
    known.set(colour, tint);
    return tint;
  };
});

/** Whether a bar covers all of its word, in the narrowest cell too. */
function covers(length: number, word: string): boolean {
  const { least, font } = SIZES.bars;
  return INSET + font * emsOf(word) <= least * length;
}

function drawnBar(bar: Bar, domain: number, output: boolean, paint: Paint): DrawnBar {
  const { word, p, asked } = bar;
  const length = domain ? lengthOf(p, domain, paint.scale) : 0;
  const { fill, rim, ink } = tintsOf(paint)(bar.colour);
  return {
    word,
    length,
    colour: fill,
    rim,
    ink: ink && covers(length, word) ? ink : null,
    percent: output ? percent(p) : null,
    asked,
    long: isLong(word),
  };
}

/** The rectangle: a class diluted as in the paper, or a figure on its scale. */
function rectangleOf(facts: CellFacts, paint: Paint): Pick<DrawnCell, "fill" | "rim" | "figure"> {
  const { show: wanted, trace, model, ground } = paint;
  const show = showOf(wanted, trace);
  if (!isMeasure(show)) {
    const { colour, p } = facts.rectangle;
    const shade = diluted(facts.rectangle, ground);
    const text = show === "named" ? facts.tag : "";
    return {
      fill: css(shade),
      rim: p > 0 && tintsOf(paint)(colour).rim,
      figure: text ? { text, ink: inkOn(shade), long: isLong(text) } : null,
    };
  }
  const value = show === "watch" ? (facts.watch?.p ?? 0) : facts[show];
  const shade = shadeOf(show, value, mostOf(show, trace, model), ground);
  const text = show === "watch" ? rank(facts.watch?.rank ?? 0) : fixed(value, show === "entropy" ? 1 : 2); // prettier-ignore
  return { fill: css(shade), rim: false, figure: { text, ink: inkOn(shade), long: false } };
}

/** `bits`: how far each column parts from the other text, where there is one. */
export function drawnCell(
  paint: Paint,
  t: number,
  column: Column,
  bits: readonly number[] | null = null,
): DrawnCell | null {
  const { trace, model, colours, second = false } = paint;
  const id: CellId = { t, kind: column.kind, layer: column.layer, ...ofText(second) };
  const parting = bits?.[column.index] ?? null;
  const facts: CellFacts | null = factsOf(trace, model, colours, id, null, parting);
  if (!facts) return null;
  const domain = paint.domain ?? facts.bars[0]?.p ?? 1;
  const bars = facts.bars.slice(0, paint.bars);
  return {
    id,
    column,
    ...rectangleOf(facts, paint),
    label: spoken(facts, showOf(paint.show, paint.trace)),
    bars: bars.map((bar) =>
      bar.p < FLOOR ? BLANK : drawnBar(bar, domain, column.layer === null, paint),
    ),
  };
}
