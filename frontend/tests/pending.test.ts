// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPending } from "../src/pending";
import { nearest, seenIn } from "../src/pending/sight";

/** A browser of which the test says what is in sight, when a frame comes, and what time it is. */

let report: (block: Element, how: "in sight" | "near") => void;
let frame: (() => void) | null;
let clock = 0;

beforeEach(() => {
  frame = null;
  const told: ((entries: { target: Element; isIntersecting: boolean }[]) => void)[] = [];
  class Observer {
    constructor(tell: (typeof told)[number]) {
      told.push(tell);
    }
    observe = vi.fn();
    unobserve = vi.fn();
  }
  // The first is asked for what is in sight, the second for what is near.
  report = (target, how) => told.at(how === "near" ? 1 : 0)?.([{ target, isIntersecting: true }]);
  vi.stubGlobal("IntersectionObserver", Observer);
  vi.stubGlobal("requestAnimationFrame", (then: () => void) => (frame = then));
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** A table of two blocks of ten rows; each takes so many milliseconds to draw. */
function table(cost: number) {
  const box = document.createElement("div");
  document.body.append(box);
  box.innerHTML = "<table><tbody></tbody><tbody></tbody></table>";
  const blocks = [...box.querySelectorAll("tbody")];
  const rows = blocks.flatMap((block) => Array.from({ length: 10 }, () => block.insertRow()));
  const drawn: number[] = [];
  const told = vi.fn();
  const pending = createPending(box, told);
  rows.forEach((row, at) => {
    pending.put(row, false, () => {
      clock += cost;
      drawn.push(at);
    });
  });
  return { box, blocks, rows, drawn, told, pending };
}

/** It is scrolled, and the next frame comes. */
function scrolled(box: Element): void {
  box.dispatchEvent(new Event("scroll"));
  frame?.();
}

describe("rows that are put off", () => {
  it("are drawn at once where they come into sight", () => {
    const { blocks, drawn, told } = table(3);
    report(blocks[1] as Element, "in sight");
    expect(drawn).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it("are drawn for some eight milliseconds a frame where they are near, while it is scrolled", () => {
    const { box, blocks, drawn, told } = table(3);
    report(blocks[1] as Element, "near");
    expect(frame).toBeNull();
    scrolled(box);
    expect(drawn).toHaveLength(3);
    for (let n = 0; n < 3; n += 1) scrolled(box);
    expect(drawn.map((at) => Math.floor(at / 10))).toEqual(Array(10).fill(1));
    expect(told).toHaveBeenCalledTimes(4);
  });

  it("are drawn one a frame where each takes long, and never none", () => {
    const { box, blocks, drawn } = table(40);
    report(blocks[0] as Element, "near");
    scrolled(box);
    expect(drawn).toEqual([0]);
    scrolled(box);
    expect(drawn).toEqual([0, 1]);
  });

  it("are drawn once what is seen is painted, where they are next to it", () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { blocks, rows, drawn, pending } = table(3);
    report(blocks[0] as Element, "in sight");
    drawn.length = 0;
    const put = (at: number, first: boolean) =>
      pending.put(rows[at] as HTMLTableRowElement, first, () => drawn.push(at));
    [0, 1, 2].forEach((at) => put(at, at < 2));
    pending.go();
    expect(drawn).toEqual([0, 1]);
    // Not in the frame that paints them, but after it.
    frame?.();
    expect(drawn).toEqual([0, 1]);
    vi.advanceTimersToNextTimer();
    expect(drawn).toEqual([0, 1, 2]);
    vi.useRealTimers();
  });

  it("wait, out of sight, until the browser has time, and take no more of it", () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { drawn, pending } = table(3);
    pending.go();
    expect(drawn).toEqual([]);
    frame?.();
    vi.advanceTimersByTime(0); // nothing is in sight
    expect(drawn).toEqual([]);
    vi.advanceTimersToNextTimer();
    expect(drawn).toEqual([0, 1, 2]);
    vi.runAllTimers();
    expect(drawn).toHaveLength(20);
    vi.useRealTimers();
  });
});

it("the nearest to the middle of what is in sight come first", () => {
  const { box, blocks, rows } = table(0);
  const at = (top: number, height: number) => () => ({ top, height }) as DOMRect;
  box.getBoundingClientRect = at(100, 400);
  (blocks[0] as Element).getBoundingClientRect = at(-300, 500);
  (blocks[1] as Element).getBoundingClientRect = at(200, 500);
  const order = nearest(box, rows).map((row) => rows.indexOf(row));
  // The middle, 300, is in the second block's third row.
  expect(order.slice(0, 3)).toEqual([11, 12, 10]);
  expect(order.at(-1)).toBe(0);
});

it("which rows are seen follows from where their blocks are, also of rows that are still to come", () => {
  const { box, blocks, rows } = table(0);
  const at = (top: number, height: number) => () =>
    ({ top, height, bottom: top + height }) as DOMRect;
  box.getBoundingClientRect = at(100, 5000);
  (blocks[0] as Element).getBoundingClientRect = at(-300, 500);
  (blocks[1] as Element).getBoundingClientRect = at(200, 500);
  vi.stubGlobal("innerHeight", 800);
  const from = (first: number, to: number) =>
    Array.from({ length: to - first }, (_, n) => n + first);
  const places = (count: number) => from(0, 30).filter(seenIn(box, blocks, count) ?? (() => false));
  // Rows of 50 pixels between 100 and 800, and one more at each edge.
  expect(places(30)).toEqual(from(7, 23));
  // A hidden one takes no place.
  (rows[0] as HTMLElement).hidden = true;
  (blocks[0] as Element).getBoundingClientRect = at(-250, 450);
  expect(places(30)).toEqual(from(6, 22));
  expect(seenIn(box, [], 30)).toBeNull();
});

it("of fewer rows than there were the last come into sight", () => {
  const { box, blocks } = table(0);
  const at = (top: number, height: number) => () =>
    ({ top, height, bottom: top + height }) as DOMRect;
  box.getBoundingClientRect = at(0, 200);
  (blocks[0] as Element).getBoundingClientRect = at(-800, 500);
  (blocks[1] as Element).getBoundingClientRect = at(-300, 500);
  vi.stubGlobal("innerHeight", 800);
  const seen = seenIn(box, blocks, 7);
  // It was scrolled to its end: of twenty rows the last five were seen, of seven the last five will be.
  expect([0, 1, 2, 3, 4, 5, 6].filter((place) => seen?.(place))).toEqual([2, 3, 4, 5, 6]);
});
