// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCompare } from "../src/compare";
import { createMatrix } from "../src/compare/matrix";
import { drawStrips } from "../src/compare/strips";
import { columnsOf } from "../src/columns";
import { pairsOf, stripsOf } from "../src/partings";
import { refused } from "../src/problems";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import { syntheticComparison, syntheticModel } from "./fixtures/synthetic";

/** Two long texts: their matrix is drawn in turns, and is whole for keys and on paper. */

const model = syntheticModel();
const columns = columnsOf(model, model.columns, { ...DEFAULT_VIEW, hide_layers: ["0", "1"] });
const long = "he said that the man was there and she was not . ".repeat(8);
const comparison = syntheticComparison({
  texts: [long, `${long} he`],
  model: model.id,
  semantic: "next",
});
const pairs = pairsOf(comparison);

let node: HTMLElement;
const rows = () => [...node.querySelectorAll("tbody tr")];
const drawn = () => rows().filter((tr) => tr.querySelector(".bits")).length;

beforeEach(() => {
  class Observer {
    observe = vi.fn();
    unobserve = vi.fn();
  }
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function matrix(choose = vi.fn()) {
  const made = createMatrix(choose);
  node = made.node;
  document.body.append(node);
  made.draw(comparison, pairs, columns, false);
  return made;
}

describe("the matrix of two long texts", () => {
  it("has a row for every step at once, and its cells in turns", () => {
    matrix();
    expect(rows()).toHaveLength(comparison.alignment.length);
    expect(node.querySelector("table")?.getAttribute("aria-rowcount")).toBe(
      String(2 + comparison.alignment.length),
    );
    expect(drawn()).toBe(32);
    // One word only stands in the second text: it says so, and is no pair.
    expect(rows().filter((tr) => tr.querySelector(".alone"))).toHaveLength(
      comparison.alignment.length - pairs.length,
    );
    vi.runAllTimers();
    expect(drawn()).toBe(pairs.length);
    const bits = rows().flatMap((tr) => [...tr.querySelectorAll<HTMLElement>(".bits")]);
    expect(bits.map((td) => Number(/: (\S+) bits$/.exec(td.title)?.[1]))).toEqual(
      pairs.flatMap(({ at }) =>
        columns.map((c) => Number((comparison.divergence[at]?.[c.index] ?? 0).toFixed(6))),
      ),
    );
  });

  it("keeps the focus in the cell that stands where it was when it is drawn anew", () => {
    const made = matrix();
    const cell = (row: number, column: number) =>
      node.querySelectorAll("tbody tr")[row]?.querySelectorAll<HTMLElement>(".bits")[column];
    cell(2, 3)?.focus();
    made.draw(comparison, pairs, columns, true);
    expect(document.activeElement).toBe(cell(2, 3));
    expect(cell(2, 3)?.tabIndex).toBe(0);
    expect(node.querySelectorAll(".bits[tabindex='0']")).toHaveLength(1);
    // The column is another, one further to the left; a row that is gone gives way to the last.
    made.draw(comparison, pairs, columns.slice(1), true);
    expect(document.activeElement).toBe(cell(2, 2));
    made.draw(comparison, pairs.slice(0, 2), columns.slice(1), true);
    expect(document.activeElement).toBe(cell(1, 2));
  });

  it("is all there on paper", () => {
    matrix().all();
    expect(drawn()).toBe(pairs.length);
  });

  it("lets keys go to a row that is not drawn yet, and Enter choose there", () => {
    Element.prototype.scrollIntoView = vi.fn();
    const choose = vi.fn();
    matrix(choose);
    const press = (key: string, ctrlKey = false) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }),
      );
    node.querySelector<HTMLElement>("[tabindex='0']")?.focus();
    press("End", true);
    expect(document.activeElement?.closest("tr")).toBe(
      rows()
        .filter((tr) => !tr.querySelector(".alone"))
        .at(-1),
    );
    press("Enter");
    expect(choose).toHaveBeenCalledWith(pairs.at(-1), columns.at(-1));
    expect(node.querySelectorAll("[tabindex='0']")).toHaveLength(1);
  });
});

