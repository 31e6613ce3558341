// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { coloursOf } from "../src/colour/palette";
import { popupCells } from "../src/files/html";
import { createInside } from "../src/inside";
import { domainIn } from "../src/paint";
import { createPopup } from "../src/popup";
import { selectionOf } from "../src/selection";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import type { CellId, Trace } from "../src/types";
import { insideModel } from "./fixtures/inside";
import { syntheticComparison, syntheticTrace } from "./fixtures/synthetic";

const [TEXT, OTHER] = ["he said .", "she was there ."];
const model = insideModel();
const traced = (text: string): Trace =>
  syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1 });
/** Every word at a quarter of its probability: the largest of both texts is in the other. */
function faint(trace: Trace): Trace {
  const top_probs = trace.rows.top_probs.map((row) => row.map((cell) => cell.map((p) => p / 4)));
  return { ...trace, rows: { ...trace.rows, top_probs } };
}
const [trace, second] = [faint(traced(TEXT)), traced(OTHER)];
const comparison = syntheticComparison({ texts: [TEXT, OTHER], model: model.id, semantic: "next" });
const cell: CellId = { t: 1, kind: "output", layer: null };
const state: State = {
  ...INITIAL,
  ...{ model, trace, second, comparison },
  view: { ...DEFAULT_VIEW, text: TEXT, compare: OTHER, scale: "view", inside: cell },
};
const largest = Math.max(...second.rows.top_probs.flat().map((cell) => cell[0] ?? 0));
const likeliest = trace.rows.top_probs[cell.t]?.at(-1)?.[0] ?? NaN;

describe("of two texts, the largest probability in view is one", () => {
  const length = `${((100 * likeliest) / largest).toFixed(2)}%`;
  const first = (root: HTMLElement) => root.querySelector<HTMLElement>("s")?.style.width;
  const section = () => document.body.appendChild(document.createElement("section"));

  it("in the grid", () => expect(domainIn(state)).toBe(largest));

  it("in the popup of a cell", () => {
    const popup = section();
    const on = { close: vi.fn(), pin: vi.fn(), look: vi.fn(), more: vi.fn() };
    createPopup(popup, on).update({ ...state, hover: cell });
    expect(first(popup)).toBe(length);
  });

  it.each([
    ["the first text", cell],
    ["the second", { ...cell, second: true as const }],
  ])("in the inside of a cell of %s", (_, inside) => {
    const root = section();
    const on = { close: vi.fn(), look: vi.fn(), order: vi.fn(), along: vi.fn(), retry: vi.fn(), save: vi.fn() }; // prettier-ignore
    createInside(root, on).update({ ...state, view: { ...state.view, inside } });
    const of = inside.second ? second : trace;
    const h = of.columns.findIndex((c) => c.kind === "output_state" && c.layer === 2);
    const p = of.rows.top_probs[inside.t]?.[h]?.[0] ?? NaN;
    expect(parseFloat(first(root) ?? "")).toBeCloseTo((100 * p) / largest, 1);
  });

  it("and in the popups of a saved page", () => {
    const compared = { second, comparison };
    const selection = selectionOf(trace, model, state.view, "seen", compared);
    const colours = coloursOf(trace.classes, model.palettes, state.view);
    const cells = popupCells(trace, model, selection, colours, "view", compared);
    expect(cells[cell.t]?.[trace.columns.length - 1]?.bars[0]?.[2]).toBe(likeliest / largest);
  });

  it("hidden rows and kinds are not in view", () => {
    const alone: State = { ...state, view: { ...state.view, hide_layers: ["0", "1", "2"] } };
    const ys = [trace, second].flatMap((t) => t.rows.top_probs.map((row) => row.at(-1)?.[0] ?? 0));
    expect(domainIn(alone)).toBe(Math.max(...ys));
  });
});
