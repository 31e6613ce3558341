// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { aloneLines, stepsOf } from "../src/alignment";
import { legendKey, mostOf, showOf } from "../src/colour/measure";
import { coloursOf } from "../src/colour/palette";
import { createControls } from "../src/controls";
import { factLines, factsOf, spoken } from "../src/describe";
import { drawFigure } from "../src/figure";
import { csv } from "../src/files/csv";
import { fits, readSaved, save } from "../src/files/saved";
import { equationAt } from "../src/format";
import { createGrid } from "../src/grid";
import { createHelp } from "../src/help";
import { said } from "../src/inside/reading";
import { rowsOf } from "../src/inside/rows";
import { createLegend } from "../src/legend";
import { columnsOf, groupsOf, infoOf } from "../src/columns";
import { operandsOf, readsZeros } from "../src/operands";
import { firstRow } from "../src/merge";
import { explained, notesOf, weakOf } from "../src/perplexities";
import { createPopup } from "../src/popup";
import { selected } from "../src/selection";
import { INITIAL, type State } from "../src/state";
import { reconcile } from "../src/state/reconcile";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { createTour } from "../src/tour";
import type { ModelInfo } from "../src/types";
import { followsOf, seriesOf } from "../src/unitline/series";
import { parse, serialise } from "../src/url";
import { labelModel, labelTrace, LABELS } from "./fixtures/labels";
import { syntheticModel } from "./fixtures/synthetic";

const TEXT = "he said it. she was";
const model = labelModel();
const trace = labelTrace(TEXT);
const columns = columnsOf(model, trace.columns, DEFAULT_VIEW);
const colours = coloursOf(trace.classes, model.palettes, DEFAULT_VIEW);
const view: View = { ...DEFAULT_VIEW, text: TEXT, semantic: "label", model: model.id };
const state = (of = model): State => ({ ...INITIAL, model: of, models: [of], trace, view });
const back = { kind: "backward_output_state", layer: 2 };
const node = (name = "section") => document.body.appendChild(document.createElement(name));

/** What a page of a language model says, and this one may not. */
const OF_WORDS = /next word|came next|most likely words|outside the top|no word (asked|stands)/i;

describe("a layer of both directions", () => {
  it("stands twice, each direction by its name", () => {
    expect(groupsOf(columns)).toEqual([
      { name: "input", span: 1 },
      { name: "layer 1, forward", span: 1 },
      { name: "layer 1, backward", span: 1 },
      { name: "layer 2, forward", span: 1 },
      { name: "layer 2, backward", span: 1 },
      { name: "output", span: 1 },
    ]);
  });

  it("is hidden by one button", () => {
    const root = node();
    createGrid(root, new Proxy({}, { get: () => vi.fn() }) as never).update(state());
    const buttons = [...root.querySelectorAll(".groups button")].map((b) => b.ariaLabel ?? b.getAttribute("aria-label")); // prettier-ignore
    expect(buttons).toEqual(["Hide input", "Hide layer 1", "Hide layer 2", "Hide output"]);
    expect(columnsOf(model, trace.columns, { hide: [], hide_layers: ["1"] })).toHaveLength(4);
  });

  it("reads the row below backward, and zeros at the end of each sentence", () => {
    const lit = (t: number) => operandsOf(trace, model, { t, ...back }).map((o) => `${o.kind} ${o.t}`); // prettier-ignore
    expect(lit(2)).toEqual([
      "output_state 2",
      "backward_output_state 2",
      "backward_output_state 3",
    ]);
    const info = infoOf(model, back);
    const zeros = trace.tokens.map((_, t) => info && readsZeros(trace, info, t));
    // <bos> he said it . | <bos> she was
    expect(zeros).toEqual([false, false, false, false, true, false, false, true]);
    expect(lit(4)).toEqual(["output_state 4", "backward_output_state 4"]);
    const facts = factsOf(trace, model, colours, { t: 4, ...back });
    expect(facts && factLines(facts, trace)).toContainEqual(["state after the sentence", "0"]);
    const rows = rowsOf(trace, model, { t: 4, ...back }, null);
    expect(rows.map(({ beside, cell }) => [beside, cell?.t ?? null])).toEqual([
      [null, 4],
      [null, 4],
      ["below", null],
      [null, 4],
    ]);
  });

  it("is told of its own layer", () => {
    const of = (layer: number) => {
      const info = infoOf(model, { ...back, layer });
      return info ? equationAt(info) : "";
    };
    expect(of(1)).toBe("h⃖_t^1 = tanh(W⃖^1 [x_t, h⃖_{t+1}^1] + b⃖^1)");
    expect(of(2)).toBe("h⃖_t^2 = tanh(W⃖^2 [h⃗_t^1, h⃖_t^1, h⃖_{t+1}^2] + b⃖^2)");
  });

  it("is asked for from the first row: what is typed at the end changes it", () => {
    const query = { text: `${TEXT} here`, model: model.id, semantic: "label", bars: 3, top: 0.1 } as const; // prettier-ignore
    expect(firstRow(trace, TEXT, query)).toBe(0);
  });

  it("keeps no divergence of rows before a change", () => {
    const tokens = trace.tokens;
    const comparison = {
      ...{ model: model.id, fingerprint: trace.fingerprint, semantic: "label" as const },
      ...{ tokens: [tokens, tokens] as [typeof tokens, typeof tokens], columns: trace.columns },
      alignment: tokens.map((_, t): [number, number, "same"] => [t, t, "same"]),
      divergence: tokens.map(() => columns.map(() => 0.5)),
    };
    const longer = labelTrace(`${TEXT} here`);
    expect(stepsOf(trace, trace, comparison).every(({ bits }) => bits !== null)).toBe(true);
    expect(stepsOf(longer, trace, comparison).every(({ bits }) => bits === null)).toBe(true);
  });
});

