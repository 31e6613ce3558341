// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import { createAlong } from "../src/along";
import { type Api, ApiError, Busy } from "../src/api";
import { createApp } from "../src/app";
import { drawFigure } from "../src/figure";
import { type AlongText, INITIAL } from "../src/state";
import { reconcile } from "../src/state/reconcile";
import { DEFAULT_VIEW } from "../src/state/view";
import type { OwnClass } from "../src/types";
import { drawingOf, GUTTER, PLOT, pointAt, type Side } from "../src/unitline/drawing";
import { createStore } from "../src/store";
import { firstUnit, lineSaid, pointSaid } from "../src/unitline/said";
import { constantSaid, depthOf, seriesOf } from "../src/unitline/series";
import { readUnit } from "../src/url";
import { syntheticInside } from "./fixtures/inside";
import {
  syntheticComparison,
  syntheticModel,
  syntheticRead,
  syntheticTrace,
} from "./fixtures/synthetic";
import { syntheticLine } from "./fixtures/unit";

const TEXT = "he ( said ) . she ( [ was";
const whole = syntheticModel();
const EXAMPLE = { text: TEXT, shows: "a counter", unit: "cell_state.2.25", follow: "depth" };
const model = {
  ...whole,
  columns: whole.columns.filter((c) => c.layer === null || c.kind === "cell_state"),
  examples: [{ text: "he said .", shows: "something short" }, EXAMPLE],
};
const query = { text: TEXT, model: model.id, semantic: "next" as const, bars: 10, top: 0.1 };
const trace = syntheticTrace(query);
const T = trace.tokens.length;
const UNIT = { kind: "cell_state", layer: 2, unit: 24 };
const series = (follow: string, typed = "", own: OwnClass[] = []) =>
  seriesOf(trace, model, { follow, series: typed, classes: own });
const side = (values: number[], more: Partial<Side> = {}): Side => ({
  ...{ second: false, trace, values, followed: null },
  ...more,
});

describe("what a unit may follow", () => {
  it("counts brackets that are open, and starts each sentence at zero", () => {
    const opened = depthOf(trace);
    expect(trace.tokens.map(({ surface }, t) => `${surface}${opened[t] ?? ""}`)).toEqual(
      "0 he0 (1 said1 )0 .0 0 she0 (1 [2 was2".split(" "),
    );
    const once = { tokens: [{ id: 0, surface: "f({", word: "f({", known: true, span: [0, 3] as [number, number] }] }; // prettier-ignore
    expect(depthOf(once)).toEqual([2]);
  });

  it("knows the timestep, the surprisal and the class", () => {
    expect(series("timestep").values).toEqual(Array.from({ length: T }, (_, t) => t + 1));
    const surprisal = series("surprisal").values ?? [];
    trace.rows.surprisal.forEach((s, t) =>
      s === null ? expect(surprisal[t]).toBeNull() : expect(surprisal[t]).toBeCloseTo(s, 3),
    );
    expect(surprisal).toContain(null);
    const pronouns = series("class:PRON").values ?? [];
    const words = trace.tokens.filter((_, t) => pronouns[t] === 1).map((t) => t.word);
    expect(words).toEqual(["he", "she"]);
    expect(series("class:PRON").name).toBe("the class pronoun");
    expect(series("")).toEqual({ values: null, name: "", problem: null });
  });

  it("knows a class of one's own", () => {
    const own = [{ name: "her", words: ["she"] }];
    const { classes, word_classes } = trace;
    const she = trace.tokens.find(({ word }) => word === "she")?.id ?? -1;
    const of = {
      ...trace,
      classes: [...classes, "own:0"],
      word_classes: { ...word_classes, [she]: classes.length },
    };
    const asked = { follow: "class:own:0", series: "", classes: own };
    const { values, name } = seriesOf(of, model, asked);
    expect(name).toBe("the class her");
    expect(of.tokens.filter((_, t) => values?.[t] === 1).map((t) => t.word)).toEqual(["she"]);
    const view = { ...DEFAULT_VIEW, follow: asked.follow };
    expect(reconcile({ ...view, classes: own }, model).view.follow).toBe("class:own:0");
    expect(reconcile(view, model).notices.join()).toContain("no class “own:0” to follow");
  });

  it("takes one's own numbers, or says what is wrong with them", () => {
    const typed = Array.from({ length: T }, (_, t) => 1 - t / 2);
    expect(series("own", typed.join(", ")).values).toEqual(typed);
    expect(series("own", typed.join(" ; ").replaceAll("-", "−")).values).toEqual(typed);
    expect(series("own", "1, 2").problem).toContain(`There are 2 numbers; the text has ${T}`);
    expect(series("own", "1, two").problem).toBe("“two” is not a number up to 10¹².");
    expect(series("own", "1e13").problem).toContain("1e13");
    expect(series("own", "").problem).toContain(`Type ${T} numbers`);
    expect(series("own", "1, two").values).toBeNull();
  });

  it("says nothing by two numbers: of each unit that moves r would be 1 or −1", () => {
    const two = { values: [1, null, 2], name: "the surprisal of what came next", problem: null };
    expect(constantSaid(two)).toBe(
      "The surprisal of what came next is known at two timesteps of this text: Pearson's r needs three or more.",
    );
    expect(constantSaid({ ...two, values: [1, null, 2, 3] })).toBe("");
  });

  it("says why r is not defined", () => {
    const flat = series("own", Array(T).fill("3").join());
    expect(constantSaid(flat)).toBe(
      "Your series is 3 at every timestep of this text: Pearson's r is not defined.",
    );
    expect(constantSaid(series("depth"))).toBe("");
    expect(constantSaid({ values: [null], name: "the surprisal", problem: null })).toContain(
      "The surprisal is not known at any timestep",
    );
  });
});

