// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Busy, Unreachable } from "../src/api";
import { createBanner } from "../src/banner";
import { createChart } from "../src/chart";
import { createSecond } from "../src/compare/box";
import { createMatrix } from "../src/compare/matrix";
import { createControls } from "../src/controls";
import type { Component } from "../src/dom";
import { createEmpty } from "../src/empty";
import { createGrid } from "../src/grid";
import { columnsOf } from "../src/columns";
import { createLegend } from "../src/legend";
import { pairsOf } from "../src/partings";
import { createPins } from "../src/pins";
import { createPopup } from "../src/popup";
import { unanswered } from "../src/problems";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { createTour } from "../src/tour";
import type { CellId } from "../src/types";
import { createUnitChart } from "../src/unit/chart";
import { syntheticComparison, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

/** Where the focus goes when the control that had it is gone, and which keys are the browser's. */

const model = syntheticModel();
const trace = syntheticTrace({ text: "he said", model: model.id, semantic: "next", bars: 10, top: 0.1 }); // prettier-ignore
const state = (view: Partial<View> = {}, more: Partial<State> = {}): State => ({
  ...INITIAL,
  model,
  trace,
  view: { ...DEFAULT_VIEW, text: "he said", ...view },
  ...more,
});
const on = new Proxy({}, { get: () => vi.fn() }) as never;
const C = (t: number): CellId => ({ t, kind: "cell_state", layer: 2 });

let root: HTMLElement;
/** Focuses the button of that name, and answers what has the focus in the next state. */
function after(component: Component<State>, from: State, name: string, to: State): string {
  component.update(from);
  const all = [...document.querySelectorAll<HTMLElement>("button, summary, select")];
  const named = (node: Element) => node.getAttribute("aria-label") ?? node.textContent;
  const button = all.find((node) => named(node) === name && !node.closest("[hidden]"));
  if (!button) throw new Error(`no button ${name}`);
  button.focus();
  component.update(to);
  const now = document.activeElement ?? document.body;
  return now.getAttribute("aria-label") ?? (now.id || now.textContent);
}

beforeEach(() => {
  root = document.createElement("section");
  root.id = "root";
  document.body.replaceChildren(root);
});

describe("a control that is gone hands the focus on", () => {
  it("from the button that hides a layer to the one that shows it, and back", () => {
    const grid = createGrid(root, on);
    const hidden = state({ hide_layers: ["1"] });
    expect(after(grid, state(), "Hide layer 1", hidden)).toBe("Show layer 1");
    expect(after(grid, hidden, "Show layer 1", state())).toBe("Hide layer 1");
    const none = state({ hide_layers: ["0", "1", "2", "output"] });
    const last = state({ hide_layers: ["0", "1", "2"] });
    expect(after(grid, last, "Hide output", none)).toMatch(/^All columns are hidden/);
  });

  it("from a pin to the one in its place, to the last, and to what says that there is none", () => {
    const pins = createPins(root, on);
    const kept = (...at: number[]) => state({ pins: at.map(C) });
    const [he, said] = ["Unpin he cell state", "Unpin said cell state"];
    expect(after(pins, kept(1, 2), he, kept(2))).toBe(said);
    expect(after(pins, kept(1, 2), said, kept(1))).toBe(he);
    expect(after(pins, kept(1), he, kept())).toMatch(/^Click a cell/);
    const undone = after(pins, state({ pins: [C(1)] }, { dropped: [C(2)] }), "Undo", kept(2));
    expect(undone).toMatch(/^said · c/);
  });

  it.each<[string, (node: HTMLElement) => Component<State>, State, string, State, string]>([
    ["show all", (n) => createControls(n, on), state({ rows: [[1, 1]] }), "2 rows hidden: show all", state(), "View"],
    ["a notice", (n) => createBanner(n, on), state({}, { notices: ["so"] }), "Dismiss", state(), "root"],
    ["the last undo", (n) => createLegend(n, on), state({}, { undo: [DEFAULT_VIEW] }), "Undo", state(), "Palette"],
    ["a reset", (n) => createLegend(n, on), state({ colours: new Map([["NOUN", "#000000"]]) }), "Reset", state(), "Palette"],
    ["an own class", (n) => createLegend(n, on), state({ classes: [{ name: "he", words: ["he"] }] }), "Edit he", state(), "+ a class of your own"],
  ])("%s", (_, create, from, name, to, focused) => {
    expect(after(create(root), from, name, to)).toBe(focused);
  }); // prettier-ignore

  it("an example of an empty page, and the offer of a tour", () => {
    const inner = root.appendChild(document.createElement("div"));
    const empty = state({ text: "" });
    expect(after(createEmpty(inner, on), empty, model.examples[1]?.text ?? "", state())).toBe("root"); // prettier-ignore
    root.blur();
    // It can be focused only as long as it stands in.
    expect(root.hasAttribute("tabindex")).toBe(false);
    const offer = document.createElement("div");
    root.before(offer);
    const tour = createTour(document.createElement("div"), offer, on);
    expect(after(tour, state({}, { offered: true }), "No, thanks", state())).toBe("root");
  });
});

describe("what is told again", () => {
  it.each<[string, (node: HTMLElement) => Component<State>, (error: unknown) => Partial<State>]>([
    ["the first text", (n) => createBanner(n, on), (e) => ({ problem: unanswered(e) })],
    ["the second", (n) => createSecond(n, on), (e) => ({ unpaired: unanswered(e, true) })],
  ])("is neither read out again nor takes the focus: %s", (_, create, told) => {
    const component = create(root);
    const show = (error: unknown, more: Partial<State> = {}) =>
      component.update(state({ compare: "she said" }, { ...told(error), ...more }));
    const gone = () => new Unreachable("gone");
    show(gone());
    const said = root.querySelector("[role=alert] .problem");
    const retry = said?.querySelector("button");
    retry?.focus();
    for (const busy of [true, false]) show(gone(), { busy });
    expect(root.querySelector("[role=alert] .problem")).toBe(said);
    expect(document.activeElement).toBe(retry);
    show(new Busy(1));
    const busy = root.querySelector("[role=alert] .problem");
    expect(busy?.textContent).toContain("The server is busy.");
    show(new Busy(2));
    expect(root.querySelector("[role=alert] .problem")).toBe(busy);
  });
});

it("the focus in a row that is taken away goes to the cell that Tab reaches", () => {
  const text = "he said it was";
  const longer = syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1 });
  const grid = createGrid(root, on);
  grid.update(state({ text }, { trace: longer }));
  const cells = [...root.querySelectorAll<HTMLElement>("tbody tr:last-child td.cell")];
  cells.at(-1)?.focus();
  expect(document.activeElement?.matches("td.cell.y")).toBe(true);
  grid.update(state());
  expect(document.activeElement).toBe(root.querySelector("td.cell[tabindex='0']"));
});

