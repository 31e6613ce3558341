import { NO_COLOUR } from "./rgb";
import type { ModelInfo, OwnClass, Trace, Unit, WordClass } from "../types";

/** Classes of one's own: a name and the words that are taken out of the model's classes for it. */

/** Told from the presets' colours, from each other and from the ground, in OKLab. */
const OWN_COLOURS = [
  "#d6006c",
  "#000099",
  "#004400",
  "#992200",
  "#660088",
  "#1122ff",
  "#550022",
  "#ff00ff",
] as const;

/** What the server reads at most; each class has a colour. See docs/api.md, "Classes of your own". */
export const OWN_LIMITS = { classes: OWN_COLOURS.length, words: 200, name: 40, word: 100 };

const OWN = /^own:(0|[1-9]\d*)$/;

/** The id that an answer gives it: they are numbered in the order in which they were sent. */
export const ownId = (index: number): string => `own:${index}`;
export const ownIndex = (id: string): number | null => {
  const index = Number(OWN.exec(id)?.[1] ?? NaN);
  return index < OWN_LIMITS.classes ? index : null;
};

/** The colour it has until a person gives it another; none for a class of the model. */
export const ownColour = (id: string): string | undefined => OWN_COLOURS[ownIndex(id) ?? -1];

/** What a new one is given: the first colour that no class has, or else that of its number. */
export const freeColour = (index: number, used: readonly string[]): string =>
  OWN_COLOURS.find((colour) => !used.includes(colour)) ?? OWN_COLOURS[index] ?? NO_COLOUR;

const length = (text: string): number => Array.from(text).length;

/**
 * The words that were typed, each once: apart by white space. A comma between words is none of them,
 * but a comma alone is a word as any other.
 */
export const readWords = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/\s+/u)
      .map((word) => (word.length > 1 ? word.replace(/[,;]$/, "") : word))
      .filter(Boolean),
  ),
];

/** What it is called when nobody says: by its first words. */
export const nameOf = (words: readonly string[]): string =>
  Array.from(words.slice(0, 3).join("/")).slice(0, OWN_LIMITS.name).join("");

/** Why the server would refuse it, in a sentence; null when it would not. */
export function refused({ name, words }: OwnClass, unit: Unit = "word"): string | null {
  const { words: most, name: longest, word: letters } = OWN_LIMITS;
  if (!words.length) return `Type at least one ${unit}.`;
  if (words.length > most)
    return `A class has at most ${most} ${unit}s; these are ${words.length}.`;
  const long = words.find((word) => length(word) > letters);
  if (long)
    return `“${long.slice(0, 12)}…” is too long: a ${unit} has at most ${letters} characters.`;
  if (length(name) > longest) return `A name has at most ${longest} characters.`;
  return null;
}

/** The model's classes, and after them one's own. */
export const classesOf = (
  model: Pick<ModelInfo, "classes">,
  own: readonly OwnClass[],
): WordClass[] => [...model.classes, ...own.map(({ name }, i) => ({ id: ownId(i), name }))];

/** The classes of an answer by their names: it tells those of one's own itself. */
export const answeredClasses = (model: ModelInfo, { missing }: Trace): WordClass[] => [
  ...model.classes,
  ...(missing ?? []).map(({ id, name }) => ({ id, name })),
];

/**
 * The changed colours without those of one class. Those after it are numbered anew, and a colour
 * belongs to a number: each is given the one that it has, of the colours in force.
 */
export function withoutOwn(
  colours: ReadonlyMap<string, string>,
  inForce: ReadonlyMap<string, string>,
  index: number,
): Map<string, string> {
  const rest = new Map([...colours].filter(([id]) => (ownIndex(id) ?? -1) < index));
  for (const [id, colour] of inForce) {
    const own = ownIndex(id) ?? -1;
    if (own > index) rest.set(ownId(own - 1), colour);
  }
  return rest;
}

export const sameClasses = (
  a: readonly OwnClass[] | undefined,
  b: readonly OwnClass[] | undefined,
): boolean => a === b || JSON.stringify(a ?? []) === JSON.stringify(b ?? []);
