// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Api, ApiError, Busy, Unreachable } from "../src/api";
import { DELAYS } from "../src/asker";
import type { Figure } from "../src/figure/sheet";
import { widthOf } from "../src/figure/text";
import { createInside } from "../src/inside";
import { marginOf, unitsIn } from "../src/inside/order";
import { valueSaid } from "../src/format";
import { orderSaid, said, stripsSaid, wonSaid } from "../src/inside/reading";
import { largerIn, rowsOf } from "../src/inside/rows";
import { placeAt, scaleOf, slotsOf, stripOf } from "../src/inside/strips";
import { INITIAL, type State } from "../src/state";
import { reconcile } from "../src/state/reconcile";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { createStore } from "../src/store";
import type { CellId, Inside } from "../src/types";
import { createWithin, lookKey } from "../src/within";
import { insideModel, syntheticInside, UNITS, vectorAt } from "./fixtures/inside";
import { labelModel, labelTrace } from "./fixtures/labels";
import { syntheticTrace } from "./fixtures/synthetic";

const TEXT = "he said . she was there .";
const query = { text: TEXT, model: "synthetic", semantic: "next" as const, bars: 10, top: 0.1 };
const trace = syntheticTrace(query);
const model = insideModel();
const CELL: CellId = { t: 7, kind: "cell_state", layer: 2 };
const insideOf = (cell: CellId, text = TEXT): Inside =>
  syntheticInside({ ...query, text, timestep: cell.t, kind: cell.kind, layer: cell.layer });

describe("a strip adapts to its room", () => {
  it.each([
    [300, 600],
    [300, 917],
    [300, 300],
    [300, 60],
    [300, 61.7],
    [8, 60],
    [1, 1],
  ])("%i units in %d pixels: each has its place, and only one", (units, width) => {
    const slots = slotsOf(units, width);
    expect(slots.length).toBe(Math.min(units, Math.floor(width)));
    expect(slots.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i))) // prettier-ignore
      .toEqual(Array.from({ length: units }, (_, i) => i));
    for (const [i, { x, width: w }] of slots.entries()) {
      expect(w).toBeGreaterThanOrEqual(1);
      const next = slots[i + 1];
      expect(x + w).toBeLessThanOrEqual(next ? next.x : Math.floor(width));
    }
    for (const slot of slots) {
      const place = placeAt(slot.x, units, Math.floor(width));
      expect(place).toBeGreaterThanOrEqual(slot.from);
      expect(place).toBeLessThan(slot.to);
    }
  });

  /** Top and bottom of each bar, by its pixel. */
  const barsOf = (path: string) =>
    new Map(
      [...path.matchAll(/M(\d+) ([\d.]+)h\d+v([\d.]+)h-\d+z/g)].map(([, x, y, length]) => {
        const top = Number(y);
        return [Number(x), [top, top + Number(length)]];
      }),
    );

  it("with a pixel for each, a bar goes from zero to its value", () => {
    const values = [1, -0.5, 0.25, 0];
    const strip = stripOf(slotsOf(4, 8), { values, marks: null, height: 40, scale: 1 });
    const bars = barsOf(strip.marked);
    expect([...bars.values()]).toEqual([[0, 20], [20, 30], [15, 20], [20, 20.5]]); // prettier-ignore
    expect(strip.stems).toBe("");
  });

  it("where units share a pixel, a bar goes from the least to the greatest of them", () => {
    const values = vectorAt(3, "cell_state", 1);
    const scale = scaleOf([values]);
    const strip = stripOf(slotsOf(UNITS, 60), { values, marks: null, height: 100, scale });
    const bars = barsOf(strip.bars);
    expect(bars.size).toBe(60);
    for (let x = 0; x < 60; x += 1) {
      const here = values.slice(5 * x, 5 * x + 5);
      const [top, bottom] = bars.get(x) ?? [];
      expect(top).toBeCloseTo(50 - (50 * Math.max(...here)) / scale, 1);
      expect(bottom).toBeCloseTo(50 - (50 * Math.min(...here)) / scale, 1);
    }
  });

  it("what stands out is drawn over the rest, of the units that do", () => {
    const values = [1, 0.5, -1, 0.2];
    const marks = [false, true, false, false];
    const strip = stripOf(slotsOf(4, 2), { values, marks, height: 40, scale: 1 });
    expect([...barsOf(strip.bars)]).toEqual([[0, [0, 10]], [1, [16, 40]]]); // prettier-ignore
    expect([...barsOf(strip.marked)]).toEqual([[0, [10, 10.5]]]);
    // Both of the first pixel lie above zero: a stem joins them to it.
    expect([...barsOf(strip.stems)]).toEqual([[0, [10, 20]]]);
  });

  it("one scale holds for all vectors", () => {
    expect(scaleOf([[0.5], [-2, 1], []])).toBe(2);
    expect(scaleOf([[0], []])).toBe(1);
  });
});

