import { describe, expect, it } from "vitest";
import { coloursOf } from "../src/colour/palette";
import { factLines, factsOf, NO_LABEL, spoken } from "../src/describe";
import type { CellFacts } from "../src/describe";
import type { Semantic } from "../src/types";
import { syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const model = syntheticModel();
const traced = (text: string, semantic: Semantic = "next") =>
  syntheticTrace({ text, model: model.id, semantic, bars: 10, top: 0.1 });

function at(t: number, semantic?: Semantic) {
  const trace = traced("he said", semantic);
  const colours = coloursOf(trace.classes, model.palettes, { palette: "", colours: new Map() });
  const facts = factsOf(trace, model, colours, { t, kind: "cell_state", layer: 2 }) as CellFacts;
  return { trace, facts, lines: factLines(facts, trace).map(([name]) => name) };
}

describe("the word that a cell was asked for", () => {
  it("is told with its rank, and marked where it is among the most likely", () => {
    const { facts, lines, trace } = at(1);
    expect(lines).toContain("“said” ranks");
    expect(spoken(facts)).not.toContain(NO_LABEL);
    for (const bar of facts.bars) expect(bar.asked).toBe(bar.id === trace.rows.label_ids[1]);
    const found = facts.bars.findIndex((bar) => bar.asked) + 1;
    if ((facts.label?.rank ?? 11) <= 10) expect(found).toBe(facts.label?.rank);
  });

  it("is not there at the edge of a text: the cell is told all the same", () => {
    const { facts, lines } = at(2);
    expect(facts.bars).toHaveLength(10);
    expect(facts.bars.some((bar) => bar.asked)).toBe(false);
    expect(lines).toContain(NO_LABEL);
    expect(spoken(facts)).toContain(`; ${NO_LABEL}.`);
  });

  it("follows the semantic", () => {
    expect(at(2, "this").lines).toContain("“said” ranks");
  });
});
