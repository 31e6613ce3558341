// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createAddress, PAUSE, SOON } from "../src/address";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { parse } from "../src/url";

/** What Back takes back, on a clock of our own. */

let view: View = DEFAULT_VIEW;
const pushed = vi.fn();
let address: ReturnType<typeof createAddress>;

function open(patch: Partial<View>) {
  view = { ...DEFAULT_VIEW, model: "m", ...patch };
  address = createAddress(() => view);
  address.read();
  return (change: Partial<View>, after = SOON + 50, jump = false) => {
    if (jump) address.jump();
    view = { ...view, ...change };
    address.write();
    vi.advanceTimersByTime(after);
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  pushed.mockClear();
  history.replaceState(null, "", "/");
  vi.spyOn(history, "pushState").mockImplementation((_, __, url) => {
    pushed(parse(new URL(String(url), location.href).hash).view.text);
    history.replaceState(null, "", url);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it("a text that is typed is one step, however many keys it took", () => {
  const change = open({ text: "old" });
  for (const text of ["h", "he", "he s", "he said"]) change({ text }, 1000);
  expect(pushed.mock.calls).toEqual([["h"]]);
  expect(parse(location.hash).view.text).toBe("he said");
});

it("is written while somebody types without a rest, and at once when the page is left", () => {
  const change = open({ text: "old" });
  const typed = (): string => parse(location.hash).view.text;
  for (let n = 1; n <= 30; n += 1) {
    change({ text: "x".repeat(n) }, 40);
    expect(typed().length).toBeGreaterThan(n - SOON / 40 - 1);
  }
  const wrote = vi.spyOn(history, "replaceState");
  address.flush();
  expect(typed()).toHaveLength(30);
  wrote.mockClear();
  address.flush();
  vi.advanceTimersByTime(SOON);
  expect(wrote).not.toHaveBeenCalled();
});

it("after a pause it is another text", () => {
  const change = open({ text: "old" });
  change({ text: "he" }, PAUSE + SOON);
  change({ text: "he said" });
  expect(pushed.mock.calls).toEqual([["he"], ["he said"]]);
});

it("a text that is put there keeps the one that was typed, however soon it comes", () => {
  const change = open({ text: "old" });
  change({ text: "he" });
  change({ text: "he said" }, 10);
  change({ text: "an example" }, 10, true);
  change({ text: "another", compare: "two" }, 10, true);
  expect(pushed.mock.calls).toEqual([["he"], ["an example"]]);
  vi.advanceTimersByTime(SOON);
  expect(pushed.mock.lastCall).toEqual(["another"]);
  // What is typed over it is a step too, and then one step again.
  change({ text: "anoth" });
  change({ text: "anot" });
  expect(pushed.mock.calls.slice(3)).toEqual([["anoth"]]);
});

it("what was typed last before a text is put there is what Back brings", () => {
  const put = vi.spyOn(history, "replaceState");
  const change = open({ text: "old" });
  change({ text: "he" });
  change({ text: "he said" }, 10);
  put.mockClear();
  change({ text: "an example" }, SOON, true);
  const texts = put.mock.calls.map(([, , url]) => parse(new URL(String(url), location.href).hash).view.text); // prettier-ignore
  // The last is the mock's own, of what was pushed.
  expect(texts).toEqual(["he said", "an example"]);
});

it("another model is a step; colours and views are none", () => {
  const change = open({ text: "old" });
  change({ palette: "paper" });
  change({ show: "entropy" });
  change({ pins: [{ t: 0, kind: "output", layer: null }] });
  expect(pushed).not.toHaveBeenCalled();
  expect(parse(location.hash).view.palette).toBe("paper");
  change({ model: "n" });
  expect(pushed).toHaveBeenCalledTimes(1);
});

it("the second text is a text too", () => {
  const change = open({ text: "old" });
  change({ compare: "new" });
  expect(pushed).toHaveBeenCalledTimes(1);
});