it("a strip is one drawing, whatever its length, and tells and opens the step under the pointer", () => {
  const choose = vi.fn();
  const [strip] = stripsOf(comparison, pairs, columns);
  if (!strip) throw new Error("no strip");
  const [list] = drawStrips([strip], pairs, choose);
  const bars = list?.querySelector<HTMLElement>(".bars");
  if (!bars) throw new Error("no bars");
  expect(bars.querySelectorAll("path")).toHaveLength(1);
  expect(bars.querySelector("path")?.getAttribute("d")?.match(/M/g)).toHaveLength(pairs.length);
  bars.getBoundingClientRect = () => ({ left: 100, width: 2 * pairs.length }) as DOMRect;
  bars.dispatchEvent(new MouseEvent("pointermove", { clientX: 100 + 2 * 7 + 1 }));
  expect(bars.title).toContain(`${pairs[7]?.label ?? ""}, `);
  expect(bars.title).toContain(`${(strip.bits[7] ?? 0).toFixed(3)} bits`);
  bars.dispatchEvent(new MouseEvent("click", { clientX: 100 + 2 * pairs.length }));
  expect(choose).toHaveBeenCalledWith(pairs.at(-1), strip);
});

describe("the panel of two texts", () => {
  /** What of it is seen. */
  function panel(a: string, b: string) {
    const root = document.createElement("section");
    createCompare(root, { distance: vi.fn(), find: vi.fn() }).update({
      ...INITIAL,
      model,
      view: { ...DEFAULT_VIEW, text: a, compare: b },
      comparison: syntheticComparison({ texts: [a, b], model: model.id, semantic: "next" }),
    });
    const text = root.querySelector(".hint")?.textContent ?? "";
    for (const hidden of root.querySelectorAll("[hidden]")) hidden.remove();
    const heads = [...root.querySelectorAll("h2, h3")].map((head) => head.textContent);
    return { root, heads, hint: text };
  }

  it("has no list, strip or heading of nothing where the network reads the same in both", () => {
    for (const other of ["the blarft said .", "the zorgle said ."]) {
      const { root, heads } = panel("the zorgle said .", other);
      expect(heads).toEqual(["Where they part"]);
      expect(root.querySelector("ol, table, select")).toBeNull();
    }
    const { root } = panel("the zorgle said .", "the blarft said .");
    expect(root.textContent).toContain("zorgle / blarft, is read as <unk> in both texts");
  });

  it("is dimmed while the first text cannot be read", () => {
    const root = document.createElement("section");
    const compare = createCompare(root, { distance: vi.fn(), find: vi.fn() });
    const of = syntheticComparison({ texts: ["he", "she"], model: model.id, semantic: "next" });
    const now = { ...INITIAL, model, view: { ...DEFAULT_VIEW, compare: "she" }, comparison: of };
    const stale = (problem: State["problem"]) => {
      compare.update({ ...now, problem });
      return root.classList.contains("stale");
    };
    expect([stale(null), stale(refused("This text is too long.")), stale(null)]).toEqual([false, true, false]); // prettier-ignore
  });

  it("where only a word is added at the end its row is all there is", () => {
    const { root, heads, hint } = panel("he", "he said");
    expect(heads).toEqual(["Where they partranked: all wordsequal words after a differencethree or more words after a difference"]); // prettier-ignore
    expect(root.querySelector("table")).not.toBeNull();
    expect(root.querySelector("ol")).toBeNull();
    expect(hint).toMatch(/blank is under 0\.0005\.$/);
  });

  it("lists, ranks and outlines what parts", () => {
    const { root, heads, hint } = panel("he said it was", "she said it was");
    expect(heads.slice(1)).toEqual(["What still tells them apartall 18", "The cells that differ most"]); // prettier-ignore
    expect(root.querySelectorAll("ol.parted li")).toHaveLength(10);
    expect(hint).toContain("the 10 cells listed here are outlined");
  });

  it("keeps the focus in the list when it is drawn anew", () => {
    const root = document.body.appendChild(document.createElement("section"));
    const compare = createCompare(root, { distance: vi.fn(), find: vi.fn() });
    const [view, texts] = [{ ...DEFAULT_VIEW, compare: "she" }, ["he said it was", "she said it was"] as [string, string]]; // prettier-ignore
    const of = syntheticComparison({ texts, model: model.id, semantic: "next" });
    const listed = () => [...root.querySelectorAll<HTMLElement>("ol.parted button")];
    compare.update({ ...INITIAL, model, view, comparison: of });
    listed()[3]?.focus();
    compare.update({ ...INITIAL, model, view, comparison: of, dark: true });
    expect(document.activeElement).toBe(listed()[3]);
  });
});
