import { describe, expect, it } from "vitest";
import { linesOf, opSaid, partnerOf, settled, shownOf, stepsOf } from "../src/alignment";
import { coloursOf } from "../src/colour/palette";
import { factsOf } from "../src/describe";
import { drawFigure } from "../src/figure";
import { csv } from "../src/files/csv";
import { popupCells } from "../src/files/html";
import { fits, readSaved, save } from "../src/files/saved";
import { perplexity } from "../src/format";
import { columnsOf } from "../src/columns";
import { perplexityOf } from "../src/sentence";
import { secondTooLong } from "../src/limits";
import {
  alikeSaid,
  changesSaid,
  chosenSteps,
  comparisonOf,
  findingOf,
  outlinedOf,
  pairsOf,
  partingAt,
  partingsOf,
  stripsOf,
} from "../src/partings";
import { answers } from "../src/question";
import { selectionOf } from "../src/selection";
import { INITIAL, type State } from "../src/state";
import { ofText } from "../src/state/cells";
import { swapped } from "../src/state/sides";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import type { CellId, Comparison, Query } from "../src/types";
import { serialise } from "../src/url";
import {
  answerOf,
  syntheticComparison,
  syntheticModel,
  syntheticTrace,
} from "./fixtures/synthetic";

const model = syntheticModel();
const asked = (text: string): Query => ({
  text,
  model: model.id,
  semantic: "next",
  bars: 10,
  top: 0.1,
});
const traced = (text: string) => syntheticTrace(asked(text));
const compare = (a: string, b: string) =>
  syntheticComparison({ texts: [a, b], model: model.id, semantic: "next" });
const columns = columnsOf(model, model.columns, DEFAULT_VIEW);

/** The shipped model's own figures for two columns: keys or key, at the words that follow. */
const LONG_TERM = [0, 0, 0.133, 0.183, 0.055, 0.057, 0.02, 0.022, 0.04, 0.012, 0.007, 0];
const OUTPUT_STATE = [0, 0, 0.566, 0.307, 0.125, 0.032, 0.021, 0.028, 0.017, 0.013, 0.006, 0];
const [KEYS, KEY] = [
  "the keys to the cabinet in the hall were lost .",
  "the key to the cabinet in the hall was lost .",
];

function keys(): Comparison {
  const told = compare(KEYS, KEY);
  const at = (kind: string) => columns.find((c) => c.kind === kind && c.layer === 2)?.index ?? -1;
  const [l, h] = [at("long_term"), at("output_state")];
  // "key" and "keys" are both unknown or not to the synthetic vocabulary: here they differ.
  const ops = told.alignment.map(([i, j], n): Comparison["alignment"][number] => [
    i,
    j,
    n === 2 || n === 9 ? "changed" : "same",
  ]);
  const divergence = ops.map((_, n) =>
    columns.map((c) => (c.index === l ? LONG_TERM[n] : c.index === h ? OUTPUT_STATE[n] : 0) ?? 0),
  );
  return { ...told, alignment: ops, divergence };
}

