import { type CellFacts, factsOf } from "./describe";
import { bits, percent, probability, rank } from "./format";
import { type CellId, type ModelInfo, type Trace } from "./types";

/**
 * The guided tour: the paper's case study, cell by cell. Every figure and every comparison in it is
 * read from the answer at hand, so that it holds of whatever model is loaded.
 */

export const SENTENCE = '"We stand in solidarity," she emphasized.';

export interface TourStep {
  cell: CellId;
  title: string;
  text: string;
}

const words = (f: CellFacts, n = 3): string =>
  f.bars
    .slice(0, n)
    .map(({ word, p }) => `“${word}” ${probability(p)}`)
    .join(", ");

const mass = (f: CellFacts): string => `${f.strongest} ${percent(f.rectangle.p)}`;

/** The steps, in order; one whose cell the model does not have is left out. All speak of the next word. */
export function tourSteps(
  trace: Trace,
  model: ModelInfo,
  colours: ReadonlyMap<string, string>,
): TourStep[] {
  if (trace.semantic !== "next") return [];
  const rowOf = (word: string, from = 0) => trace.tokens.findIndex((t, i) => i >= from && t.word === word); // prettier-ignore
  const [opening, we, she] = [rowOf('"'), rowOf("we"), rowOf("she")];
  const closing = rowOf('"', opening + 1);
  if (Math.min(opening, we, she, closing) < 0) return [];
  const last = Math.max(...model.columns.map((c) => c.layer ?? 0));
  const at = (t: number, kind: string, layer: number | null = last) =>
    factsOf(trace, model, colours, { t, kind, layer });
  const steps: TourStep[] = [];
  const add = (f: CellFacts | null, title: string, text: (f: CellFacts) => string) => {
    if (f) steps.push({ cell: f.cell, title, text: text(f) });
  };
  const outputs = [at(opening, "output", null), at(closing, "output", null)];
  const [opened, closed] = outputs;

  add(
    at(we, "embedding", 0),
    "One cell",
    (f) =>
      `The network has read “we”. This cell is its embedding x, the vector that the word alone has, and decoded it says what comes next: ${words(f)}. The bars are these words. The rectangle over them is the class with the most probability, ${mass(f)}: the more, the fuller its colour.`,
  );
  add(at(we, "output", null), "One row", (f) => {
    const { next_ids, next_ranks, surprisal } = trace.rows;
    const next = trace.words[next_ids[we] ?? -1];
    const [r, s] = [next_ranks[we], surprisal[we]];
    const came = next && r && typeof s === "number" ? ` What came next, “${next}”, was at rank ${rank(r)}: a surprisal of ${bits(s)}.` : ""; // prettier-ignore
    return `To the right every cell is computed from those before it, layer by layer, up to the network's own answer y: ${words(f)}.${came}`;
  });
  add(
    at(closing, "embedding", 0),
    "The same word, twice",
    (f) =>
      `The sentence has two quotation marks. Both are the same token, so both rows begin with the same x: ${words(f)}. The word alone cannot tell which mark opens and which closes.`,
  );
  if (opened && closed && words(opened) !== words(closed))
    add(
      closed,
      "Two answers",
      (f) =>
        `At the end of the row they differ. After the first mark y said ${words(opened)}; here it says ${words(f)}. The input was the same: what differs came down from the rows above, through the memory.`,
    );
  const [long, short] = [at(closing, "long_term"), at(closing, "short_term")];
  add(
    long,
    "What is kept",
    (f) =>
      `The long-term memory l is the cell state c of the row above, as far as the forget gate f lets it through. Both are lit, with wires to where they are read. Before this mark is added in, the memory says: ${words(f)}.`,
  );
  if (long && short)
    add(at(closing, "cell_state"), "Kept and new", (f) => {
      const [l, s] = [long.divergence, short.divergence];
      const nearer = l.toFixed(2) === s.toFixed(2) ? "as near as the other" : l < s ? "nearer" : "farther"; // prettier-ignore
      return `The new cell state c is the sum of l and the short-term memory s, and says ${words(f)}. From the network's answer, l is ${bits(l, 2)} away and s ${bits(s, 2)}; l is ${nearer}.`;
    });
  add(at(she, "output", null), "Where it pays", (f) => {
    const { next_ids, next_ranks, surprisal } = trace.rows;
    const id = next_ids[she] ?? -1;
    const [next, r, s] = [trace.words[id], next_ranks[she], surprisal[she]];
    const told = next && r && typeof s === "number" ? ` “${next}” came next: rank ${rank(r)}, surprisal ${bits(s)}.` : ""; // prettier-ignore
    const foreseen = f.rectangle.classes.includes(
      trace.classes[trace.word_classes[id] ?? -1] ?? "",
    );
    const verdict = told && foreseen && (r ?? 0) > 10 ? " The class was foreseen, the word was not." : ""; // prettier-ignore
    return `After the quotation and “she” the network expects ${mass(f)}: ${words(f)}.${told}${verdict} Now type a sentence of your own; “?” has the rest.`;
  });
  return steps;
}
