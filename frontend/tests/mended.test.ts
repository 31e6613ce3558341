// @vitest-environment jsdom
import { describe, expect, it, vi } from "vitest";
import { aloneLines } from "../src/alignment";
import { selected } from "../src/selection";
import { groupName } from "../src/colour/palette";
import { showOf } from "../src/colour/measure";
import { coloursOf } from "../src/colour/palette";
import { contrast, needsRim, parseHex, WHITE } from "../src/colour/rgb";
import { ALWAYS_NEXT, factLines, factsOf, spoken } from "../src/describe";
import { math } from "../src/dom";
import { drawnCell, type Paint } from "../src/drawn";
import { drawFigure } from "../src/figure";
import { widthOf } from "../src/figure/text";
import { csv } from "../src/files/csv";
import { createGrid } from "../src/grid";
import { createHelp } from "../src/help";
import { columnsOf } from "../src/columns";
import { fittedToken, measure, tokenWidth } from "../src/measures";
import { FLOOR, lengthOf } from "../src/scale";
import { unknownSaid } from "../src/sentence";
import { createLegend } from "../src/legend";
import { createPinning } from "../src/pinning";
import { createPins } from "../src/pins";
import { pictureScale } from "../src/picture";
import { notesOf } from "../src/perplexities";
import { createControls } from "../src/controls";
import { createPopup } from "../src/popup";
import { createWords } from "../src/popup/words";
import { INITIAL, type State } from "../src/state";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import type { CellId, Semantic, Trace } from "../src/types";
import { createStore } from "../src/store";
import { parse, serialise } from "../src/url";
import { firstLengths, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

/** Faults that a person found, each with what is right. */

const plain = syntheticModel();
const model = {
  ...plain,
  palettes: plain.palettes.map((p) => (p.id === "paper" ? { ...p, groups: { "#ffff99": "other" } } : p)), // prettier-ignore
};
const traced = (text: string, semantic: Semantic = "next", top = 0.1): Trace =>
  syntheticTrace({ text, model: model.id, semantic, bars: 10, top });
const coloured = (trace: Trace, palette = "") =>
  coloursOf(trace.classes, model.palettes, { palette, colours: new Map() });
const factsAt = (trace: Trace, cell: CellId, palette = "") => {
  const facts = factsOf(trace, model, coloured(trace, palette), cell);
  if (!facts) throw new Error("no such cell");
  return facts;
};
const Y = (t: number): CellId => ({ t, kind: "output", layer: null });
const C = (t: number): CellId => ({ t, kind: "cell_state", layer: 2 });
const state = (trace: Trace, view: Partial<View> = {}, more: Partial<State> = {}): State => ({
  ...INITIAL,
  model,
  trace,
  view: { ...DEFAULT_VIEW, ...view },
  ...more,
});
const columns = columnsOf(model, traced("he").columns, DEFAULT_VIEW);
const table = (text: string) => {
  const fields = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1] ?? m[2] ?? "");
  const [names = [], ...lines] = text.trimEnd().split("\r\n").map(fields);
  return lines.map((line) => Object.fromEntries(line.map((v, i) => [names[i] ?? "", v])));
};
const paint = (trace: Trace, more: Partial<Paint> = {}): Paint => ({
  ...{ trace, model, columns, colours: coloured(trace), bars: 3, show: "class", domain: 1 },
  ...{ scale: "fixed", ground: WHITE, noun: "word", ink: parseHex("#1d1d1b") },
  ...more,
});
const callbacks = () => ({
  ...{ point: vi.fn(), open: vi.fn(), pin: vi.fn(), hold: vi.fn(), enter: vi.fn(() => false) },
  ...{ layer: vi.fn(), escape: vi.fn(), row: vi.fn(), look: vi.fn() },
});

const legendCallbacks = () => ({
  own: vi.fn(),
  save: vi.fn(() => ""),
  open: vi.fn(),
  ...{ colour: vi.fn(), merge: vi.fn(), preset: vi.fn(), undo: vi.fn(), reset: vi.fn() },
  scale: vi.fn(),
});

