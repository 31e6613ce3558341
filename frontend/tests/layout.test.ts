import { describe, expect, it } from "vitest";
import { aloneLines, linesOf, sharesOn } from "../src/alignment";
import { createHover } from "../src/hover";
import { move } from "../src/keys";
import { columnKey, columnsOf, gatesOf, groupsOf, infoOf } from "../src/columns";
import { measure, SIZES, tokenWidth, gridWidth } from "../src/measures";
import { operandsOf, readsZeros, startsSentence } from "../src/operands";
import { domainOf } from "../src/scale";
import { perplexityOf } from "../src/sentence";
import { MAX_PINS, togglePin } from "../src/state/cells";
import { reconcile } from "../src/state/reconcile";
import { DEFAULT_VIEW } from "../src/state/view";
import type { ColumnInfo } from "../src/types";
import { CLASSES, PAPER, syntheticModel, syntheticTrace } from "./fixtures/synthetic";
import { vi } from "vitest";

const model = syntheticModel();
const query = {
  text: PAPER,
  model: model.id,
  semantic: "next" as const,
  bars: 10,
  top: 0.1,
};
const trace = syntheticTrace(query);
const rows = trace.tokens.map((_, t) => t);
const all = columnsOf(model, trace.columns, DEFAULT_VIEW);

describe("columns", () => {
  it("are the model's, grouped by layer", () => {
    expect(all).toHaveLength(18);
    expect(groupsOf(all)).toEqual([
      { name: "input", span: 1 },
      { name: "layer 1", span: 8 },
      { name: "layer 2", span: 8 },
      { name: "output", span: 1 },
    ]);
  });
  it("take their index from the answer, not from their place", () => {
    const turned = [...trace.columns].reverse();
    expect(columnsOf(model, turned, DEFAULT_VIEW)[0]?.index).toBe(17);
  });
  it("leave out hidden kinds and layers", () => {
    const gates = columnsOf(model, trace.columns, { hide: gatesOf(model), hide_layers: ["1"] });
    expect(gates.map(columnKey)).toEqual([
      "embedding.0",
      "cell_input.2",
      "long_term.2",
      "short_term.2",
      "cell_state.2",
      "output_state.2",
      "output",
    ]);
  });
  it("have a gap before a layer and before a deeper kind", () => {
    expect(all.slice(0, 9).map((c) => c.gap)).toEqual(["", "layer", "", "", "", "depth", "", "depth", ""]); // prettier-ignore
  });
  it("follow the cell's own depths and gates, whatever the cell", () => {
    const gru = (kind: string, symbol: string, depth: number, gate = false): ColumnInfo => ({
      ...{ kind, layer: 1, symbol, name: kind, equation: "", operands: [], depth, gate },
      perplexity: {},
    });
    const columns = [
      gru("update_gate", "z", 1, true),
      gru("reset_gate", "r", 1, true),
      gru("candidate_state", "h̃", 2),
      gru("output_state", "h", 3),
    ];
    const shown = columnsOf({ ...model, columns }, columns, DEFAULT_VIEW);
    expect(shown.map((c) => c.gap)).toEqual(["", "", "depth", ""]);
    expect(gatesOf({ columns })).toEqual(["update_gate", "reset_gate"]);
  });
});

describe("the scale of the bars", () => {
  it("is one for the whole grid: 0 to 1", () =>
    expect(domainOf(trace, rows, all, "fixed")).toBe(1));
  it("or to the largest in view", () => {
    const most = Math.max(...trace.rows.top_probs.flat(2));
    expect(domainOf(trace, rows, all, "view")).toBe(most);
    const output = all.filter((c) => c.kind === "output");
    expect(domainOf(trace, rows, output, "view")).toBeLessThanOrEqual(most);
  });
  it("or each cell's own", () => expect(domainOf(trace, rows, all, "cell")).toBeNull());
});