describe("the order of units", () => {
  const inside = insideOf(CELL);
  const [long = [], short = []] = inside.operands.map((o) => o.values);

  it("each has every unit once", () => {
    for (const order of ["unit", "value", "contribution"] as const)
      expect([...unitsIn(order, inside)].sort((a, b) => a - b)).toEqual(unitsIn("unit", inside));
  });

  it("by value is the cell's own, descending", () => {
    const sorted = unitsIn("value", inside).map((u) => inside.values?.[u] ?? 0);
    expect(sorted).toEqual([...sorted].sort((a, b) => b - a));
  });

  it("by contribution parts where l won from where s won, at the server's count", () => {
    const margin = marginOf(inside) ?? [];
    const order = unitsIn("contribution", inside);
    const won = inside.won?.long_term ?? 0;
    expect(won).toBeGreaterThan(0);
    for (const [place, u] of order.entries()) {
      expect((margin[u] ?? 0) > 0).toBe(place < won);
      expect(margin[u]).toBe(Math.abs(long[u] ?? 0) - Math.abs(short[u] ?? 0));
    }
  });

  it("by contribution of a product is its size", () => {
    const cell = insideOf({ t: 7, kind: "long_term", layer: 1 });
    const sizes = unitsIn("contribution", cell).map((u) => Math.abs(cell.values?.[u] ?? 0));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });
});

it("counts the units of l and s as the server does, which saw the values before they were rounded", () => {
  const inside = insideOf(CELL);
  const [long, short] = inside.operands;
  if (!long || !short) throw new Error("no operands");
  // To the digits of an answer a tie.
  const tie = { ...inside, operands: [long, { ...short, values: long.values }] };
  const won = { long_term: 2, short_term: UNITS - 2, equal: 0 };
  const rows = rowsOf(trace, model, CELL, inside);
  expect(largerIn({ ...tie, won }, rows).map(({ units }) => units)).toEqual([2, UNITS - 2, null]);
});

describe("who won in c", () => {
  const told = (l: number, s: number, dl: number | null, ds: number | null): string => {
    const of = (divergence: number | null) => ({ divergence }) as Inside["operands"][number];
    const won = { long_term: l, short_term: s, equal: 300 - l - s };
    return wonSaid({ ...insideOf(CELL), won, operands: [of(dl), of(ds)] });
  };
  it.each([
    [[79, 221, 0.25, 0.02], "The short-term memory won: s is larger in 221 of 300 units, l in 79. What s says is 0.02 bits from what c says, what l says 0.25 bits."], // prettier-ignore
    [[200, 100, 0.01, 0.3], "The long-term memory won: l is larger in 200 of 300"],
    [[200, 100, 0.3, 0.01], "Divided: one is larger, the other is nearer to what c says: l is larger in 200"], // prettier-ignore
    [[150, 150, 0.1, 0.1], "Even: l is larger in 150"],
    [[140, 150, 0.101, 0.099], "Neither is nearer to what c says; the short-term memory is larger: s is larger in 150 of 300 units, l in 140, equal in 10."], // prettier-ignore
    [
      [150, 150, 0.3, 0.1],
      "Even in units; the short-term memory is nearer to what c says: s is larger in 150",
    ],
    [[0, 300, null, 0], "The short-term memory won: s is larger in 300 of 300 units, l in 0. What s says is 0.00 bits from what c says."], // prettier-ignore
  ] as const)("%j", ([l, s, dl, ds], sentence) => {
    expect(told(l, s, dl, ds).startsWith(sentence)).toBe(true);
  });

  it("a figure has a real minus, and is no zero if it is not", () => {
    expect([0, -2.8991, 0.0004, -0.0004, 7.84].map(valueSaid)).toEqual(
      ["0", "−2.899", "≈ 0", "≈ 0", "7.840"]); // prettier-ignore
  });
});

