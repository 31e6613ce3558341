import { describe, expect, it } from "vitest";
import { coloursOf } from "../src/colour/palette";
import { drawFigure } from "../src/figure";
import { inkOf } from "../src/figure/ink";
import { csv } from "../src/files/csv";
import { popupCells } from "../src/files/html";
import { PARTS, selectionOf } from "../src/selection";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const model = syntheticModel();
const trace = syntheticTrace({ text: "he said she was", model: "m", semantic: "next", bars: 10, top: 0.1 }); // prettier-ignore
const view: View = {
  ...DEFAULT_VIEW,
  text: "he said she was",
  hide: ["forget_gate", "output_gate"],
  hide_layers: ["1"],
  rows: [[1, 2]],
  palette: "paper",
  colours: new Map([["VERB", "#010203"]]),
  pins: [
    { t: 1, kind: "cell_state", layer: 2 },
    { t: 3, kind: "forget_gate", layer: 1 },
    { t: 99, kind: "output", layer: null },
  ],
};
const colours = coloursOf(trace.classes, model.palettes, view);

/** Which cells are in each kind of file, as timestep.column of the answer. */
function cellsIn(part: (typeof PARTS)[number]): string[][] {
  const selection = selectionOf(trace, model, view, part);
  const { svg } = drawFigure({ trace, model, view, dark: false, width: 1100, part });
  const drawn = [...svg.matchAll(/data-t="(\d+)" data-c="(\d+)"/g)].map((m) => `${m[1]}.${m[2]}`);
  const popups = popupCells(trace, model, selection, colours, "fixed").flatMap((row, t) =>
    Object.keys(row).map((c) => `${t}.${c}`),
  );
  const lines = csv(trace, model, selection, colours).split("\r\n").slice(1, -1);
  const told = lines.map((line) => line.split(",")).map((v) => {
    const at = trace.columns.findIndex((c) => c.kind === v[4] && String(c.layer ?? "") === v[5]);
    return `${Number(v[0]) - 1}.${at}`;
  }); // prettier-ignore
  return [drawn, popups, [...new Set(told)]].map((list) => [...list].sort());
}

describe("a part of the grid in a file", () => {
  it("as seen has no hidden row and no hidden column, in every format", () => {
    const expected = [1, 2].flatMap((t) =>
      trace.columns
        .map((c, i) => ({ ...c, i }))
        .filter((c) => c.layer !== 1 && !view.hide.includes(c.kind))
        .map(({ i }) => `${t}.${i}`),
    );
    for (const cells of cellsIn("seen")) expect(cells).toEqual([...expected].sort());
  });

  it("whole has them all", () => {
    for (const cells of cellsIn("whole"))
      expect(cells).toHaveLength(trace.tokens.length * trace.columns.length);
  });

  it("pinned has the pinned cells of this text alone, hidden or not", () => {
    const at = (kind: string, layer: number) => trace.columns.findIndex((c) => c.kind === kind && c.layer === layer); // prettier-ignore
    const expected = [`1.${at("cell_state", 2)}`, `3.${at("forget_gate", 1)}`].sort();
    for (const cells of cellsIn("pinned")) expect(cells).toEqual(expected);
    const { columns, lines } = selectionOf(trace, model, view, "pinned");
    expect(columns.map((c) => c.gap)).toEqual(["", "layer"]);
    expect(lines.map(({ t }) => t)).toEqual([1, 3]);
  });

  it("pinned has bars to the largest of the cells that are drawn", () => {
    const seen = { ...view, scale: "view" as const };
    const { has, columns } = selectionOf(trace, model, seen, "pinned");
    const drawn = columns.flatMap(
      ({ kind, layer, index }) =>
      trace.tokens.flatMap((_, t) => (has({ t, kind, layer }) ? [trace.rows.top_probs[t]?.[index]?.[0] ?? 0] : [])), // prettier-ignore
    );
    expect(drawn).toHaveLength(2);
    const most = Math.max(...drawn);
    const cells = popupCells(trace, model, selectionOf(trace, model, seen, "pinned"), colours, "view"); // prettier-ignore
    const longest = cells.flatMap((row) => Object.values(row)).map(({ bars }) => bars[0]?.[2]);
    expect(longest).toContain(1);
    expect(new Set(longest)).toEqual(new Set(drawn.map((p) => p / most)));
    // In the picture the longest bar is as long as where each cell has its own scale.
    const longestIn = (scale: View["scale"]) => {
      const of = { trace, model, dark: false, width: 1100, part: "pinned" as const };
      const { svg } = drawFigure({ ...of, view: { ...view, scale } });
      const cells = [...svg.matchAll(/<g data-t.*?<\/g>/gs)].map(([cell]) => cell);
      const bars = cells.flatMap((cell) => [...cell.matchAll(/<rect [^>]*?width="([\d.]+)" height="([\d.]+)"/g)].slice(2, 3)); // prettier-ignore
      expect(bars).toHaveLength(2);
      return Math.max(...bars.map(([, width]) => Number(width)));
    };
    expect(longestIn("view")).toBe(longestIn("cell"));
  });

  it("pinned is empty where nothing is", () => {
    expect(selectionOf(trace, model, { ...view, pins: [] }, "pinned").lines).toEqual([]);
  });
});

describe("theme and palette", () => {
  it("are those that are seen, in picture and page", () => {
    const of = (dark: boolean) => drawFigure({ trace, model, view, dark, width: 1100 }).svg;
    expect(of(true)).toContain(inkOf(true).paper);
    expect(of(true)).not.toContain(`fill="${inkOf(false).paper}"`);
    for (const svg of [of(true), of(false)]) {
      expect(svg).toContain('fill="#010203"');
      expect(svg).not.toContain('fill="#beaed4"'); // the preset's verb
    }
    const cells = popupCells(trace, model, selectionOf(trace, model, view), colours, "fixed");
    const bars = cells.flatMap((row) => Object.values(row)).flatMap((cell) => cell.bars);
    const verbs = bars.filter(([word]) => word === "was");
    expect(verbs.length).toBeGreaterThan(0);
    expect(new Set(verbs.map((bar) => bar[3]))).toEqual(new Set(["#010203"]));
  });
});
