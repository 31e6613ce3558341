import type { CellId, OwnClass, Semantic, UnitId } from "../types";
import type {
  Axis,
  Density,
  Distance,
  Labels,
  Order,
  Scale,
  Search,
  Show,
  Span,
  Theme,
} from "./choices";

/** The popup lists ten words whatever the grid draws, so ten are always asked for. */
export const BARS_ASKED = 10;

/** What a link holds: everything that decides what is seen. */
export interface View {
  text: string;
  compare: string | null; // the second text; null: none is compared
  distance: Distance;
  model: string; // "" until one is loaded, and in old links: the server's default
  fingerprint: string; // of the model that it was last shown in; "" in links without it
  semantic: Semantic;
  bars: number; // drawn in a cell, 0 to BARS_ASKED
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
  fingerprint: "",
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

/** Everything that the legend edits. */
export type Colouring = Pick<View, "palette" | "colours" | "classes">;

/** What a step back restores: also what a unit followed, where that went with its class. */
export type ColourStep = Colouring & Partial<Pick<View, "follow">>;
