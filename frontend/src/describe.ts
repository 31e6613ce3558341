import { NO_COLOUR } from "./colour/rgb";
import { answeredClasses, ownIndex } from "./colour/own";
import { groupName } from "./colour/palette";
import { type Rectangle, rectangle } from "./colour/rectangle";
import {
  bits,
  count,
  equationAt,
  finer,
  finerProbability,
  inUnits,
  percent,
  probability,
  rank,
  tokenLabel,
} from "./format";
import { indexOf, infoOf, ofLayer } from "./columns";
import { BACKWARD, readsZeros } from "./operands";
import { FLOOR } from "./scale";
import { once } from "./once";
import type { LongRow } from "./state";
import { type Show, showNames } from "./state/choices";
import { BARS_ASKED } from "./state/view";
import {
  type CellId,
  type ColumnId,
  type ModelInfo,
  type Noun,
  nounOf,
  unitOf,
  ofLabels,
  saysItself,
  type Trace,
} from "./types";

/** Everything that is said about one cell, gathered once for popup, pins and screen readers. */

export interface Bar {
  id: number;
  word: string;
  p: number;
  colour: string;
  /** The word that the cell was asked for. */
  asked: boolean;
}

export interface CellFacts {
  cell: CellId;
  token: string;
  name: string;
  symbol: string;
  equation: string;
  bars: Bar[];
  rectangle: Rectangle;
  /** Names of the classes that share the winning colour, joined. */
  strongest: string;
  /** The same in few letters: their ids, NOUN; a class of one's own has only its name. */
  tag: string;
  mass: number[];
  outside: number;
  /** What that is called. */
  outsideSaid: string;
  entropy: number;
  divergence: number;
  /** The word that the cell was asked for; none at an edge, and none where the cell is not asked. */
  label: { word: string; rank: number; p: number } | null;
  /** Whether it predicts the word that is asked for: y_t always predicts the next one. */
  asked: boolean;
  /** Why there is no label; nothing of labels, which a typed text does not tell. */
  why: string;
  /** What its bars are. */
  noun: Noun;
  /** The watched word in this cell, when there is one. */
  watch: { word: string; known: boolean; rank: number; p: number } | null;
  /** Its equation reads the zeros from which a sentence starts. */
  zeros: boolean;
  /** How far it parts from the cell of the other text that it stands beside, in bits. */
  parting: number | null;
}

/** At the edge of a sentence there may be no word before, or none after. */
export const NO_LABEL = "no word asked for here";
/** What y_t does whatever is asked of the states. */
export const ALWAYS_NEXT = "always predicts the next word";

/** Whether a column predicts what the states are asked for. */
const isAsked = ({ semantic }: Pick<Trace, "semantic">, column: ColumnId): boolean =>
  column.layer !== null || saysItself(semantic);

/** Whether divergence from y_t compares two answers to one question. */
export const diverges = ({ semantic }: Pick<Trace, "semantic">): boolean => saysItself(semantic);

/** Whether the class masses are over all that there is, whatever is asked for: it is few. */
export const ofFew = (
  trace: Pick<Trace, "semantic" | "top" | "top_words">,
  model: Pick<ModelInfo, "architecture">,
): boolean =>
  ofLabels(trace) || (trace.top < 1 && trace.top_words === model.architecture?.vocabulary);

/** Whether the class masses are over all that there is. */
export const overAll = (
  trace: Pick<Trace, "semantic" | "top" | "top_words">,
  model: Pick<ModelInfo, "architecture">,
): boolean => trace.top >= 1 || ofFew(trace, model);

export const wordOf = (trace: Pick<Trace, "words">, id: number): string =>
  trace.words[id] ?? `#${id}`;

export function barsOf(
  trace: Trace,
  t: number,
  column: number,
  colours: ReadonlyMap<string, string>,
  more: LongRow | null = null,
): Bar[] {
  const ids = more?.top_ids[column] ?? trace.rows.top_ids[t]?.[column]?.slice(0, BARS_ASKED);
  const probs = more?.top_probs[column] ?? trace.rows.top_probs[t]?.[column] ?? [];
  const { words, word_classes } = more ?? trace;
  const here = trace.columns[column];
  const label = here && isAsked(trace, here) ? trace.rows.label_ids[t] : null;
  return (ids ?? []).map((id, i) => ({
    id,
    word: wordOf({ words }, id),
    p: probs[i] ?? 0,
    colour: colours.get(trace.classes[word_classes[id] ?? -1] ?? "") ?? NO_COLOUR,
    asked: id === label,
  }));
}

export const whereOf = (column: ColumnId): string =>
  column.layer === null ? "output" : column.layer === 0 ? "input" : `layer ${column.layer}`;

const joined = (names: readonly string[]): string =>
  names.length <= 3
    ? names.join(" + ")
    : `${names.slice(0, 2).join(" + ")} + ${names.length - 2} more`;

function watchOf(trace: Trace, t: number, column: number): CellFacts["watch"] {
  const p = trace.rows.watch_probs?.[t]?.[column];
  const r = trace.rows.watch_ranks?.[t]?.[column];
  if (!trace.watch || p === undefined || r === undefined) return null;
  return { ...trace.watch, rank: r, p };
}

const labelOf = once(tokenLabel);

const namesOf = once((trace: Trace) =>
  once((model: ModelInfo) => new Map(answeredClasses(model, trace).map((k) => [k.id, k.name]))),
);

