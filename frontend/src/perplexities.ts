import { bits, count, decimal, inUnits, perplexity } from "./format";
import { type Column, columnKey, columnTitle } from "./columns";
import { type Axis, SEMANTIC_MEANINGS } from "./state/choices";
import {
  isWhole,
  type ModelInfo,
  type Noun,
  ofLabels,
  saysItself,
  type Semantic,
  type Unit,
  unitOf,
} from "./types";

/** The chart of the paper's Figure 3, worked out before it is drawn: lengths are parts of its height. */

export interface PerplexityBar {
  column: Column;
  /** Null where it was not measured. */
  value: number | null;
  length: number;
  /** The value passes the end of the axis. */
  cut: boolean;
  figure: string;
}

export interface Perplexities {
  bars: PerplexityBar[];
  ticks: { at: number; label: string }[];
  /** The network's own perplexity: it predicts the next word, or labels, and only that. */
  network: { at: number; value: number } | null;
}

/** Where the paper cuts its axis. */
const CUT = 400;
const ENDS = [2, 5, 10, 20, 50, 100, 200, CUT];

interface Scale {
  place: (value: number) => number;
  ticks: number[];
}

function scaleOf(values: readonly number[], axis: Axis): Scale {
  const most = Math.max(1, ...values);
  if (axis === "log") {
    // Perplexity begins at 1: a word that is certain.
    const powers = Math.max(1, Math.ceil(Math.log10(most) - 1e-9));
    return {
      place: (value) => Math.log10(Math.max(1, value)) / powers,
      ticks: Array.from({ length: powers + 1 }, (_, n) => 10 ** n),
    };
  }
  const end = ENDS.find((e) => e >= most) ?? CUT;
  return {
    place: (value) => value / end,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((part) => part * end),
  };
}

export function perplexitiesOf(
  columns: readonly Column[],
  semantic: Semantic,
  axis: Axis,
): Perplexities {
  const told = (column: Column) => column.perplexity[semantic] ?? null;
  const kinds = columns.filter((column) => column.layer !== null);
  const own = columns.find((column) => column.layer === null);
  const value = own && told(own);
  const values = [...kinds.map(told), value].filter((v) => typeof v === "number");
  const { place, ticks } = scaleOf(values, axis);
  return {
    bars: kinds.map((column) => {
      const of = told(column);
      const part = of === null ? 0 : place(of);
      const figure = of === null ? "–" : perplexity(of);
      return { column, value: of, length: Math.min(1, part), cut: part > 1, figure };
    }),
    ticks: ticks.map((tick) => ({ at: place(tick), label: decimal(tick) })),
    network: typeof value === "number" ? { at: Math.min(1, place(value)), value } : null,
  };
}

/** A column is weak when it needs this many bits a word more than the middle one of its kind. */
const WEAK = 0.3;

/** The weak columns, by key: how many bits a word each needs more than the median of all kinds. */
export function weakOf(model: ModelInfo, semantic: Semantic): Map<string, number> {
  const told = model.columns.flatMap((column) => {
    const value = column.perplexity[semantic];
    return column.layer !== null && typeof value === "number"
      ? [{ key: columnKey(column), bits: Math.log2(value) }]
      : [];
  });
  const sorted = told.map(({ bits }) => bits).sort((a, b) => a - b);
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
  const median = ((sorted[low] ?? 0) + (sorted[high] ?? 0)) / 2;
  return new Map(
    told
      .map(({ key, bits }) => [key, bits - median] as const)
      .filter(([, excess]) => excess > WEAK),
  );
}

/** What y is when the states are asked for another word. */
const NEXT_WORD = "next word";

/** What stands under the figures of a head, by column: which are weak, and what y predicts. */
export function notesOf(
  columns: readonly Column[],
  weak: ReadonlyMap<string, number>,
  semantic: Semantic,
  unit: Unit = "word",
): Map<string, string> {
  return new Map(
    columns.flatMap(({ key, layer }): [string, string][] => {
      if (layer === null && !saysItself(semantic)) return [[key, inUnits(NEXT_WORD, unit)]];
      return weak.has(key) ? [[key, "weak"]] : [];
    }),
  );
}

/** What "weak" means, in words. */
export const weakness = (excess: number, noun: Noun = "word"): string =>
  `weak: it needs ${bits(excess)} a ${noun} more than the median column, so trust its ${noun}s less`;

/** What a bar says to who does not see it. */
export function spokenBar({ column, value, figure, cut }: PerplexityBar): string {
  const says = value === null ? "not measured" : `perplexity ${figure}`;
  return `${columnTitle(column)}: ${says}${cut ? ", past the end of the axis" : ""}`;
}

/** Of what a figure is the mean. What was read begins with the start of its sentence. */
function countedIn(semantic: Semantic, whole: boolean, ends: boolean): string {
  if (ofLabels({ semantic })) return whole ? "sentence, asked after its last word" : "label";
  return semantic === "this" || semantic === "previous"
    ? "token asked for, the start of a sentence included, which is nearly certain"
    : `token asked for${ends ? ", the end of a sentence included" : ""}`;
}

/** On what the figures were measured: of weights that came from elsewhere nobody here knows more. */
export const testText = ({ imported }: Pick<ModelInfo, "imported">): string =>
  imported
    ? "test lines, held out only if the network was not trained on them"
    : "held-out test text";

/** What the figures of a model are, in words; `lined`: there is a line. */
export function explained(
  semantic: Semantic,
  lined: boolean,
  model: Pick<ModelInfo, "architecture" | "unit" | "task" | "ends" | "imported" | "baselines">,
): string {
  const [unit, words] = [unitOf(model), model.architecture?.vocabulary];
  const labels = ofLabels({ semantic });
  const meaning = labels ? "the right label" : inUnits(SEMANTIC_MEANINGS[semantic], unit);
  const [n, noun] = labels ? [2, "labels"] : [100, `${unit}s`];
  const said = [
    `How well each kind of hidden state alone tells ${meaning}: exp of the mean negative natural ` +
      `log-likelihood per ${countedIn(semantic, isWhole(model), model.ends ?? true)}, on ${testText(model)}.`,
    `A perplexity of ${n} is as unsure as choosing evenly among ${n} ${noun}; 1 is certain.`,
  ];
  // Without either y is hidden, or was not measured.
  if (lined) said.push("The line is the network's own, y.");
  else if (!saysItself(semantic))
    said.push(`The network itself predicts only the next ${unit}, so there is no line.`);
  const { unigram, trigram } = model.baselines ?? {};
  if (semantic === "next" && unigram && trigram)
    said.push(
      `For comparison: ${unit} frequencies alone give ${perplexity(unigram)}; a trigram model ${perplexity(trigram)}.`,
    );
  // Labels are the same, whatever the vocabulary.
  if (words && !labels)
    said.push(
      `The vocabulary has ${count(words)} entries: figures over another vocabulary cannot be compared with these.`,
    );
  return said.join(" ");
}
