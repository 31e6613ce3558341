import { describe, expect, it, vi } from "vitest";
import { legendKey } from "../src/colour/measure";
import { createColouring } from "../src/colouring";
import { coloursOf } from "../src/colour/palette";
import { WHITE } from "../src/colour/rgb";
import { appliedTo, readPalette, savePalette, type SavedPalette } from "../src/files/palette";
import { openFile } from "../src/saving";
import { INITIAL } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import { createStore } from "../src/store";
import { CLASSES, syntheticModel } from "./fixtures/synthetic";

const model = syntheticModel();
const mine = {
  palette: "paper",
  colours: new Map([["NOUN", "#123456"], ["own:0", "#abcdef"]]), // prettier-ignore
  classes: [{ name: "he, she", words: ["he", "she", ","] }],
};
const text = savePalette(model, mine);
const changed = (change: (file: Record<string, unknown>) => unknown): string => {
  const file = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(change(file) ?? file);
};
const own = (patch: object) => changed((f) => ({ ...f, classes: [{ ...(f.classes as object[])[0], ...patch }] })); // prettier-ignore

describe("a palette as a file", () => {
  it("comes back as it was, and keeps its preset", () => {
    const { colouring, notices } = appliedTo(model, readPalette(text) as SavedPalette);
    expect(colouring).toEqual(mine);
    expect(notices).toEqual([]);
  });

  it("has the same colours where its preset is not known", () => {
    const other = { ...model, palettes: model.palettes.slice(0, 1) };
    const { colouring } = appliedTo(other, readPalette(text) as SavedPalette);
    const all = [...CLASSES, "own:0"];
    expect(coloursOf(all, other.palettes, colouring)).toEqual(coloursOf(all, model.palettes, mine));
  });

  it("leaves out classes that the model lacks, and says so", () => {
    const file = readPalette(changed((f) => void Object.assign(f.colours as object, { VBZ: "#000000" }))); // prettier-ignore
    const { colouring, notices } = appliedTo(model, file as SavedPalette);
    expect(colouring).toEqual(mine);
    expect(notices.join()).toContain("VBZ");
  });

  it.each([
    [changed((f) => void (f.version = 2)), "“version” is not 1"],
    [changed((f) => void delete f.preset), "“preset” is not the name of a preset"],
    [changed((f) => void (f.colours = [])), "“colours” is not a table of colours"],
    [
      changed((f) => ({ ...f, colours: { NOUN: "red" } })),
      "“colours.NOUN” is not a colour such as",
    ],
    [changed((f) => void (f.classes = {})), "“classes” is not a list of at most 8"],
    [changed((f) => void (f.classes = Array(9).fill({}))), "“classes” is not a list of at most 8"],
    [changed((f) => void (f.classes = [1])), "“classes[0]” is not an object"],
    [own({ name: " " }), "“classes[0].name” is not a name"],
    [own({ words: "he" }), "“classes[0].words” is not a list of words"],
    [own({ words: ["a b"] }), "“classes[0].words” is not a list of words"],
    [own({ words: [] }), "“classes[0]”: Type at least one word"],
    [own({ colour: "url(x)" }), "“classes[0].colour” is not a colour"],
  ])("with a wrong field is refused, and the field named: %#", (file, why) => {
    const read = readPalette(file);
    expect(read).toEqual({ problem: expect.stringContaining(why) as string });
  });

  it("is told from other files, and never reaches Object.prototype", () => {
    for (const other of ["", "[]", "null", '{"format":"unrolled"}']) expect(readPalette(other)).toBeNull(); // prettier-ignore
    const forged = text.replace('"colours": {', '"colours": {"__proto__": "#000000",');
    appliedTo(model, readPalette(forged) as SavedPalette);
    expect(({} as Record<string, unknown>)["own:0"]).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("opens by its content, and a wrong one changes nothing", async () => {
    const file = (content: string) => Object.assign(new Blob([content]), { name: "p.json" });
    expect(await openFile(file(text), model)).toEqual({ colouring: mine, notices: [] });
    expect(await openFile(file(own({ colour: 1 })), model)).toEqual({
      notices: [
        "“p.json” could not be opened: “classes[0].colour” is not a colour such as #4e79a7.",
      ],
    });
    expect(await openFile(file("{"), model)).toEqual({
      notices: ["“p.json” could not be opened: it is not JSON."],
    });
  });
});

it("the default palette is left unsaid when it is chosen again, and choosing it anew is no step", () => {
  const store = createStore({ ...INITIAL, model, view: DEFAULT_VIEW }, (run) => run());
  const colours = createColouring(store, (patch) => store.set({ view: { ...store.get().view, ...patch } })); // prettier-ignore
  const [plain, other] = model.palettes.map(({ id }) => id);
  colours.preset(other ?? "");
  expect(store.get().view.palette).toBe(other);
  colours.preset(plain ?? "");
  expect(store.get().view.palette).toBe("");
  const steps = store.get().undo.length;
  colours.preset(plain ?? "");
  expect(store.get().undo).toHaveLength(steps);
});

it("takes back one step at a time, however soon they follow: only a drag of one class's colour is one", () => {
  vi.useFakeTimers();
  const store = createStore({ ...INITIAL, model, view: DEFAULT_VIEW }, (run) => run());
  const colours = createColouring(store, (patch) => store.set({ view: { ...store.get().view, ...patch } })); // prettier-ignore
  const [first, second] = CLASSES as [string, string];
  const [plain, ...others] = model.palettes.map(({ id }) => id);
  const now = () => [store.get().view.palette, Object.fromEntries(store.get().view.colours)];
  const steps: [() => void, number][] = [
    [() => others.forEach((id) => colours.preset(id)), others.length],
    [() => colours.preset(plain ?? ""), others.length ? 1 : 0],
    [() => ["#000001", "#000002"].forEach((c) => colours.colour(first, c)), 1],
    [() => ["#000003", "#000004"].forEach((c) => colours.colour(second, c)), 1],
    [() => colours.colour(first, "#000005"), 1],
    [() => colours.merge(second, first), 1],
    [() => colours.reset(), 1],
  ];
  const before = steps.map(([step, count]) => {
    const [was, had] = [now(), store.get().undo.length];
    step();
    expect(store.get().undo).toHaveLength(had + count);
    return [was, count] as const;
  });
  for (const [was, count] of before.reverse()) {
    for (let i = 0; i < count; i += 1) colours.undo();
    expect(now()).toEqual(was);
  }
  // The same class again, but later: another step.
  colours.colour(first, "#000001");
  vi.advanceTimersByTime(700);
  colours.colour(first, "#000002");
  expect(store.get().undo).toHaveLength(2);
  vi.useRealTimers();
});

it("Figure 2 in the legend follows the palette", () => {
  const steps = (changes: [string, string][]) =>
    legendKey("class", null, null, coloursOf(CLASSES, model.palettes, { palette: "", colours: new Map(changes) }), WHITE).steps; // prettier-ignore
  expect(steps([["DET", "#000000"]]).map((s) => s.colour)).toEqual(
    [26, 128, 170, 230].map((n) => `rgb(${n}, ${n}, ${n})`),
  );
  expect(steps([])).not.toEqual(steps([["DET", "#000000"]]));
});
