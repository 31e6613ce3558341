// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createSecond } from "../src/compare/box";
import { createControls } from "../src/controls";
import { createExporting } from "../src/exporting";
import { drawFigure } from "../src/figure";
import { createHeader } from "../src/header";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { createTextbox } from "../src/textbox";
import { syntheticComparison, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

/** What controls say of the state: what is hidden, which models and kinds there are, what can be saved. */

const model = syntheticModel();
const traced = (text: string) =>
  syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1 });
const state = (view: Partial<View> = {}, more: Partial<State> = {}): State => ({
  ...INITIAL,
  model,
  trace: traced("he said"),
  view: { ...DEFAULT_VIEW, text: "he said", ...view },
  ...more,
});
const on = new Proxy({}, { get: () => vi.fn() }) as never;

let root: HTMLElement;
const $ = <T extends HTMLElement = HTMLElement>(s: string) => root.querySelector<T>(s) as T;
const all = <T extends HTMLElement = HTMLElement>(s: string) => [...root.querySelectorAll<T>(s)];

beforeEach(() => {
  root = document.createElement("section");
  document.body.replaceChildren(root);
});

describe("rows of two texts", () => {
  const [a, b] = ["he said .", "he said he was in the house ."];
  const comparison = syntheticComparison({ texts: [a, b], model: model.id, semantic: "next" });
  const two = { trace: traced(a), second: traced(b), comparison };
  const both = (rows: View["rows"]) => state({ text: a, compare: b, rows }, two);
  const hidden = () => all("button").find((n) => n.textContent?.includes("hidden") && !n.hidden);

  it("are told as the grid has them: one that only the second text has is a row in view", () => {
    const controls = createControls(root, { view: vi.fn() });
    controls.update(both([[5, 5]]));
    expect($("#rows-said").textContent).toBe("");
    expect(hidden()?.textContent).toBe("12 rows hidden: show all");
    controls.update(both([[40, 50]]));
    expect($("#rows-said").textContent).toBe("The texts have none of these: all are shown.");
    expect(hidden()).toBeUndefined();
  });

  it("that are not understood stay as they were typed, with the reason, until others are shown", () => {
    const controls = createControls(root, { view: vi.fn() });
    controls.update(both([]));
    const field = $<HTMLInputElement>("input[type=text][aria-describedby=rows-said]");
    field.value = "2-5, x";
    field.dispatchEvent(new Event("change"));
    const said = "Numbers and ranges, such as 2-5, 9.";
    for (const text of ["he", "he was"]) controls.update({ ...both([]), trace: traced(text) });
    expect([field.value, $("#rows-said").textContent]).toEqual(["2-5, x", said]);
    controls.update(both([[1, 1]]));
    expect([field.value, $("#rows-said").textContent]).toEqual(["2", ""]);
  });

  it("are counted under the picture", () => {
    const { view, trace } = both([[1, 1]]);
    const compared = { second: two.second, comparison };
    const of = { model, view, dark: false, width: 1100, compared };
    const { svg } = drawFigure({ ...of, trace: trace ?? two.trace });
    expect(/\d+ of \d+ timesteps/.exec(svg)?.[0]).toBe("2 of 13 timesteps");
  });
});

it("kinds and layers are those of the network at hand, also where another had its name", () => {
  const controls = createControls(root, { view: vi.fn() });
  const kinds = () => all<HTMLInputElement>(".kinds-shown input").map(({ value }) => value);
  controls.update(state());
  expect(kinds()).toContain("forget_gate");
  const columns = model.columns.filter((c) => c.layer !== 2 && c.kind !== "forget_gate");
  controls.update(state({}, { model: { ...model, columns } }));
  expect(kinds()).not.toContain("forget_gate");
  expect(all("fieldset").at(-1)?.textContent).not.toContain("layer 2");
});

it("a model that only a file has stands in the switch, and the way back beside it", () => {
  const header = createHeader(root, on, document.createElement("div"));
  const models = [
    { id: "one", name: "One" },
    { id: "two", name: "Two" },
  ];
  const select = () => $<HTMLSelectElement>("select");
  for (const list of [models, models.slice(0, 1)]) {
    header.update(state({}, { models: list }));
    expect(select().hidden).toBe(false);
    expect(select().selectedOptions[0]?.textContent).toBe(model.name);
    expect(select().options).toHaveLength(list.length + 1);
  }
  header.update(state({}, { models, model: { ...model, id: "two", name: "Two" } }));
  expect([...select().options].map(({ value }) => value)).toEqual(["one", "two"]);
});

it("the second box opens with what was closed, and else with the first text", () => {
  const compare = vi.fn();
  const second = createSecond(root, { ...(on as object), compare, closed: vi.fn() } as never);
  second.update(state({ compare: "an example's" }));
  second.update(state({ compare: null }));
  second.open("the first");
  expect(compare).toHaveBeenLastCalledWith("the first");
  second.update(state({ compare: "what was typed" }));
  all("button")
    .find((n) => n.textContent === "×")
    ?.click();
  expect(compare).toHaveBeenLastCalledWith(null);
  second.update(state({ compare: null }));
  second.open("the first");
  expect(compare).toHaveBeenLastCalledWith("what was typed");
});

it("texts begin at the side of their own letters", () => {
  createTextbox(root, on).update(state());
  const second = document.createElement("div");
  createSecond(second, on).update(state({ compare: "" }));
  const boxes = [root, second].map((node) => node.querySelector("textarea")?.dir);
  expect(boxes).toEqual(["auto", "auto"]);
  expect(root.querySelector<HTMLElement>(".menu button span")?.dir).toBe("auto");
});

describe("a menu", () => {
  const made: [string, () => void][] = [
    ["Examples", () => createTextbox(root, on).update(state())],
    ["View", () => createControls(root, { view: vi.fn() }).update(state())],
    ["Export", () => createExporting(root, on).update(state())],
  ];
  it.each(made)("%s has its own Escape, and a press elsewhere shuts it", (name, make) => {
    const above = vi.fn();
    root.addEventListener("keydown", above);
    make();
    const summary = all("summary").find((n) => n.textContent === name);
    const details = summary?.parentElement as HTMLDetailsElement;
    const escape = () =>
      summary?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    details.open = true;
    escape();
    expect([details.open, document.activeElement, above.mock.calls.length]).toEqual([false, summary, 0]); // prettier-ignore
    escape();
    expect(above).toHaveBeenCalledOnce();
    details.open = true;
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(details.open).toBe(false);
  });
});

it("what cannot be saved says why", () => {
  const exporting = createExporting(root, on);
  const saves = () => all<HTMLButtonElement>("button").filter(({ disabled }) => disabled);
  exporting.update(state({ text: "" }, { trace: null }));
  expect(saves().length).toBeGreaterThan(3);
  expect(new Set(saves().map(({ title }) => title))).toEqual(new Set(["There is nothing to save yet: type a text."])); // prettier-ignore
  exporting.update(state());
  expect(saves()).toEqual([]);
  expect(
    all("button")
      .map(({ title }) => title)
      .join(""),
  ).toBe("");
});
