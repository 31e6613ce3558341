import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import {
  AXES,
  DENSITIES,
  DISTANCES,
  LABELS,
  ORDERS,
  SCALES,
  SEARCHES,
  SHOWS,
  THEMES,
} from "../src/state/choices";
import { SEMANTICS } from "../src/types";
import { FIELDS, fragmentOf, parse, serialise } from "../src/url";

const view = (patch: Partial<View>): View => ({ ...DEFAULT_VIEW, ...patch });
const there = (v: View) => parse(`#${serialise(v)}`);

describe("texts survive the link", () => {
  it.each([
    "salt & pepper",
    "issue #1 is = 2",
    "2019",
    "50% off",
    "100%25 + 1",
    "First sentence.\nSecond one.",
    "a family 👩‍👩‍👧 and 日本語",
    "  spaces  kept  ",
    "a+b",
    "<b>x</b> \u0000",
    "Ж".repeat(8192),
  ])("%s", (text) => {
    expect(there(view({ text })).view.text).toBe(text);
    expect(there(view({ text })).notices).toEqual([]);
  });

  it("a lone surrogate becomes U+FFFD", () => {
    expect(there(view({ text: "x\uD800y" })).view.text).toBe("x\uFFFDy");
  });
});

describe("views survive the link", () => {
  // A seeded walk through the fields: many combinations, the same ones every time.
  const choices: { [K in keyof View]: View[K][] } = {
    text: ["", "she said .", "a=b&c#d"],
    model: ["", "brown-lstm-300x2"],
    fingerprint: ["", "30928c0219449dbb"],
    semantic: ["next", "this", "previous", "after_next"],
    bars: [3, 0, 10],
    top: [0.1, 0.01, 1, 0.125, 1e-7],
    scale: ["fixed", "view", "cell"],
    show: ["class", "named", "watch", "entropy", "divergence"],
    watch: ["", "was", "d'&=#"],
    density: ["bars", "rectangles", "roomy"],
    rows: [[], [[1, 4], [8, 8]]], // prettier-ignore
    labels: ["symbol", "name"],
    compare: [null, "the key & 1 = 2", "50% off #1"],
    distance: [0, 1, 3],
    axis: ["cut", "log"],
    hide: [[], ["forget_gate", "input_gate"]],
    hide_layers: [[], ["1"], ["0", "output"]],
    palette: ["", "colour-blind"],
    colours: [new Map(), new Map([["NOUN", "#102030"], ["PRON", "#ffffff"]])], // prettier-ignore
    classes: [
      [],
      [{ name: "he", words: ["he", "him", "his"] }],
      [
        { name: "a, b; c & 50% of: #1 = 👩‍👧", words: [",", ";", "%2C", "&amp;", "日本", "'"] },
        { name: "her", words: ["she"] },
      ],
    ],
    pins: [
      [],
      [
        { t: 8, kind: "long_term", layer: 2 },
        { t: 0, kind: "embedding", layer: 0 },
        { t: 511, kind: "output", layer: null, second: true },
      ],
    ],
    inside: [
      null,
      { t: 8, kind: "cell_state", layer: 2 },
      { t: 0, kind: "embedding", layer: 0 },
      { t: 511, kind: "output", layer: null },
    ],
    order: ["value", "unit", "contribution"],
    unit: [
      null,
      { kind: "cell_state", layer: 1, unit: 24 },
      { kind: "embedding", layer: 0, unit: 0 },
    ],
    follow: ["", "depth", "surprisal", "class:NOUN", "class:own:0", "own"],
    series: ["", "0, 1; 2 −3.5", "not a number & more"],
    search: ["kind", "all"],
    theme: ["", "dark", "light"],
  };
  const names = Object.keys(choices) as (keyof View)[];

  it("in 300 combinations", () => {
    let seed = 1;
    for (let n = 0; n < 300; n += 1) {
      const patch = Object.fromEntries(
        names.map((name) => {
          seed = (seed * 48271) % 2147483647;
          const list = choices[name] as unknown[];
          return [name, list[seed % list.length]];
        }),
      );
      const v = view(patch);
      expect(there(v)).toEqual({ view: v, notices: [] });
    }
  });

  it("has a choice for every field of the table", () => {
    expect(names.sort()).toEqual(Object.keys(FIELDS).sort());
  });

  it("is written by hand as the guide says, which has every field and every choice", () => {
    const guide = readFileSync(new URL("../../docs/guide.md", import.meta.url), "utf-8");
    const table = guide.slice(guide.indexOf("**Links by hand**"), guide.indexOf("## Compare"));
    const choices: Partial<Record<keyof View, readonly (string | number)[]>> = {
      semantic: SEMANTICS,
      show: SHOWS,
      scale: SCALES,
      density: DENSITIES,
      order: ORDERS,
      labels: LABELS,
      axis: AXES,
      search: SEARCHES,
      theme: THEMES,
      distance: DISTANCES,
    };
    for (const field of Object.keys(FIELDS) as (keyof View)[]) {
      if (field === "fingerprint") continue; // nobody writes one
      const said = table
        .split("\n")
        .find((line) => /^\| [^|]*/.exec(line)?.[0].includes(`\`${field}\``));
      expect(said, field).toBeDefined();
      for (const choice of choices[field] ?? []) expect(said).toContain(`\`${choice}\``);
    }
    const link = /\/#(text=\S+)`/.exec(table)?.[1];
    expect(parse(link ?? "").notices).toEqual([]);
  });

  it("leaves out what is at its default", () => {
    expect(serialise(DEFAULT_VIEW)).toBe("v=1");
    expect(serialise(view({ text: "hi", bars: 5 }))).toBe("v=1&text=hi&bars=5");
  });
});

