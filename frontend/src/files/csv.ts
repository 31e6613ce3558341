import { factsOf } from "../describe";
import type { Column } from "../layout";
import type { ModelInfo, Trace } from "../types";

/** The long format: a line for every timestep × column in view × rank, figures unrounded. */

const HEADER =
  "timestep token read known kind layer symbol rank word class probability entropy_bits divergence_bits strongest strongest_mass outside_mass label label_rank label_probability next next_rank next_probability surprisal_bits".split(
    " ",
  );

type Value = string | number | boolean | null | undefined;

/** RFC 4180; and what a spreadsheet would take for a formula is made text by an apostrophe. */
export function field(value: Value): string {
  if (value === null || value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csv(
  trace: Trace,
  model: ModelInfo,
  columns: readonly Column[],
  colours: ReadonlyMap<string, string>,
): string {
  const word = (id: number | null | undefined): Value =>
    typeof id === "number" ? (trace.words[id] ?? `#${id}`) : null;
  const { rows } = trace;
  const lines: Value[][] = [HEADER];
  trace.tokens.forEach((token, t) => {
    for (const { kind, layer, symbol, index } of columns) {
      const facts = factsOf(trace, model, colours, { t, kind, layer });
      if (!facts) continue;
      const cell = [facts.entropy, facts.divergence, facts.strongest, facts.rectangle.p, facts.outside]; // prettier-ignore
      const label = [word(rows.label_ids[t]), facts.label?.rank, facts.label?.p];
      const next = [word(rows.next_ids[t]), rows.next_ranks[t], rows.next_probs[t], rows.surprisal[t]]; // prettier-ignore
      rows.top_ids[t]?.[index]?.forEach((id, b) =>
        lines.push([
          ...[t + 1, token.surface, token.word, token.known, kind, layer, symbol],
          ...[b + 1, word(id), trace.classes[trace.word_classes[id] ?? -1]],
          ...[rows.top_probs[t]?.[index]?.[b], ...cell, ...label, ...next],
        ]),
      );
    }
  });
  return lines.map((values) => `${values.map(field).join(",")}\r\n`).join("");
}