describe("what is said of labels", () => {
  it("is neither rank nor surprisal: a typed text does not tell which are right", () => {
    const root = node();
    createGrid(root, new Proxy({}, { get: () => vi.fn() }) as never).update(state());
    expect(root.textContent).not.toMatch(OF_WORDS);
    expect(root.querySelector("table")?.classList.contains("of-labels")).toBe(true);
    for (const end of root.querySelectorAll("tbody td.came")) expect(end.textContent).toBe("");
    const facts = factsOf(trace, model, colours, { t: 1, ...back });
    if (!facts) throw new Error("no cell");
    expect(factLines(facts, trace).map(([name]) => name)).toEqual([
      "strongest label",
      "entropy",
      "divergence from y",
    ]);
    expect(spoken(facts)).toBe(
      "he, timestep 2, Output state of layer 2: verb 70 %; VERB 70 %, two words 20 %, NOUN 10 %.",
    );
  });

  it("is the same in popup, legend, controls and help", () => {
    const parts = [node(), node(), node(), node("dialog")];
    const [popup, legend, controls, dialog] = parts;
    const on = new Proxy({}, { get: () => vi.fn() }) as never;
    const cell = { t: 1, ...back };
    createPopup(popup as HTMLElement, on).update({ ...state(), hover: cell, held: true });
    createLegend(legend as HTMLElement, on).update(state());
    createControls(controls as HTMLElement, on).update(state());
    createHelp(dialog as HTMLDialogElement, on).update(state());
    const seen = (root: Element | undefined) =>
      [...(root?.querySelectorAll<HTMLElement>("*") ?? [])]
        .filter((n) => !n.closest("[hidden]") && !n.children.length)
        .map((n) => [n.textContent, n.title, n.getAttribute("aria-label")].join(" "))
        .join("\n");
    for (const part of parts) expect(seen(part)).not.toMatch(OF_WORDS);
    expect(legend?.querySelector("h2")?.textContent).toMatch(/^Labels/);
    expect(seen(legend)).not.toContain("class of your own");
    expect(seen(controls)).not.toContain("rectangles sum the top");
    expect(seen(controls)).toContain("the strongest label");
    expect(dialog?.textContent).toContain("names the label of the word just read");
    expect(dialog?.textContent).toContain("Up to ten labels, with finer figures, are in the popup");
    expect(dialog?.querySelector<HTMLElement>(".guided")?.hidden).toBe(true);
    createHelp(dialog as HTMLDialogElement, on).update(state(labelModel("classification")));
    expect(dialog?.textContent).toContain("what it would say if the sentence ended there");
  });

  it("counts labels in the chart and at the head", () => {
    expect(explained("label", true, {})).not.toMatch(OF_WORDS);
    expect(explained("label", true, {})).toContain("per label, on held-out test text");
    expect(explained("label", true, {})).toContain("The line is the network's own, y.");
    expect([...notesOf(columns, weakOf(model, "label"), "label").values()]).toEqual(["weak"]);
    expect(said("output", { id: 0, surface: "", word: "he", known: true, span: null }, [], null as never, "label")).toContain("a probability for each label"); // prettier-ignore
  });

  it("has ends of its own for entropy, and shows divergence from y", () => {
    expect(mostOf("entropy", trace, model)).toBe(2); // of three labels
    expect(showOf("divergence", trace)).toBe("divergence");
    expect(legendKey("divergence", trace, model, colours, [255, 255, 255]).title).toContain(
      "Divergence",
    );
  });

  it("is what leaves the page", () => {
    const { svg } = drawFigure({ trace, model, view, dark: false, width: 1100 });
    expect(svg).not.toMatch(OF_WORDS);
    expect(svg).toContain("colour: the most probable label");
    expect(svg).toContain("layer 2, b"); // cut to one column
    const shown = selected(aloneLines([1]), columns);
    const lines = csv(trace, model, shown, colours).trim().split("\r\n");
    const head = lines[0]?.split(",") ?? [];
    const first = lines[1]?.split(",") ?? [];
    const told = Object.fromEntries(head.map((name, i) => [name, first[i]]));
    expect(told).toMatchObject({ word: "VERB", class: "VERB", semantic: "label" });
    expect(told).toMatchObject({ label: "", next: "", surprisal_bits: "", outside_mass: "0" });
    const file = save({ view: serialise(view), model, trace });
    const opened = readSaved(file);
    if ("problem" in opened) throw new Error(opened.problem);
    expect(fits({ ...view }, opened)).toBe(true);
    expect("problem" in readSaved(file.replace('"lag":-1', '"lag":-2'))).toBe(true);
  });
});

