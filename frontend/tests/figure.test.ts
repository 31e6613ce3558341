import { describe, expect, it } from "vitest";
import { drawFigure, type Seen } from "../src/figure";
import { cut, widthOf, wrap } from "../src/figure/text";
import { escaped, node } from "../src/figure/xml";
import { DEFAULT_VIEW, type View } from "../src/state/view";
import { syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const model = syntheticModel();

function seen(text: string, view: Partial<View> = {}, dark = false): Seen {
  const query = { text, model: model.id, semantic: "next" as const, bars: 10, top: 0.1 };
  const trace = syntheticTrace(query);
  return { trace, model, view: { ...DEFAULT_VIEW, text, ...view }, dark, width: 1100 };
}

const GATES = ["forget_gate", "input_gate", "output_gate", "cell_input", "short_term"];
const count = (svg: string, part: RegExp) => [...svg.matchAll(part)].length;

describe("the figure", () => {
  it("looks as it did", () => {
    const view = { hide: GATES, hide_layers: ["1"], bars: 2 };
    const pins = [{ t: 1, kind: "cell_state", layer: 2 }];
    const { svg } = drawFigure(seen("she zebra", { ...view, pins }));
    expect(svg.replace(/></g, ">\n<")).toMatchSnapshot();
  });

  it("has the numbers of its rows under one another, whatever their tokens take", () => {
    const { svg } = drawFigure(seen("she zebra w"));
    const numbers = [...svg.matchAll(/<text x="([\d.]+)"[^>]*text-anchor="end"[^>]*>\d+<\/text>/g)];
    expect(numbers.map(([text]) => text.replace(/.*>(\d+)<.*/, "$1"))).toEqual([
      "1",
      "2",
      "3",
      "4",
    ]);
    expect(new Set(numbers.map(([, x]) => x)).size).toBe(1);
  });

  it("has neither script nor foreign matter, and names its fonts", () => {
    const { svg } = drawFigure(seen('<script>alert("1")</script> & <b>x</b> \u0000\uD800'));
    expect(svg).not.toMatch(/<(script|foreignObject|style|image|b)\b/i);
    expect(svg).not.toMatch(/\shref=|\son\w+=|NaN|undefined/);
    expect(svg).not.toMatch(/[\u0000\uD800]/u); // oxlint-disable-line no-control-regex
    expect(svg).toContain('font-family="Inter,');
    expect(svg).toContain("&lt;script&gt;");
  });

  it("shows what is in view: columns, bars, labels, colours, theme", () => {
    const all = drawFigure(seen("he said ."));
    expect(count(all.svg, /data-t=/g)).toBe(4 * 18);
    const few = drawFigure(seen("he said .", { hide: GATES, hide_layers: ["output"] }));
    expect(count(few.svg, /data-t=/g)).toBe(4 * 7);
    expect(few.width).toBeLessThan(all.width);
    const none = drawFigure(seen("he said .", { bars: 0 }));
    expect(none.height).toBeLessThan(all.height);
    expect(drawFigure(seen("he said .", { labels: "name" })).svg).toMatch(/>Embedding<.*>Forget</s);
    const red = new Map(model.classes.map((c) => [c.id, "#ff0000"]));
    expect(drawFigure(seen("he said .", { colours: red })).svg).toContain('fill="#ff0000"');
    expect(drawFigure(seen("he said .", {}, true)).svg).toContain('fill="#161615"');
  });

  it("has the names of classes in its rectangles, cut to their room", () => {
    const { svg } = drawFigure(seen("he said .", { show: "named" }));
    const [, name, text] =
      /<title>[^:]*: (\w+) \d+ %;.*?<text [^>]*>(\w+)<\/text>/s.exec(svg) ?? [];
    expect(model.classes.find(({ id }) => id === text)?.name).toBe(name);
    expect(svg).toContain("colour: the most probable class of the likeliest");
    expect(svg).toContain("mass of the strongest colour");
    const colours = new Map(model.classes.map((c) => [c.id, "#224466"]));
    const one = drawFigure(seen("he said .", { show: "named", colours })).svg;
    const tags = [...one.matchAll(/y="[\d.]+" font-size="9.4"[^>]*>([A-Z+]+…?)</g)];
    expect(tags.length).toBeGreaterThan(60);
    expect(tags.every(([, tag]) => tag?.endsWith("…"))).toBe(true);
  });

  it("shows what the rectangles show, with its scale", () => {
    const { svg } = drawFigure(seen("he said .", { show: "divergence" }));
    expect(svg).toContain("rectangles: divergence from y");
    expect(svg).toContain(">divergence from y, in bits</text>");
    expect(svg).toContain("divergence from y 0.02 bits; ");
    expect(svg).toMatch(/fill="#000">0\.18<\/text>|fill="#000">0\.17<\/text>/);
    // y_t diverges from itself by nothing: it is the bare ground.
    const y = /data-t="0" data-c="17">.*?<\/title><rect[^>]*><rect [^>]*fill="([^"]*)"/s.exec(svg);
    expect(y?.[1]).toBe("rgb(255, 255, 255)");
  });

  it("follows the density and the rows in view", () => {
    const rectangles = drawFigure(seen("he said .", { density: "rectangles" }));
    const usual = drawFigure(seen("he said ."));
    const roomy = drawFigure(seen("he said .", { density: "roomy" }));
    expect(rectangles.height).toBeLessThan(usual.height);
    expect(usual.height).toBeLessThan(roomy.height);
    expect(usual.width).toBeLessThan(roomy.width);
    expect(rectangles.svg).not.toContain("full bar");
    const part = drawFigure(seen("he said .", { rows: [[1, 2]] })).svg;
    expect([...new Set([...part.matchAll(/data-t="(\d)"/g)].map((m) => m[1]))]).toEqual(["1", "2"]);
    expect(part).toContain("2 of 4 timesteps");
  });

  it("tells perplexities, the scale, what came next, and classes of one colour together", () => {
    const { svg } = drawFigure(seen("he said .", { palette: "paper" }));
    expect(svg).toContain(">perplexity</text>");
    expect(svg).toContain(">came next</text>");
    expect(svg).toMatch(/>[\d.]+ bits<\/text>/);
    expect(svg).toContain("bars: 0 to 100 %");
    expect(svg).toContain(">noun + pronoun</text>");
    expect(svg).toContain(">33 %</text>");
  });
});

