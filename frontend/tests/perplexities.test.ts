// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { createChart } from "../src/chart";
import { drawPerplexities } from "../src/figure/perplexities";
import { columnsOf } from "../src/columns";
import { explained, perplexitiesOf, spokenBar, weakness, weakOf } from "../src/perplexities";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import type { ModelInfo } from "../src/types";
import { syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const plain = syntheticModel();
const seen = { hide: [], hide_layers: [] };

/** The synthetic model, with one column's perplexity set. */
const withValue = (kind: string, layer: number, next: number | null): ModelInfo => ({
  ...plain,
  columns: plain.columns.map((c) =>
    c.kind === kind && c.layer === layer ? { ...c, perplexity: { next } } : c,
  ),
});
const planned = (model: ModelInfo, axis: "cut" | "log" = "cut") =>
  perplexitiesOf(columnsOf(model, model.columns, seen), "next", axis);
const barOf = (plan: ReturnType<typeof planned>, key: string) =>
  plan.bars.find((bar) => bar.column.key === key);

describe("the plan of the chart", () => {
  it("has a bar for each kind in column order, and a line for the network", () => {
    const plan = planned(plain);
    expect(plan.bars.map((bar) => bar.column.key)).toEqual(
      columnsOf(plain, plain.columns, seen)
        .map((c) => c.key)
        .slice(0, -1),
    );
    expect(plan.network).toEqual({ at: 121.6 / 200, value: 121.6 });
    expect(plan.ticks.map((t) => t.label)).toEqual(["0", "50", "100", "150", "200"]);
    expect(barOf(plan, "embedding.0")?.length).toBeCloseTo(172.8 / 200);
  });

  it("cuts the linear axis at 400; a bar past it is full and says its figure", () => {
    const plan = planned(withValue("long_term", 1, 1234.5));
    expect(plan.ticks.at(-1)?.label).toBe("400");
    const bar = barOf(plan, "long_term.1");
    expect(bar).toMatchObject({ cut: true, length: 1, figure: "1,235" });
    expect(bar && spokenBar(bar)).toBe(
      "Long-term memory, layer 1: perplexity 1,235, past the end of the axis",
    );
    expect(plan.bars.filter((b) => b.cut)).toHaveLength(1);
  });

  it("cuts nothing on the logarithmic axis, which begins at 1", () => {
    const plan = planned(withValue("long_term", 1, 1000), "log");
    expect(plan.ticks.map((t) => [t.at, t.label])).toEqual([
      [0, "1"],
      [1 / 3, "10"],
      [2 / 3, "100"],
      [1, "1,000"],
    ]);
    expect(barOf(plan, "long_term.1")).toMatchObject({ cut: false, length: 1 });
    expect(barOf(planned(withValue("long_term", 1, 1), "log"), "long_term.1")?.length).toBe(0);
  });

  it("does not invent what was not measured", () => {
    const plan = planned(withValue("long_term", 1, null));
    expect(barOf(plan, "long_term.1")).toMatchObject({ value: null, length: 0, figure: "–" });
    const unmeasured = perplexitiesOf(columnsOf(plain, plain.columns, seen), "previous", "cut");
    expect(unmeasured.network).toBeNull();
    expect(unmeasured.bars.every((bar) => bar.value === null)).toBe(true);
  });

  it("finds the columns that are weak beside the others", () => {
    expect([...weakOf(plain, "next")]).toEqual([]);
    const weak = weakOf(withValue("long_term", 2, 400), "next");
    expect([...weak.keys()]).toEqual(["long_term.2"]);
    expect(weak.get("long_term.2")).toBeCloseTo(Math.log2(400 / 142), 6);
    expect(weakness(weak.get("long_term.2") ?? 0)).toContain("1.5 bits a word more");
    expect([...weakOf(plain, "after_next")]).toEqual([]);
  });

  it("says what perplexity is", () => {
    expect(explained("next", true, {})).toContain(
      "exp of the mean negative natural log-likelihood",
    );
    expect(explained("next", true, {})).toContain(
      "end of a sentence included, on held-out test text",
    );
    expect(explained("next", true, {})).toContain("The line is the network's own, y.");
    expect(explained("this", false, {})).toContain("no line");
    // Of what was read, the start of a sentence is asked for and its end never.
    for (const semantic of ["this", "previous"] as const)
      expect(explained(semantic, false, {})).toContain(
        "the start of a sentence included, which is",
      );
    expect(explained("after_next", false, {})).toContain("the end of a sentence included");
    expect(explained("after_next", false, { ends: false })).not.toContain("end of a sentence");
    expect(explained("label", true, {})).toContain("tells the right label: exp");
    expect(explained("label", true, {})).toContain("per label, on held-out");
    expect(explained("label", true, { task: "classification" })).toContain(
      "per sentence, asked after its last",
    );
    // What nobody here trained may have been trained on any text.
    expect(explained("next", true, { imported: true })).toContain(
      "on test lines, held out only if the network was not trained on them. A perplexity",
    );
    const baselines = { unigram: 502.5, bigram: 191.7, trigram: 176.1 };
    const frequency = "word frequencies alone give 503; a trigram model 176.";
    expect(explained("next", true, { baselines })).toContain(frequency);
    expect(explained("previous", false, { baselines })).not.toContain("trigram");
    // y is hidden: of a line that is not drawn nothing is said.
    expect(explained("next", false, { architecture: { vocabulary: 6554 } })).toMatch(
      /1 is certain\. The vocabulary/,
    );
    expect(explained("this", false, { architecture: { vocabulary: 6554 } })).toContain(
      "The vocabulary has 6,554 entries: figures over",
    );
  });
});

describe("the chart", () => {
  const trace = syntheticTrace({ text: "he", model: "m", semantic: "next", bars: 10, top: 0.1 });
  const state: State = { ...INITIAL, model: plain, trace, view: DEFAULT_VIEW };
  const make = () => {
    const root = document.createElement("section");
    document.body.replaceChildren(root);
    const on = { axis: vi.fn(), column: vi.fn(), save: vi.fn(() => "Saved.") };
    return { root, on, chart: createChart(root, on) };
  };
  const buttons = (root: HTMLElement) => [...root.querySelectorAll<HTMLElement>(".bars button")];

  it("has one tab stop, moved by arrows, Home and End; a press chooses the column", () => {
    const { root, on, chart } = make();
    chart.update(state);
    const stops = () => buttons(root).filter((b) => b.tabIndex === 0);
    expect(stops()).toHaveLength(1);
    stops()[0]?.focus();
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("ArrowRight");
    expect(stops()).toEqual([document.activeElement]);
    stops()[0]?.click();
    expect(on.column).toHaveBeenLastCalledWith("forget_gate.1");
    press("End");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Output state, layer 2/);
    press("Home");
    expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Embedding/);
  });

  it("tells which bar is chosen, and follows columns that are hidden", () => {
    const { root, chart } = make();
    chart.update({ ...state, column: "cell_state.2" });
    const pressed = () =>
      buttons(root)
        .filter((b) => b.getAttribute("aria-pressed") === "true")
        .map((b) => b.getAttribute("value"));
    expect(pressed()).toEqual(["cell_state.2"]);
    chart.update({ ...state, column: null });
    expect(pressed()).toEqual([]);
    chart.update({ ...state, view: { ...DEFAULT_VIEW, hide_layers: ["1"] } });
    expect(buttons(root)).toHaveLength(9);
    expect(root.querySelectorAll(".network")).toHaveLength(1);
  });
});

describe("the chart as a picture", () => {
  const drawn = (model: ModelInfo) =>
    drawPerplexities({
      model,
      columns: columnsOf(model, model.columns, seen),
      view: { semantic: "next", axis: "cut" },
      dark: false,
    }).svg;

  it("has every bar with its figure, and breaks those that pass the axis", () => {
    const svg = drawn(withValue("long_term", 1, 1234.5));
    expect(svg).toContain(">1,235</text>");
    expect(svg).toContain(">122</text>");
    const rects = (of: string) => [...of.matchAll(/<rect /g)].length;
    expect(rects(svg)).toBe(1 + 17 + 2);
    expect(rects(drawn(plain))).toBe(1 + 17);
    expect(svg).not.toMatch(/NaN|undefined/);
    expect(new DOMParser().parseFromString(svg, "image/svg+xml").querySelector("parsererror")).toBe(
      null,
    );
  });
});