export function factsOf(
  trace: Trace,
  model: ModelInfo,
  colours: ReadonlyMap<string, string>,
  cell: CellId,
  more: LongRow | null = null,
  parting: number | null = null,
): CellFacts | null {
  const info = infoOf(model, cell);
  const c = indexOf(trace, cell);
  const token = trace.tokens[cell.t];
  const mass = trace.rows.mass[cell.t]?.[c];
  if (!info || !token || !mass) return null;
  const won = rectangle(mass, trace.classes, colours);
  const names = namesOf(trace)(model);
  const shared = won.classes
    .map((id) => ({ id, name: names.get(id) ?? id, p: mass[trace.classes.indexOf(id)] ?? 0 }))
    // Classes without mass share the colour but not the claim.
    .filter((c) => c.p > 0.005)
    .sort((a, b) => b.p - a.p);
  const group = groupName(model.palettes, won.colour, won.classes);
  const asked = isAsked(trace, cell);
  const labelId = asked ? trace.rows.label_ids[cell.t] : null;
  const labelRank = trace.rows.label_ranks[cell.t]?.[c];
  const labelProb = trace.rows.label_probs[cell.t]?.[c];
  return {
    cell,
    token: labelOf(token),
    name: info.name,
    symbol: info.symbol,
    // Asked for by the one cell that is read, not by those that are drawn.
    get equation() {
      return equationAt(info);
    },
    bars: barsOf(trace, cell.t, c, colours, more),
    rectangle: won,
    strongest: group ?? joined(shared.map((c) => c.name)),
    // Asked for only where it is shown.
    get tag() {
      return group ?? shared.map((c) => (ownIndex(c.id) === null ? c.id : c.name)).join("+");
    },
    mass,
    // Nothing lies outside the whole vocabulary: what is missing there was lost in rounding.
    outside: overAll(trace, model) ? 0 : Math.max(0, 1 - mass.reduce((a, b) => a + b, 0)),
    get outsideSaid() {
      return ofFew(trace, model) ? "" : outsideOf(trace, model);
    },
    entropy: trace.rows.entropy[cell.t]?.[c] ?? 0,
    divergence: trace.rows.divergence[cell.t]?.[c] ?? 0,
    label:
      typeof labelId === "number" && labelRank !== undefined && labelProb !== undefined
        ? { word: wordOf(trace, labelId), rank: labelRank, p: labelProb }
        : null,
    asked,
    noun: nounOf(trace.semantic, unitOf(model)),
    why: ofLabels(trace) ? "" : inUnits(asked ? NO_LABEL : ALWAYS_NEXT, unitOf(model)),
    watch: watchOf(trace, cell.t, c),
    zeros: readsZeros(trace, info, cell.t),
    parting,
  };
}

/**
 * The most likely outputs that class masses are over: the part of all that was asked for, or how many
 * they are where that part, rounded to whole ones, is another. `of`: with what it is a part of.
 */
export function topSaid(trace: Trace, model: ModelInfo, of = false): string {
  const { top, top_words: n } = trace;
  const noun = nounOf(trace.semantic, unitOf(model));
  const all = model.architecture?.vocabulary;
  if (all === undefined || percent(n / all) === percent(top))
    return `${percent(top)}${of ? ` of ${noun}s` : ""}`;
  return `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
}

/** What the mass is called that no class has. */
export const outsideOf = (trace: Trace, model: ModelInfo, of = false): string =>
  `outside the top ${topSaid(trace, model, of)}`;

/** The figures of a cell, as name and value: what the popup lists under its bars. */
export function factLines(f: CellFacts, trace: Trace): [string, string][] {
  const list: [string, string][] = [
    [
      f.noun === "label" ? "strongest label" : "strongest class",
      `${f.strongest} ${finer(f.rectangle.p)}`,
    ],
  ];
  if (f.outsideSaid) list.push([f.outsideSaid, finer(f.outside)]);
  list.push(["entropy", bits(f.entropy, 2)]);
  if (f.cell.layer !== null && diverges(trace))
    list.push(["divergence from y", bits(f.divergence, 2)]);
  if (f.parting !== null) list.push(["from the other text", bits(f.parting, 3)]);
  if (f.label)
    list.push([
      `“${f.label.word}” ranks`,
      `${rank(f.label.rank)} · ${finerProbability(f.label.p)}`,
    ]);
  else if (f.why) list.push([f.why, ""]);
  if (f.watch)
    list.push([
      `watched: “${f.watch.word}”`,
      `${rank(f.watch.rank)} · ${finerProbability(f.watch.p)}`,
    ]);
  if (f.zeros) list.push([`state ${beyondOf(f.cell)} the sentence`, "0"]);
  return list;
}

/** On which side of a sentence the zeros stand from which a cell's layer starts. */
const beyondOf = ({ kind }: ColumnId): "before" | "after" =>
  kind.startsWith(BACKWARD) ? "after" : "before";

/** The sentence that a screen reader speaks for a cell. */
export function spoken(facts: CellFacts, show: Show = "class"): string {
  const words = facts.bars
    .slice(0, 3)
    .filter((b) => b.p >= FLOOR)
    .map((b) => `${b.word} ${percent(b.p)}`)
    .join(", ");
  const shown =
    show === "watch" && facts.watch
      ? `${facts.watch.word} ranks ${rank(facts.watch.rank)}, ${probability(facts.watch.p)}`
      : show === "entropy" || show === "divergence"
        ? `${showNames(false)[show]} ${bits(facts[show], 2)}`
        : `${facts.strongest || "no class"} ${percent(facts.rectangle.p)}`;
  const text = facts.cell.second ? " of the second text" : "";
  const parts = facts.parting === null ? "" : `; ${bits(facts.parting, 3)} from the other text`;
  return (
    `${facts.token}, timestep ${facts.cell.t + 1}${text}, ${facts.name}${ofLayer(facts.cell)}: ` +
    `${shown}; ${words || `no ${facts.noun} stands out`}${parts}` +
    (facts.label || !facts.why ? "." : `; ${facts.why}.`)
  );
}
