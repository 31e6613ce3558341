// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMatrix } from "../src/compare/matrix";
import { drawStrips } from "../src/compare/strips";
import { columnsOf } from "../src/layout";
import { pairsOf, stripsOf } from "../src/partings";
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