describe("a unit along a text", () => {
  it("follows a label where y says it, and no surprisal", () => {
    expect(followsOf(model, []).map(([, name]) => name)).toEqual([
      "nothing",
      "the depth of brackets",
      "the timestep's number",
      "the label noun",
      "the label verb",
      "the label two words",
      "your own numbers",
    ]);
    const { values, name } = seriesOf(trace, model, {
      ...{ follow: "class:VERB", series: "", classes: [] },
    });
    expect(name).toBe("the label verb");
    expect(values).toEqual([null, 1, 0, 0, 1, null, 0, 1]); // every third, from the second on
  });
});

describe("a view that goes from model to model", () => {
  it("asks what each network says, without a word about it", () => {
    const words = syntheticModel();
    expect(reconcile({ ...DEFAULT_VIEW, semantic: "next" }, model)).toMatchObject({
      view: { semantic: "label" },
      notices: [],
    });
    expect(reconcile(view, words, model)).toMatchObject({
      view: { semantic: "next" },
      notices: [],
    });
    const other = reconcile({ ...DEFAULT_VIEW, semantic: "this" }, model);
    expect(other.view.semantic).toBe("label");
    expect(other.notices).toEqual(["This model has no encoding for “this”; “label” is shown."]);
  });

  it("is told where a link asks for what its model does not say, and nothing else of it is lost", () => {
    const words = syntheticModel();
    const told = (link: string, of: ModelInfo) => reconcile(parse(link).view, of);
    const label = told("semantic=label&text=he&bars=3", words);
    expect(label.notices).toEqual(["This model has no encoding for “label”; “next” is shown."]);
    expect(label.view).toMatchObject({ semantic: "next", text: "he", bars: 3 });
    // What the link leaves out, or has wrong and was told of, is not its word; what it leaves out is next.
    expect(told("semantic=next&text=he", model).notices).toEqual([]);
    expect(told("text=he", model).notices).toEqual([]);
    expect(told("semantic=foo", model).notices).toEqual([]);
    expect(told("semantic=next", words).notices).toEqual([]);
    expect(told("semantic=label", model).notices).toEqual([]);
  });

  it("counts the pins that went, and says whose colours did", () => {
    const words = syntheticModel();
    const pin = (t: number, kind: string) => ({ t, kind, layer: 1 });
    const pins = [pin(0, "forget_gate"), pin(1, "cell_state"), pin(2, "output_state")];
    const columns = words.columns.filter(({ kind }) => kind === "output_state");
    const of = (n: number) =>
      reconcile({ ...DEFAULT_VIEW, pins: pins.slice(n) }, { ...words, columns }).notices;
    expect(of(0)).toEqual(["2 pinned cells are of kinds that this model does not have: left out."]);
    expect(of(1)).toEqual(["1 pinned cell is of a kind that this model does not have: left out."]);
    const colours = new Map([["PRP$", "#000000"]]);
    const told = (before: ModelInfo | null) =>
      reconcile({ ...DEFAULT_VIEW, colours }, words, before).notices.join();
    expect(told(model)).toBe("Colours of the other model's classes were left out: “PRP$”.");
    expect(told(null)).toBe("Colours for unknown classes were left out: “PRP$”.");
  });

  it("watches labels only", () => {
    const other = reconcile({ ...view, show: "watch", watch: "she" }, model);
    expect(other.view.watch).toBe("");
    expect(other.notices).toEqual(["This model has no label “she” to watch: that was left out."]);
    expect(reconcile({ ...view, watch: LABELS[2] ?? "" }, model).notices).toEqual([]);
  });

  it("is a link", () => {
    expect(parse(serialise(view)).view.semantic).toBe("label");
  });

  it("offers no tour, which is of a language model's sentence", () => {
    const [root, offer] = [node(), node()];
    const on = { step: vi.fn(), answer: vi.fn(), show: vi.fn() };
    createTour(root, offer, on).update({ ...state(), offered: true });
    expect(offer.hidden).toBe(true);
    createTour(root, offer, on).update({ ...state(syntheticModel()), trace: null, offered: true });
    expect(offer.hidden).toBe(false);
  });
});
