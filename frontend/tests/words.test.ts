// @vitest-environment jsdom
import { expect, it } from "vitest";
import type { DrawnBar } from "../src/drawn";
import { drawWords, runsOf } from "../src/grid/words";
import { drawnBar } from "./fixtures/drawn";

const bar = (word: string, more: Partial<DrawnBar> = {}) => drawnBar({ word, ...more });

const plain = [bar("he"), bar("said"), bar("that")];
const first = [bar("he", { asked: true }), bar("said"), bar("that")];
const inner = [bar("he"), bar("is", { asked: true, ink: "#fff" }), bar("that", { ink: "#000" })];
const last = [bar("a", { long: true }), bar(""), bar("the", { asked: true, percent: "3 %" })];

it("are as few runs as are set alike", () => {
  const told = (bars: DrawnBar[]) => runsOf(bars).map(({ text, set }) => [text, set !== null]);
  expect(told(plain)).toEqual([["he\nsaid\nthat", false]]);
  expect(told(first)).toEqual([["he", true], ["\nsaid\nthat", false]]); // prettier-ignore
  expect(told(inner)).toEqual([["he\n", false], ["is", true], ["\n", false], ["that", true]]); // prettier-ignore
});

it("are written over others as they are written into an empty cell", () => {
  const html = (td: HTMLElement) => td.innerHTML.replace(/ (class|style|data-p)="\s*"/g, "");
  const over = document.createElement("td");
  for (const bars of [
    plain,
    first,
    inner,
    last,
    plain,
    inner,
    first,
    [],
    last,
    inner.slice(0, 1),
  ]) {
    const anew = document.createElement("td");
    drawWords(over, bars);
    drawWords(anew, bars);
    expect(html(over)).toBe(html(anew));
    expect(over.textContent).toBe(bars.map(({ word }) => word).join("\n"));
  }
});

it("leave the elements and texts that fit where they are", () => {
  const td = document.createElement("td");
  drawWords(td, inner);
  const before = [...(td.firstChild?.childNodes ?? [])];
  drawWords(td, [bar("she"), bar("was", { asked: true }), bar("who", { ink: "#fff" })]);
  expect([...(td.firstChild?.childNodes ?? [])]).toEqual(before);
  expect(td.textContent).toBe("she\nwas\nwho");
});