describe("what a model's maker called things", () => {
  // Labels of shipped models and of the Penn Treebank, and what has a meaning in a link.
  const ids =
    "general prose|PRP$|``|''|,|.|:|-LRB-|#|;|&|50%|%2C|a:b, c;d|Наречие|名詞|own:0".split("|");

  it("is all in the link: colours, the class to follow, palette and model", () => {
    const colours = new Map(ids.map((id, i) => [id, `#${String(100000 + i)}`]));
    for (const id of ids) {
      const v = view({ colours, follow: `class:${id}`, palette: id, model: id });
      expect(there(v)).toEqual({ view: v, notices: [] });
    }
  });

  it("is written as it always was where nothing in it needs a code", () => {
    const colours = new Map([["NOUN", "#102030"], ["own:0", "#ffffff"]]); // prettier-ignore
    const link = "v=1&colours=NOUN%3A102030%2Cown%3A0%3Affffff&follow=class%3AX.y-2";
    expect(serialise(view({ colours, follow: "class:X.y-2" }))).toBe(link);
    expect(parse(link)).toEqual({ view: view({ colours, follow: "class:X.y-2" }), notices: [] });
  });

  it("is told where it cannot be one", () => {
    for (const raw of [
      "follow=class:",
      "follow=nope",
      "colours=:102030",
      "colours=50%25:102030",
      `model=${"x".repeat(201)}`,
    ])
      expect(parse(`#${raw}`).notices).toHaveLength(1);
  });
});

describe("a second text", () => {
  it("is in the link with its pins, and a blank one is none", () => {
    const pins = [
      { t: 2, kind: "long_term", layer: 2, second: true as const },
      { t: 2, kind: "long_term", layer: 2 },
    ];
    const v = view({ text: "keys", compare: "key", pins });
    expect(serialise(v)).toBe("v=1&text=keys&compare=key&pins=b3.long_term.2%2C3.long_term.2");
    expect(there(v)).toEqual({ view: v, notices: [] });
    expect(there(view({ text: "keys", compare: "" })).view.compare).toBeNull();
  });

  it("falls back when a distance is none", () => {
    expect(parse("#compare=a&distance=2").notices).toHaveLength(1);
  });
});

describe("a view after ?", () => {
  it("is read as one after #; what is not the page's own is left alone", () => {
    const fragment = fragmentOf("?text=the+dog%26cat&model=brown-gru&utm_source=mail");
    expect(fragment).toBe("#text=the+dog%26cat&model=brown-gru");
    expect(parse(fragment).view).toMatchObject({ text: "the dog&cat", model: "brown-gru" });
    for (const other of ["", "?", "?utm_source=mail&v=1"]) expect(fragmentOf(other)).toBe("");
  });
});

describe("bad and old links", () => {
  it("fall back field by field, with a notice", () => {
    const { view: v, notices } = parse("#v=1&text=ok&bars=99&semantic=nope&scale=view&top=0");
    expect(v).toEqual(view({ text: "ok", scale: "view" }));
    expect(notices).toHaveLength(3);
  });

  it("of one version of each schema keep opening", () => {
    const links = {
      1: "#v=1&text=she+said+.&semantic=this&bars=5&top=0.05&scale=view&labels=name&hide=forget_gate&hide_layers=1&palette=paper&colours=NOUN%3A102030&pins=2.long_term.2%2C3.output&theme=dark",
    };
    expect(parse(links[1])).toEqual({
      notices: [],
      view: view({
        text: "she said .",
        semantic: "this",
        bars: 5,
        top: 0.05,
        scale: "view",
        labels: "name",
        hide: ["forget_gate"],
        hide_layers: ["1"],
        palette: "paper",
        colours: new Map([["NOUN", "#102030"]]),
        pins: [
          { t: 1, kind: "long_term", layer: 2 },
          { t: 2, kind: "output", layer: null },
        ],
        theme: "dark",
      }),
    });
  });

  it("of a later version open with a notice", () => {
    const { view: v, notices } = parse("#v=2&text=ok&novel=1");
    expect(v.text).toBe("ok");
    expect(notices).toHaveLength(2);
  });

  it.each([
    "#__proto__=x&constructor=y&v=1",
    "#colours=__proto__:ff0000,constructor:00ff00",
    "#hide=__proto__&pins=1.__proto__.2&palette=__proto__&model=constructor",
  ])("never write to Object.prototype: %s", (link) => {
    const before = Object.getOwnPropertyNames(Object.prototype).sort();
    parse(link);
    serialise(parse(link).view);
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(before);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  it("never throw", () => {
    const nasty = ["#", "#%", "#%E0%A4%A", "#=&=&&", "#v=", "#v=-1", "#pins=,,,", "#pins=0.a.b",
      "#colours=NOUN:xyz", "#top=NaN", "#top=Infinity", "#bars=1e9", "#hide=" + ",".repeat(9999),
      "#text", "#?text=a", "#text=%00%FF", "#theme=<script>"]; // prettier-ignore
    for (const link of nasty) expect(() => serialise(parse(link).view)).not.toThrow();
  });
});