describe("how the strips are to be read", () => {
  it("says the scale, and how many units share a pixel", () => {
    expect(stripsSaid(300, 600, 8.84, "product", 0)).toBe(
      "300 units, all strips on one scale: their edge is ±8.84.",
    );
    expect(stripsSaid(300, 60, 1, "looked up", 0)).toMatch(
      /60 pixels have up to 5 units each: a bar goes from the least to the greatest/,
    );
  });

  it("speaks of terms only where they are known: not of a GRU's candidate state", () => {
    const said = (added: number) =>
      `${stripsSaid(8, 600, 1, "weighted", added)} ${orderSaid("contribution", "weighted", added)}`;
    expect(said(2)).toMatch(
      /first operand is larger;.*orders of their own.*first term is larger to/,
    );
    expect(said(3)).toMatch(/first operand is larger than the others;.*larger than the others to/);
    expect(said(0)).toMatch(/±1\. The operands' strips have orders of their own\. Sorted by size/);
  });
});

it("a link to a cell that the model has not opens without its inside, and says so", () => {
  const view = { ...DEFAULT_VIEW, inside: { t: 1, kind: "reset_gate", layer: 2 } };
  const fitted = reconcile(view, model);
  expect(fitted.view.inside).toBeNull();
  expect(fitted.notices.join()).toContain("The cell to look into");
});

describe("the panel", () => {
  const on = { close: vi.fn(), look: vi.fn(), order: vi.fn(), along: vi.fn(), retry: vi.fn(), save: vi.fn(() => Promise.resolve("Saved.")) }; // prettier-ignore
  let root: HTMLElement;
  const $ = <T extends HTMLElement>(selector: string) => root.querySelector<T>(selector) as T;
  const texts = (selector: string) =>
    [...root.querySelectorAll(selector)].map((node) => node.textContent);

  const state = (cell: CellId, patch: Partial<State> = {}, view: Partial<View> = {}): State => ({
    ...INITIAL,
    model,
    trace,
    view: { ...DEFAULT_VIEW, text: TEXT, inside: cell, ...view },
    look: { cell, key: lookKey(trace, cell), of: trace, answer: insideOf(cell), problem: null },
    ...patch,
  });
  function show(cell: CellId, patch: Partial<State> = {}, view: Partial<View> = {}): void {
    root.replaceChildren();
    createInside(root, on).update(state(cell, patch, view));
  }

  beforeEach(() => {
    document.body.innerHTML = "<section id=inside></section>";
    root = document.body.firstElementChild as HTMLElement;
  });

  it.each(model.columns.map((c) => [`${c.symbol}${c.layer ?? ""}`, c] as const))(
    "opens for %s: its operands, itself, and a sentence or figures",
    (_, column) => {
      show({ t: 7, kind: column.kind, layer: column.layer });
      const own = column.layer === null ? 0 : 1;
      expect(root.querySelectorAll(".vector .name")).toHaveLength(column.operands.length + own);
      const strips = [...root.querySelectorAll("path.marked")].map((p) => p.getAttribute("d"));
      expect(strips.every((d) => (d?.length ?? 0) > UNITS)).toBe(true);
      expect($(".equation").textContent).not.toBe("");
      if (column.kind === "embedding") expect($(".said").textContent).toMatch(/has no operands/);
      if (column.kind === "output") expect($(".said").textContent).toMatch(/no vector of its own/);
      if (column.kind.endsWith("_gate"))
        expect($(".said").textContent).toMatch(/is open .* of 300/);
    },
  );

  it("is as wide as ever under a very long word", async () => {
    const text = `he ${"z".repeat(3000)} .`;
    const cell: CellId = { ...CELL, t: 2 };
    const of = syntheticTrace({ ...query, text });
    const look = { cell, key: "", of, answer: insideOf(cell, text), problem: null };
    const widths: number[] = [];
    for (const seen of [state(CELL), state(cell, { trace: of, look }, { text })]) {
      root.replaceChildren();
      createInside(root, on).update(seen);
      [...root.querySelectorAll("button")].find((b) => b.textContent === "Save PNG")?.click();
      await Promise.resolve();
      const [, figure] = on.save.mock.lastCall as unknown as [string, Figure];
      widths.push(figure.width);
    }
    expect(widths[1]).toBe(widths[0]);
  });

  it("is saved as a picture of the strips that it shows, with what it says", async () => {
    createInside(root, on).update(state(CELL, {}, { order: "contribution" }));
    const [svg] = [...root.querySelectorAll("button")].filter((b) => b.textContent === "Save SVG");
    svg?.click();
    await Promise.resolve();
    expect(root.querySelector(".told-here")?.textContent).toBe("Saved.");
    const [kind, figure, name] = on.save.mock.lastCall as unknown as [string, Figure, string];
    expect([kind, name]).toEqual(["svg", "inside there · Cell state, layer 2"]);
    const inside = insideOf(CELL);
    const order = unitsIn("contribution", inside);
    const scale = scaleOf([inside.values ?? [], ...inside.operands.map(({ values }) => values)]);
    const values = order.map((unit) => inside.values?.[unit] ?? 0);
    const strip = stripOf(slotsOf(UNITS, 900), { values, marks: null, height: 50, scale });
    expect(figure.svg).toContain(`d="${strip.bars}"`);
    expect(figure.svg).toContain("Sorted by |l| − |s|");
    expect(figure.svg).toContain(TEXT);
    expect(figure.svg).toContain(wonSaid(inside));
  });

  it("is saved with what is told of an operand on lines of their own, which end before its strip", async () => {
    createInside(root, on).update(state({ t: 7, kind: "forget_gate", layer: 2 }));
    [...root.querySelectorAll("button")].find((b) => b.textContent === "Save SVG")?.click();
    await Promise.resolve();
    const [, figure] = on.save.mock.lastCall as unknown as [string, Figure];
    const svg = new DOMParser().parseFromString(figure.svg, "image/svg+xml");
    const left = Number(/translate\((\d+)/.exec(figure.svg)?.[1]);
    const told = [...svg.querySelectorAll("text")].filter((t) =>
      /of the row|larger in/.test(t.textContent),
    );
    expect(told.map((t) => t.textContent.replace(/\d+/, "N"))).toEqual([
      "its term larger in N units",
      "of the row above",
      "its term larger in N units",
    ]);
    for (const t of told)
      expect(Number(t.getAttribute("x")) + widthOf(t.textContent, 10.5)).toBeLessThan(left);
    const [, above, below] = told.map((t) => Number(t.getAttribute("y")));
    expect(Number(below) - Number(above)).toBeGreaterThanOrEqual(10.5);
  });

  it("reads a unit by keyboard, as the equation joins it, and keeps it in another order", () => {
    const panel = createInside(root, on);
    panel.update(state(CELL));
    const slider = $<HTMLInputElement>(".slider input");
    slider.value = "17";
    slider.dispatchEvent(new Event("input"));
    const inside = insideOf(CELL);
    const unit = unitsIn("value", inside)[16] ?? 0;
    const [l, s] = inside.operands.map(({ values }) => valueSaid(values[unit] ?? 0));
    const said = `unit ${unit + 1}, place 17: l ${l} + s ${s} = c ${valueSaid(inside.values?.[unit] ?? 0)}`;
    expect(slider.getAttribute("aria-valuetext")).toBe(said);
    expect($(".reading b").textContent).toBe(`unit ${unit + 1}`);
    panel.update(state(CELL, {}, { order: "unit" }));
    expect(slider.value).toBe(String(unit + 1));
    expect($(".reading b").textContent).toBe(`unit ${unit + 1}`);
    expect($(".segments [aria-pressed=true]").textContent).toBe("unit");
  });

  /** What is spoken of the first unit in the network's own order. */
  function firstUnit(cell: CellId): string | null {
    show(cell, {}, { order: "unit" });
    $(".slider input").dispatchEvent(new Event("input"));
    return $(".slider input").getAttribute("aria-valuetext");
  }

  it("reads a unit of h through tanh, and of a gate as the sum inside it", () => {
    const h: CellId = { t: 7, kind: "output_state", layer: 1 };
    const inside = insideOf(h);
    const [o, c] = inside.operands.map(({ values }) => values[0] ?? 0);
    expect(firstUnit(h)).toBe(
      `unit 1, place 1: o ${valueSaid(o ?? 0)} ∘ tanh c ${valueSaid(Math.tanh(c ?? 0))} = h ${valueSaid(inside.values?.[0] ?? 0)}`,
    );
    const f: CellId = { t: 7, kind: "forget_gate", layer: 1 };
    const gate = insideOf(f);
    const [below, before] = gate.operands.map(({ term }) => valueSaid(term?.[0] ?? 0));
    expect(firstUnit(f)).toBe(
      `unit 1, place 1: σ( W x ${below} + W h ${before} + b ${valueSaid(gate.bias?.[0] ?? 0)} ) = f ${valueSaid(gate.values?.[0] ?? 0)}`,
    );
  });

  it.each([
    ["(1 − z_t^u) ∘ h̃_t^u + z_t^u ∘ h_{t−1}^u", "where h stays"],
    ["(1 − z_t^u) ∘ h_{t−1}^u + z_t^u ∘ h̃_t^u", "where h is new"],
    ["(1 − z\u20D7_t^u) ∘ h̃\u20D7_t^u + z\u20D7_t^u ∘ h\u20D7_{t−1}^u", "where h stays"],
  ])("says what an open update gate of a GRU does: %s", (mixed, does) => {
    const info = model.columns.find((c) => c.gate) ?? model.columns[0];
    const cell = insideOf(CELL);
    if (!info) throw new Error("no column");
    const [gate] = rowsOf(trace, model, { ...CELL, kind: "output_state" }, null);
    if (!gate) throw new Error("no operand");
    const z = { ...info, kind: "update_gate", symbol: "z", gate: true };
    const h = { ...info, kind: "output_state", equation: `h_t^u = ${mixed}`, gate: false };
    const rows = [
      { ...gate, info: z, values: [0.95, 0.5, 0.01], own: false },
      { ...gate, info: h, own: true },
    ];
    const token = trace.tokens[7];
    if (!token) throw new Error("no token");
    expect(said("product", token, rows, cell)).toBe(
      `z is open (over 0.9) in 1 of 3 units, ${does}, shut (under 0.1) in 1.`,
    );
  });

  it("tells in how many units of a gate each operand's term is the larger", () => {
    const f: CellId = { t: 7, kind: "forget_gate", layer: 1 };
    show(f);
    const margin = marginOf(insideOf(f)) ?? [];
    const more = margin.filter((m) => m > 0).length;
    expect(texts(".name small").filter((text) => text?.includes("term"))).toEqual([
      `its term larger in ${more} units`,
      `its term larger in ${UNITS - more} units`,
    ]);
    // In the gate's own strip those of the first stand out.
    const marked = [...root.querySelectorAll("path.marked")].at(-1)?.getAttribute("d");
    expect(marked?.match(/M/g)).toHaveLength(more);
  });

  it("of three operands the one counts whose term is larger than both others", () => {
    // As with peepholes: h of the layer below, h and c of the row above.
    const cell: CellId = { t: 7, kind: "forget_gate", layer: 1 };
    const columns = model.columns.map((c) =>
      c.kind === cell.kind && c.layer === cell.layer
        ? { ...c, operands: [...c.operands, { kind: "cell_state", layer: 1, lag: 1 }] }
        : c,
    );
    const two = insideOf(cell);
    const third = { ...two.operands[1]!, kind: "cell_state", term: vectorAt(7, "term 2", 1) };
    const answer = { ...two, operands: [...two.operands, third] };
    const terms = answer.operands.map(({ term }) => (term ?? []).map(Math.abs));
    const most = terms.map(
      (own, i) =>
        own.filter((size, u) => terms.every((term, j) => i === j || size > (term[u] ?? 0))).length,
    );
    expect(most.reduce((a, b) => a + b)).toBe(UNITS);
    show(cell, { model: { ...model, columns }, look: { ...state(cell).look!, answer } });
    expect(texts(".name small").filter((text) => text?.includes("term"))).toEqual(
      most.map((units) => `its term largest in ${units} units`),
    );
    const marked = [...root.querySelectorAll("path.marked")].at(-1)?.getAttribute("d");
    expect(marked?.match(/M/g)).toHaveLength(most[0] ?? -1);
    const order = unitsIn("contribution", answer).map((u) => marginOf(answer)?.[u] ?? 0);
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(order.filter((margin) => margin > 0)).toHaveLength(most[0] ?? -1);
  });

  it("what y reads side by side is not joined unit by unit, and has an order of its own", () => {
    const cell: CellId = { t: 1, kind: "output", layer: null };
    const [of, labels] = [labelTrace("he said it"), labelModel()];
    const values = [
      [0.1, 0.4, -0.3, 0.2],
      [0.5, -0.6, 0.3, 0.4],
    ];
    const operands = ["output_state", "backward_output_state"].map((kind, i) => ({
      ...{ kind, layer: 2, lag: 0, timestep: 1, zero: false, divergence: null, term: null },
      values: values[i] ?? [],
    }));
    const answer: Inside = { fingerprint: of.fingerprint, timestep: 1, values: null, operands, bias: null, won: null }; // prettier-ignore
    for (const [order, sorted] of [
      ["value", (x: number) => -x],
      ["contribution", (x: number) => -Math.abs(x)],
    ] as const) {
      const look = { cell, key: "", of, answer, problem: null };
      show(cell, { model: labels, trace: of, look }, { order, text: "he said it" });
      const [h, beside] = [...root.querySelectorAll(".plot-of")].map((plot, i) => {
        const own = [...(values[i] ?? [])].sort((a, b) => sorted(a) - sorted(b));
        const strip = stripOf(slotsOf(4, 600), {
          values: own,
          marks: null,
          height: 50,
          scale: 0.6,
        });
        return [plot.querySelector(".marked")?.getAttribute("d"), strip.marked];
      });
      expect(h?.[0]).toBe(h?.[1]);
      expect(beside?.[0]).toBe(beside?.[1]);
    }
    expect(texts(".vector .sign")).toEqual(["", ""]);
    expect($(".said").textContent).toMatch(
      /makes of h⃗ and h⃖, .* but these, each in an order of its own/,
    );
    $(".slider input").dispatchEvent(new Event("input"));
    expect($(".slider input").getAttribute("aria-valuetext")).toBe("unit 2, place 1: h⃗ 0.400");
  });

  it("marks in each strip the units in which its vector is the larger", () => {
    show(CELL);
    const [l, s, c] = [...root.querySelectorAll("path.marked")].map(
      (p) => p.getAttribute("d")?.match(/M/g)?.length,
    );
    const { won } = insideOf(CELL);
    expect([l, s, c]).toEqual([won?.long_term, won?.short_term, UNITS]);
  });

  it("says the divergence of each operand, and what zeros are", () => {
    show(CELL);
    expect(texts(".divergence").slice(0, 2)).toEqual(["0.25 bits from c", "0.08 bits from c"]);
    // A sentence starts at timestep 5: what l keeps there is zero.
    show({ t: 4, kind: "long_term", layer: 1 });
    expect($(".vectors").textContent).toContain("0 before the sentence");
  });

  it("says the likeliest words of each encoding, as long as in the grid", () => {
    show(CELL);
    const column = trace.columns.findIndex((c) => c.kind === "long_term" && c.layer === 2);
    const ids = trace.rows.top_ids[CELL.t]?.[column]?.slice(0, 3) ?? [];
    const probs = trace.rows.top_probs[CELL.t]?.[column] ?? [];
    expect(texts(".word span").slice(0, 3)).toEqual(ids.map((id) => trace.words[id])); // prettier-ignore
    expect(parseFloat($(".word s").style.width)).toBeCloseTo(100 * (probs[0] ?? 0), 1);
    expect($(".word s").style.backgroundColor).not.toBe("");
  });

  it("goes into an operand, changes the order, closes on Escape and by its button", () => {
    show(CELL);
    $<HTMLButtonElement>(".into").click();
    expect(on.look).toHaveBeenCalledExactlyOnceWith({ t: 7, kind: "long_term", layer: 2 });
    $<HTMLButtonElement>(".segments [value=contribution]").click();
    expect(on.order).toHaveBeenCalledExactlyOnceWith("contribution");
    $(".slider input").dispatchEvent(
      new KeyboardEvent("keydown", { key: "Escape", bubbles: true }),
    );
    $<HTMLButtonElement>(".top > .button").click();
    expect(on.close).toHaveBeenCalledTimes(2);
  });

  it("has its size before the answer, keeps the last figures while words are typed", () => {
    const panel = createInside(root, on);
    const look = { cell: CELL, key: "", of: trace, answer: null, problem: null };
    panel.update(state(CELL, { look }));
    expect(root.querySelectorAll(".vector .name")).toHaveLength(3);
    expect($(".said").textContent).toBe("Reading…");
    panel.update(state(CELL));
    const drawn = $("path.marked").getAttribute("d");
    panel.update(state(CELL, { look }));
    expect($("path.marked").getAttribute("d")).toBe(drawn);
    expect(root.classList.contains("stale")).toBe(true);
  });

  it("never shows the figures of another cell", () => {
    const panel = createInside(root, on);
    panel.update(state(CELL));
    const other = state({ ...CELL, kind: "long_term" }, { look: state(CELL).look });
    panel.update(other);
    panel.update({ ...other, look: null });
    expect(texts(".divergence").join("")).toBe("");
    expect($(".said").textContent).toBe("Reading…");
    expect($("path.marked").getAttribute("d")).toBe("");
  });

  it("never tells one cell's figures under the name of the next row's, or of another network's", () => {
    const gate: CellId = { t: 6, kind: "forget_gate", layer: 1 };
    const retrained = { trace: { ...trace, fingerprint: "retrained" } };
    for (const [cell, patch] of [
      [gate, {}],
      [{ ...gate, t: 7 }, retrained],
    ] as const) {
      const panel = createInside(root, on);
      panel.update(state({ ...gate, t: 7 }));
      expect($(".said").textContent).toMatch(/^f is open/);
      const look = { cell, key: "", of: trace, answer: null, problem: null };
      panel.update(state(cell, { look, ...patch }));
      expect($(".said").textContent).toBe("Reading…");
      expect(texts(".divergence, .name small").join(" ")).not.toMatch(/\d (bits|units)/);
      expect(root.classList.contains("stale")).toBe(false);
    }
  });

  it("tells what went wrong, and tries again", () => {
    const problem = "The server did not answer.";
    show(CELL, { look: { cell: CELL, key: "", of: trace, answer: null, problem } });
    expect($("[role=alert]").textContent).toContain(problem);
    $<HTMLButtonElement>("[role=alert] button").click();
    expect(on.retry).toHaveBeenCalledOnce();
  });

  it("stays where a text has no such timestep, and says so", () => {
    show({ ...CELL, t: 99 }, { look: null });
    expect($(".said").textContent).toBe("This text has no timestep 100: it has 9.");
  });
});

describe("asking for the inside", () => {
  const ask = vi.fn<Api["cell"]>();
  function start(patch: Partial<View> = {}) {
    ask.mockReset();
    ask.mockImplementation((q) => Promise.resolve(syntheticInside(q)));
    const store = createStore({ ...INITIAL, model, trace }, (run) => run());
    const within = createWithin(store, ask, vi.fn(), { ...DELAYS, pace: 0 });
    store.subscribe((state) => within.follow(state));
    store.set({ view: { ...DEFAULT_VIEW, text: TEXT, inside: CELL, ...patch } });
    const type = (text: string) => {
      store.set({ view: { ...store.get().view, text } });
      store.set({ trace: syntheticTrace({ ...query, text }) });
    };
    return { store, within, type, answered: () => vi.waitFor(() => expect(store.get().look?.answer).toBeTruthy()) }; // prettier-ignore
  }

  it("asks once, for the cell, with the text", async () => {
    const { store, answered } = start();
    await answered();
    expect(ask).toHaveBeenCalledOnce();
    expect(ask.mock.lastCall?.[0]).toMatchObject({ text: TEXT, timestep: 7, kind: "cell_state", layer: 2 }); // prettier-ignore
    store.set({ view: { ...store.get().view, order: "unit", bars: 5 } });
    expect(ask).toHaveBeenCalledOnce();
  });

  it("words after the cell change nothing in it; a word before it does", async () => {
    const { type, answered } = start();
    await answered();
    type(`${TEXT} he`);
    expect(ask).toHaveBeenCalledOnce();
    type(TEXT.replace("said", "was"));
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("in a network that reads ahead, a word after the cell changes it, and a later sentence does not", () => {
    const cell: CellId = { t: 2, kind: "backward_output_state", layer: 1 };
    const key = (text: string) => lookKey(labelTrace(text), cell);
    expect(key("he said it . she was")).toBe(key("he said it . she had"));
    expect(key("he said it now . she was")).not.toBe(key("he said it . she was"));
    expect(key("he said it")).not.toBe(key("he said"));
  });

  it("the same cell of a second text with the same words is the same inside", async () => {
    const { store, answered } = start({ compare: `${TEXT} he` });
    await answered();
    const inside = { ...CELL, second: true as const };
    const second = syntheticTrace({ ...query, text: `${TEXT} he` });
    store.set({ second, view: { ...store.get().view, inside } });
    expect(ask).toHaveBeenCalledOnce();
    expect(store.get().look?.cell).toBe(inside);
    expect(store.get().look?.answer).toBeTruthy();
  });

  it("waits until the grid shows the text", () => {
    const { store } = start({ text: "another text" });
    expect(ask).not.toHaveBeenCalled();
    store.set({ trace: syntheticTrace({ ...query, text: "another text" }) });
    // It has no timestep 8.
    expect(ask).not.toHaveBeenCalled();
    expect(store.get().look).toBeNull();
  });

  it("an answer that is not wanted any more is told to nobody, and only the newest question waits for it", async () => {
    const { store, answered } = start();
    for (const kind of ["short_term", "long_term"])
      store.set({ view: { ...store.get().view, inside: { ...CELL, kind } } });
    expect(ask).toHaveBeenCalledOnce();
    await answered();
    expect(ask.mock.calls.map(([{ kind }]) => kind)).toEqual(["cell_state", "long_term"]);
    expect(store.get().look?.key).toContain("long_term.2");
    // Who won is told of a cell state alone.
    expect(store.get().look?.answer?.won).toBeNull();
    store.set({ view: { ...store.get().view, inside: null } });
    expect(store.get().look).toBeNull();
  });

  it.each([
    [new Unreachable("gone"), "The server did not answer. Trying again…"],
    [new ApiError(422, "out_of_range", "The field timestep must be below 3.", "timestep"), "The field timestep must be below 3."], // prettier-ignore
  ])("a failure is told, and asked again on demand: %s", async (error, sentence) => {
    const { store, within, answered } = start();
    await answered();
    ask.mockRejectedValueOnce(error);
    store.set({ view: { ...store.get().view, inside: { ...CELL, t: 6 } } });
    await vi.waitFor(() => expect(store.get().look?.problem).toBe(sentence));
    within.retry();
    await answered();
    expect(store.get().look?.problem).toBeNull();
  });

  it("a server that is busy is asked again when it says", async () => {
    const { store, answered } = start({ inside: null });
    vi.spyOn(Math, "random").mockReturnValue(0);
    ask.mockRejectedValueOnce(new Busy(0.2));
    const before = Date.now();
    store.set({ view: { ...store.get().view, inside: CELL } });
    await vi.waitFor(() =>
      expect(store.get().look?.problem).toBe("The server is busy. Trying again…"),
    );
    await answered();
    expect(Date.now() - before).toBeGreaterThan(190);
    expect([ask.mock.calls.length, store.get().look?.problem]).toEqual([2, null]);
  });

  it("figures of another network than the grid's are refused", async () => {
    const { store } = start({ inside: null });
    ask.mockImplementation((q) => Promise.resolve({ ...syntheticInside(q), fingerprint: "f" }));
    store.set({ view: { ...store.get().view, inside: CELL } });
    await vi.waitFor(() => expect(store.get().look?.problem).toContain("another model"));
  });
});
