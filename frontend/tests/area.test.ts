// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from "vitest";
import { createSecond } from "../src/compare/box";
import { INITIAL } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import { createTextbox } from "../src/textbox";

/** Text boxes in a browser that does not size them itself: each line has 30 pixels. */

const on = new Proxy({}, { get: () => vi.fn() }) as never;
let root: HTMLElement;
const box = () => root.querySelector("textarea") as HTMLTextAreaElement;
const state = (text: string, compare: string | null = null) => ({
  ...INITIAL,
  view: { ...DEFAULT_VIEW, text, compare },
});

beforeEach(() => {
  root = document.createElement("div");
  document.body.replaceChildren(root);
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockImplementation(function (this: Element) {
    const lines = (this as HTMLTextAreaElement).value.split("\n").length;
    return this.closest("[hidden]") ? 0 : 30 * lines;
  });
});

it("a box is as tall as its text again when it was closed while the window changed", () => {
  const second = createSecond(root, on);
  second.update(state("he", "he\nsaid\nso"));
  expect(box().style.height).toBe("90px");
  second.update(state("he"));
  window.dispatchEvent(new Event("resize"));
  expect(box().style.height).toBe("auto");
  second.update(state("he", "he\nsaid\nso"));
  expect(box().style.height).toBe("90px");
});

it("paper has the whole text, however tall its box is", () => {
  root.className = "box";
  createTextbox(root, on).update(state("he\nsaid"));
  expect(root.dataset.text).toBe("he\nsaid");
  box().value = "he\nsaid\nso";
  box().dispatchEvent(new Event("input"));
  expect(root.dataset.text).toBe("he\nsaid\nso");
});