describe("y, when the states are asked for another word than the next", () => {
  const trace = traced("he said .", "this");

  it("has no rank of the asked word, and says what it predicts", () => {
    const facts = factsAt(trace, Y(1));
    expect(facts.label).toBeNull();
    expect(facts.bars.some((bar) => bar.asked)).toBe(false);
    expect(factLines(facts, trace).map(([name]) => name)).toContain(ALWAYS_NEXT);
    expect(spoken(facts)).toContain(ALWAYS_NEXT);
    expect(factsAt(trace, C(1)).label?.word).toBe("he");
    expect(factsAt(traced("he said ."), Y(1)).label?.word).toBe("said");
  });

  it("is marked in the head, and only then", () => {
    expect(notesOf(columns, new Map(), "this")).toEqual(new Map([["output", "next word"]]));
    expect(notesOf(columns, new Map([["embedding.0", 1]]), "next")).toEqual(
      new Map([["embedding.0", "weak"]]),
    );
    const root = document.createElement("section");
    createGrid(root, callbacks()).update(state(trace, { semantic: "this" }));
    expect(root.querySelector(".kinds .y em")?.textContent).toBe("next word");
  });

  it("is nothing that others diverge from", () => {
    const names = (t: Trace) => factLines(factsAt(t, C(1)), t).map(([name]) => name);
    expect(names(traced("he said ."))).toContain("divergence from y");
    expect(names(trace)).not.toContain("divergence from y");
    expect(showOf("divergence", trace)).toBe("class");
    expect(showOf("divergence", traced("he said ."))).toBe("divergence");
    const rows = table(csv(trace, model, selected(aloneLines([1]), columns), coloured(trace)));
    expect(new Set(rows.map((r) => r.divergence_bits))).toEqual(new Set([""]));
    const y = rows.filter((r) => r.kind === "output");
    expect(new Set(y.map((r) => `${r.label ?? ""}${r.label_rank ?? ""}`))).toEqual(new Set([""]));
    expect(rows[0]?.label).toBe("he");
  });
});

describe("words of hardly any probability", () => {
  const trace = traced("he said .");
  const cell = trace.rows.top_probs[1]?.[0] as number[];
  cell.splice(0, 3, 0.9999, FLOOR, FLOOR * 0.99);
  cell[9] = 0;

  it("are neither named nor drawn in a cell, which stays as tall as the others", () => {
    const [column] = columns;
    const drawn = column && drawnCell(paint(trace), 1, column);
    expect(drawn?.bars.map((bar) => bar.word !== "")).toEqual([true, true, false]);
    expect(drawn?.bars[2]).toMatchObject({ word: "", length: 0, percent: null });
    const third = trace.words[trace.rows.top_ids[1]?.[0]?.[2] ?? -1] ?? "?";
    expect(spoken(factsAt(trace, { t: 1, kind: "embedding", layer: 0 }))).not.toContain(
      ` ${third} `,
    );
  });

  it("are told in the popup, as little and not as nothing", () => {
    const words = createWords();
    const { bars } = factsAt(trace, { t: 1, kind: "embedding", layer: 0 });
    words.draw(bars, { domain: 1, scale: "fixed", ground: WHITE, noun: "word" });
    const figures = [...words.node.querySelectorAll("q")].map((q) => q.textContent);
    expect(figures).toHaveLength(10);
    expect(figures.at(-1)).toBe("<0.01 %");
  });
});

