import type { Semantic } from "../types";

/** What a view can be set to: its choices, in order, with the words that the page has for them. */

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
export const SHOWS = ["class", "named", "watch", "entropy", "divergence"] as const;
export type Show = (typeof SHOWS)[number];
/** `labels`: of a network that gives labels. */
export const showNames = (labels: boolean): Record<Show, string> => ({
  class: labels ? "the strongest label" : "the strongest class",
  named: labels ? "the label and its name" : "the class and its name",
  watch: labels ? "a label's probability" : "a word's probability",
  entropy: "entropy",
  divergence: "divergence from y",
});
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

/** The axis of perplexities: linear and cut where the paper cuts it, or logarithmic. */
export const AXES = ["cut", "log"] as const;
export type Axis = (typeof AXES)[number];
export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** How many words after the last difference a cell must stand to be ranked among those that part. */
export const DISTANCES = [0, 1, 3] as const;
export type Distance = (typeof DISTANCES)[number];