describe("alignment", () => {
  it("lines the rows up: a step's two one under the other, what is alone by itself", () => {
    const [a, b] = ["he said", "he said not"];
    const lines = linesOf(traced(a), traced(b), compare(a, b));
    expect(lines.map(({ second, t }) => `${second ? "B" : "A"}${t}`)).toEqual(
      "A0 B0 A1 B1 A2 B2 B3".split(" "),
    );
    expect(lines.map(opSaid).filter(Boolean)).toEqual(["only in B"]);
    expect(shownOf(lines, [[1, 1]])).toEqual([2, 3]);
    expect(shownOf(lines, [[3, 3]])).toEqual([6]);
    const cell = { t: 1, kind: "output", layer: null };
    expect(partnerOf(lines, cell)).toEqual({ ...cell, second: true });
    expect(partnerOf(lines, { ...cell, second: true })).toEqual(cell);
    expect(partnerOf(lines, { ...cell, t: 3, second: true })).toBeNull();
  });

  it("shows the first text alone without a second, or with one that answers another question", () => {
    const first = traced("he said");
    expect(linesOf(first, null, null).every(({ step }) => step === null)).toBe(true);
    const other = syntheticTrace({ ...asked("he"), semantic: "this" });
    expect(linesOf(first, other, null)).toHaveLength(3);
  });

  it("keeps what it knew while a word is typed, with the divergences before it", () => {
    const last = compare("he said it", "she said it");
    const steps = stepsOf(traced("he was said it"), traced("she said it"), last);
    expect(steps.map(({ first, second, op }) => [first, second, op])).toEqual([
      [0, 0, "same"],
      [1, 1, "changed"],
      [2, null, null], // typed, and not aligned yet
      [3, 2, "same"],
      [4, 3, "same"],
    ]);
    expect(
      steps.map(({ bits }) => bits === last.divergence[steps.length] || bits !== null),
    ).toEqual([true, true, false, false, false]);
  });

  it("has every timestep of both once, in order, whatever was typed meanwhile", () => {
    const texts = ["", "he said", "she said it . he", "it . it . it", "was he said it not"];
    const traces = texts.map(traced);
    for (const was of texts)
      for (const first of traces)
        for (const second of traces) {
          const steps = stepsOf(first, second, compare(was, texts[2] ?? ""));
          const all = [first, second].map(({ tokens }) => tokens.map((_, n) => n));
          expect(steps.flatMap((s) => s.first ?? [])).toEqual(all[0]);
          expect(steps.flatMap((s) => s.second ?? [])).toEqual(all[1]);
        }
  });

  it("belongs to two traces only when it is of their words, network and question", () => {
    const [a, b] = [traced("he said"), traced("she said")];
    const told = compare("he said", "she said");
    expect(settled(told, a, b)).toBe(true);
    expect(settled(told, b, a)).toBe(false);
    expect(settled({ ...told, fingerprint: "other" }, a, b)).toBe(false);
    expect(settled({ ...told, semantic: "this" }, a, b)).toBe(false);
  });
});