describe("the square-root scale", () => {
  it("keeps the order and one scale for all cells, and small bars can be seen", () => {
    expect(lengthOf(0.25, 1, "root")).toBe(0.5);
    expect(lengthOf(0.25, 1, "fixed")).toBe(0.25);
    expect(lengthOf(1, 1, "root")).toBe(1);
    const trace = traced("he said .");
    const root = document.createElement("section");
    createGrid(root, callbacks()).update(state(trace, { scale: "root" }));
    const p = trace.rows.top_probs[0]?.[0]?.[0] ?? 0;
    expect(firstLengths(root)[0]).toBeCloseTo(Math.sqrt(p), 3);
  });

  it("is in the link, and said in the legend and under the picture", () => {
    const link = serialise({ ...DEFAULT_VIEW, scale: "root" });
    expect(link).toContain("scale=root");
    expect(parse(link).view.scale).toBe("root");
    const root = document.createElement("section");
    const on = legendCallbacks();
    createLegend(root, on).update(state(traced("he"), { scale: "root" }));
    expect(root.textContent).toContain("Full bar: 0 to 100 %, square root.");
    root.querySelector<HTMLElement>(".hint button")?.click();
    expect(on.scale).toHaveBeenLastCalledWith("fixed");
    const view = { ...DEFAULT_VIEW, text: "he", scale: "root" as const };
    const { svg } = drawFigure({ trace: traced("he"), model, view, dark: false, width: 900 });
    expect(svg).toContain("bars: 0 to 100 %, square root");
  });
});

describe("colours that hardly stand out", () => {
  it("have an outline, on the page and in pictures", () => {
    expect(needsRim("#ffff99", WHITE)).toBe(true);
    expect(needsRim("#000000", parseHex("#1e1e1c"))).toBe(true);
    expect(needsRim("#4e79a7", WHITE)).toBe(false);
    const trace = traced("he said .");
    const colours = coloured(trace, "paper");
    const drawn = columns.flatMap((c) => drawnCell(paint(trace, { colours }), 1, c) ?? []);
    const bars = drawn.flatMap((cell) => cell.bars).filter((bar) => bar.word);
    expect(bars.some((bar) => bar.rim)).toBe(true);
    expect(bars.every((bar) => bar.rim === (bar.colour === "rgb(255, 255, 192)"))).toBe(true);
    const view = { ...DEFAULT_VIEW, text: "he said .", palette: "paper" };
    const { svg } = drawFigure({ trace, model, view, dark: false, width: 900 });
    expect(svg).toMatch(/fill="rgb\(255, 255, 192\)" stroke="#1d1d1b"/);
    expect(svg).toMatch(/fill="#ffff99" stroke="#1d1d1b"/);
  });

  it("of several classes have the name that the preset gives", () => {
    const trace = traced("he said .");
    const colours = coloured(trace, "paper");
    const others = trace.classes.filter((id) => colours.get(id) === "#ffff99");
    expect(groupName(model.palettes, "#ffff99", others)).toBe("other");
    expect(groupName(model.palettes, "#ffff99", ["DET"])).toBeNull();
    expect(groupName(model.palettes, "#ffff99", [...others, "NOUN"])).toBeNull();
    const root = document.createElement("section");
    const on = legendCallbacks();
    createLegend(root, on).update(state(trace, { palette: "paper" }));
    expect(root.textContent).toContain("determiner in “other”");
    expect(root.textContent).not.toContain("with determiner");
    const view = { ...DEFAULT_VIEW, text: "he said .", palette: "paper" };
    const { svg } = drawFigure({ trace, model, view, dark: false, width: 900 });
    expect(svg).toContain(">other</text>");
  });
});

describe("ink on bars", () => {
  it("reads well on what is behind the word, in both themes", () => {
    const dark = { ground: parseHex("#1e1e1c"), ink: parseHex("#ecebe6") };
    for (const more of [{}, dark]) {
      const trace = traced("he said that the man");
      for (const column of columns)
        for (const bar of drawnCell(paint(trace, more), 2, column)?.bars ?? []) {
          const { ink, ground } = paint(trace, more);
          const letters = bar.ink === "#000" ? parseHex("#000000") : bar.ink ? WHITE : ink;
          // A word beyond its bar stands on the cell too, and must be in the page's own ink.
          if (3 + widthOf(bar.word, 9.4) > 42 * bar.length) expect(bar.ink).toBeNull();
          else expect(contrast(letters, channels(bar.colour))).toBeGreaterThan(3);
          if (!bar.ink) expect(contrast(letters, ground)).toBeGreaterThan(10);
        }
    }
  });
  const channels = (css: string) =>
    (css.match(/\d+/g) ?? []).map(Number) as unknown as readonly [number, number, number];
});

