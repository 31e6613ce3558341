/** The JSON of the server, under the server's own names. See /api/v1/openapi.json. */

export const SEMANTICS = ["previous", "this", "next", "after_next", "label"] as const;
/** What a hidden state is asked for: which word, seen from its timestep; or the network's label. */
export type Semantic = (typeof SEMANTICS)[number];

/** Whether the states are asked for what the network itself says, in y. */
export const saysItself = (semantic: Semantic): boolean =>
  semantic === "next" || semantic === "label";

/** Whether labels are said and not words. A typed text does not tell which are right. */
export const ofLabels = ({ semantic }: { semantic: Semantic }): boolean => semantic === "label";

/** Whether a model's network says labels and not words. Each is a class, by its own name. */
export const saysLabels = ({ semantics }: Pick<ModelInfo, "semantics">): boolean =>
  semantics.includes("label");

/** Whether a model's labels are of whole sentences. */
export const isWhole = (model: Pick<ModelInfo, "task"> | null): boolean =>
  model?.task === "classification";

/** What a token of a model is. */
export type Unit = "word" | "character" | "symbol";
export type Noun = Unit | "label";

/** Files and servers of earlier versions do not say: words. */
export const unitOf = (model: Pick<ModelInfo, "unit"> | null): Unit => model?.unit ?? "word";

/** Whether there is a tour of a model: of one that reads words, and says them. */
export const hasTour = (model: ModelInfo | null): boolean =>
  model !== null && !saysLabels(model) && unitOf(model) === "word";

/** What the bars of a cell are. */
export const nounOf = (semantic: Semantic, unit: Unit): Noun =>
  semantic === "label" ? "label" : unit;

export interface ColumnId {
  kind: string;
  /** 0 for the embedding, null for the network's output. */
  layer: number | null;
}

/** One cell of the grid: a column at a timestep. */
export interface CellId extends ColumnId {
  t: number;
  /** Of the text that the first is compared with; absent of the first. */
  second?: true;
}

export interface Operand extends ColumnId {
  /** 1 when the operand is the one of the timestep before, −1 of the one after. */
  lag: number;
}

export interface ColumnInfo extends ColumnId {
  symbol: string;
  name: string;
  equation: string;
  operands: Operand[];
  depth: number;
  /** Only weighs other states, between 0 and 1. Files saved by earlier versions do not say. */
  gate?: boolean;
  /** In which a bidirectional layer reads. */
  direction?: "forward" | "backward" | null;
  /** Of its vector; null of the output. Files and servers of earlier versions do not say. */
  units?: number | null;
  perplexity: Partial<Record<Semantic, number | null>>;
}

export interface WordClass {
  id: string;
  name: string;
}

/** A class of one's own: its words are taken out of the model's classes. */
export interface OwnClass {
  name: string;
  words: readonly string[];
}

export interface Palette {
  id: string;
  name: string;
  colours: Record<string, string>;
  /** Colour → what the classes that share it are called together. */
  groups?: Record<string, string>;
}

export interface Example {
  text: string;
  shows: string;
  /** What it stands under in a list. */
  group?: string;
  /** A second text to compare it with. */
  compare?: string;
  /** A unit to show along it, as a link has it, and what that follows. */
  unit?: string;
  follow?: string;
}

export interface ModelSummary {
  id: string;
  name: string;
  /** What the network says. Files saved by earlier versions do not tell: the next word. */
  task?: "language" | "tagging" | "classification";
}

export interface ModelList {
  default: string;
  models: ModelSummary[];
}

export interface ModelInfo extends ModelSummary {
  description: string;
  /** Files saved by earlier versions do not say. */
  architecture?: {
    vocabulary?: number;
    cell_name?: string;
    layers?: number;
    units?: number | number[];
    tied?: boolean;
    bidirectional?: boolean | null;
  };
  /** Of the network on held-out text: valid, test. */
  perplexity?: Record<string, number>;
  accuracy?: Record<string, number> | null;
  fingerprint: string;
  /** Heads that are trained anew change the one above, and not this one. */
  network_fingerprint?: string;
  /** Of n-gram models on the same test text, by their names. */
  baselines?: Record<string, number>;
  /** Its weights came from elsewhere: what they were trained on nobody here knows. */
  imported?: boolean;
  /** What reads the hidden states: a map of its own into the network's decoder, or a matrix of its own. */
  forms?: Partial<Record<Semantic, "shared" | "linear">>;
  /** Whether the end of a sentence is predicted too; not told: it is. */
  ends?: boolean;
  unit?: Unit;
  semantics: Semantic[];
  columns: ColumnInfo[];
  classes: WordClass[];
  palettes: Palette[];
  limits: { tokens: number; bytes: number; bars: number };
  examples: Example[];
}

export interface Token {
  id: number;
  surface: string;
  word: string;
  known: boolean;
  /** Code points, not UTF-16 units, in the text as it was sent. Null for a sentence's start. */
  span: [number, number] | null;
}

