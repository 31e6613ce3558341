import { classesOf, ownId, ownIndex } from "../colour/own";
import type { View } from "../state/view";
import { isWhole, type ModelInfo, ofLabels, type OwnClass, saysLabels, type Trace } from "../types";

/** What a unit may follow along a text: one number for each timestep. */

/** Of one's own numbers, in characters: more than the longest text needs. */
export const MAX_SERIES = 8000;
const LARGEST = 1e12; // the server's limit, in size

export interface Series {
  /** Null: nothing is followed. A timestep without a number is left out. */
  values: readonly (number | null)[] | null;
  /** As in "follows the depth of brackets". */
  name: string;
  /** Why there are none. */
  problem: string | null;
}

/** Numbers that a correlation is told of: by two of them it is 1 or −1 of whatever moves. */
const LEAST = 3;

const NOTHING: Series = { values: null, name: "", problem: null };
export const OWN = "own";
export const CLASS = "class:";

type Asked = Pick<ModelInfo, "classes" | "semantics">;
type Following = Pick<View, "follow" | "series" | "classes">;

/**
 * What can be followed in the texts of a model, with its name in a list. A word has a class; a label
 * is what y says of it, and nothing is surprising there.
 */
export function followsOf(model: Asked, own: View["classes"]): [string, string][] {
  const labels = saysLabels(model);
  const the = labels ? "the label" : "the class";
  return [
    ["", "nothing"],
    ["depth", "the depth of brackets"],
    ["timestep", "the timestep's number"],
    ...(labels ? [] : [["surprisal", "the surprisal of what came next"] as [string, string]]),
    ...classesOf(model, own).map(({ id, name }): [string, string] => [
      `${CLASS}${id}`,
      `${the} ${name}`,
    ]),
    [OWN, "your own numbers"],
  ];
}

/**
 * What is followed once one's own classes are others, which are numbered anew: the same class, by its
 * words or its name; nothing where that is gone.
 */
export function followIn(
  follow: string,
  before: readonly OwnClass[],
  after: readonly OwnClass[],
): string {
  const index = follow.startsWith(CLASS) ? ownIndex(follow.slice(CLASS.length)) : null;
  if (index === null) return follow;
  const was = before[index];
  const edited =
    before.length === after.length && before.every((c, i) => i === index || c === after[i]);
  const at = edited ? index : after.findIndex((c) => c === was || c.name === was?.name);
  return at < 0 ? "" : `${CLASS}${ownId(at)}`;
}

/** Opened and not yet closed after each token; a sentence starts at zero, as the network does. */
export function depthOf({ tokens }: Pick<Trace, "tokens">): number[] {
  let depth = 0;
  return tokens.map(({ surface, span }) => {
    if (!span) depth = 0;
    for (const sign of surface) depth += "([{".includes(sign) ? 1 : ")]}".includes(sign) ? -1 : 0;
    return depth;
  });
}

/** One's own numbers as they are typed: with commas, semicolons or spaces between. */
function ownOf(typed: string, timesteps: number): Series {
  const name = "your series";
  const refused = (problem: string): Series => ({ values: null, name, problem });
  const parts = typed.split(/[\s,;]+/u).filter(Boolean);
  if (!parts.length)
    return refused(`Type ${timesteps} numbers with commas between, one for each timestep.`);
  const numbers = parts.map((part) => Number(part.replace("−", "-")));
  const at = numbers.findIndex((n) => !(Math.abs(n) <= LARGEST));
  if (at >= 0) return refused(`“${(parts[at] ?? "").slice(0, 20)}” is not a number up to 10¹².`);
  if (parts.length !== timesteps)
    return refused(
      `There are ${parts.length} numbers; the text has ${timesteps} timesteps, starts of sentences included.`,
    );
  return { values: numbers, name, problem: null };
}

export function seriesOf(
  trace: Trace,
  model: ModelInfo,
  { follow, series, classes: own }: Following,
): Series {
  const { tokens, rows, word_classes, classes } = trace;
  const named = (values: Series["values"]): Series => {
    const name = followsOf(model, own).find(([id]) => id === follow)?.[1] ?? "";
    return { values, name, problem: null };
  };
  if (follow === OWN) return ownOf(series, tokens.length);
  if (follow === "depth") return named(depthOf(trace));
  if (follow === "timestep") return named(tokens.map((_, t) => t + 1));
  if (follow === "surprisal")
    return named(rows.surprisal.map((s) => (s === null ? null : Math.round(1e4 * s) / 1e4)));
  if (!follow.startsWith(CLASS)) return NOTHING;
  const wanted = classes.indexOf(follow.slice(CLASS.length));
  const said = (t: number) => (ofLabels(trace) ? rows.top_ids[t]?.at(-1)?.[0] : tokens[t]?.id);
  // Where a sentence starts there is no word that a tagger's label could be of.
  const nothing = (t: number) => ofLabels(trace) && !isWhole(model) && !tokens[t]?.span;
  return named(
    tokens.map((_, t) =>
      nothing(t) ? null : wanted >= 0 && word_classes[said(t) ?? -1] === wanted ? 1 : 0,
    ),
  );
}

/** Why no unit can follow a series, in words; "" where one can. */
export function constantSaid({ values, name }: Series): string {
  const told = (values ?? []).filter((n) => n !== null);
  if (!values || (told.length >= LEAST && new Set(told).size > 1)) return "";
  const [only] = told;
  const what =
    only === undefined
      ? "is not known at any timestep of this text: Pearson's r is not defined."
      : told.length < LEAST
        ? `is known at ${told.length === 1 ? "one timestep" : "two timesteps"} of this text: Pearson's r needs three or more.`
        : `is ${only} at every timestep of this text: Pearson's r is not defined.`;
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${what}`;
}
