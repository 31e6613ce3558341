import { describe, expect, it } from "vitest";
import type { DrawnBar, DrawnCell } from "../src/drawn";
import { inksOf } from "../src/grid/bars";
import type { Column } from "../src/columns";
import { drawnBar } from "./fixtures/drawn";

const bar = (length: number, more: Partial<DrawnBar> = {}) => drawnBar({ length, ...more });
const cell = (bars: DrawnBar[], gap: Column["gap"] = "", layer: number | null = 1): DrawnCell =>
  ({ column: { gap, layer }, bars }) as DrawnCell;

const geometry = { cell: 50, density: "bars" as const };
const paths = (cells: DrawnCell[]) => Object.fromEntries(inksOf(cells, geometry));

describe("the bars of a row", () => {
  it("are a path for each colour, where their cells stand", () => {
    const cells = [cell([bar(1), bar(0.5)]), cell([bar(0.25, { colour: "blue" })], "layer")];
    const drawn = paths(cells);
    // The rectangle is 13 pixels tall, a bar 12 with a pixel of ground above and below; 3 are between
    // cells, and 11 more before a layer.
    expect(drawn["red"]).toBe("M0 14h50v10h-50zM0 26h25v10h-25z");
    expect(drawn["blue"]).toBe("M64 14h12.5v10h-12.5z");
    expect(drawn["var(--cell)"]).toMatch(/^M0 13h50v21.+zM64 13h50v9.+z$/);
  });

  it("are seen even where they stand for next to nothing, and not where there is no word", () => {
    const drawn = paths([cell([bar(1e-6), bar(0, { word: "", colour: "transparent" })])]);
    expect(drawn["red"]).toBe("M0 14h1v10h-1z");
    expect(Object.keys(drawn)).toEqual(["var(--cell)", "red"]);
  });

  it("have an outline where their colour hardly stands out, under what it outlines", () => {
    const inks = inksOf([cell([bar(0.5, { rim: true }), bar(0, { rim: true })])], geometry);
    expect(inks.map(([fill]) => fill)).toEqual(["var(--cell)", "var(--rim)", "red"]);
    expect(inks[1]?.[1]).toBe("M0 14h25v10h-25zM0 26h1v10h-1z");
    expect(inks[2]?.[1]).toBe("M1 15h23v8h-23z");
  });

  it("are as long in the wider output as in the other columns", () => {
    const drawn = paths([cell([bar(1, { percent: "100 %" })], "", null)]);
    expect(drawn["red"]).toBe("M0 14h50v10h-50z");
    expect(drawn["var(--cell)"]).toMatch(/^M0 13h88/);
  });

  it("are drawn of the density's size", () => {
    const [, [, path] = []] = inksOf([cell([bar(1)])], { cell: 90, density: "roomy" });
    expect(path).toBe("M0 14h90v14h-90z");
    expect(inksOf([cell([])], { cell: 30, density: "rectangles" })).toEqual([]);
  });
});
