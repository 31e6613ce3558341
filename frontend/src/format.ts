import type { Unit } from "./types";

/** How numbers and words are written, everywhere alike. */

/** What is more than nothing, and less than two decimals tell; and what is less than all. */
const LITTLE = "<0.01 %";
const MUCH = ">99 %";

/**
 * Whole percents from 1 % to 99 %, then ">99 %"; one decimal from 0.1 %, two from 0.01 %, then "<0.01 %": 0 % is
 * nothing, and 100 % is all.
 */
export function percent(p: number): string {
  if (p === 0) return "0 %";
  if (p < 1e-4) return LITTLE;
  const value = 100 * p;
  // What is missing from a sum of rounded parts was lost in rounding.
  if (p >= 0.995 && p < 1 - 5e-6) return MUCH;
  // Rounding must not carry a figure into the next class: 0.997 % is 1.0 %, and reads "1 %".
  if (p >= 0.00995) return `${Math.round(value)} %`;
  return `${value.toFixed(p >= 0.000995 ? 1 : 2)} %`;
}

/** As `percent`, to a tenth from 1 % on and to a hundredth below: where there is room, and figures are read off. */
export function finer(p: number): string {
  if (p < 1e-4) return percent(p);
  const value = 100 * p;
  if (p >= 0.9995) return p < 1 - 5e-6 ? ">99.9 %" : "100 %";
  return `${value.toFixed(value >= 0.995 ? 1 : 2)} %`;
}

/** Of a word: each has some, and one that float32 or five digits cannot hold is little, not none. */
export const probability = (p: number): string => (p ? percent(p) : LITTLE);
export const finerProbability = (p: number): string => (p ? finer(p) : LITTLE);

/** The value of a unit: three decimals, a real minus, and no zero that is not one. */
export function valueSaid(value: number): string {
  if (value === 0) return "0";
  if (Math.abs(value) < 5e-4) return "≈ 0";
  return value.toFixed(3).replace("-", "−");
}

const grouped = new Intl.NumberFormat("en");

export const count = (n: number): string => grouped.format(n);
export const rank = (n: number): string => `#${grouped.format(n)}`;
/** So many decimals; a figure that is not zero is not written as one. */
export const fixed = (n: number, digits: number): string => {
  const least = 10 ** -digits;
  return n > 0 && n < least / 2 ? `<${least.toFixed(digits)}` : n.toFixed(digits);
};
export const bits = (n: number, digits = 1): string => `${fixed(n, digits)} bits`;
/** Near 1, where all is certain, every hundredth tells. */
export const perplexity = (n: number): string =>
  n < 10 ? n.toFixed(n < 2 ? 2 : 1) : grouped.format(Math.round(n));

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/**
 * At most two decimals, and none that say nothing, of a number that is not negative; one digit of what
 * is too small for them: 0.002, 3·10⁻⁵.
 */
export function decimal(n: number): string {
  if (n === 0 || n >= 0.005) return grouped.format(Math.round(100 * n) / 100);
  const [digit = "", power = ""] = n.toExponential(0).split("e-");
  if (Number(power) <= 3) return n.toFixed(3);
  return `${digit}·10⁻${power.replace(/\d/g, (d) => RAISED[Number(d)] ?? "")}`;
}

const UNSEEN =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF]/g;

/**
 * Characters that do not show, or turn what stands beside them, by their code: NUL is <U+0000>. Fonts
 * lack pictures of them. Joiners are left: they make one sign of two.
 */
const legible = (text: string): string =>
  text.replace(
    UNSEEN,
    (sign) => `<U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
  );

/** Where each character is a token, a blank is one too: as vocabularies of characters show it. */
export const BLANKS: ReadonlyMap<string, { sign: string; name: string }> = new Map([
  [" ", { sign: "␣", name: "a space" }],
  ["\t", { sign: "⇥", name: "a tab" }],
  ["\n", { sign: "⏎", name: "a line break" }],
  ["\r", { sign: "␍", name: "a carriage return" }],
  ["\u00a0", { sign: "⍽", name: "a space that does not break" }],
]);

/** What a row is called: what was typed, or the special token where nothing was. */
export const tokenLabel = (token: { surface: string; word: string }): string =>
  (BLANKS.get(token.surface)?.sign ?? legible(token.surface)) || token.word;

/** Lone surrogates cannot be sent as UTF-8; they become U+FFFD as `toWellFormed` does it. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD");

/** Of a column whose equation is told: its layer, or of what layer it reads. */
interface Placed {
  equation: string;
  layer: number | null;
  operands: readonly { layer: number | null }[];
}

/** Whether a symbol is of one direction, with an arrow over it. */
export const hasArrow = (symbol: string): boolean => /[\u20d6\u20d7]/u.test(symbol);

/** h of the layer below in both directions: arrows over the letter, to the right and to the left. */
const BOTH = "h\u20d7_t^{u−1}, h\u20d6_t^{u−1}";

/**
 * The equation of a column in its layer: u is its number, and below the first layer is the input. The
 * output reads the last layer, U.
 */
export function equationAt({ equation, layer, operands }: Placed): string {
  const raised = (n: number) => (n > 9 ? `^{${n}}` : `^${n}`);
  const last = operands[0]?.layer;
  if (layer === null && last) return equation.replaceAll("^U", raised(last));
  if (!layer) return equation;
  return equation
    .replaceAll(BOTH, layer > 1 ? BOTH.replaceAll("^{u−1}", raised(layer - 1)) : "x_t")
    .replaceAll("h_t^{u−1}", layer > 1 ? `h_t${raised(layer - 1)}` : "x_t")
    .replaceAll("^u", raised(layer));
}

export interface MathRun {
  text: string;
  level: "base" | "sub" | "sup";
}

/** `c_{t−1}^2` → runs of base, subscript and superscript. */
export function mathRuns(equation: string): MathRun[] {
  const runs: MathRun[] = [];
  for (const m of equation.matchAll(/([_^])(?:\{([^}]*)\}|(.))|([^_^]+)|[_^]/gu)) {
    const level = m[1] === "_" ? "sub" : m[1] === "^" ? "sup" : "base";
    runs.push({ text: m[2] ?? m[3] ?? m[0], level });
  }
  return runs;
}

/** The page's sentences speak of words; of a model that reads something else they speak of that. */
export const inUnits = (said: string, unit: Unit): string =>
  unit === "word"
    ? said
    : said.replace(/\b([Ww])ord(?=s?\b)/g, (_, w: string) =>
        w === "W" ? unit.charAt(0).toUpperCase() + unit.slice(1) : unit,
      );