describe("where they part", () => {
  it("long after the word it is the long-term memory of layer 2 that tells keys from key", () => {
    const told = keys();
    const { distance, steps } = chosenSteps(pairsOf(told), 3);
    expect(steps.map(({ label }) => label)).toEqual(["cabinet", "in", "the", "hall"]);
    const strips = stripsOf(told, steps, columns);
    expect(strips[0]?.column.key).toBe("long_term.2");
    expect(strips[0]?.bits).toEqual([0.057, 0.02, 0.022, 0.04]);
    expect(strips[0]?.mean).toBeCloseTo(0.03475);
    expect(findingOf(told, strips, distance)).toBe(
      "Long-term memory of layer 2 tells the two apart most: 0.035 bits on average three or more words after a difference, then output state of layer 2 with 0.025 bits.",
    );
  });

  it("the words themselves come first where all are ranked", () => {
    const told = keys();
    const { steps } = chosenSteps(pairsOf(told), 0);
    const listed = partingsOf(told, steps, columns, 3);
    expect(listed.map((p) => [p.step.label, p.column.key, p.bits])).toEqual([
      ["keys / key", "output_state.2", 0.566],
      ["to", "output_state.2", 0.307],
      ["to", "long_term.2", 0.183],
    ]);
    const later = partingsOf(told, chosenSteps(pairsOf(told), 1).steps, columns, 1);
    expect(later[0]?.step.label).toBe("to");
  });

  it("falls back to nearer words where none stands so far, and says so", () => {
    expect(chosenSteps(pairsOf(compare("he said", "she said")), 3).distance).toBe(1);
    expect(chosenSteps(pairsOf(compare("he", "she")), 3).distance).toBe(0);
    const same = compare("he said it was", "he said it was");
    const { distance, steps } = chosenSteps(pairsOf(same), 3);
    expect(findingOf(same, stripsOf(same, steps, columns), distance)).toBe(
      "No cell tells the two apart.",
    );
    expect(partingsOf(same, steps, columns, 10)).toEqual([]);
    // Of what is hidden it says nothing, and nothing of no columns.
    const told = keys();
    const { steps: far } = chosenSteps(pairsOf(told), 3);
    const embedding = columns.filter(({ kind }) => kind === "embedding");
    expect(findingOf(told, stripsOf(told, far, embedding), 3)).toBe(
      "No cell in view tells the two apart.",
    );
    expect(findingOf(told, stripsOf(told, far, []), 3)).toBe("");
  });

  it("counts no start of a sentence among the words", () => {
    const told = compare("he said .", "she said .");
    const { steps } = chosenSteps(pairsOf(told), 0);
    expect(steps.map(({ label }) => label)).toEqual(["he / she", "said", "."]);
  });

  it("ranks also what stands before a difference, in a network that reads ahead", () => {
    const told = compare("it was that he said", "it was that she said");
    const labels = (of: Comparison, distance: 1 | 3) =>
      chosenSteps(pairsOf(of), distance).steps.map(({ label }) => label);
    expect(labels(told, 1)).toEqual(["said"]);
    const ahead = {
      ...told,
      columns: told.columns.map((c) => ({ ...c, kind: `backward_${c.kind}` })),
    };
    expect(labels(ahead, 1)).toEqual(["it", "was", "that", "said"]);
    expect(labels(ahead, 3)).toEqual(["it"]);
    // A sentence of one text alone is another sentence.
    const more = compare("he saw it there .", "she saw it there . it");
    const columns2 = more.columns.map((c) => ({ ...c, kind: `backward_${c.kind}` }));
    expect(pairsOf({ ...more, columns: columns2 }).map(({ since }) => since)).toEqual([
      1, 0, 1, 2, 3, 4,
    ]);
    const strips = stripsOf(ahead, chosenSteps(pairsOf(ahead), 3).steps, columns.slice(0, 1));
    expect(findingOf(ahead, [{ ...strips[0]!, mean: 0.5 }], 3)).toContain(
      "on average three or more words from a difference",
    );
  });

  it("forgets at the start of a sentence", () => {
    const pairs = pairsOf(compare("he said . it was it was", "she said . it was it was"));
    expect(pairs.map(({ since }) => since)).toEqual([null, 0, 1, 2, null, null, null, null, null]);
  });

  it("tells what became of the words, in words", () => {
    expect(changesSaid(keys())).toBe(
      "9 of 11 words are the same · changed: keys → key, were → was",
    );
    expect(changesSaid(compare("he", "he said"))).toBe(
      "1 of 2 words are the same · only in B: said",
    );
    expect(changesSaid(compare("he said", "he"))).toContain("only in A: said");
    expect(changesSaid(compare("he", "he"))).toBe("every word is the same");
  });

  it("counts what the network reads: what is unknown in both differs only in how it is written", () => {
    expect(changesSaid(compare("he zorgle .", "he blarft ."))).toBe(
      "every word is read the same · 1 of them differs only in how it is written: zorgle / blarft (read as <unk>)",
    );
    expect(changesSaid(compare("it was blue", "it had green"), "symbol")).toBe(
      "2 of 3 symbols are read the same · 1 of them differs only in how it is written: blue / green (read as <unk>) · changed: was → had",
    );
    expect(changesSaid(compare("zorgle in 1999", "blarft in 2001"))).toContain(
      "2 of them differ only in how they are written: zorgle / blarft, 1999 / 2001 (read as <unk> or <num>)",
    );
    expect(changesSaid(compare("He zorgle", "he Zorgle"))).toBe("every word is the same");
  });

  it("keeps words that are read from the right in the order of the sentence", () => {
    const [a, b] = ["\u2068שלום\u2069", "\u2068עולם\u2069"];
    expect(changesSaid(compare("he שלום", "he עולם"))).toContain(`written: ${a} / ${b} (read as`);
    expect(changesSaid(compare("he שלום", "he said"))).toContain(`changed: ${a} → said`);
    expect(changesSaid(compare("he", "he عالم"))).toContain("only in B: \u2068عالم\u2069");
  });

  it("says why nothing parts where the network reads the same in both", () => {
    expect(alikeSaid(compare("he zorgle .", "he blarft ."))).toBe(
      "The word that differs, zorgle / blarft, is read as <unk> in both texts: the network sees no difference.",
    );
    expect(alikeSaid(compare("zorgle frib", "blarft mog"), "symbol")).toBe(
      "The symbols that differ, zorgle / blarft the first, are all read as <unk> in both texts: the network sees no difference.",
    );
    expect(alikeSaid(compare("he said", "he said"))).toBe(
      "The network reads the same in both texts: nothing tells them apart.",
    );
    expect(alikeSaid(compare("he said", "she said"))).toBe("");
  });

  it("outlines the cells of both texts, and knows how far each parts", () => {
    const told = keys();
    const cells = outlinedOf(told, columns, 3);
    expect(cells).toHaveLength(16); // of two columns at four words, in two texts
    expect(cells.slice(0, 2)).toEqual([
      { t: 5, kind: "long_term", layer: 2 },
      { t: 5, kind: "long_term", layer: 2, second: true },
    ]);
    const state = { ...INITIAL, trace: traced(KEYS), second: traced(KEY), comparison: told };
    expect(cells.slice(0, 2).map((cell) => partingAt(state, cell))).toEqual([0.057, 0.057]);
    expect(partingAt({ ...state, second: null }, { t: 5, kind: "output", layer: null })).toBeNull();
  });
});