describe("figures", () => {
  it("say how many of the words that were typed are unknown", () => {
    const trace = traced("zebra said quagga .");
    expect(unknownSaid(trace)).toBe(
      "2 of 4 words unknown: read as <unk>, which is easy to predict",
    );
    expect(unknownSaid(traced("he said ."))).toBe("");
    // Of a model whose unknown words are read as a word of its own.
    const named = {
      ...trace,
      tokens: trace.tokens.map((t) => (t.known ? t : { ...t, word: "blank" })),
    };
    expect(unknownSaid(named)).toBe(
      "2 of 4 words unknown: read as blank, which is easy to predict",
    );
    const view = { ...DEFAULT_VIEW, text: "zebra said quagga ." };
    const { svg } = drawFigure({ trace, model, view, dark: false, width: 900 });
    expect(svg).toContain("2 of 4 words unknown");
  });

  it("leave nothing outside the whole vocabulary", () => {
    const trace = traced("he said .", "next", 1);
    trace.rows.mass[1]?.[15]?.splice(0, 1, 0);
    const outside = factLines(factsAt(trace, C(1)), trace)[1];
    expect(outside).toEqual(["outside the top 100 %", "0 %"]);
  });

  it("in CSV say of which model, semantic and top, with no decimals of a sum's own", () => {
    const trace = traced("he said .");
    trace.rows.mass[1]?.forEach((mass) => mass.splice(0, 3, 0.1, 0.2, 0.634438));
    const rows = table(csv(trace, model, selected(aloneLines([1]), columns), coloured(trace)));
    expect(rows[0]).toMatchObject({ model: "synthetic", semantic: "next", top: "0.1" });
    for (const row of rows)
      for (const name of ["strongest_mass", "outside_mass"])
        expect(row[name]).toMatch(/^[01](\.\d{1,6})?$/);
  });
});

it("in CSV the strongest of a cell are the ids of all classes of its colour, the same in every line", () => {
  const trace = traced("he said .");
  const rows = table(csv(trace, model, selected(aloneLines([1, 2]), columns), coloured(trace, "paper"))); // prettier-ignore
  const colours = coloured(trace, "paper");
  const groups = new Set(
    trace.classes.map((id) =>
      trace.classes.filter((other) => colours.get(other) === colours.get(id)).join(" + "),
    ),
  );
  expect(groups.size).toBeLessThan(trace.classes.length);
  for (const { strongest } of rows) expect(groups).toContain(strongest);
});

