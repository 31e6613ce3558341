// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import type { Api } from "../src/api";
import { createApp } from "../src/app";
import { isShown, unhiding } from "../src/showing";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import type { CellId, ModelInfo } from "../src/types";
import {
  syntheticComparison,
  syntheticModel,
  syntheticRead,
  syntheticTrace,
} from "./fixtures/synthetic";

/** Cells whose row or column is hidden: a popup has its cell beside it, or there is none. */

const whole = syntheticModel();
const [A, B] = ["the keys to the cabinet were", "the time to the cabinet in was"];
const C = (t: number, layer = 1): CellId => ({ t, kind: "cell_state", layer });

function state(view: Partial<View>): State {
  const traced = (text: string) =>
    syntheticTrace({ text, model: whole.id, semantic: "next", bars: 10, top: 0.1 });
  const comparison = syntheticComparison({ texts: [A, B], model: whole.id, semantic: "next" });
  const pair = view.compare ? { second: traced(B), comparison } : {};
  return { ...INITIAL, model: whole, trace: traced(A), ...pair, view: { ...DEFAULT_VIEW, text: A, ...view } }; // prettier-ignore
}

/** Single timesteps. */
const spans = (...at: number[]) => at.map((t): [number, number] => [t, t]);
const even = (count: number, from: number) => Array.from({ length: count }, (_, n) => from + 2 * n);

describe("a cell is shown again with its row and column, and nothing else", () => {
  it.each<[Partial<View>, CellId, Partial<View>]>([
    [{}, C(1), {}],
    [{ hide_layers: ["1", "2"] }, C(1), { hide: [], hide_layers: ["2"] }],
    [{ hide: ["cell_state", "long_term"] }, C(1), { hide: ["long_term"], hide_layers: [] }],
    [{ rows: [[0, 2]] }, C(5), { rows: [[0, 2], ...spans(5)] }],
    [{ rows: [[0, 2]] }, C(3), { rows: [[0, 3]] }],
    [{ rows: [[0, 2]], compare: B }, { ...C(5), second: true }, { rows: [[0, 2], ...spans(5)] }],
    // More than a link holds: all rows.
    [{ rows: spans(0, ...even(31, 20)) }, C(4), { rows: [] }],
  ])("%j", (view, cell, patch) => {
    const before = state(view);
    expect(unhiding(before, cell)).toEqual(patch);
    expect(isShown(before, cell)).toBe(Object.keys(patch).length === 0);
    expect(isShown(state({ ...view, ...patch }), cell)).toBe(true);
  });

  it("but for one that the text does not have", () => {
    const before = state({ rows: [[0, 2]], hide: ["cell_state"] });
    expect(unhiding(before, C(99))).toEqual({});
    expect(isShown(state({}), C(99))).toBe(false);
    expect(isShown(state({}), { ...C(1), second: true })).toBe(false);
  });
});

describe("on the page", () => {
  // Few columns: jsdom is slow at drawing.
  const model: ModelInfo = {
    ...whole,
    columns: whole.columns.filter((c) => c.layer === null || c.kind === "cell_state"),
  };
  const api: Api = {
    models: () => Promise.resolve({ default: model.id, models: [model] }),
    model: () => Promise.resolve(model),
    tokens: (query) => Promise.resolve(syntheticRead(query)),
    trace: (query) => Promise.resolve(syntheticTrace(query)),
    cell: () => Promise.reject(new Error("no cell is opened here")),
    unit: () => Promise.reject(new Error("no unit is shown here")),
    compare: (pair) => Promise.resolve(syntheticComparison(pair)),
  };
  const $ = <T extends HTMLElement = HTMLElement>(s: string) => document.querySelector<T>(s) as T;
  const settled = async (ms = 30) => {
    await new Promise((done) => setTimeout(done, ms));
    for (let n = 0; n < 4; n += 1) await new Promise((done) => requestAnimationFrame(done));
  };
  async function open(hash: string) {
    history.replaceState(null, "", `/${hash}`);
    const { load, store } = createApp(api, () => ({ apply: () => false }));
    await load();
    await settled();
    return store;
  }
  const popup = () => ({ shown: !$("#popup").hidden, beside: !!document.querySelector("td.cell.on") }); // prettier-ignore

  beforeEach(() => {
    document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
    Element.prototype.scrollIntoView = vi.fn();
  });

  it("a pin of a hidden layer says so and opens no popup; shown in the grid, its layer comes back", async () => {
    const store = await open("#v=1&text=he+said&pins=2.cell_state.1&hide_layers=1,2");
    const pin = $("#pins li");
    expect(pin.textContent).toContain("hidden in the grid");
    pin.dispatchEvent(new Event("pointerenter"));
    await settled(200);
    expect(popup()).toEqual({ shown: false, beside: false });
    $("#pins .find").click();
    await settled();
    expect(popup()).toEqual({ shown: true, beside: true });
    expect(store.get().view.hide_layers).toEqual(["2"]);
    expect($("#pins li").textContent).not.toContain("hidden in the grid");
    // Its popup goes with it, and the pointer is free again.
    $("[aria-label='Hide layer 1']").click();
    await settled();
    expect(popup()).toEqual({ shown: false, beside: false });
    expect([store.get().hover, store.get().held]).toEqual([null, false]);
  });

  it("a divergence of a hidden row shows that row", async () => {
    const store = await open("#v=1&text=the+keys+to+the&compare=the+time+to+the&rows=1-3");
    await settled(300);
    const row = $(".matrix tbody tr:nth-child(5)");
    row.querySelector<HTMLElement>("td.bits")?.click();
    await settled();
    expect(popup()).toEqual({ shown: true, beside: true });
    expect(store.get().view.rows).toEqual([[0, 2], [4, 4]]); // prettier-ignore
  });
});
