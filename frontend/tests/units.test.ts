// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { rows as about } from "../src/about";
import { factLines, factsOf, spoken } from "../src/describe";
import { drawFigure } from "../src/figure";
import { inUnits } from "../src/format";
import { createGrid } from "../src/grid";
import { createHeader } from "../src/header";
import { createHelp } from "../src/help";
import { createLegend } from "../src/legend";
import { columnsOf } from "../src/columns";
import { notesOf, explained } from "../src/perplexities";
import { coloursOf } from "../src/colour/palette";
import { createShows } from "../src/controls/shows";
import { createTokens } from "../src/tokens";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import { syntheticModel, syntheticTrace } from "./fixtures/synthetic";

/** A model of symbols or characters is spoken of as such: nowhere does the page say "word" of it. */

const WORD = /\bwords?\b/i;
const words = syntheticModel();
const model = { ...words, unit: "symbol" as const, task: "language" as const };
const asked = { text: "he said .", model: model.id, semantic: "this" as const };
const trace = syntheticTrace({ ...asked, bars: 10, top: 0.1 });
const view = { ...DEFAULT_VIEW, text: asked.text, semantic: "this" as const };
const state: State = { ...INITIAL, model, trace, view };
const root = () => document.body.appendChild(document.createElement("section"));
/** What is read or hovered: texts, titles, labels, placeholders. */
const told = (node: Element): string[] =>
  [node, ...node.querySelectorAll("*")].flatMap((n) => [
    ...[...n.childNodes].flatMap((c) => (c instanceof Text ? [c.data] : [])),
    ...["title", "aria-label", "placeholder"].flatMap((name) => n.getAttribute(name) ?? []),
  ]);
const ofWords = (node: Element) => told(node).filter((text) => WORD.test(text));

describe("a model of symbols", () => {
  it("is said in its own unit, and one of words as before", () => {
    expect(inUnits("the next word, Words and swords", "character")).toBe(
      "the next character, Characters and swords",
    );
    expect(inUnits("the next word", "word")).toBe("the next word");
    expect(about(model)).toContainEqual(["says", "the next symbol, at each timestep"]);
    expect(about(model)).toContainEqual(["reads", "symbols"]);
    expect(about(words)).toContainEqual(["says", "the next word, at each timestep"]);
  });

  it("has no words in the head, the switch, the grid, the legend, the facts and the help", () => {
    const none = () => {};
    const header = root();
    const on = { model: none, semantic: none, theme: none, help: none };
    createHeader(header, on, root()).update(state);
    expect(ofWords(header)).toEqual([]);
    expect(told(header)).toContain("this symbol");

    const grid = root();
    const hands = { point: none, open: none, hold: none, enter: () => false, pin: none };
    const more = { layer: none, escape: none, row: none, look: none };
    createGrid(grid, { ...hands, ...more }).update(state);
    expect(ofWords(grid)).toEqual([]);
    expect(told(grid)).toContain("next symbol");

    const shows = root();
    createShows(shows, { view: none }).update({
      ...state,
      view: { ...view, show: "watch", watch: "" },
    });
    expect(ofWords(shows)).toEqual([]);

    const legend = root();
    const edits = { colour: none, merge: none, preset: none, undo: none, reset: none };
    const files = { own: none, save: () => "", open: none, scale: none };
    createLegend(legend, { ...edits, ...files }).update(state);
    [...legend.querySelectorAll("button")].find((b) => b.textContent?.includes("own"))?.click();
    expect(ofWords(legend)).toEqual([]);

    const dialog = document.createElement("dialog");
    createHelp(dialog, { tour: vi.fn() }).update(state);
    expect(ofWords(dialog)).toEqual([]);
    expect(dialog.textContent).not.toContain("<num>");
    expect(dialog.textContent).toContain(
      "The probabilities of the most likely 10 % of all symbols",
    );
    expect(dialog.textContent).toContain("Outside the top 10 %");
    // Of few all are summed, and nothing is outside.
    const architecture = { vocabulary: trace.top_words };
    createHelp(dialog, { tour: vi.fn() }).update({ ...state, model: { ...model, architecture } });
    expect(dialog.textContent).toContain("The probabilities of all symbols are summed per colour");
    expect(dialog.textContent).not.toMatch(/Outside the top|View changes how many/);

    const facts = root();
    createTokens(facts, { row: none }).update(state);
    expect(ofWords(facts)).toEqual([]);
  });

  it("has none in a cell's figures and sentence, under the chart and in the figure", () => {
    const colours = coloursOf(trace.classes, model.palettes, view);
    for (const cell of [
      { t: 1, kind: "output", layer: null },
      { t: 0, kind: "long_term", layer: 1 },
    ]) {
      const facts = factsOf(trace, model, colours, cell);
      if (!facts) throw new Error("no such cell");
      expect(factLines(facts, trace).flat().join(" ")).not.toMatch(WORD);
      expect(spoken(facts)).not.toMatch(WORD);
    }
    const columns = columnsOf(model, trace.columns, view);
    expect(notesOf(columns, new Map(), "this", "symbol").get("output")).toBe("next symbol");
    expect(
      explained("this", false, { architecture: { vocabulary: 9 }, unit: "symbol" }),
    ).not.toMatch(WORD);
    const { svg } = drawFigure({ trace, model, view, dark: false, width: 1100, part: "whole" });
    expect(svg.replace(/<[^>]*>/g, " ")).not.toMatch(WORD);
  });
});

it("where only y is shown, that is what the facts say", () => {
  const facts = root();
  const hide_layers = ["0", "1", "2"];
  createTokens(facts, { row: () => {} }).update({
    ...state,
    model: words,
    view: { ...view, hide_layers },
  });
  expect(facts.textContent).toContain("4 timesteps · only the output y is shown");
  expect(facts.textContent).not.toContain("0 kinds");
});

it("where no column is shown, the facts do not say that y is", () => {
  const facts = root();
  const hidden = { ...view, hide_layers: ["0", "1", "2", "output"] };
  const tokens = createTokens(facts, { row: () => {} });
  tokens.update({ ...state, model: words, view: hidden });
  expect(facts.textContent).toContain("4 timesteps · all columns are hidden");
  expect(facts.textContent).not.toContain("only the output");
  tokens.update({ ...state, model: words, view: { ...view, hide: ["output"] } });
  expect(facts.textContent).toMatch(/4 timesteps · \d+ kinds of hidden state/);
});

it("tokens of an answer that another is awaited for, or did not come, are dimmed", () => {
  const problem = { message: "", advice: "", retrying: false, ofText: false };
  const [first, other] = [root(), root()];
  const one = createTokens(first, { row: () => {} });
  const two = createTokens(other, { row: () => {} }, true);
  const dimmed = (patch: Partial<typeof state>) => {
    for (const tokens of [one, two])
      tokens.update({ ...state, model: words, second: state.trace, ...patch });
    return [first, other].map((node) => node.classList.contains("reading"));
  };
  expect(dimmed({})).toEqual([false, false]);
  expect(dimmed({ problem })).toEqual([true, true]);
  // The second text has troubles of its own.
  expect(dimmed({ unpaired: problem })).toEqual([false, true]);
  expect(dimmed({ busy: true })).toEqual([true, false]);
});
