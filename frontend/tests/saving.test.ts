// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from "vitest";
import { readSaved } from "../src/files/saved";
import * as picture from "../src/picture";
import { openFile, saveAs, saveUnit } from "../src/saving";
import { INITIAL, type AlongText, type Problem, type State } from "../src/state";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import type { CellId, ModelInfo, Trace } from "../src/types";
import { questionsOf } from "../src/unitline/asked";
import { syntheticModel, syntheticTrace } from "./fixtures/synthetic";
import { syntheticLine } from "./fixtures/unit";

/** What is saved is what is asked, and what cannot be saved is told. */

const model = syntheticModel();
const [TEXT, OTHER] = ["he said .", "she said ."];
const traced = (text: string, more: object = {}): Trace =>
  syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1, ...more });
const view = { ...DEFAULT_VIEW, text: TEXT, model: model.id };
const state: State = { ...INITIAL, model, trace: traced(TEXT), view };

let files: string[] = [];
beforeEach(() => {
  files = [];
  vi.spyOn(picture, "download").mockImplementation((blob) => {
    void blob.text().then((text) => files.push(text));
  });
});
async function save(kind: "json" | "svg" | "csv", of: State, part?: "pinned"): Promise<string> {
  const told = await saveAs(kind, of, 900, part);
  await Promise.resolve();
  return told;
}

it("as JSON is whole, whatever part is chosen for pictures", async () => {
  expect(await save("svg", state, "pinned")).toContain("No cell of this text is pinned");
  expect(await save("json", state, "pinned")).toMatch(/^Saved /);
});

it("opens again what was saved, as the answer to what its view asks", async () => {
  expect(await save("json", state)).toMatch(/^Saved /);
  await vi.waitFor(() => expect(files).toHaveLength(1));
  const file = { name: "x.json", size: 9, text: () => Promise.resolve(files[0] ?? "") };
  const { trace } = await openFile(file as never, null);
  expect(trace).toEqual(state.trace);
});

it.each<[string, Partial<View>, Partial<ModelInfo>]>([
  ["another text", { text: "he said" }, {}],
  ["another model", {}, { id: "gru" }],
  ["another network", {}, { fingerprint: "retrained" }],
  ["another watched word", { watch: "were" }, {}],
  ["other words of a class", { classes: [{ name: "he", words: ["he", "she"] }] }, {}],
  ["another top", { top: 0.5 }, {}],
])("an answer to %s is not saved", async (_, asked, of) => {
  const classes = [{ name: "he", words: ["he"] }];
  const own: View = { ...view, classes, show: "watch", watch: "was" };
  const answered = { ...state, trace: traced(TEXT, { watch: "was", classes }), view: own };
  expect(await save("csv", answered)).toMatch(/^Saved /);
  const changed = { view: { ...own, ...asked }, model: { ...model, ...of } };
  expect(await save("csv", { ...answered, ...changed })).toBe(
    "The grid does not show this text yet: save it when it does.",
  );
});

it("a watched word that is not shown any more is no reason not to save", async () => {
  const trace = traced(TEXT, { watch: "was" });
  expect(await save("csv", { ...state, trace, view: { ...view, watch: "was" } })).toMatch(
    /^Saved /,
  );
});

const unpaired: Problem = {
  message: "The second text is too long: both together have 600 tokens.",
  advice: "",
  retrying: false,
  ofText: true,
};
const pin: CellId = { t: 1, kind: "output", layer: null };
const both: State = {
  ...state,
  unpaired,
  view: { ...view, compare: OTHER, pins: [pin, { ...pin, second: true }], inside: { ...pin, second: true } }, // prettier-ignore
};

it.each(["svg", "csv", "json"] as const)(
  "of two texts that cannot be compared the first is saved alone, and why: %s",
  async (kind) => {
    const said = await save(kind, both);
    expect(said).toMatch(/^Saved .* It has the first text alone\. The second text is too long/);
    await vi.waitFor(() => expect(files).toHaveLength(1));
    expect(files[0]).not.toContain(OTHER);
    if (kind !== "json") return;
    const read = readSaved(files[0] ?? "");
    expect("problem" in read ? read.problem : read.view).not.toContain("compare=");
    const file = { name: "x.json", size: 9, text: () => Promise.resolve(files[0] ?? "") };
    const { view: opened } = await openFile(file as never, null);
    expect([opened?.pins, opened?.inside]).toEqual([[pin], null]);
  },
);