describe("where the line goes", () => {
  const values = trace.tokens.map((_, t) => t - 2);

  it("has every timestep once, in order, over its token, on one scale with zero", () => {
    const drawing = drawingOf([side(values)], 300);
    const points = drawing.bands.flatMap((band) => band.points);
    expect(drawing.bands.length).toBeGreaterThan(1);
    expect(points.map((p) => p.t)).toEqual(values.map((_, t) => t));
    expect(points.map((p) => p.label)).toEqual(trace.tokens.map((t) => t.surface || t.word));
    expect([drawing.least, drawing.greatest]).toEqual([-2, T - 3]);
    for (const { top, points: own } of drawing.bands) {
      expect(own[0]?.left).toBe(GUTTER);
      for (const { t, x, y, left, right } of own) {
        expect(x).toBeCloseTo((left + right) / 2);
        expect(right).toBeLessThanOrEqual(300.01);
        expect(y).toBeCloseTo(top + ((T - 3 - (t - 2)) / (T - 1)) * PLOT);
        expect(pointAt(drawing, x, y)?.t).toBe(t);
      }
    }
  });

  it("breaks where a sentence starts, and where there is no number", () => {
    const { bands } = drawingOf([side(values, { followed: values.map((v, t) => (t === 3 ? null : v)) })], 2000); // prettier-ignore
    expect(bands).toHaveLength(1);
    expect(bands[0]?.line.match(/M/g)).toHaveLength(2);
    expect(bands[0]?.line.match(/L/g)).toHaveLength(T - 2);
    expect(bands[0]?.followed.match(/M/g)).toHaveLength(3);
  });

  it.each([
    ["over", [0.8, 0.99, 0.9], [0.8, 0.99], [0.99, 0.8, 0]],
    ["under", [-0.5, -2, -1], [-2, -0.5], [0, -0.5, -2]],
    ["on both sides of", [-1, 2, 0.02], [-1, 2], [2, 0, -1]],
    ["hardly off", [0.95, 0.99, 0.97], [0.95, 0.99], [0.99, 0]],
  ])("of a unit that stays %s zero says its own least and greatest", (_, some, range, ticks) => {
    const values = trace.tokens.map((_, t) => some[t % 3] ?? 0);
    const { least, greatest, bands } = drawingOf([side(values)], 2000);
    expect([least, greatest]).toEqual(range);
    expect(bands[0]?.ticks.map(({ value }) => value)).toEqual(ticks);
  });

  it("of a unit that is always zero says no other number", () => {
    const { least, greatest, bands } = drawingOf([side(values.map(() => 0))], 2000);
    expect([least, greatest, bands[0]?.ticks.map(({ value }) => value)]).toEqual([0, 0, [0]]);
  });

  it("keeps whatever it is given on the paper", () => {
    for (const all of [values.map(() => 0), values.map(() => -7), values.map(() => 1e12)]) {
      const { bands, height } = drawingOf([side(all, { followed: all })], 1);
      for (const { y } of bands.flatMap((band) => band.points)) {
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y).toBeLessThan(height);
      }
      expect(JSON.stringify(bands)).not.toMatch(/NaN|null/);
    }
  });

  it("stands in an exported figure too", () => {
    const asked = { ...query, ...UNIT, follow: [0, 1], all_kinds: false };
    const told = { trace, series: series("depth"), query: asked, answer: syntheticLine(asked) };
    const line: AlongText = { unit: UNIT, sides: [{ ...told, second: false }], problem: null, again: false }; // prettier-ignore
    const view = { ...DEFAULT_VIEW, text: TEXT, unit: UNIT, follow: "depth" };
    const seen = { trace, model, view, dark: false, width: 1100 };
    const [without, having] = [drawFigure(seen), drawFigure({ ...seen, line })];
    expect(having.height).toBeGreaterThan(without.height + PLOT);
    expect(having.svg).toContain("r = 0.500 with the depth of brackets");
    expect(having.svg.match(/<circle/g)).toHaveLength(T);
    expect(lineSaid(line, model, { least: -1, greatest: 1 })).toBe(
      "Unit 25 of the cell state of layer 2: from −1 to 1; r = 0.500 with the depth of brackets (dashed, on its own scale).",
    );
  });
});