describe("the part of the vocabulary that class masses are over", () => {
  const told = (vocabulary: number | undefined, top: number, top_words: number) => {
    const of = { ...model, unit: "symbol" as const, ...(vocabulary ? { architecture: { vocabulary } } : {}) }; // prettier-ignore
    const trace = { ...traced("he", "next", top), top_words };
    const facts = factsOf(trace, of, coloured(trace), C(1));
    const root = document.createElement("div");
    createPopup(root, new Proxy({}, { get: () => vi.fn() }) as never).update({ ...state(trace), model: of, hover: C(1) }); // prettier-ignore
    const { svg } = drawFigure({ trace, model: of, view: DEFAULT_VIEW, dark: false, width: 900 });
    return [
      facts && factLines(facts, trace)[1]?.[0],
      root.querySelector("dt.outside")?.textContent,
      /outside the top [^,]* \d/.exec(root.querySelector(".stack")?.getAttribute("aria-label") ?? "")?.[0].replace(/ \d+$/, ""), // prettier-ignore
      /the likeliest [^·<]*/.exec(svg)?.[0].trim(),
    ];
  };

  it("is told as a part where it is that part, and else as how many there are", () => {
    const part = ["outside the top 10 %", "outside the top 10 %", "outside the top 10 % of symbols", "the likeliest 10 % of symbols"]; // prettier-ignore
    expect(told(16384, 0.1, 1638)).toEqual(part);
    expect(told(undefined, 0.1, 2)).toEqual(part);
    const two = "outside the top 2 symbols";
    expect(told(15, 0.1, 2)).toEqual([two, two, two, "the likeliest 2 symbols"]);
    expect(told(15, 0.01, 1)[0]).toBe("outside the top 1 symbol");
  });

  it("is not told where all are few: nothing lies outside", () => {
    const [second, ...others] = told(15, 0.1, 15);
    expect(second).toBe("entropy");
    expect(others).toEqual([undefined, undefined, undefined]);
    const root = document.createElement("div");
    const controls = createControls(root, { view: vi.fn() });
    const hidden = (top_words: number) => {
      const of = { ...model, architecture: { vocabulary: 15 } };
      const trace = { ...traced("he", "next", 0.1), top_words };
      const view = { ...DEFAULT_VIEW, text: `${top_words}` };
      controls.update({ ...state(trace), model: of, view });
      const fields = [...root.querySelectorAll<HTMLElement>("label")];
      return fields.find((f) => f.textContent?.startsWith("rectangles sum the top"))?.hidden;
    };
    expect([hidden(15), hidden(2)]).toEqual([true, false]);
  });
});