describe("a grid that waits for another model's rows", () => {
  const awaited = () => state({}, { trace: null });
  /** What a browser does with the focus in what is inert, and jsdom does not. */
  const blurred = () => {
    if (
      root.inert &&
      document.activeElement instanceof HTMLElement &&
      root.contains(document.activeElement)
    )
      // prettier-ignore
      document.activeElement.blur();
  };
  /** Focuses a node of the grid, and answers what has the focus when the rows are there again. */
  function over(node: () => HTMLElement | null | undefined, then = state(), between = () => {}) {
    const grid = createGrid(root, on);
    grid.update(state());
    node()?.focus();
    expect(root.contains(document.activeElement)).toBe(true);
    grid.update(awaited());
    blurred();
    expect(document.activeElement).toBe(document.body);
    between();
    grid.update(awaited());
    grid.update(then);
    return document.activeElement;
  }

  it("gives the focus back to the cell that had it, and to the head", () => {
    const other = { ...model, id: "gru", fingerprint: "gru" };
    const rows = { ...syntheticTrace({ text: "he said", model: "gru", semantic: "next", bars: 10, top: 0.1 }), fingerprint: "gru" }; // prettier-ignore
    const third = () => root.querySelector<HTMLElement>("tbody tr:nth-child(2) td.cell:nth-child(4)"); // prettier-ignore
    const had = over(third, state({}, { model: other, trace: rows }));
    expect(had).toBe(third());
    expect(had?.getAttribute("tabindex")).toBe("0");
    const layer = () => root.querySelector<HTMLElement>("thead button");
    expect(over(layer)).toBe(layer());
  });

  it("to the cell that Tab reaches where it is gone, and not from who went on", () => {
    const last = () => root.querySelector<HTMLElement>("tbody tr:last-child td.cell");
    const hidden = over(last, state({ rows: [[0, 0]] }));
    expect(hidden).toBe(root.querySelector("td.cell[tabindex='0']"));
    expect(hidden?.closest("tr")?.hidden).toBe(false);
    const box = document.body.appendChild(document.createElement("input"));
    expect(over(last, state(), () => box.focus())).toBe(box);
  });
});

