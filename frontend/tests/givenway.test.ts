import { expect, it } from "vitest";
import { createGivenWay } from "../src/givenway";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import type { ModelInfo } from "../src/types";
import { syntheticModel } from "./fixtures/synthetic";

/** From a model to one of other classes and kinds, and back. */

const here: ModelInfo = { ...syntheticModel(), semantics: ["next", "previous"] };
const bare = (id: string): ModelInfo => ({
  ...here,
  ...{ id, name: id, fingerprint: id, semantics: ["next", "this"] },
  classes: [{ id: "OPEN", name: "opening" }],
  palettes: [{ id: "brackets", name: "brackets", colours: { OPEN: "#000000" } }],
  columns: here.columns.filter((c) => c.layer === null),
});
const there = bare("there");
const view: View = {
  ...DEFAULT_VIEW,
  ...{ text: "he said", model: here.id, fingerprint: here.fingerprint },
  ...{ semantic: "previous", palette: here.palettes[1]?.id ?? "" },
  colours: new Map([["NOUN", "#102030"]]),
  pins: [{ t: 1, kind: "cell_state", layer: 2 }],
  hide: ["cell_state"],
  hide_layers: ["1"],
  unit: { kind: "cell_state", layer: 2, unit: 3 },
  follow: "class:NOUN",
};

it("what a model does not have gives way to it, and is back with one that has it", () => {
  const way = createGivenWay();
  const away = way.fit(view, there, here);
  expect(away.notices).toHaveLength(8);
  expect([away.view.semantic, away.view.palette, away.view.colours.size]).toEqual(["next", "", 0]);
  // By way of a third one, of which nothing new is to be told.
  const third = way.fit({ ...away.view, text: "he was" }, bare("third"), there);
  expect(third.notices).toEqual([]);
  expect(way.fit(third.view, here, bare("third"))).toEqual({
    view: { ...view, text: "he was" },
    notices: [],
  });
});

it("what was put together anew, and says the same, was not chosen", () => {
  const way = createGivenWay();
  const away = way.fit(view, there, here).view;
  way.chosen(away, { colours: new Map(), pins: [], classes: [{ name: "it", words: ["it"] }] });
  const back = way.fit(away, here, there).view;
  expect([back.colours, back.pins]).toEqual([view.colours, view.pins]);
});

it("what gave way goes with its text where the two change places", () => {
  const way = createGivenWay();
  const [cell] = view.pins;
  const away = way.fit({ ...view, compare: "she said", inside: cell ?? null }, there, here).view;
  way.swap();
  const back = way.fit({ ...away, text: "she said", compare: "he said" }, here, there).view;
  expect(back.pins).toEqual([{ ...cell, second: true }]);
  expect(back.inside).toEqual({ ...cell, second: true });
});

it("what the tour shows neither gives way nor comes back, and all else does", () => {
  const way = createGivenWay();
  way.fit({ ...view, semantic: "previous" }, there, here);
  const shown: View = { ...view, semantic: "next", hide: [] };
  const away = way.fit(shown, there, here, ["semantic", "hide"]).view;
  expect(away.pins).toEqual([]);
  const back = way.fit(away, here, there, ["semantic", "hide"]).view;
  expect([back.semantic, back.hide, back.pins]).toEqual(["next", [], view.pins]);
  // Once it is left, what gave way before it is wanted as it was.
  expect(way.fit(back, here, here).view).toMatchObject({ semantic: "previous", hide: view.hide });
});

it("what a person chose meanwhile stays, and so does all once another view is opened", () => {
  const way = createGivenWay();
  const away = way.fit(view, there, here).view;
  const colours = new Map([["OPEN", "#ff0000"]]);
  way.chosen(away, { semantic: "this" });
  way.chosen({ ...away, semantic: "this" }, { semantic: "next", colours, palette: away.palette });
  const back = way.fit({ ...away, semantic: "next", colours }, here, there);
  expect([back.view.semantic, back.view.colours.size, back.view.pins]).toEqual(["next", 0, view.pins]); // prettier-ignore
  // What was given along unchanged was not chosen.
  expect(back.view.palette).toBe(view.palette);
  expect(back.notices.join()).toContain("“OPEN”");
  const again = way.fit(view, there, here).view;
  way.forget();
  expect(way.fit(again, here, there).view).toMatchObject({ pins: [], hide: [], unit: null });
});