describe("the page", () => {
  it("makes room for the widest token, and for what came next", () => {
    const widths = (available: number) =>
      [10, 50, 51, 67, 400].map((longest) => tokenWidth(longest, available));
    expect(widths(1600)).toEqual([88, 88, 150, 150, 150]);
    // Where not all columns are in sight short words leave more room for them.
    expect(widths(740)).toEqual([88, 88, 104, 150, 150]);
    expect(widths(390)).toEqual([88, 88, 104, 104, 104]);
    // A figure is drawn once: there it is as wide as it must be.
    expect([10, 52.2, 400].map(fittedToken)).toEqual([48, 91, 150]);
    const { cell, token } = measure(1300, columns, tokenWidth(50, 1300));
    const gaps = columns.reduce((s, c) => s + (c.gap === "layer" ? 11 : c.gap ? 3 : 0), 0);
    expect(token + gaps + columns.length * (cell + 3) + 38 + 126).toBeLessThanOrEqual(1300);
  });

  it("says so when every column is hidden", () => {
    const root = document.createElement("section");
    const grid = createGrid(root, callbacks());
    grid.update(state(traced("he"), { hide_layers: ["0", "1", "2", "output"] }));
    expect(root.querySelector("table")?.hidden).toBe(true);
    expect(root.querySelector<HTMLElement>(".none")?.hidden).toBe(false);
    grid.update(state(traced("he")));
    expect(root.querySelector("table")?.hidden).toBe(false);
    expect(root.querySelector<HTMLElement>(".none")?.hidden).toBe(true);
  });

  it("dims what is old while a text is read", () => {
    const root = document.createElement("section");
    const grid = createGrid(root, callbacks());
    grid.update(state(traced("he"), {}, { busy: true }));
    expect(root.classList.contains("stale")).toBe(true);
    grid.update(state(traced("he")));
    expect(root.classList.contains("stale")).toBe(false);
  });

  it("tells which pin gave way, brings it back, and shows a pin's cell", () => {
    const root = document.createElement("section");
    const on = { remove: vi.fn(), open: vi.fn(), find: vi.fn(), restore: vi.fn() };
    createPins(root, on).update(state(traced("he said ."), { pins: [C(1)] }, { dropped: [C(2)] }));
    const told = root.querySelector("[role=status]");
    expect(told?.textContent).toContain(
      "At most 4 are kept: said · cell state of layer 2 gave way.",
    );
    told?.querySelector("button")?.click();
    expect(on.restore).toHaveBeenCalledOnce();
    root.querySelector<HTMLElement>(".find")?.click();
    expect(on.find).toHaveBeenCalledWith(C(1));
    root.querySelector<HTMLElement>(".remove")?.click();
    expect(on.find).toHaveBeenCalledOnce();
  });

  it("all pins that were removed at once can be brought back", () => {
    const root = document.createElement("section");
    const pins = [C(1), C(2), C(3)];
    const store = createStore({ ...INITIAL, ...state(traced("he said ."), { pins }) }, (run) => run()); // prettier-ignore
    const change = (patch: Partial<View>) => store.set({ view: { ...store.get().view, ...patch } });
    const pinning = createPinning(store, change);
    const shown = createPins(root, { ...callbacks(), remove: vi.fn(), find: vi.fn(), restore: pinning.restore }); // prettier-ignore
    store.subscribe((now) => shown.update(now));
    pinning.clear();
    const told = root.querySelector<HTMLElement>("[role=status]");
    expect([told?.hidden, told?.textContent]).toEqual([false, "All 3 were unpinned. Undo"]);
    told?.querySelector("button")?.click();
    expect(store.get().view.pins).toEqual(pins);
    expect(told?.hidden).toBe(true);
    // One too many gives way, and comes back in place of the last.
    for (const t of [4, 5]) pinning.toggle(C(t));
    expect(store.get().dropped).toEqual([C(1)]);
    pinning.restore();
    expect(store.get().view.pins).toEqual([1, 2, 3, 4].map(C));
  });

  it("a pin's figure stays beside a word that is read from the right", () => {
    const root = document.createElement("section");
    const trace = traced("he said .");
    const id = trace.rows.top_ids[1]?.[trace.columns.findIndex(({ layer }) => layer === null)]?.[0];
    const words = { ...trace.words, [String(id)]: "שלום" };
    const pins = [{ t: 1, kind: "output", layer: null }];
    createPins(root, { ...callbacks(), remove: vi.fn(), find: vi.fn(), restore: vi.fn() }).update(
      state({ ...trace, words }, { pins }),
    );
    expect(root.querySelector("li small")?.textContent).toMatch(/· \u2068שלום\u2069 \d/);
  });

  it("explains the questions, the symbols and what else it tells", () => {
    const dialog = document.createElement("dialog");
    createHelp(dialog, { tour: vi.fn() }).update(state(traced("he")));
    const said = dialog.textContent;
    for (const what of [
      "the word just read",
      "Long-term memory",
      "Came next",
      "merge",
      "Divergence from y",
      "one class",
      "Outside the top",
      "<bos>",
      "u the layer",
    ])
      // prettier-ignore
      expect(said).toContain(what);
    expect(dialog.querySelectorAll(".glossary dt")).toHaveLength(10);
    expect(dialog.querySelector(".glossary sub")?.textContent).toBe("t");
  });
});

it("an equation is set with real lowered and raised letters, and no data becomes markup", () => {
  const node = math("f_t^2 = σ(W_f^2 [x_t, h_{t−1}^2] + <b>)");
  expect([...node.querySelectorAll("sub")].map((n) => n.textContent)).toEqual(["t", "f", "t", "t−1"]); // prettier-ignore
  expect([...node.querySelectorAll("sup")].map((n) => n.textContent)).toEqual(["2", "2", "2"]);
  expect(node.querySelector("b")).toBeNull();
});

describe("a picture", () => {
  it("is as large as browsers can draw, and refused only where nothing could be read", () => {
    expect(pictureScale(1100, 900)).toBe(2);
    expect(pictureScale(1100, 10_000)).toBe(1.6);
    expect(pictureScale(1100, 20_000)).toBe(0.8);
    expect(() => pictureScale(1100, 40_000)).toThrow(/save it as SVG/);
  });

  it("is white, and says by what rule its colours were chosen", () => {
    const view = { ...DEFAULT_VIEW, text: "he" };
    const { svg } = drawFigure({ trace: traced("he"), model, view, dark: false, width: 900 });
    expect(svg).toContain('fill="#ffffff"');
    expect(svg).toContain("colour: the most probable class of the likeliest 10 % of words");
  });
});