describe("in the link", () => {
  it("counts from 1, and believes nothing else", () => {
    expect(readUnit("cell_state.2.25")).toEqual(UNIT);
    for (const wrong of [
      "cell_state.25",
      "cell_state.2.0",
      "x.-1.2",
      "output.1",
      "__proto__.1",
      "a.1.1e3",
    ])
      // prettier-ignore
      expect(readUnit(wrong)).toBeUndefined();
  });

  it("is left out, in words, where the model has no such kind or class", () => {
    const unit = { kind: "update_gate", layer: 1, unit: 0 };
    const fitted = reconcile({ ...DEFAULT_VIEW, unit, follow: "class:CLOSING" }, model);
    expect([fitted.view.unit, fitted.view.follow]).toEqual([null, ""]);
    expect(fitted.notices.join()).toMatch(/unit along the text.*no class “CLOSING”/);
    expect(firstUnit(model)).toEqual({ kind: "cell_state", layer: 2, unit: 0 });
  });
});

describe("asking for a line", () => {
  afterEach(() => vi.useRealTimers());
  const ask = vi.fn<Api["unit"]>();
  const asked = () => ask.mock.calls.map(([{ unit }]) => unit);
  function start() {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(0);
    ask.mockReset();
    ask.mockImplementation((q) => Promise.resolve(syntheticLine(q)));
    const store = createStore({ ...INITIAL, model, trace }, (run) => run());
    const along = createAlong(store, ask);
    store.subscribe((state) => along.follow(state));
    const choose = (unit: number) =>
      store.set({ view: { ...DEFAULT_VIEW, text: TEXT, unit: { ...UNIT, unit } } });
    return { line: () => store.get().line, choose };
  }

  it("a number that is held down is asked for at the pace, the last one last, and the line stays", async () => {
    const { line, choose } = start();
    choose(0);
    await vi.advanceTimersByTimeAsync(200);
    for (let n = 1; n <= 60; n += 1) {
      choose(n % 40);
      expect(line()?.sides).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(16);
    }
    await vi.advanceTimersByTimeAsync(200);
    expect(ask.mock.calls.length).toBeLessThan(12);
    expect([asked().at(-1), line()?.unit.unit, line()?.problem]).toEqual([20, 20, null]);
  });

  it("of a server that is busy the line stays until it answers, and nothing is asked before it says", async () => {
    const { line, choose } = start();
    choose(0);
    await vi.advanceTimersByTimeAsync(200);
    ask.mockRejectedValueOnce(new Busy(2));
    choose(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(line()).toMatchObject({ unit: { unit: 0 }, problem: "The server is busy. Trying again…" }); // prettier-ignore
    expect(line()?.sides).toHaveLength(1);
    choose(2);
    await vi.advanceTimersByTimeAsync(1900);
    expect(asked()).toEqual([0, 1]);
    await vi.advanceTimersByTimeAsync(200);
    expect(asked()).toEqual([0, 1, 2]);
    expect(line()).toMatchObject({ unit: { unit: 2 }, problem: null });
  });
});

it("a value stands after the word that it is of, also where that is read from the right", () => {
  const tokens = trace.tokens.map((token) => ({ ...token, surface: "שלום" }));
  const query = { ...UNIT, text: TEXT, model: model.id, follow: null, all_kinds: false };
  const of = { ...trace, tokens };
  const told = {
    second: false,
    trace: of,
    series: series(""),
    query,
    answer: syntheticLine(query),
  };
  expect(pointSaid(told, 1, false)).toMatch(/^timestep 2, “\u2068שלום\u2069”: /);
});

describe("on the page", () => {
  const $ = <E extends Element = HTMLElement>(selector: string) =>
    document.querySelector<E>(selector) as E;
  const unit = vi.fn<Api["unit"]>();
  const api: Api = {
    models: () => Promise.resolve({ default: model.id, models: [model] }),
    model: () => Promise.resolve(model),
    tokens: (q) => Promise.resolve(syntheticRead(q)),
    trace: (q) => Promise.resolve(syntheticTrace(q)),
    cell: (q) => Promise.resolve(syntheticInside(q)),
    compare: (pair) => Promise.resolve(syntheticComparison(pair)),
    unit,
  };
  const settled = async () => {
    await new Promise((done) => setTimeout(done, 330));
    for (let n = 0; n < 2; n += 1) await new Promise((done) => requestAnimationFrame(done));
  };
  async function open(view: Record<string, string>) {
    const hash = new URLSearchParams({ v: "1", text: TEXT, ...view }).toString();
    history.replaceState(null, "", `/#${hash}`);
    await createApp(api, () => ({ apply: () => false })).load();
    await settled();
  }
  const asked = () => unit.mock.calls.at(-1)?.[0];
  const fire = (node: Element, type: string, value?: string) => {
    if (value !== undefined) (node as HTMLInputElement).value = value;
    node.dispatchEvent(new Event(type, { bubbles: true }));
  };

  beforeEach(() => {
    document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
    unit.mockReset();
    unit.mockImplementation((q) => Promise.resolve(syntheticLine(q)));
  });

  it("an example opens it, with what it follows; the best ten are chosen with a press", async () => {
    await open({});
    expect($("#unit").hidden).toBe(true);
    expect(unit).not.toHaveBeenCalled();
    [...document.querySelectorAll<HTMLElement>(".examples button")]
      .find((b) => b.textContent.includes("a counter"))
      ?.click();
    await settled();
    expect(asked()).toMatchObject({ ...UNIT, text: TEXT, follow: depthOf(trace) });
    expect(location.hash).toContain("unit=cell_state.2.25&follow=depth");
    expect($("#unit .said").textContent).toMatch(/^Unit 25 .*r = 0\.500 with the depth/);
    expect(document.querySelectorAll("#unit .found button")).toHaveLength(10);
    $("#unit .found li:nth-child(2) button").click();
    await settled();
    expect(asked()).toMatchObject({ ...UNIT, unit: 3 });
    expect($("#unit .found [aria-pressed=true]").getAttribute("aria-label")).toContain("unit 4,");
    expect($<HTMLInputElement>("#unit [type=number]").value).toBe("4");
    $("#unit .top .button").click();
    await settled();
    expect($("#unit").hidden).toBe(true);
    expect(location.hash).not.toContain("unit=");
  });

  it("reads a value by keyboard, and marks its chip", async () => {
    await open({ unit: "cell_state.2.25", follow: "depth" });
    const slider = $("#unit [role=slider]");
    expect(slider.getAttribute("aria-valuetext")).toBe(`none of ${T} is read yet`);
    for (const key of ["End", "ArrowLeft"]) {
      slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await settled();
    }
    const value = Math.sin((T - 1) * 25)
      .toFixed(3)
      .replace("-", "−");
    const told = `timestep ${T - 1}, “[”: ${value}; the depth of brackets: 2`;
    expect(slider.getAttribute("aria-valuetext")).toBe(told);
    expect($("#unit .reading").textContent).toBe(told);
    expect($("#tokens li.row span").textContent).toBe("[");
  });

  it("tells r under the name of the number that it is of, dimmed while another's is on its way", async () => {
    const sight = () => [
      $("#unit .said").textContent,
      document.querySelectorAll("#unit .found button").length,
      $("#unit").classList.contains("stale"),
      $("#unit").getAttribute("aria-busy"),
    ];
    const answering = () => {
      let answer = () => {};
      unit.mockImplementationOnce(
        (q) => new Promise((done) => (answer = () => done({ ...syntheticLine(q), r: 0.25 }))),
      );
      return () => answer();
    };
    const follow = async (name: string) => {
      fire($("#unit .search select"), "change", name);
      await settled();
    };
    await open({ unit: "cell_state.2.25" });
    const plain = $("#unit .said").textContent;
    expect(sight()).toEqual([
      expect.stringMatching(/^Unit 25 .* to −?[\d.]+\.$/),
      0,
      false,
      "false",
    ]);
    const depth = answering();
    await follow("depth");
    expect(sight()).toEqual([plain, 0, true, "true"]);
    depth();
    await settled();
    const r = "; r = 0.250 with the depth of brackets (dashed, on its own scale).";
    const told = (plain ?? "").replace(/\.$/, r);
    expect(sight()).toEqual([told, 10, false, "false"]);
    const surprisal = answering();
    await follow("surprisal");
    expect(sight()).toEqual([told, 10, true, "true"]);
    surprisal();
    await settled();
    expect(sight()).toEqual([expect.stringContaining("r = 0.250 with the surprisal"), 10, false, "false"]); // prettier-ignore
  });

  it("one's own numbers are kept while they are wrong, and asked for when they are right", async () => {
    await open({ unit: "cell_state.2.25", follow: "own" });
    const own = $<HTMLInputElement>("#unit .search input");
    fire(own, "input", "0, 1, x");
    await settled();
    expect($("#unit .search [role=status]").textContent).toContain("“x” is not a number");
    expect([own.value, own.getAttribute("aria-invalid")]).toEqual(["0, 1, x", "true"]);
    expect(asked()?.follow).toBeNull();
    const numbers = Array.from({ length: T }, (_, t) => t % 3);
    fire(own, "input", numbers.join(","));
    await settled();
    expect(asked()?.follow).toEqual(numbers);
    fire($("#unit .search label:last-of-type select"), "change", "all");
    await settled();
    expect(asked()?.all_kinds).toBe(true);
    expect(new URLSearchParams(location.hash.slice(1)).get("series")).toBe(numbers.join(","));
  });

  it("has a line for each of two texts, on one scale", async () => {
    await open({ unit: "cell_state.2.25", follow: "timestep", compare: "he ( said" });
    expect(unit.mock.calls.slice(-2).map(([q]) => q.text)).toEqual([TEXT, "he ( said"]);
    expect([...document.querySelectorAll("#unit .letter")].map((l) => l.textContent)).toEqual(["A", "B"]); // prettier-ignore
    expect($("#unit .said").textContent).toContain("r = 0.500 in A, 0.500 in B");
    const slider = $("#unit [role=slider]");
    const read = async (key: string) => {
      slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await settled();
      return [slider.getAttribute("aria-valuetext"), $("#unit .reading").textContent];
    };
    for (const told of await read("Home")) expect(told).toMatch(/^A, timestep 1, “<bos>”: /);
    for (const told of await read("End")) expect(told).toMatch(/^B, timestep 4, “said”: /);
    // What stands there of another second text is as old.
    unit.mockImplementation(() => new Promise(() => {}));
    fire($("#second textarea"), "input", "she ( said");
    await settled();
    expect($("#unit").classList.contains("stale")).toBe(true);
  });

  it("says what it cannot show, and asks again", async () => {
    unit.mockRejectedValue(new ApiError(422, "out_of_range", "below 8", "unit"));
    await open({ unit: "cell_state.2.99" });
    expect($("#unit .problem").textContent).toBe("There is no unit 99: this kind has fewer. ");
    unit.mockRejectedValue(new Error("gone"));
    fire($("#unit [type=number]"), "input", "5");
    await settled();
    expect($("#unit .problem").textContent).toContain("The server did not answer.");
    unit.mockImplementation((q) => Promise.resolve(syntheticLine(q)));
    $("#unit .problem button").click();
    await settled();
    expect($("#unit .said").textContent).toMatch(/^Unit 5 of the cell state/);
    unit.mockImplementation((q) => Promise.resolve({ ...syntheticLine(q), fingerprint: "other" }));
    fire($("#unit [type=number]"), "input", "6");
    await settled();
    expect($("#unit .problem").textContent).toContain("another model");
  });

  it("a press in the inside of a cell draws the unit that is read", async () => {
    await open({ inside: "3.cell_state.2" });
    const slider = $<HTMLInputElement>("#inside input[type=range]");
    fire(slider, "input", "1");
    $("#inside .reading button").click();
    await settled();
    const read = /^unit (\d+)/.exec($("#inside .reading").textContent)?.[1];
    expect(asked()).toMatchObject({ kind: "cell_state", layer: 2, unit: Number(read) - 1 });
    expect($("#unit").hidden).toBe(false);
  });
});
