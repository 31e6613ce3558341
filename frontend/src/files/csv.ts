import { type Compared, otherOf } from "../alignment";
import { diverges, factsOf } from "../describe";
import type { Selection } from "../selection";
import { ofText } from "../state/cells";
import type { ModelInfo, Trace } from "../types";

/** The long format: a line for every timestep × column in view × rank, figures unrounded. */

const HEADER =
  "timestep token read known kind layer symbol rank word class probability entropy_bits divergence_bits strongest strongest_mass outside_mass label label_rank label_probability next next_rank next_probability surprisal_bits model fingerprint semantic top".split(
    " ",
  );

/** A sum of masses has the decimals of a mass, and none of the sum's own. */
const sum = (mass: number): number => Math.round(1e6 * mass) / 1e6;

type Value = string | number | boolean | null | undefined;

// What a spreadsheet may take for a formula: it begins with a sign, in either width, or with white
// space that hides one. Signs alone (the words `--` and `-`) have nothing to work out.
const FORMULA = /^[=+\-@＝＋－＠\t\r\n](?![=+\-@]*$)/;

/**
 * RFC 4180, and harmless in a spreadsheet: an apostrophe before what may be a formula makes it text.
 * Every word of English stays as it is; a text that begins with a sign, `=1` or `-5`, does not.
 */
export function field(value: Value): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The lines of a file, its head first. */
export const table = (lines: readonly (readonly Value[])[]): string =>
  lines.map((values) => `${values.map(field).join(",")}\r\n`).join("");

/** Only of two texts: which one a line is of, and the timestep of the other that it stands beside. */
const PAIR = ["text", "other_timestep", "alignment", "parting_bits"];
const WATCH = ["watched", "watched_known", "watched_rank", "watched_probability"];

export function csv(
  trace: Trace,
  model: ModelInfo,
  { lines: shown, columns, has }: Selection,
  colours: ReadonlyMap<string, string>,
  compared: Compared | null = null,
): string {
  // A class of one's own is called by its name: its number says nothing outside the page.
  const own = new Map(trace.missing?.map(({ id, name }) => [id, name]));
  const lines: Value[][] = [[...HEADER, ...(trace.watch ? WATCH : []), ...(compared ? PAIR : [])]];
  for (const line of shown) {
    const { t, second, step } = line;
    const of = second && compared ? compared.second : trace;
    const { rows } = of;
    const word = (id: number | null | undefined): Value =>
      typeof id === "number" ? (of.words[id] ?? `#${id}`) : null;
    const classOf = (id: number): Value => {
      const name = of.classes[of.word_classes[id] ?? -1];
      return name && (own.get(name) ?? name);
    };
    const token = of.tokens[t];
    if (!token) continue;
    for (const { kind, layer, symbol, index } of columns) {
      const id = { t, kind, layer, ...ofText(second) };
      const facts = has(id) ? factsOf(of, model, colours, id) : null;
      if (!facts) continue;
      const other = otherOf(line);
      const pair = compared
        ? [second ? "second" : "first", other === null ? null : other + 1, step?.op, step?.bits?.[index]] // prettier-ignore
        : [];
      const divergence = diverges(trace) ? facts.divergence : null;
      // All classes of the colour, whatever they have here: the same in every line.
      const strongest = facts.rectangle.classes.map((k) => own.get(k) ?? k).join(" + ");
      const cell = [facts.entropy, divergence, strongest, sum(facts.rectangle.p), sum(facts.outside)]; // prettier-ignore
      const label = [
        word(facts.asked ? rows.label_ids[t] : null),
        facts.label?.rank,
        facts.label?.p,
      ];
      const next = [word(rows.next_ids[t]), rows.next_ranks[t], rows.next_probs[t], rows.surprisal[t]]; // prettier-ignore
      const { watch } = facts;
      // By the head: one of two answers may be to a question without the word, or still with it.
      const watched = trace.watch ? [of.watch?.word, watch?.known, watch?.rank, watch?.p] : [];
      rows.top_ids[t]?.[index]?.forEach((id, b) =>
        lines.push([
          ...[t + 1, token.surface, token.word, token.known, kind, layer, symbol],
          ...[b + 1, word(id), classOf(id)],
          ...[rows.top_probs[t]?.[index]?.[b], ...cell, ...label, ...next],
          ...[trace.model, trace.fingerprint, trace.semantic, trace.top, ...watched, ...pair],
        ]),
      );
    }
  }
  return table(lines);
}