it("the line of a unit is saved alone: as a figure, and as its values", async () => {
  const unit = { kind: "cell_state", layer: 2, unit: 24 };
  const along: State = { ...state, view: { ...view, unit, follow: "timestep" } };
  expect(await saveUnit("svg", along, 600)).toContain("does not show what is chosen yet");
  const shown = { ...along, line: lineTo(along) };
  expect(await saveUnit("svg", shown, 600)).toBe("Saved unrolled-cell-state-2-unit-25.svg.");
  expect(await saveUnit("csv", shown, 600)).toBe("Saved unrolled-cell-state-2-unit-25.csv.");
  await vi.waitFor(() => expect(files).toHaveLength(2));
  const [svg, csv] = files;
  for (const said of [TEXT, model.fingerprint, "Unit 25 of the cell state of layer 2", "r = 0.500"])
    expect(svg).toContain(said);
  const [head, ...lines] = csv?.trimEnd().split("\r\n") ?? [];
  expect(head).toBe(
    "text,timestep,token,read,kind,layer,unit,value,follows,followed,r,model,fingerprint",
  );
  expect(lines).toHaveLength(state.trace?.tokens.length ?? 0);
  const value = shown.line.sides[0]?.answer.values[1];
  expect(lines[1]).toBe(
    `first,2,he,he,cell_state,2,25,${value},the timestep's number,2,0.5,${model.id},${model.fingerprint}`,
  );
  // What is seen must be of what is chosen: of another text it is told.
  const moved = { ...shown, view: { ...shown.view, text: OTHER } };
  expect(await saveUnit("csv", moved, 600)).toContain("does not show what is chosen yet");
});

it("of two texts that are still to be compared nothing is saved", async () => {
  for (const waits of [null, { ...unpaired, retrying: true }])
    expect(await save("svg", { ...both, unpaired: waits })).toBe(
      "The two texts are not compared yet: save them when they are.",
    );
});

/** The answer to what a view asks of its unit. */
function lineTo(of: State): AlongText {
  const sides = (questionsOf(of) ?? []).map((question) => ({
    ...question,
    answer: syntheticLine(question.query),
  }));
  return { unit: of.view.unit ?? { kind: "", layer: null, unit: 0 }, sides, problem: null, again: false }; // prettier-ignore
}

it("a unit's line of another text or number holds up only a picture that it is on", async () => {
  const unit = { kind: "cell_state", layer: 2, unit: 3 };
  const of = { ...state, view: { ...view, unit, pins: [pin], follow: "timestep" } };
  const drawn: State = { ...of, line: lineTo({ ...of, trace: traced(OTHER), view: { ...of.view, text: OTHER } }) }; // prettier-ignore
  const waits = "The unit's line does not show what is chosen yet: save it when it does.";
  expect(await save("svg", drawn)).toBe(waits);
  expect(await save("svg", drawn, "pinned")).toMatch(/^Saved /);
  // Nor is r of one number saved as that of another.
  const line = lineTo(of);
  for (const [follow, told] of [
    ["timestep", /^Saved /],
    ["depth", waits],
    ["", waits],
  ] as const)
    expect(await save("svg", { ...of, line, view: { ...of.view, follow } })).toMatch(told);
  expect(await save("svg", { ...of, line, view: { ...of.view, search: "all" } })).toBe(waits);
});

it("of two texts that cannot be compared the unit's line is saved along the first alone", async () => {
  const unit = { kind: "cell_state", layer: 2, unit: 3 };
  const compare = "zebras ran";
  const second = traced(compare);
  const waits: State = { ...both, second, view: { ...both.view, compare, pins: [], unit } };
  const line = lineTo(waits);
  expect(line.sides).toHaveLength(2);
  const drawn = { ...waits, line };
  expect(await save("svg", drawn)).toContain("It has the first text alone.");
  await vi.waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]).not.toContain("zebras");
  // Its line is drawn as that of the first text where there is no other.
  const alone = {
    ...drawn,
    unpaired: null,
    second: null,
    line: { ...line, sides: line.sides.slice(0, 1) },
  };
  await save("svg", { ...alone, view: { ...drawn.view, compare: null, inside: null } });
  await vi.waitFor(() => expect(files).toHaveLength(2));
  expect(files[0]).toBe(files[1]);
});
