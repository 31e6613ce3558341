import { contrast, css, dilute, inkOn, parseHex, type Rgb } from "./colour/rgb";
import { fill } from "./colour/rectangle";
import { type CellFacts, type Bar, factsOf, spoken, wordOf } from "./describe";
import { bits, percent, rank, tokenLabel } from "./format";
import { type Column, startsSentence } from "./layout";
import type { CellId, ModelInfo, Trace } from "./types";

/** What the grid draws, worked out before anything is drawn. */

export interface DrawnBar {
  word: string;
  /** Part of the full bar, 0 to 1. */
  length: number;
  colour: string;
  ink: string | null;
  percent: string | null;
  /** The word that the cell was asked for: set in bold. */
  asked: boolean;
}

export interface DrawnCell {
  id: CellId;
  column: Column;
  fill: string;
  label: string;
  bars: DrawnBar[];
}

export interface DrawnRow {
  t: number;
  token: string;
  known: boolean;
  quiet: boolean;
  gap: boolean;
  next: { word: string; rank: string; surprisal: string; bits: number } | null;
}

export interface Paint {
  trace: Trace;
  model: ModelInfo;
  columns: readonly Column[];
  colours: ReadonlyMap<string, string>;
  bars: number;
  domain: number | null;
  ground: Rgb;
  /** The page's own ink. */
  ink: Rgb;
}

/** How opaque a bar is over the cell: its word is read through it. */
const BAR = 0.62;

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
    known: token?.known ?? true,
    quiet: !token?.span,
    gap: startsSentence(trace, t),
    next: scored
      ? {
          word: wordOf(trace, id),
          rank: `${rank(r ?? 0)} · ${percent(p)}`,
          surprisal: bits(surprisal),
          bits: surprisal,
        }
      : null,
  };
}

function drawnBar(bar: Bar, domain: number, output: boolean, paint: Paint): DrawnBar {
  const length = domain ? Math.min(1, bar.p / domain) : 0;
  const ground = dilute(parseHex(bar.colour), BAR, paint.ground);
  // A word that lies mostly on its bar takes black or white where the page's ink reads badly there.
  const covered = length * 9 > bar.word.length && contrast(paint.ink, ground) < 4.5;
  return {
    word: bar.word,
    length,
    colour: css(ground),
    ink: covered ? inkOn(ground) : null,
    percent: output ? percent(bar.p) : null,
    asked: bar.asked,
  };
}

export function drawnCell(paint: Paint, t: number, column: Column): DrawnCell | null {
  const id: CellId = { t, kind: column.kind, layer: column.layer };
  const facts: CellFacts | null = factsOf(paint.trace, paint.model, paint.colours, id);
  if (!facts) return null;
  const domain = paint.domain ?? facts.bars[0]?.p ?? 1;
  return {
    id,
    column,
    fill: fill(facts.rectangle, paint.ground),
    label: spoken(facts),
    bars: facts.bars
      .slice(0, paint.bars)
      .map((bar) => drawnBar(bar, domain, column.layer === null, paint)),
  };
}