describe("files of two texts", () => {
  const [a, b] = ["he said", "she said not"];
  const view: View = { ...DEFAULT_VIEW, text: a, compare: b, model: model.id, distance: 0 };
  const [trace, second, comparison] = [traced(a), traced(b), compare(a, b)];
  const compared = { second, comparison };
  const selection = selectionOf(trace, model, view, "seen", compared);
  const colours = coloursOf(trace.classes, model.palettes, view);

  it("JSON opens again to the same answers", () => {
    const saved = { view: serialise(view), model, trace, second, comparison };
    const read = readSaved(save(saved));
    expect(read).toEqual({ ...saved, trace: answerOf(trace), second: answerOf(second) });
    expect("trace" in read && fits(view, read)).toBe(true);
    expect(fits({ ...view, compare: "she said" }, saved)).toBe(false);
    expect(fits(view, { view: saved.view, model, trace })).toBe(false);
  });

  it.each([
    ["a damaged second text", { second: { ...second, rows: {} } }],
    ["a step out of order", { comparison: { ...comparison, alignment: [...comparison.alignment].reverse() } }], // prettier-ignore
    ["a divergence of no pair", { comparison: { ...comparison, divergence: comparison.divergence.map(() => null) } }], // prettier-ignore
    ["a comparison without a second text", { second: undefined }],
  ])("%s is refused", (_, damage) => {
    const saved = { view: serialise(view), model, trace, second, comparison, ...damage };
    expect(readSaved(save(saved as Parameters<typeof save>[0]))).toHaveProperty("problem");
  });

  it("CSV marks the rows of each text, and what they stand beside", () => {
    const lines = csv(trace, model, selection, colours, compared).trim().split("\r\n");
    expect(lines[0]?.endsWith(",top,text,other_timestep,alignment,parting_bits")).toBe(true);
    // Timesteps × columns × words.
    expect(lines).toHaveLength(1 + 7 * 18 * 10);
    const of = (text: string) => lines.filter((line) => line.includes(`,0.1,${text},`));
    expect([of("first").length, of("second").length]).toEqual([3 * 180, 4 * 180]);
    expect(of("second").at(-1)).toMatch(/,second,,inserted,$/);
    expect(of("first").at(180)).toMatch(/,first,2,changed,0\.03125$/);
    // One text has the columns that it always had.
    expect(
      csv(trace, model, selectionOf(trace, model, view), colours).split("\r\n")[0],
    ).not.toContain("parting");
  });

  it("CSV keeps its columns while the two answers differ in whether they tell of a watched word", () => {
    const [one, two] = [a, b].map((text) => syntheticTrace({ ...asked(text), watch: "was" }));
    for (const [first, other] of [
      [one, second],
      [trace, two],
    ] as const) {
      if (!first || !other) throw new Error("no trace");
      const both = { second: other, comparison };
      const [head, ...lines] = csv(first, model, selection, colours, both).trim().split("\r\n");
      expect(head?.includes(",watched,")).toBe(first === one);
      // No word here has a comma.
      const widths = new Set(lines.map((line) => line.replaceAll('","', "").split(",").length));
      expect(widths).toEqual(new Set([head?.split(",").length]));
      expect(lines.at(-1)).toMatch(/,second,,inserted,$/);
    }
  });

  it("the figure tells both perplexities, and of which text words were unknown", () => {
    const [x, y] = ["the keys were lost .", "the blarft was lost ."];
    const figure = (first: string, other: string) => {
      const both = { second: traced(other), comparison: compare(first, other) };
      const seen = { ...view, text: first, compare: other };
      const of = { trace: traced(first), compared: both, model, view: seen };
      return drawFigure({ ...of, dark: false, width: 1100 }).svg.replace(
        /<\/text>\s*<text[^>]*>/g,
        " ",
      );
    };
    const [a, b] = [x, y].map((text) => perplexity(perplexityOf(traced(text).rows.surprisal) ?? 0));
    expect(a).not.toBe(b);
    expect(figure(x, y)).toMatch(
      new RegExp(`text perplexity A ${a}, B ${b}( ·)? in B 1 of 5 words unknown`),
    );
    expect(figure(x, y)).toContain("outlined: ");
    // Where the network sees no difference there is nothing to draw of it.
    const alike = figure("he zorgle", "he blarft");
    expect(alike).toContain("zorgle / blarft, is read as &lt;unk&gt; in both texts");
    expect(alike).not.toMatch(/outlined: |divergence, bits/);
  });

  it("a pinned cell that parts is outlined as one that parts, in the figure as on the page", () => {
    const parted = outlinedOf(comparison, columnsOf(model, trace.columns, view), view.distance);
    const outlines = (pins: CellId[]) => {
      const seen = { trace, compared, model, view: { ...view, pins }, dark: false, width: 1100 };
      return [...drawFigure(seen).svg.matchAll(/stroke="#8a4b00"/g)].length;
    };
    expect(outlines([])).toBeGreaterThan(parted.length / 2);
    expect(outlines(parted.slice(0, 1))).toBe(outlines([]));
  });

  it("the figure and the page have both texts' rows, with their letters and the finding", () => {
    const { svg } = drawFigure({ trace, compared, model, view, dark: false, width: 1100 });
    expect(svg).toContain("A: he said");
    expect(svg).toContain("B: she said not");
    expect(svg).toContain(">only in B<");
    expect(svg).toContain("tells the two apart most");
    const told = [...svg.matchAll(/<title>[^<]*: (\d\.\d{6}) bits<\/title>/g)].map((m) => m[1]);
    const pairs = compared.comparison.divergence.filter((row) => row !== null);
    expect(told).toEqual(pairs.flat().map((bits) => bits.toFixed(6)));
    expect(svg.match(/stroke="#8a4b00"/g)).toHaveLength(20);
    const places = [...svg.matchAll(/data-t="(\d+)" data-c="0"/g)].map((m) => Number(m[1]));
    expect(places).toEqual([0, 3, 1, 4, 2, 5, 6]);
    const cells = popupCells(trace, model, selection, colours, "fixed", compared);
    expect(cells).toHaveLength(7);
    expect(cells[4]?.[0]?.title).toBe("she · Embedding");
    expect(cells[4]?.[0]?.where).toContain("timestep 2 of the second text");
    expect(cells[4]?.[0]?.facts).toContainEqual(["from the other text", "0.031 bits"]);
  });

  it("the figure of pinned cells tells nothing of where the texts part: it has not looked", () => {
    const pins = [false, true].map((second) => ({ t: 1, kind: "forget_gate", layer: 1, ...ofText(second) })); // prettier-ignore
    const seen = { trace, compared, model, view: { ...view, pins }, dark: false, width: 1100 };
    const { svg } = drawFigure({ ...seen, part: "pinned" });
    expect(svg.match(/data-t=/g)).toHaveLength(2);
    expect(svg).not.toMatch(/apart most|outlined: /);
  });
});