describe("measures", () => {
  it("are whole pixels within bounds, the same for every column of kinds", () => {
    for (const width of [320, 900, 1154, 1600, 3000]) {
      const { cell } = measure(width, all, tokenWidth(10, width));
      expect(Number.isInteger(cell)).toBe(true);
      expect(cell).toBeGreaterThanOrEqual(SIZES.bars.least);
      expect(cell).toBeLessThanOrEqual(SIZES.bars.most);
    }
  });
  it("give room back when columns are hidden", () => {
    const few = columnsOf(model, trace.columns, { hide: gatesOf(model), hide_layers: [] });
    expect(measure(1154, few, 64).cell).toBeGreaterThan(measure(1154, all, 64).cell);
  });
  it("are the same for nearly every text, and leave room for all columns at 1440 pixels", () => {
    // What the grid has there beside the legend, and beside a scrollbar that takes 15 pixels.
    for (const width of [1152, 1137]) {
      const token = tokenWidth(60, width);
      expect(tokenWidth(110, width)).toBe(token);
      const measures = measure(width, all, token);
      expect(gridWidth(measures, all, "bars")).toBeLessThanOrEqual(width);
    }
  });
});

describe("operands", () => {
  it("lie in the row, or one above at lag 1", () => {
    expect(operandsOf(trace, model, { t: 8, kind: "long_term", layer: 2 })).toEqual([
      { t: 8, kind: "forget_gate", layer: 2 },
      { t: 7, kind: "cell_state", layer: 2 },
    ]);
  });
  it("do not lie before a sentence: it starts from zeros", () => {
    const two = syntheticTrace({ ...query, text: "he said . she was ." });
    const start = two.tokens.findIndex((token, t) => t > 0 && token.word === "<bos>");
    expect(start).toBe(4);
    for (const t of [0, start]) {
      const cell = { t, kind: "long_term", layer: 2 };
      expect(operandsOf(two, model, cell)).toEqual([{ t, kind: "forget_gate", layer: 2 }]);
      expect(readsZeros(two, infoOf(model, cell) as ColumnInfo, t)).toBe(true);
    }
    const info = infoOf(model, { kind: "long_term", layer: 2 }) as ColumnInfo;
    expect(readsZeros(two, info, start + 1)).toBe(false);
  });
});

describe("shares and scores", () => {
  it("sum to the mass in view", () => {
    const shares = sharesOn(trace, aloneLines(rows), all);
    const sum = [...shares.values()].reduce((a, b) => a + b, 0);
    const masses = trace.rows.mass.flat(2).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(masses / (11 * 18));
    expect([...shares.keys()]).toEqual(CLASSES);
  });
  it("are of both texts where two are compared", () => {
    const second = syntheticTrace({ ...query, text: "he said" });
    const lines = linesOf(trace, second, null);
    const sum = [...sharesOn(trace, lines, all, second).values()].reduce((a, b) => a + b, 0);
    const masses = [trace, second].flatMap(({ rows: { mass } }) => mass.flat(2));
    expect(sum).toBeCloseTo(masses.reduce((a, b) => a + b, 0) / (14 * 18));
  });
  it("perplexity is 2 to the mean surprisal of scored rows", () => {
    expect(perplexityOf([1, 3, null])).toBe(4);
    expect(perplexityOf([null])).toBeNull();
    expect(perplexityOf(trace.rows.surprisal)).toBeCloseTo(trace.perplexity ?? NaN);
  });
  it("a second sentence is told", () => {
    const two = syntheticTrace({ text: "he said . she went", model: "", semantic: "next", bars: 3, top: 0.1 }); // prettier-ignore
    expect(two.tokens.map((_, t) => startsSentence(two, t))).toEqual([false, false, false, false, true, false, false]); // prettier-ignore
  });
});