describe("the popup", () => {
  const small = { ...model, limits: { ...model.limits, bars: 4 } };
  const label = () => document.activeElement?.textContent;

  it("takes the focus to the first button that can be seen, and says whether it did", () => {
    const popup = createPopup(root, on);
    popup.update(state({}, { hover: C(1), held: false }));
    expect(popup.focus()).toBe(false);
    popup.update(state({}, { hover: C(1), held: true }));
    expect([popup.focus(), label()]).toEqual([true, "50 words"]);
    popup.update(state({}, { model: small, hover: C(1), held: true }));
    expect([popup.focus(), label()]).toEqual([true, "Inside"]);
  });

  it("gives it back to its cell when it is closed", () => {
    const cell = document.body.appendChild(document.createElement("td"));
    cell.className = "cell on";
    cell.tabIndex = 0;
    const popup = createPopup(root, on);
    popup.update(state({}, { hover: C(1), held: true }));
    const close = [...root.querySelectorAll("button")].find((b) => b.textContent === "Close");
    close?.focus();
    close?.click();
    expect(document.activeElement).toBe(cell);
  });
});

describe("Tab in a held popup", () => {
  it("goes from its ends back to its cell, and between them as ever", () => {
    const cell = document.body.appendChild(document.createElement("td"));
    cell.className = "cell on";
    cell.tabIndex = 0;
    const popup = createPopup(root, on);
    popup.update(state({}, { hover: C(1), held: true }));
    const buttons = [...root.querySelectorAll<HTMLElement>(".actions button")];
    const tab = (from: HTMLElement | undefined, shiftKey: boolean) => {
      from?.focus();
      const event = new KeyboardEvent("keydown", { key: "Tab", shiftKey, bubbles: true, cancelable: true }); // prettier-ignore
      from?.dispatchEvent(event);
      return [event.defaultPrevented, document.activeElement === cell];
    };
    expect(tab(buttons[0], true)).toEqual([true, true]);
    expect(tab(buttons.at(-1), false)).toEqual([true, true]);
    for (const [button, shift] of [
      [buttons[0], false],
      [buttons.at(-1), true],
    ] as const)
      // prettier-ignore
      expect(tab(button, shift)).toEqual([false, false]);
    // A list that scrolls stands before the buttons.
    const words = root.querySelector<HTMLElement>(".rows") as HTMLElement;
    words.tabIndex = 0;
    expect(tab(buttons[0], true)).toEqual([false, false]);
    expect(tab(words, true)).toEqual([true, true]);
  });
});

describe("the browser's own keys", () => {
  /** Whether a key was taken by what has the focus. */
  function taken(key: string, held: Partial<KeyboardEventInit> = {}): boolean {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...held });
    document.activeElement?.dispatchEvent(event);
    return event.defaultPrevented;
  }

  it.each<[string, () => HTMLElement | null]>([
    [
      "the grid",
      () => {
        createGrid(root, on).update(state());
        return root.querySelector("td.cell");
      },
    ],
    [
      "the matrix",
      () => {
        const comparison = syntheticComparison({ texts: ["he said", "she said"], model: model.id, semantic: "next" }); // prettier-ignore
        const matrix = createMatrix(vi.fn());
        root.append(matrix.node);
        matrix.draw(comparison, pairsOf(comparison), columnsOf(model, trace.columns, DEFAULT_VIEW), false); // prettier-ignore
        return root.querySelector("td.bits");
      },
    ],
    [
      "the chart",
      () => {
        createChart(root, on).update(state());
        return root.querySelector(".bars button");
      },
    ],
    [
      "the unit's line",
      () => {
        const chart = createUnitChart(vi.fn(), vi.fn());
        root.append(chart.node);
        chart.draw([{ second: false, trace, values: [0, 1, 2], followed: null }]);
        return chart.node;
      },
    ],
  ])("are left to it in %s", (_, create) => {
    Element.prototype.scrollIntoView = vi.fn();
    create()?.focus();
    expect(taken("ArrowRight")).toBe(true);
    for (const key of ["ArrowLeft", "ArrowRight", "Home"])
      for (const held of [{ altKey: true }, { metaKey: true }])
        expect(taken(key, held)).toBe(false);
  });
});