describe("the key under the grid", () => {
  const of = (view: Partial<View>) => {
    const query = { text: "he said .", model: model.id, semantic: "next" as const, bars: 10, top: 0.1 }; // prettier-ignore
    const trace = syntheticTrace({ ...query, watch: "was" });
    const pins = [{ t: 1, kind: "embedding", layer: 0 }];
    const shown = { ...DEFAULT_VIEW, text: query.text, pins, ...view };
    return drawFigure({ trace, model, view: shown, dark: false, width: 1100, part: "pinned" });
  };
  const same = new Map(model.classes.map((c) => [c.id, "#123456"]));

  it.each<[string, Partial<View>]>([
    ["a class", {}],
    ["an entropy", { show: "entropy" }],
    ["a divergence", { show: "divergence" }],
    ["a watched word", { show: "watch", watch: "was" }],
    ["all classes as one", { colours: same }],
  ])("of %s stays on the paper where the grid is narrow", (_, view) => {
    const { svg, width, height } = of(view);
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"[^>]*>([^<]*)/g)]; // prettier-ignore
    const rects = [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)];
    const ends = [
      ...texts.map(([, x, , size, text]) => Number(x) + widthOf(text ?? "", Number(size))),
      ...rects.map(([, x, , wide]) => Number(x) + Number(wide)),
    ];
    expect(rects.length).toBeGreaterThan(4);
    expect(Math.max(...ends)).toBeLessThanOrEqual(width);
    expect(Math.max(...texts.map(([, , y]) => Number(y)))).toBeLessThan(height);
  });
});

describe("text without a ruler", () => {
  it("is cut with an ellipsis when it does not fit", () => {
    expect(cut("solidarity", 10, 100)).toBe("solidarity");
    const short = cut("solidarity", 10, 30);
    expect(short).toMatch(/^solid?.*…$/);
    expect(widthOf(short, 10)).toBeLessThanOrEqual(30);
    expect(cut("W", 10, 1)).toBe("W…");
    // In one pass: letter by letter from the end, this would take minutes.
    expect(cut("a".repeat(200_000), 10, 30)).toBe("aaaa…");
  });

  it("is wrapped at spaces, and inside words that are longer than a line", () => {
    const lines = wrap(`one two three four ${"x".repeat(60)}\nfive`, 10, 80);
    expect(lines.at(-1)).toBe("five");
    expect(lines.join("").replaceAll(" ", "")).toBe(`onetwothreefour${"x".repeat(60)}five`);
    for (const line of lines) expect(widthOf(line, 10)).toBeLessThanOrEqual(80);
  });
});

it("escapes every text once", () => {
  expect(escaped('&<>"')).toBe("&amp;&lt;&gt;&quot;");
  expect(node("a", { b: '"', c: null, d: 1.23456 }, escaped("<"))).toBe(
    '<a b="&quot;" d="1.23">&lt;</a>',
  );
});
