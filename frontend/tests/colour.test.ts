import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { legendKey, mostOf, partOf, shadeOf, showOf } from "../src/colour/measure";
import { coloursOf, firstOfColour, recolour, separate } from "../src/colour/palette";
import { fill, rectangle } from "../src/colour/rectangle";
import { CELL, groundOf, INK } from "../src/colour/ground";
import { contrast, css, dilute, inkOn, parseHex, WHITE } from "../src/colour/rgb";
import { inkOf } from "../src/figure/ink";
import { CLASSES, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const GREEN = "#00ff00";
const of = (mass: number[], colours: [string, string][]) =>
  rectangle(
    mass,
    colours.map(([id]) => id),
    new Map(colours),
  );

describe("the colour rectangle", () => {
  it.each([
    [0.9, "rgb(26, 255, 26)"],
    [0.5, "rgb(128, 255, 128)"],
    [1 / 3, "rgb(170, 255, 170)"],
    [1, "rgb(0, 255, 0)"],
    [0, "rgb(255, 255, 255)"],
  ])("dilutes with white as in the paper's Figure 2: %f of green", (p, expected) => {
    expect(fill({ colour: GREEN, p, classes: [] })).toBe(expected);
  });

  it("takes the colour with the largest sum", () => {
    const won = of([0.2, 0.5, 0.1], [["A", "#ff0000"], ["B", GREEN], ["C", "#0000ff"]]); // prettier-ignore
    expect(won).toEqual({ colour: GREEN, p: 0.5, classes: ["B"] });
  });

  it("counts classes that share a colour as one", () => {
    const won = of([0.3, 0.4, 0.2], [["A", GREEN], ["B", "#ff0000"], ["C", "#00FF00"]]); // prettier-ignore
    expect(won.colour).toBe(GREEN);
    expect(won.p).toBeCloseTo(0.5);
    expect(won.classes).toEqual(["A", "C"]);
  });

  it("lets the class that comes first win a tie", () => {
    expect(of([0.25, 0.25], [["A", "#ff0000"], ["B", GREEN]]).colour).toBe("#ff0000"); // prettier-ignore
    expect(of([0.25, 0.25], [["B", GREEN], ["A", "#ff0000"]]).colour).toBe(GREEN); // prettier-ignore
  });

  it("is diluted by the mass outside the top words too", () => {
    // 0.45 of 0.5 in the top words is 0.45, not 0.9.
    expect(of([0.45, 0.05], [["A", GREEN], ["B", "#ff0000"]]).p).toBe(0.45); // prettier-ignore
  });

  it("is the bare ground when there is no mass", () => {
    expect(fill(of([0, 0], [["A", GREEN], ["B", "#ff0000"]]))).toBe("rgb(255, 255, 255)"); // prettier-ignore
  });

  it("dilutes with the ground it is given", () => {
    expect(dilute([0, 0, 0], 0.5, [30, 30, 28])).toEqual([15, 15, 14]);
  });
});

interface Case {
  name: string;
  classes: string[];
  palette: Record<string, string>;
  mass: number[];
  colour: string;
  p: number;
  rgb: number[];
}
const shared = new URL("../../tests/fixtures/colour_cases.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(shared, "utf8")) as { cases: Case[] };

describe("the cases that the terminal's grid is held to as well", () => {
  it.each(cases)("$name", ({ classes, palette, mass, colour, p, rgb }) => {
    const won = rectangle(mass, classes, new Map(Object.entries(palette)));
    expect(won.p).toBeCloseTo(p, 9);
    // Without mass there is no colour to speak of.
    if (p > 0) expect(won.colour).toBe(colour);
    const mixed = dilute(parseHex(won.colour), won.p);
    rgb.forEach((byte, i) => expect(mixed[i]).toBeCloseTo(byte, 6));
  });
});

describe("ink", () => {
  it("is black or white by contrast", () => {
    expect(inkOn(parseHex("#ffff99"))).toBe("#000");
    expect(inkOn(parseHex("#101080"))).toBe("#fff");
  });
  it("measures contrast as WCAG does", () => {
    expect(contrast([0, 0, 0], WHITE)).toBeCloseTo(21);
  });
});

describe("the palette", () => {
  const { palettes } = syntheticModel();
  const plain = { palette: "", colours: new Map<string, string>() };

  it("is the first preset unless another is chosen", () => {
    expect(coloursOf(CLASSES, palettes, plain).get("NOUN")).toBe("#4e79a7");
    expect(coloursOf(CLASSES, palettes, { ...plain, palette: "paper" }).get("NOUN")).toBe(
      "#7fc97f",
    );
  });
  it("keeps only what differs from the preset", () => {
    const changed = recolour(palettes, plain, "NOUN", "#112233");
    expect([...changed.colours]).toEqual([["NOUN", "#112233"]]);
    expect(recolour(palettes, changed, "NOUN", "#4E79A7").colours.size).toBe(0);
  });
  it("knows which classes are merged", () => {
    const merged = recolour(palettes, plain, "PRON", "#4e79a7");
    expect(firstOfColour("PRON", coloursOf(CLASSES, palettes, merged))).toBe("NOUN");
  });
  it.each([
    ["PRON", "NOUN"],
    ["NOUN", "PRON"],
  ])("parts %s from %s again, whichever of them is told to stand alone", (given, into) => {
    const colour = coloursOf(CLASSES, palettes, plain).get(into) ?? "";
    const merged = recolour(palettes, plain, given, colour);
    for (const id of [given, into]) expect(separate(palettes, merged, id)).toEqual(plain);
    // A colour of one's own that both have is left to the one that was not meant.
    const own = recolour(palettes, recolour(palettes, plain, "NOUN", "#010203"), "PRON", "#010203");
    expect([...separate(palettes, own, "NOUN").colours]).toEqual([["PRON", "#010203"]]);
  });
});

describe("rectangles that show a figure", () => {
  const query = { text: "he", model: "m", semantic: "next" as const, bars: 10, top: 0.1 };
  const plain = syntheticTrace(query);
  const watching = syntheticTrace({ ...query, watch: "was" });
  const colours = new Map([["DET", "#00ff00"]]);

  it("go from the ground to one colour, and no further", () => {
    const of = (bits: number) => css(shadeOf("divergence", bits, 1, WHITE));
    expect(of(0)).toBe("rgb(255, 255, 255)");
    expect(of(1)).toBe("rgb(181, 82, 27)");
    expect(of(2)).toBe(of(1));
    expect(css(shadeOf("entropy", -1, 9, [30, 30, 28]))).toBe("rgb(30, 30, 28)");
  });

  it("place a probability by its order of magnitude", () => {
    expect(partOf("watch", 1, 1)).toBe(1);
    expect(partOf("watch", 0.01, 1)).toBeCloseTo(0.5);
    expect(partOf("watch", 1e-4, 1)).toBeCloseTo(0);
    expect(partOf("watch", 0, 1)).toBeCloseTo(0);
  });

  it("have ends that hold for every text: 1 bit, and the vocabulary's own", () => {
    expect(mostOf("divergence", { semantic: "next", top: 0.1, top_words: 1638 }, null)).toBe(1);
    expect(mostOf("entropy", { semantic: "next", top: 0.1, top_words: 1638 }, null)).toBe(14);
    expect(mostOf("entropy", { semantic: "next", top: 1, top_words: 16 }, null)).toBe(4);
    // `nesting` has 15 symbols, whatever part of them the class masses are over: log₂ 15 is 3.9.
    const nesting = { architecture: { vocabulary: 15 } };
    for (const [top, top_words] of [
      [0.01, 1],
      [0.1, 2],
      [1, 15],
    ] as const)
      // prettier-ignore
      expect(mostOf("entropy", { semantic: "next", top, top_words }, nesting)).toBe(4);
  });

  it("have a key of their own; classes have Figure 2", () => {
    const entropy = legendKey(
      "entropy",
      { ...plain, top: 1, top_words: 1024 },
      null,
      colours,
      WHITE,
    );
    expect(entropy.title).toBe("Entropy, in bits");
    expect(entropy.steps.map((s) => s.label)).toEqual(["0", "2.5", "5", "7.5", "10"]);
    const watch = legendKey("watch", watching, null, colours, WHITE);
    expect(watch.title).toBe("Probability of “was”");
    expect(watch.steps.map((s) => s.label)).toEqual(["100 %", "10 %", "1 %", "0.1 %", "≤0.01 %"]);
    expect(legendKey("class", plain, null, colours, WHITE).steps[1]).toEqual({
      label: "50 %",
      colour: "rgb(128, 255, 128)",
    });
  });

  it("watch a word only when the answer tells of one", () => {
    expect(showOf("watch", plain)).toBe("class");
    expect(showOf("watch", watching)).toBe("watch");
    expect(legendKey("watch", plain, null, colours, WHITE).title).toBe(
      "Mass of the strongest colour",
    );
  });
});

it("ground and ink are those of the stylesheet, on the page as on a picture", () => {
  const path = fileURLToPath(new URL("../styles/base.css", import.meta.url));
  const sheet = readFileSync(path, "utf8").replaceAll("#fff,", "#ffffff,");
  expect(sheet).toContain(`--ink: light-dark(${INK.light}, ${INK.dark});`);
  expect(sheet).toContain(`--cell: light-dark(${CELL.light}, ${CELL.dark});`);
  for (const dark of [false, true]) expect(inkOf(dark).ground).toBe(groundOf(dark).ground);
  expect(css(groundOf(true).ground)).toBe("rgb(30, 30, 28)");
});

it("a border that the stylesheets give a cell for one reason is drawn for that reason alone", () => {
  const styles = fileURLToPath(new URL("../styles", import.meta.url));
  const all = readdirSync(styles).map((name) => readFileSync(join(styles, name), "utf8"));
  const rules = all.join("\n");
  const drawn = /\.cell:is\(([^)]*)\)::before \{\s*content: ""/.exec(rules)?.[1]?.split(", ");
  const bordered = [...rules.matchAll(/\.cell([.:][\w-]+)::before(?:,\s*[^{]*)? \{\s*border/g)];
  expect(bordered.length).toBeGreaterThan(4);
  expect(drawn).toEqual(expect.arrayContaining(bordered.map(([, reason]) => reason)));
});