it("two texts that change places show the rows that they showed", () => {
  const [a, b] = ["the old key", "the key"];
  const alignment: Comparison["alignment"] = [[0, 0, "same"], [1, 1, "same"], [2, null, "deleted"], [3, 2, "same"]]; // prettier-ignore
  const comparison = { ...compare(a, b), alignment };
  const view: View = { ...DEFAULT_VIEW, text: a, compare: b, rows: [[3, 3]] };
  const here = { trace: traced(a), second: traced(b), comparison, dropped: [], hover: null };
  const words = ({ trace, second, comparison: of, view: { rows } }: ReturnType<typeof swapped>) => {
    const lines = trace ? linesOf(trace, second, of) : [];
    return shownOf(lines, rows).map((at) => {
      const { second: other = false, t = 0 } = lines[at] ?? {};
      return (other ? second : trace)?.tokens[t]?.surface;
    });
  };
  const there = swapped({ ...here, view });
  expect(there.view.rows).toEqual([[2, 2]]);
  expect(words(there)).toEqual(["old", "key", "key"]);
  expect(swapped({ ...there, view: { ...view, ...there.view } }).view.rows).toEqual([[3, 3]]);
  // What is not compared yet, and what shows all, stays as it is.
  expect(swapped({ ...here, comparison: null, view }).view.rows).toEqual([[3, 3]]);
  expect(swapped({ ...here, view: { ...view, rows: [] } }).view.rows).toEqual([]);
});

