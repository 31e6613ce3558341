import { classesOf } from "./colour/own";
import {
  type CellId,
  type Comparison,
  type Inside,
  type ModelInfo,
  type ModelSummary,
  type OwnClass,
  saysItself,
  type Semantic,
  type Trace,
  type UnitId,
  type UnitLine,
} from "./types";

export const SCALES = ["fixed", "root", "view", "cell"] as const;
export type Scale = (typeof SCALES)[number];
export const SCALE_NAMES: Record<Scale, string> = {
  fixed: "0 to 100 %",
  root: "0 to 100 %, square root",
  view: "to the largest in view",
  cell: "each cell to itself",
};
export const SEMANTIC_NAMES: Record<Semantic, string> = {
  previous: "previous",
  this: "this word",
  next: "next word",
  after_next: "after next",
  label: "label",
};
/** What each state is asked for, in full. */
export const SEMANTIC_MEANINGS: Record<Semantic, string> = {
  previous: "the word before the one just read",
  this: "the word just read",
  next: "the word that comes next",
  after_next: "the word after the next one",
  label: "the label that the network gives",
};
export const LABELS = ["symbol", "name"] as const;
export type Labels = (typeof LABELS)[number];
/** What the rectangle of a cell shows. */
export const SHOWS = ["class", "watch", "entropy", "divergence"] as const;
export type Show = (typeof SHOWS)[number];
export const SHOW_NAMES: Record<Show, string> = {
  class: "the strongest class",
  watch: "a word's probability",
  entropy: "entropy",
  divergence: "divergence from y",
};
/** In which order the units of a vector are drawn. */
export const ORDERS = ["value", "unit", "contribution"] as const;
export type Order = (typeof ORDERS)[number];
/** Whose units are searched for what follows best: those of one kind, or all. */
export const SEARCHES = ["kind", "all"] as const;
export type Search = (typeof SEARCHES)[number];
/** How much room a cell takes. */
export const DENSITIES = ["rectangles", "bars", "roomy"] as const;
export type Density = (typeof DENSITIES)[number];
/** Timesteps from … to, counted from 0, both shown. */
export type Span = readonly [from: number, to: number];
export const MAX_SPANS = 32;
/** The longest word that can be watched, in characters. */
export const MAX_WORD = 64;

/** The axis of perplexities: linear and cut where the paper cuts it, or logarithmic. */
export const AXES = ["cut", "log"] as const;
export type Axis = (typeof AXES)[number];
export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** How many words after the last difference a cell must stand to be ranked among those that part. */
export const DISTANCES = [0, 1, 3] as const;
export type Distance = (typeof DISTANCES)[number];

export const MAX_PINS = 4;
/** The popup lists ten words whatever the grid draws, so ten are always asked for. */
export const BARS_ASKED = 10;

/** What a link holds: everything that decides what is seen. */
export interface View {
  text: string;
  compare: string | null; // the second text; null: none is compared
  distance: Distance;
  model: string; // "" until one is loaded, and in old links: the server's default
  semantic: Semantic;
  bars: number; // drawn in a cell, 0 to 10
  top: number; // fraction of the vocabulary that the masses sum over
  scale: Scale;
  show: Show;
  watch: string; // the word whose probability is shown
  density: Density;
  labels: Labels;
  axis: Axis;
  hide: readonly string[]; // kinds
  hide_layers: readonly string[]; // "0", "1", … and "output"
  rows: readonly Span[]; // the timesteps shown; none: all of them
  palette: string; // "" is the model's first preset
  colours: ReadonlyMap<string, string>; // changes to the preset: class → colour
  classes: readonly OwnClass[]; // of one's own
  pins: readonly CellId[];
  inside: CellId | null; // the cell that is looked into
  order: Order; // of its units
  unit: UnitId | null; // drawn along the text
  follow: string; // what a unit is to follow: see unitline/series
  series: string; // one's own numbers, as they are typed
  search: Search;
  theme: Theme | ""; // "" follows the system
}

