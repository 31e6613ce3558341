// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createGrid } from "../src/grid";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import type { Trace } from "../src/types";
import { firstLengths, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const model = syntheticModel();
const traced = (text: string, from = 0): Trace =>
  syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1, from });

const state = (trace: Trace, view: Partial<View> = {}): State => ({
  ...INITIAL,
  model,
  trace,
  view: { ...DEFAULT_VIEW, ...view },
});

const callbacks = () => ({
  point: vi.fn(),
  open: vi.fn(),
  pin: vi.fn(),
  hold: vi.fn(),
  enter: vi.fn(() => false),
  look: vi.fn(),
  layer: vi.fn(),
  escape: vi.fn(),
  row: vi.fn(),
});

let root: HTMLElement;
beforeEach(() => {
  root = document.createElement("section");
  document.body.replaceChildren(root);
});

/** A cell is named by its rectangle: the one thing in it that is not hidden from screen readers. */
const spokenBy = (cell: Element) => cell.querySelector("[role=img]")?.getAttribute("aria-label");

const cells = () => [...root.querySelectorAll<HTMLElement>("td.cell")];

/** Numbers in the drawing rounded and a line an element: a snapshot that a person can read. */
const rounded = (html: string) =>
  html.replace(/\d+\.\d{2,}/g, (n) => Number(n).toFixed(2)).replace(/></g, ">\n<");