/** Axes: R rows, C columns, B bars, K classes. */
export interface Rows {
  top_ids: number[][][]; // (R, C, B)
  top_probs: number[][][]; // (R, C, B), descending
  mass: number[][][]; // (R, C, K), over the top words only
  entropy: number[][]; // (R, C), bits
  divergence: number[][]; // (R, C), Jensen–Shannon from y_t, bits
  label_ids: (number | null)[]; // (R)
  label_ranks: (number[] | null)[]; // (R, C)
  label_probs: (number[] | null)[]; // (R, C)
  next_ids: (number | null)[]; // (R)
  next_ranks: (number | null)[]; // (R)
  next_probs: (number | null)[]; // (R)
  surprisal: (number | null)[]; // (R), bits
  watch_probs?: number[][]; // (R, C), of the watched word, when one was asked for
  watch_ranks?: number[][]; // (R, C)
}

/** A word whose probability is told in every cell; `known` when the vocabulary has it. */
export interface Watch {
  word: string;
  id: number;
  known: boolean;
}

/** What the server answers to a query. */
export interface Answer {
  model: string;
  fingerprint: string;
  semantic: Semantic;
  bars: number;
  top: number;
  top_words: number;
  from: number;
  tokens: Token[];
  columns: ColumnId[];
  classes: string[];
  words: Record<string, string>;
  word_classes: Record<string, number>;
  rows: Rows;
  /** Of the rows that were asked for; null where none is scored. See `perplexityOf`. */
  perplexity: number | null;
  watch?: Watch;
  /** Of each class of one's own, the words that the vocabulary lacks. */
  missing?: { id: string; name: string; words: string[] }[];
}

/** An answer, with the question that it is to. */
export interface Trace extends Answer {
  asked: Query;
}

/** A vector that a cell was computed from. */
export interface OperandState extends ColumnId {
  /** 1 when it is of the timestep before, −1 of the one after. */
  lag: number;
  /** Null for the zeros that stand beside a sentence. */
  timestep: number | null;
  zero: boolean;
  values: number[]; // (H)
  /** Jensen–Shannon divergence of its own encoding from the cell's, in bits; null for zeros. */
  divergence: number | null;
  /** What it adds to the kind's weighted sum; null for a kind that has none. */
  term: number[] | null; // (H)
}

/** One cell from within: its vector, and those that it was computed from. H units. */
export interface Inside {
  fingerprint: string;
  timestep: number;
  values: number[] | null; // (H); null for the output, which has no vector of its own
  operands: OperandState[];
  bias: number[] | null; // (H), of a weighted sum
  /** Of a cell state: in how many units each has the larger absolute value. */
  won: { long_term: number; short_term: number; equal: number } | null;
}

/** Which cell to look into. */
export interface CellQuery extends ColumnId {
  text: string;
  model: string;
  semantic: Semantic;
  top: number;
  bars: number;
  timestep: number;
}

/** One unit of a vector, counted from 0. */
export interface UnitId extends ColumnId {
  unit: number;
}

/** A unit to read along a text, and a number for each timestep that units are to follow. */
export interface UnitQuery extends UnitId {
  text: string;
  model: string;
  follow: readonly (number | null)[] | null;
  all_kinds: boolean;
}

/** A unit along a text of T timesteps. */
export interface UnitLine {
  fingerprint: string;
  units: number; // how many the kind has
  values: number[]; // (T)
  r: number | null; // Pearson's, with what is followed; null where it is not defined
  found: (UnitId & { r: number })[]; // the units that follow best
}

/** What the page asks the server for. */
export interface Query {
  text: string;
  model: string;
  semantic: Semantic;
  bars: number;
  top: number;
  /** A word to tell the probability of in every cell. */
  watch?: string;
  classes?: readonly OwnClass[];
}

/** How a text is read, and whether a word can be watched. */
export interface TokensQuery {
  text: string;
  model: string;
  watch?: string;
}

export interface TokensRead {
  count: number; // without the starts of sentences: what the limit is about
  tokens: Token[];
  watch?: Watch | null; // null: what was named is not one word
}

/** What two texts are compared by. */
export interface Pair {
  texts: [string, string];
  model: string;
  semantic: Semantic;
}

export const OPS = ["same", "changed", "inserted", "deleted"] as const;
/** What became of a word on the way from the first text to the second. */
export type Op = (typeof OPS)[number];

/** Axes: A steps of the alignment, C columns. */
export interface Comparison {
  model: string;
  fingerprint: string;
  semantic: Semantic;
  tokens: [Token[], Token[]];
  columns: ColumnId[];
  alignment: [first: number | null, second: number | null, op: Op][]; // (A): timesteps
  divergence: (number[] | null)[]; // (A, C), Jensen–Shannon, bits; null where a step is no pair
}