describe("state", () => {
  const cell = (t: number) => ({ t, kind: "output", layer: null });
  it("pins at most four, the oldest giving way, and unpins", () => {
    let pins = [0, 1, 2, 3].reduce<ReturnType<typeof togglePin>>((p, t) => togglePin(p, cell(t)), []); // prettier-ignore
    expect(pins).toHaveLength(MAX_PINS);
    pins = togglePin(pins, cell(4));
    expect(pins.map((p) => p.t)).toEqual([1, 2, 3, 4]);
    expect(togglePin(pins, cell(2)).map((p) => p.t)).toEqual([1, 3, 4]);
  });
  it("tells kinds and layers to hide that the model does not have, a notice a field", () => {
    const hide = ["nope", "forget_gate", "__proto__"];
    const { view, notices } = reconcile(
      { ...DEFAULT_VIEW, hide, hide_layers: ["1", "9", "output"] },
      model,
    );
    expect(view.hide).toEqual(["forget_gate"]);
    expect(view.hide_layers).toEqual(["1", "output"]);
    expect(notices).toEqual([
      "This model has no kind “nope”, “__proto__” to hide: that was left out.",
      "This model has no layer “9” to hide: that was left out.",
    ]);
    const many = Array.from({ length: 60 }, (_, n) => `kind_${n}`);
    const told = reconcile({ ...DEFAULT_VIEW, hide: many }, model).notices.join();
    expect(told).toContain("“kind_4”, … to hide");
    expect(reconcile({ ...DEFAULT_VIEW, hide: ["forget_gate"] }, model).notices).toEqual([]);
  });

  it("tells of a link that other weights were shown by, and names those at hand", () => {
    const [own, old] = [model.fingerprint, "00ff00ff00ff00ff"];
    const linked = { ...DEFAULT_VIEW, fingerprint: old };
    const { view, notices } = reconcile(linked, model);
    expect(view.fingerprint).toBe(own);
    expect(notices).toEqual([
      `The link was made with another version of ${model.name} (fingerprint ${old}; here it is ${own}): figures may differ.`,
    ]);
    for (const fingerprint of ["", own])
      expect(reconcile({ ...DEFAULT_VIEW, fingerprint }, model).notices).toEqual([]);
    // Where the server has another model instead, that is told, and nothing of its weights.
    expect(reconcile({ ...linked, model: "gone" }, model)).toMatchObject({
      view: { model: model.id, fingerprint: own },
      notices: [],
    });
    // Whoever chooses another model knows that.
    const before = { ...model, id: "another" };
    expect(reconcile(linked, model, before)).toMatchObject({
      view: { fingerprint: own },
      notices: [],
    });
  });

  it("fits a link's view to the model and says what did not fit", () => {
    const { view, notices } = reconcile(
      {
        ...DEFAULT_VIEW,
        semantic: "previous",
        palette: "nope",
        colours: new Map([["NOUN", "#000000"], ["__proto__", "#000000"]]), // prettier-ignore
        pins: [cell(1), { t: 1, kind: "reset_gate", layer: 1 }],
        hide: ["nope", "forget_gate"],
      },
      model,
    );
    expect(view).toMatchObject({
      semantic: "next",
      palette: "",
      hide: ["forget_gate"],
      pins: [cell(1)],
    });
    expect([...view.colours.keys()]).toEqual(["NOUN"]);
    expect(notices).toHaveLength(5);
  });
});

describe("keys", () => {
  const at = { row: 3, column: 5 };
  it.each([
    ["ArrowUp", false, 2, 5],
    ["ArrowDown", false, 4, 5],
    ["ArrowLeft", false, 3, 4],
    ["ArrowRight", false, 3, 6],
    ["Home", false, 3, 0],
    ["End", false, 3, 17],
    ["Home", true, 0, 0],
    ["End", true, 10, 17],
    ["PageDown", false, 10, 5],
    ["PageUp", false, 0, 5],
  ])("%s (control %s)", (key, control, row, column) => {
    expect(move(key, control, at, 11, 18)).toEqual({ row, column });
  });
  it("others do nothing", () => expect(move("a", false, at, 11, 18)).toBeNull());
});

describe("the popup's pace", () => {
  it("opens after 150 ms, closes after 80, and the keyboard does not wait", () => {
    vi.useFakeTimers();
    const shown: (string | null)[] = [];
    const hover = createHover<string>((s) => shown.push(s));
    hover.over("a");
    vi.advanceTimersByTime(149);
    hover.over("b");
    vi.advanceTimersByTime(149);
    expect(shown).toEqual([]);
    vi.advanceTimersByTime(1);
    hover.out();
    vi.advanceTimersByTime(79);
    expect(shown).toEqual(["b"]);
    vi.advanceTimersByTime(1);
    expect(shown).toEqual(["b", null]);
    hover.now("c");
    expect(shown.at(-1)).toBe("c");
    vi.useRealTimers();
  });
});