describe("drawing", () => {
  it("is a grid of one cell per timestep and column, each with a sentence to be spoken", () => {
    createGrid(root, callbacks()).update(state(traced("he said .")));
    expect(root.querySelector("table")?.getAttribute("role")).toBe("grid");
    expect(cells()).toHaveLength(4 * 18);
    for (const cell of cells()) {
      expect(cell.getAttribute("role")).toBe("gridcell");
      expect(spokenBy(cell)).toMatch(/timestep \d+, .+: .+ %; .+\.$/);
      expect(cell.querySelector(".words")?.textContent.split("\n")).toHaveLength(3);
    }
    expect(root.querySelectorAll("[style*='NaN']")).toHaveLength(0);
  });

  it("tells a token in full where it is pressed", () => {
    createGrid(root, callbacks()).update(state(traced("he said .")));
    const head = root.querySelectorAll<HTMLElement>("tbody th")[1];
    head?.querySelector("b")?.click();
    expect(head?.classList.contains("full")).toBe(true);
    head?.click();
    expect(head?.classList.contains("full")).toBe(false);
  });

  it("looks as it did", () => {
    const hide = ["forget_gate", "input_gate", "output_gate", "cell_input", "short_term"];
    const drawn = state(traced("she zebra"), { hide, hide_layers: ["1"], bars: 2 });
    createGrid(root, callbacks()).update(drawn);
    expect(rounded(root.innerHTML)).toMatchSnapshot();
  });

  it("marks unknown words, numbers' rows and sentence starts", () => {
    createGrid(root, callbacks()).update(state(traced("zebra 24 . he")));
    const heads = [...root.querySelectorAll("tbody th")];
    expect(heads.map((h) => h.textContent)).toEqual([
      "1<bos>",
      "2zebra",
      "324",
      "4.",
      "5<bos>",
      "6he",
    ]);
    expect(heads[1]?.querySelector(".unknown")).not.toBeNull();
    expect(root.querySelectorAll("tr.sentence")).toHaveLength(1);
  });

  it("shows typed markup as text", () => {
    createGrid(root, callbacks()).update(state(traced("<img src=x onerror=alert(1)>")));
    expect(root.querySelector("img, script")).toBeNull();
  });

  it("draws again only the rows that an answer changed", () => {
    const grid = createGrid(root, callbacks());
    const before = traced("he said that the man");
    grid.update(state(before));
    const [kept, said] = [cells()[0], spokenBy(cells()[0] as Element)];
    const after = traced("he said that the man was");
    for (const t of [0, 1, 2]) after.rows.top_ids[t] = before.rows.top_ids[t] ?? [];
    // If they were drawn they would say this.
    for (const t of [0, 1, 2, 3]) after.rows.mass[t] = after.rows.mass[t]?.map((m) => m.map(() => 0)) ?? []; // prettier-ignore
    grid.update(state(after));
    expect(cells()).toHaveLength(7 * 18);
    expect(cells()[0]).toBe(kept);
    expect(spokenBy(cells()[0] as Element)).toBe(said);
    expect(spokenBy(cells()[3 * 18] as Element)).toContain("no class");
  });

  it("changes for another colour only what has it", () => {
    const grid = createGrid(root, callbacks());
    const trace = traced("he said that the man");
    grid.update(state(trace));
    const seen = new MutationObserver(() => undefined);
    seen.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    const colour = (id: string) => ({ colours: new Map([[id, "#99ccee"]]) });
    grid.update(state(trace, colour(trace.classes[0] ?? "")));
    const records = seen.takeRecords();
    const drawn = records.filter(({ target }) => (target as Element).matches(".colour, path"));
    expect(drawn.length).toBeGreaterThan(0);
    expect(drawn.length).toBeLessThan(cells().length);
    expect(new Set(drawn.map(({ attributeName }) => attributeName))).toEqual(new Set(["style", "fill"])); // prettier-ignore
    expect(records.filter(({ type }) => type !== "attributes")).toEqual([]);
  });

  it("scales bars on one scale, or each cell to itself when asked", () => {
    const grid = createGrid(root, callbacks());
    const trace = traced("he said .");
    const lengths = () => firstLengths(root);
    grid.update(state(trace));
    expect(lengths()[0]).toBeCloseTo(trace.rows.top_probs[0]?.[0]?.[0] ?? NaN, 3);
    grid.update(state(trace, { scale: "view" }));
    expect(Math.max(...lengths())).toBe(1);
    expect(Math.min(...lengths())).toBeLessThan(1);
    grid.update(state(trace, { scale: "cell" }));
    expect(new Set(lengths())).toEqual(new Set([1]));
  });

  it("is empty for an empty text, and comes back", () => {
    const grid = createGrid(root, callbacks());
    grid.update(state(traced("he")));
    grid.update(state(traced("")));
    expect(root.hidden).toBe(true);
    grid.update(state(traced("he")));
    expect(cells()).toHaveLength(2 * 18);
  });

  it("hides rows, and the arrows pass over them", () => {
    Element.prototype.scrollIntoView = vi.fn();
    const grid = createGrid(root, callbacks());
    grid.update(state(traced("he said that ."), { rows: [[0, 0], [3, 4]] })); // prettier-ignore
    const rows = [...root.querySelectorAll<HTMLTableRowElement>("tbody tr")];
    expect(rows.map((tr) => tr.hidden)).toEqual([false, true, true, false, false]);
    cells()[0]?.focus();
    cells()[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    expect(document.activeElement?.closest("tr")).toBe(rows[3]);
    grid.update(state(traced("he said that ."), { rows: [[1, 2]] })); // prettier-ignore
    expect(cells().filter((c) => c.tabIndex === 0)).toEqual([rows[1]?.cells[1]]);
    grid.update(state(traced("he said that ."), { rows: [[40, 50]] })); // prettier-ignore
    expect(rows.some((tr) => tr.hidden)).toBe(false);
  });

  it("says a figure in each rectangle, in an ink that reads well there", () => {
    const query = { text: "he", model: model.id, semantic: "next" as const, bars: 10, top: 0.1 };
    const trace = syntheticTrace({ ...query, watch: "was" });
    const grid = createGrid(root, callbacks());
    const figures = () => [...root.querySelectorAll<HTMLElement>("i.colour")].map((i) => i.textContent); // prettier-ignore
    grid.update(state(trace, { show: "watch", watch: "was" }));
    expect(figures()).toEqual(trace.rows.watch_ranks?.flat().map((r) => `#${r}`));
    grid.update(state(trace, { show: "entropy" }));
    expect(figures()).toEqual(trace.rows.entropy.flat().map((bits) => bits.toFixed(1)));
    grid.update(state(trace, { show: "class" }));
    expect(new Set(figures())).toEqual(new Set([""]));
  });

  it("names the class whose colour it is, for who cannot tell colours", () => {
    const trace = traced("he said .");
    const grid = createGrid(root, callbacks());
    const rectangles = () => [...root.querySelectorAll<HTMLElement>("i.colour")];
    grid.update(state(trace, { show: "class" }));
    const plain = rectangles().map((i) => [i.style.backgroundColor, i.ariaLabel]);
    grid.update(state(trace, { show: "named" }));
    expect(rectangles().map((i) => [i.style.backgroundColor, i.ariaLabel])).toEqual(plain);
    const strongest = trace.rows.mass
      .flat()
      .map((of) => trace.classes[of.indexOf(Math.max(...of))]);
    expect(rectangles().map((i) => i.textContent)).toEqual(strongest);
    // Classes of one colour are one; what may be too long for a cell is clipped, and nothing else.
    const colours = new Map(model.classes.map((c) => [c.id, "#224466"]));
    const long = () => rectangles().filter((i) => i.classList.contains("long"));
    expect(new Set(long().map((i) => i.textContent))).toEqual(new Set(["PUNCT"]));
    grid.update(state(trace, { show: "named", colours }));
    for (const i of rectangles()) {
      expect(i.textContent).toMatch(/^[A-Z.]+(\+[A-Z.]+)+$/);
      expect(i.classList.contains("long")).toBe(true);
      expect(i.style.color).not.toBe("");
    }
    grid.update(state(trace, { show: "class" }));
    expect(long()).toEqual([]);
  });

  it("has a button on every layer, and one to bring back what is collapsed", () => {
    const on = callbacks();
    createGrid(root, on).update(state(traced("he"), { hide_layers: ["1"] }));
    const buttons = [...root.querySelectorAll<HTMLButtonElement>("thead button")];
    expect(buttons.map((b) => b.getAttribute("aria-label"))).toEqual([
      "Show layer 1",
      "Hide input",
      "Hide layer 2",
      "Hide output",
    ]);
    buttons[0]?.click();
    expect(on.layer).toHaveBeenCalledWith("1");
  });

  it("says of a weak column that it is", () => {
    const columns = model.columns.map((c) =>
      c.kind === "long_term" && c.layer === 2 ? { ...c, perplexity: { next: 400 } } : c,
    );
    createGrid(root, callbacks()).update({ ...state(traced("he")), model: { ...model, columns } });
    const said = [...root.querySelectorAll("thead em")].filter((em) => em.textContent === "weak");
    expect(said.map((em) => em.closest("th")?.getAttribute("aria-label"))).toEqual([
      expect.stringMatching(/^Long-term memory, layer 2; perplexity 400; weak: it needs/),
    ]);
  });

  it("lights up the operands and marks pins", () => {
    const hover = { t: 1, kind: "long_term", layer: 2 };
    const pins = [{ t: 0, kind: "output", layer: null }];
    const grid = createGrid(root, callbacks());
    grid.update({ ...state(traced("he said"), { pins }), hover });
    grid.settle?.();
    const lit = [...root.querySelectorAll(".operand")].map(spokenBy);
    expect(lit).toHaveLength(2);
    expect(lit[0]).toMatch(/timestep 1, Cell state of layer 2/);
    expect(lit[1]).toMatch(/timestep 2, Forget gate of layer 2/);
    expect(root.querySelectorAll(".pin")).toHaveLength(1);
    expect(root.querySelectorAll(".on")).toHaveLength(1);
    expect(root.querySelectorAll(".wires .line")).toHaveLength(2);
  });
});

describe("a long text", () => {
  /** Reports what the test says is in sight. */
  let report: IntersectionObserverCallback;
  const blocks: Element[] = [];
  beforeEach(() => {
    blocks.length = 0;
    let made = 0;
    class Observer {
      constructor(callback: IntersectionObserverCallback) {
        // The first is asked for what is in sight, the second for what is near.
        if (made === 0) report = callback;
        made += 1;
      }
      observe = (block: Element) => blocks.includes(block) || blocks.push(block);
      unobserve = vi.fn();
    }
    vi.stubGlobal("IntersectionObserver", Observer);
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const hide_layers = ["0", "1", "2"];
  const text = "he said that the man was there and she was not . ".repeat(6);
  const rows = () => [...root.querySelectorAll("tbody tr")];
  const drawn = () => rows().map((tr) => tr.querySelector(".cell") !== null);
  const numbers = (list: readonly boolean[]) => list.flatMap((is, t) => (is ? [t] : []));
  const upTo = (n: number) => Array.from({ length: n }, (_, t) => t);

  it("is drawn in turns, while all of its rows are there and counted", () => {
    const trace = traced(text);
    const count = trace.tokens.length;
    createGrid(root, callbacks()).update(state(trace, { hide_layers }));
    expect(count).toBeGreaterThan(64);
    expect(rows()).toHaveLength(count);
    expect(root.querySelector("table")?.getAttribute("aria-rowcount")).toBe(String(2 + count));
    expect(rows().map((tr) => tr.getAttribute("aria-rowindex"))).toEqual(upTo(count).map((t) => String(t + 3))); // prettier-ignore
    expect(rows().every((tr) => tr.querySelector("th b")?.textContent)).toBe(true);
    expect(numbers(drawn())).toEqual(upTo(20));
    // What comes into sight is not waited for.
    const seen = [{ target: blocks[3], isIntersecting: true }];
    report(seen as unknown as IntersectionObserverEntry[], {} as IntersectionObserver);
    expect(numbers(drawn())).toEqual([...upTo(20), ...upTo(64).slice(48)]);
    vi.runAllTimers();
    expect(numbers(drawn())).toEqual(upTo(count));
  });

  it("is drawn at once where it is seen, whatever came of it, and the rest once that is painted", () => {
    const grid = createGrid(root, callbacks());
    const trace = traced(text);
    grid.update(state(trace, { hide_layers }));
    vi.runAllTimers();
    // Rows of 50 pixels, scrolled to the thirty-first: ten are seen, and one at each edge.
    const rect = (top: number, height: number) =>
      ({ top, height, bottom: top + height }) as DOMRect;
    root.getBoundingClientRect = () => rect(0, 490);
    const place = () =>
      [...root.querySelectorAll("tbody")].forEach((block, at) => {
        block.getBoundingClientRect = () => rect(800 * at - 1500, 50 * block.rows.length);
      });
    place();
    const shows = () =>
      rows().flatMap((tr, t) => (tr.querySelector(".colour")?.textContent ? [t] : []));
    expect(shows()).toEqual([]);
    grid.update(state(trace, { hide_layers, show: "entropy" }));
    expect(shows()).toEqual(upTo(41).slice(29));
    vi.advanceTimersToNextTimer();
    vi.runAllTimers();
    expect(shows()).toEqual(upTo(trace.tokens.length));
    // Of a short text all rows are seen: there is nowhere to scroll to.
    grid.update(state(traced("he said ."), { hide_layers }));
    expect(numbers(drawn())).toEqual(upTo(rows().length));
    expect(shows()).toEqual([]);
  });

  it("has its marks once it is drawn, its keys at once, and on paper every row", () => {
    Element.prototype.scrollIntoView = vi.fn();
    const grid = createGrid(root, callbacks());
    const [late, last] = [40, traced(text).tokens.length - 1];
    const pins = [{ t: late, kind: "output", layer: null }];
    grid.update(state(traced(text), { hide_layers, pins }));
    expect(root.querySelectorAll(".pin")).toHaveLength(0);
    const cell = cells()[0];
    cell?.focus();
    cell?.dispatchEvent(new KeyboardEvent("keydown", { key: "End", ctrlKey: true, bubbles: true }));
    expect(document.activeElement?.closest("tr")).toBe(rows()[last]);
    vi.runAllTimers();
    expect(root.querySelector(".pin")?.closest("tr")).toBe(rows()[late]);
    grid.update(state(traced(`${text} she`), { hide_layers, show: "entropy" }));
    expect(numbers(drawn())).not.toContain(last + 1);
    grid.update({
      ...state(traced(`${text} she`), { hide_layers, show: "entropy" }),
      printing: true,
    });
    expect(numbers(drawn())).toEqual(upTo(rows().length));
  });
});

describe("hands", () => {
  const press = (key: string) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }),
    );

  it("has one tab stop, moved by the arrows; Enter pins and Escape is told", () => {
    Element.prototype.scrollIntoView = vi.fn();
    const on = callbacks();
    createGrid(root, on).update(state(traced("he said")));
    const stops = () => cells().filter((c) => c.tabIndex === 0);
    expect(stops()).toHaveLength(1);
    stops()[0]?.focus();
    press("ArrowDown");
    press("ArrowRight");
    press("Enter");
    expect(on.pin).toHaveBeenCalledWith({ t: 1, kind: "forget_gate", layer: 1 });
    expect(stops()).toEqual([document.activeElement]);
    press("Escape");
    expect(on.escape).toHaveBeenCalledOnce();
  });

  it("pins on a click and holds on a tap", () => {
    const on = callbacks();
    createGrid(root, on).update(state(traced("he said")));
    const cell = cells()[3];
    cell?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(on.pin).toHaveBeenCalledWith({ t: 0, kind: "cell_input", layer: 1 });
    const down = new Event("pointerdown", { bubbles: true });
    Object.assign(down, { pointerType: "touch" });
    cell?.dispatchEvent(down);
    cell?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(on.hold).toHaveBeenCalledWith({ t: 0, kind: "cell_input", layer: 1 });
    expect(on.pin).toHaveBeenCalledTimes(1);
  });
});
