import { decimal, percent } from "../format";
import type { Show } from "../state/choices";
import { type ModelInfo, ofLabels, saysItself, type Trace } from "../types";
import { fill } from "./rectangle";
import { css, dilute, parseHex, type Rgb } from "./rgb";

/** A rectangle that shows a figure and not a class: one sequential colour, from the ground up. */

export type Measure = Exclude<Show, "class" | "named">;

export const isMeasure = (show: Show): show is Measure => show !== "class" && show !== "named";

const COLOURS: Record<Measure, string> = {
  watch: "#6b4fa3",
  entropy: "#2b5c8a",
  divergence: "#b5521b",
};

/** Probabilities are drawn by their order of magnitude: this one and less is nothing. */
const LEAST = 1e-4;

/**
 * What rectangles can show of an answer: a word is watched only when the answer tells of one, and a
 * divergence from y is of use only where the states are asked what y is.
 */
export const showOf = (show: Show, trace: Trace): Show =>
  (show === "watch" && !trace.watch) || (show === "divergence" && !saysItself(trace.semantic))
    ? "class"
    : show;

/** What tells the size of a vocabulary. */
type Sized = Pick<ModelInfo, "architecture"> | null;

/** The upper end: no distribution over the vocabulary has more bits, in whole bits. */
export function mostOf(
  measure: Measure,
  trace: Pick<Trace, "top" | "top_words" | "semantic">,
  model: Sized,
): number {
  if (measure !== "entropy") return 1;
  // Of labels, all are summed. A file of an earlier version may not say how many words there are: of a
  // small vocabulary their number, rounded, is not the part of it that was asked for.
  const all = ofLabels(trace)
    ? trace.top_words
    : (model?.architecture?.vocabulary ?? trace.top_words / trace.top);
  return Math.max(1, Math.ceil(Math.log2(all) - 1e-9));
}

/** How far a value is up its scale, 0 to 1. */
export function partOf(measure: Measure, value: number, most: number): number {
  const part =
    measure === "watch" ? 1 - Math.log10(Math.max(value, LEAST)) / Math.log10(LEAST) : value / most;
  return Math.max(0, Math.min(1, part));
}

export const shadeOf = (measure: Measure, value: number, most: number, ground: Rgb): Rgb =>
  dilute(parseHex(COLOURS[measure]), partOf(measure, value, most), ground);

/** The key to what rectangles show. */
export interface Key {
  title: string;
  steps: { label: string; colour: string }[];
}

/** The paper's Figure 2: how a mass dilutes a colour. */
const FIGURE_2 = [0.9, 0.5, 1 / 3, 0.1];
const POWERS = [1, 0.1, 0.01, 0.001, LEAST];
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

export function legendKey(
  show: Show,
  trace: Trace | null,
  model: Sized,
  colours: ReadonlyMap<string, string>,
  ground: Rgb,
): Key {
  const shown = trace ? showOf(show, trace) : "class";
  if (!isMeasure(shown) || !trace) {
    const colour = colours.get("DET") ?? [...colours.values()][0] ?? "#59a14f";
    return {
      title: "Mass of the strongest colour",
      steps: FIGURE_2.map((p) => ({
        label: percent(p),
        colour: fill({ colour, p, classes: [] }, ground),
      })),
    };
  }
  const most = mostOf(shown, trace, model);
  const step = (value: number, label: string) => ({
    label,
    colour: css(shadeOf(shown, value, most, ground)),
  });
  if (shown === "watch")
    return {
      title: `Probability of “${trace.watch?.word ?? ""}”`,
      steps: POWERS.map((p) => step(p, p === LEAST ? `≤${percent(p)}` : percent(p))),
    };
  return {
    title: shown === "entropy" ? "Entropy, in bits" : "Divergence from y, in bits",
    steps: QUARTERS.map((q) => step(q * most, decimal(q * most))),
  };
}