it("two texts that change places take their pins and their answers along", () => {
  const pin = { t: 1, kind: "output", layer: null };
  const view: View = { ...DEFAULT_VIEW, text: KEYS, compare: "he", pins: [pin], inside: pin };
  const [trace, second, comparison] = [traced(KEYS), traced("he"), compare(KEYS, "he")];
  const here = { view, trace, second, comparison, dropped: [pin], hover: pin };
  const mirrored = { ...pin, second: true };
  const there = swapped(here);
  expect(there).toMatchObject({
    view: { text: "he", compare: KEYS, pins: [mirrored], inside: mirrored },
    // What gave way to a pin comes back to its own text.
    dropped: [mirrored],
    // So does what is pointed at.
    hover: mirrored,
  });
  // Before anything is answered anew they are the answers to the texts in their new places.
  expect(there.trace && answers(there.trace, { ...view, ...there.view }, model)).toBe(true);
  const left = factsOf(second, model, new Map(), { ...pin, t: 0 });
  expect(there.trace && factsOf(there.trace, model, new Map(), { ...pin, t: 0 })?.token).toBe(left?.token); // prettier-ignore
  expect(comparisonOf({ ...INITIAL, ...there })).not.toBeNull();
  const steps = (of: Pick<State, "trace" | "second" | "comparison">) =>
    of.trace && of.second ? stepsOf(of.trace, of.second, of.comparison) : [];
  expect(steps(there).some(({ op }) => op === "inserted")).toBe(true);
  expect(steps(there)).toEqual(
    steps(here).map(({ first, second: other, op, bits }) => ({
      first: other,
      second: first,
      op: op === "deleted" ? "inserted" : op,
      bits,
    })),
  );
  expect(swapped({ ...there, view: { ...view, ...there.view } })).toEqual({ ...here, view: { text: KEYS, compare: "he", pins: [pin], inside: pin, rows: [] } }); // prettier-ignore
  // One that is not answered yet leaves what is shown.
  expect(swapped({ ...here, second: null, comparison: null })).toMatchObject({
    trace,
    second: null,
  });
});

it("a second text that would be refused is told before it is sent", () => {
  const limits = { tokens: 8, bytes: 400, bars: 50 };
  const told = (a: string, b: string) =>
    secondTooLong(asked(b), { texts: [a, b], model: model.id, semantic: "next" }, limits);
  expect(told("he said it", "she said it")).toBeNull();
  expect(told("he said it was", "she said it was not")).toBe(
    "The second text is too long: both together have at least 9 tokens, and the server compares 8 at once.",
  );
  expect(told("he", "a ".repeat(9))).toMatch(/^The second text is too long: at least 9 tokens/);
  expect(told("x".repeat(250), "y".repeat(200))).toMatch(/both together have \d+ bytes/);
});
