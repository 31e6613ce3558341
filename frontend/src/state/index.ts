import { isBlank } from "../blank";
import type {
  CellId,
  Comparison,
  Example,
  Inside,
  ModelInfo,
  ModelSummary,
  Trace,
  UnitId,
  UnitLine,
} from "../types";
import type { UnitQuestion } from "../unitline/asked";
import type { RowId } from "./cells";
import { type ColourStep, DEFAULT_VIEW, type View } from "./view";

/** What went wrong, in words, and what to do. */
export interface Problem {
  message: string;
  advice: string;
  /** The page goes on trying by itself. */
  retrying: boolean;
  /** The typed text is at fault. */
  ofText: boolean;
}

/** The model at hand reads other symbols than those of the text. */
export interface Unread {
  said: string;
  /** Of the model's own, to be read instead. */
  example: Example | null;
}

/** A row with more words a cell than the grid draws. */
export interface LongRow {
  top_ids: number[][]; // (C, B)
  top_probs: number[][]; // (C, B)
  words: Trace["words"];
  word_classes: Trace["word_classes"];
}

/** What was asked for beyond the grid's own answer, for one timestep of it. */
export interface More {
  of: Trace;
  t: number;
  /** Null while it is on its way, or when it failed. */
  row: LongRow | null;
  problem: string | null;
}

/** What was asked about the inside of a cell. */
export interface Look {
  cell: CellId;
  /** Says what the answer depends on: the words read, the cell, the question, the network. */
  key: string;
  of: Trace;
  /** Null while it is on its way, or when it failed. */
  answer: Inside | null;
  problem: string | null;
}

/** The answer to which unit is drawn along the text; of two texts, a side each. */
export interface AlongText {
  unit: UnitId;
  sides: readonly (UnitQuestion & { answer: UnitLine })[];
  problem: string | null;
  again: boolean; // the same question may have an answer later
}

export interface State {
  view: View;
  models: readonly ModelSummary[];
  model: ModelInfo | null;
  coming: string | null; // the model that was chosen and is on its way
  trace: Trace | null;
  second: Trace | null; // of the second text
  comparison: Comparison | null; // the last answer: maybe not yet of these two traces
  problem: Problem | null;
  unpaired: Problem | null; // why the second text is not compared
  unwatched: string | null; // why the word to watch is not watched
  unread: Unread | null; // the text is for another model
  notices: readonly string[];
  busy: boolean;
  pairing: boolean; // the second text or the comparison is on its way
  dark: boolean;
  printing: boolean; // on paper, which is white
  hover: CellId | null; // the cell whose popup is open
  held: boolean; // the popup stays until it is dismissed
  more: More | null; // the popup lists more words
  look: Look | null; // the inside of view.inside
  line: AlongText | null; // the last answer: maybe not yet of view.unit
  row: RowId | null; // the timestep that a chip or a row points at
  column: string | null; // the key of the column that the chart of perplexities points at
  tour: number | null; // the step of the guided tour
  offered: boolean; // the tour is offered
  dropped: readonly CellId[]; // the pins that gave way to the last one, or were all removed at once
  undo: readonly ColourStep[];
}

/** Nothing that the model says of the text has come yet: what another said may stay drawn, but it is old. */
export const isAwaited = ({ view, model, trace, problem }: State): boolean =>
  model !== null && trace === null && problem === null && !isBlank(view.text);

/** What is of the view that is shown, and goes as soon as another takes its place. */
export const TRANSIENT = {
  hover: null,
  held: false,
  more: null,
  dropped: [],
  undo: [],
} satisfies Partial<State>;

export const INITIAL: State = {
  view: DEFAULT_VIEW,
  models: [],
  model: null,
  coming: null,
  trace: null,
  second: null,
  comparison: null,
  problem: null,
  unpaired: null,
  unwatched: null,
  unread: null,
  notices: [],
  busy: false,
  pairing: false,
  dark: false,
  printing: false,
  ...TRANSIENT,
  look: null,
  line: null,
  row: null,
  column: null,
  tour: null,
  offered: false,
};