export const DEFAULT_VIEW: View = {
  text: "",
  compare: null,
  distance: 3,
  model: "",
  semantic: "next",
  bars: 3,
  top: 0.1,
  scale: "fixed",
  show: "class",
  watch: "",
  density: "bars",
  labels: "symbol",
  axis: "cut",
  hide: [],
  hide_layers: [],
  rows: [],
  palette: "",
  colours: new Map(),
  classes: [],
  pins: [],
  inside: null,
  order: "value",
  unit: null,
  follow: "",
  series: "",
  search: "kind",
  theme: "",
};

/** The word that the server is asked to watch: none unless the rectangles show it. */
export const watched = (view: View): string => (view.show === "watch" ? view.watch : "");

/** What a step back restores: everything that the legend edits. */
export type Colouring = Pick<View, "palette" | "colours" | "classes">;

/** What went wrong, in words, and what to do. */
export interface Problem {
  message: string;
  advice: string;
  /** The page goes on trying by itself. */
  retrying: boolean;
  /** The typed text is at fault. */
  ofText: boolean;
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
export interface Line {
  unit: UnitId;
  sides: readonly { trace: Trace; second: boolean; answer: UnitLine }[];
  problem: string | null;
  again: boolean; // the same question may have an answer later
}

/** A timestep of one of the texts. */
export type RowId = Pick<CellId, "t" | "second">;

export interface State {
  view: View;
  models: readonly ModelSummary[];
  model: ModelInfo | null;
  trace: Trace | null;
  second: Trace | null; // of the second text
  comparison: Comparison | null; // the last answer: maybe not yet of these two traces
  problem: Problem | null;
  unpaired: Problem | null; // why the second text is not compared
  notices: readonly string[];
  busy: boolean;
  pairing: boolean; // the second text or the comparison is on its way
  dark: boolean;
  printing: boolean; // on paper, which is white
  hover: CellId | null; // the cell whose popup is open
  held: boolean; // the popup stays until it is dismissed
  more: More | null; // the popup lists more words
  look: Look | null; // the inside of view.inside
  line: Line | null; // the last answer: maybe not yet of view.unit
  row: RowId | null; // the timestep that a chip or a row points at
  column: string | null; // the key of the column that the chart of perplexities points at
  tour: number | null; // the step of the guided tour
  offered: boolean; // the tour is offered
  dropped: CellId | null; // the pin that gave way to the last one
  undo: readonly Colouring[];
}

export const INITIAL: State = {
  view: DEFAULT_VIEW,
  models: [],
  model: null,
  trace: null,
  second: null,
  comparison: null,
  problem: null,
  unpaired: null,
  notices: [],
  busy: false,
  pairing: false,
  dark: false,
  printing: false,
  hover: null,
  held: false,
  more: null,
  look: null,
  line: null,
  row: null,
  column: null,
  tour: null,
  offered: false,
  dropped: null,
  undo: [],
};

export const sameRow = (a: RowId | null, b: RowId | null): boolean =>
  a === b || (!!a && !!b && a.t === b.t && a.second === b.second);

export const sameCell = (a: CellId | null, b: CellId | null): boolean =>
  a === b || (!!a && !!b && sameRow(a, b) && a.kind === b.kind && a.layer === b.layer);

/** A mark for a cell or row of the second text, and none for the first: spread into its id. */
export const ofText = (second: boolean): { second?: true } => (second ? { second: true } : {});

/** The text that a cell is of, and its trace. */
export const textOf = (view: View, { second }: { second?: true }): string =>
  second ? (view.compare ?? "") : view.text;
export const traceOf = (
  state: Pick<State, "trace" | "second">,
  { second }: { second?: true },
): Trace | null => (second ? state.second : state.trace);

/** The state with a cell's own text and trace in the place of the first: for what shows one cell. */
export const sideOf = <S extends Pick<State, "view" | "trace" | "second">>(
  state: S,
  cell: { second?: true } | null,
): S =>
  cell?.second
    ? {
        ...state,
        trace: state.second,
        view: { ...state.view, text: textOf(state.view, cell) },
      }
    : state;

const otherSide = ({ second, ...cell }: CellId): CellId => ({ ...cell, ...ofText(!second) });

/** The two texts change places; what is pinned or looked into stays with its own. */
export const swapped = (view: View): Partial<View> => ({
  text: view.compare ?? "",
  compare: view.text,
  pins: view.pins.map(otherSide),
  inside: view.inside && otherSide(view.inside),
});

export function togglePin(pins: readonly CellId[], cell: CellId): CellId[] {
  const rest = pins.filter((p) => !sameCell(p, cell));
  // The oldest gives way: a click is never answered with nothing.
  return rest.length < pins.length ? rest : [...rest, cell].slice(-MAX_PINS);
}

/** Whether a model's network says labels and not words. Each is a class, by its own name. */
export const saysLabels = ({ semantics }: Pick<ModelInfo, "semantics">): boolean =>
  semantics.includes("label");

/** Names from a link, in quotes; not more of them than can be read. */
const joinedWords = (names: readonly string[]): string =>
  [...names.slice(0, 5).map((name) => `“${name}”`), ...(names.length > 5 ? ["…"] : [])].join(", ");

/**
 * Fits a view from a link to the model at hand, field by field, and says in words what did not fit.
 */
export function reconcile(view: View, model: ModelInfo): { view: View; notices: string[] } {
  const notices: string[] = [];
  const fitted = { ...view };
  if (!model.semantics.includes(view.semantic)) {
    fitted.semantic = model.semantics[0] ?? "next";
    // What the network itself says is one question, whatever that is.
    if (!saysItself(view.semantic) || !saysItself(fitted.semantic))
      notices.push(
        `This model has no encoding for “${view.semantic}”; “${fitted.semantic}” is shown.`,
      );
  }
  if (view.watch && saysLabels(model) && !model.classes.some((c) => c.id === view.watch)) {
    fitted.watch = "";
    notices.push(`This model has no label “${view.watch}” to watch: that was left out.`);
  }
  if (view.palette && !model.palettes.some((p) => p.id === view.palette)) {
    fitted.palette = "";
    notices.push(`There is no palette “${view.palette}”; the default is used.`);
  }
  const classes = new Set(classesOf(model, view.classes).map((c) => c.id));
  const strange = [...view.colours.keys()].filter((id) => !classes.has(id));
  if (strange.length) {
    fitted.colours = new Map([...view.colours].filter(([id]) => classes.has(id)));
    notices.push(`Colours for unknown classes were left out: ${strange.join(", ")}.`);
  }
  const has = (c: { kind: string; layer: number | null }) =>
    model.columns.some((m) => m.kind === c.kind && m.layer === c.layer);
  if (!view.pins.every(has)) {
    fitted.pins = view.pins.filter(has);
    notices.push("A pinned cell is of a kind that this model does not have.");
  }
  if (view.inside && !has(view.inside)) {
    fitted.inside = null;
    notices.push("The cell to look into is of a kind that this model does not have.");
  }
  if (view.unit && (view.unit.layer === null || !has(view.unit))) {
    fitted.unit = null;
    notices.push("The unit along the text is of a kind that this model does not have.");
  }
  const followed = view.follow.startsWith("class:") ? view.follow.slice(6) : null;
  if (followed !== null && !model.classes.some((c) => c.id === followed)) {
    fitted.follow = "";
    notices.push(`This model has no class “${followed}” to follow: that was left out.`);
  }
  const kinds = new Set(model.columns.map((c) => c.kind));
  const layers = new Set(model.columns.map((c) => String(c.layer ?? "output")));
  const known = (name: "hide" | "hide_layers", what: string, has: ReadonlySet<string>) => {
    fitted[name] = view[name].filter((item) => has.has(item));
    const unknown = view[name].filter((item) => !has.has(item));
    if (unknown.length)
      notices.push(`This model has no ${what} ${joinedWords(unknown)} to hide: that was left out.`);
  };
  known("hide", "kind", kinds);
  known("hide_layers", "layer", layers);
  return { view: fitted, notices };
}
