/** How numbers and words are written, everywhere alike. */

/** Whole percents from 1 %, one decimal from 0.1 %, two from 0.01 %, then "<0.01 %". */
export function percent(p: number): string {
  if (p === 0) return "0 %";
  if (p < 1e-4) return "<0.01 %";
  const value = 100 * p;
  // Rounding must not carry a figure into the next class: 0.997 % is 1.0 %, and reads "1 %".
  if (p >= 0.00995) return `${Math.round(value)} %`;
  return `${value.toFixed(p >= 0.000995 ? 1 : 2)} %`;
}

const grouped = new Intl.NumberFormat("en");

export const count = (n: number): string => grouped.format(n);
export const rank = (n: number): string => `#${grouped.format(n)}`;
export const bits = (n: number, digits = 1): string => `${n.toFixed(digits)} bits`;
export const perplexity = (n: number): string =>
  n < 10 ? n.toFixed(1) : grouped.format(Math.round(n));

/** At most two decimals, and none that say nothing. */
export const decimal = (n: number): string => grouped.format(Math.round(100 * n) / 100);

const SPECIAL = new Map([
  ["<bos>", "⟨s⟩"],
  ["<eos>", "⟨/s⟩"],
  ["<unk>", "⟨unk⟩"],
  ["<num>", "⟨num⟩"],
]);

/** A vocabulary word as it is shown: special tokens in angle brackets of their own. */
export const display = (word: string): string => SPECIAL.get(word) ?? word;

/** What a row is called: what was typed, or the special token where nothing was. */
export const tokenLabel = (token: { surface: string; word: string }): string =>
  token.surface || display(token.word);

/** Lone surrogates cannot be sent as UTF-8; they become U+FFFD as `toWellFormed` does it. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\uFFFD");

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const raised = (n: number) => [...String(n)].map((d) => SUPERSCRIPTS[Number(d)]).join("");

/** The equation of a column in a layer: u is its number, and below the first layer is the input. */
export function equationAt(equation: string, layer: number | null): string {
  if (!layer) return equation;
  const below = layer > 1 ? `hₜ${raised(layer - 1)}` : "xₜ";
  return equation.replaceAll("hₜᵘ⁻¹", below).replaceAll("ᵘ", raised(layer));
}

const SUB = new Map([..."₀₁₂₃₄₅₆₇₈₉₊₋ₜ"].map((c, i) => [c, "0123456789+−t"[i] ?? c]));
const SUP = new Map([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵘᵁ"].map((c, i) => [c, "0123456789+−uU"[i] ?? c]));

/** Raised and lowered characters of their own, as `_{…}` and `^{…}`. */
const spelled = (equation: string): string =>
  equation
    .replace(/[₀-₉₊₋ₜ]+/gu, (run) => `_{${[...run].map((c) => SUB.get(c) ?? c).join("")}}`)
    .replace(/[⁰¹²³⁴-⁹⁺⁻ᵘᵁ]+/gu, (run) => `^{${[...run].map((c) => SUP.get(c) ?? c).join("")}}`);

export interface MathRun {
  text: string;
  level: "base" | "sub" | "sup";
}

/** `c_{t−1}^2` or `cₜ₋₁²` → runs of base, subscript and superscript. */
export function mathRuns(equation: string): MathRun[] {
  const runs: MathRun[] = [];
  for (const m of spelled(equation).matchAll(/([_^])(?:\{([^}]*)\}|(.))|([^_^]+)|[_^]/gu)) {
    const level = m[1] === "_" ? "sub" : m[1] === "^" ? "sup" : "base";
    runs.push({ text: m[2] ?? m[3] ?? m[0], level });
  }
  return runs;
}
