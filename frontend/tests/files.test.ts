import { describe, expect, it } from "vitest";
import { aloneLines } from "../src/alignment";
import { selected } from "../src/selection";
import { coloursOf } from "../src/colour/palette";
import { csv, field } from "../src/files/csv";
import { html, inert, popupCells } from "../src/files/html";
import { fileName } from "../src/files/names";
import { fits, readSaved, save } from "../src/files/saved";
import { columnsOf } from "../src/columns";
import { DEFAULT_VIEW } from "../src/state/view";
import type { Semantic, Trace } from "../src/types";
import { answerOf, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

const model = syntheticModel();
const traced = (text: string, semantic: Semantic = "next") =>
  syntheticTrace({ text, model: model.id, semantic, bars: 10, top: 0.1 });
const all = (trace: Trace) => trace.tokens.map((_, t) => t);
const view = { ...DEFAULT_VIEW, hide: ["forget_gate"], hide_layers: ["1"] };

function parts(text: string) {
  const trace = traced(text);
  const columns = columnsOf(model, trace.columns, view);
  const colours = coloursOf(trace.classes, model.palettes, view);
  return { trace, columns, colours };
}

/** An RFC 4180 reader, written apart from the writer. */
function read(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const m of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(m[1]?.replaceAll('""', '"') ?? m[2] ?? "");
    if (m[3] === "\r\n") rows.push([]);
  }
  rows.pop();
  return rows;
}

describe("names", () => {
  it.each([
    ['"We stand in solidarity," she emphasized.', "unrolled-we-stand-in-solidarity-she.svg"],
    ["../../etc/passwd", "unrolled-etc-passwd.svg"],
    ["…", "unrolled-text.svg"],
    ["日本語 👩‍👩‍👧", "unrolled-日本語.svg"],
    ["x".repeat(99), `unrolled-${"x".repeat(40)}.svg`],
  ])("%s", (text, name) => expect(fileName(text, "svg")).toBe(name));
});

describe("CSV", () => {
  it("holds only the rows in view, and the watched word", () => {
    const query = { text: "he said .", model: model.id, semantic: "next" as const, bars: 10, top: 0.1 }; // prettier-ignore
    const trace = syntheticTrace({ ...query, watch: "was" });
    const columns = columnsOf(model, trace.columns, view);
    const colours = coloursOf(trace.classes, model.palettes, view);
    const [head, ...lines] = read(
      csv(trace, model, selected(aloneLines([1, 3]), columns), colours),
    );
    expect(new Set(lines.map((l) => l[0]))).toEqual(new Set(["2", "4"]));
    const last = Object.fromEntries((head ?? []).map((name, i) => [name, lines.at(-1)?.[i]]));
    expect(last).toMatchObject({ watched: "was", watched_known: "true" });
    expect(Number(last.watched_probability)).toBe(trace.rows.watch_probs?.[3]?.[17]);
    expect(Number(last.watched_rank)).toBe(trace.rows.watch_ranks?.[3]?.[17]);
  });

  it("has a line for every timestep, column in view and rank", () => {
    const { trace, columns, colours } = parts('he said "no, =1');
    const [head, ...lines] = read(
      csv(trace, model, selected(aloneLines(all(trace)), columns), colours),
    );
    expect(lines).toHaveLength(trace.tokens.length * columns.length * 10);
    expect(new Set(lines.map((l) => l.length))).toEqual(new Set([head?.length]));
    const of = (line: number, name: string) => lines[line]?.[head?.indexOf(name) ?? -1];
    const at = (2 * columns.length + 1) * 10 + 4;
    const index = columns[1]?.index ?? -1;
    expect(of(at, "timestep")).toBe("3");
    expect(of(at, "token")).toBe("said");
    expect(of(at, "kind")).toBe(columns[1]?.kind);
    expect(of(at, "rank")).toBe("5");
    expect(Number(of(at, "probability"))).toBe(trace.rows.top_probs[2]?.[index]?.[4]);
    expect(Number(of(at, "entropy_bits"))).toBe(trace.rows.entropy[2]?.[index]);
    expect(new Set(lines.map((l) => l[4]))).not.toContain("forget_gate");
    expect(lines.some((l) => l[1] === '"')).toBe(true);
    expect(lines.some((l) => l[1] === "=")).toBe(true);
  });

  it.each([
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@x", "'@x"],
    ["--1", "'--1"],
    ["-@SUM(1)", "'-@SUM(1)"],
    ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
    ["＝1", "'＝1"],
    ["\tx", "'\tx"],
    ["\n=1", `"'\n=1"`],
    ["\rx", `"'\rx"`],
    ['a"b', '"a""b"'],
    ["a,b", '"a,b"'],
    ["a\nb", '"a\nb"'],
    ['=","', `"'="","""`],
    ["--", "--"],
    ["-", "-"],
    ["=", "="],
    ["n't", "n't"],
    ["'s", "'s"],
    ["so-called", "so-called"],
  ])("field %j is %s", (value, written) => expect(field(value)).toBe(written));

  it("writes numbers as they are, nothing where there is nothing", () => {
    expect([0.1, -3, true, null, undefined].map(field)).toEqual(["0.1", "-3", "true", "", ""]);
  });
});

describe("JSON", () => {
  const saved = { view: "v=1&text=he+said", model, trace: answerOf(traced("he said")) };
  const file = () => JSON.parse(save(saved)) as Record<string, never> & typeof saved;
  const problem = (change: (data: ReturnType<typeof file>) => unknown) => {
    const data = file();
    return readSaved(JSON.stringify(change(data) ?? data));
  };

  it("comes back as it was", () => expect(readSaved(save(saved))).toEqual(saved));

  it("does not say what was asked a second time, whatever its classes are called", () => {
    const classes = [{ id: "asked", name: "asked" }, ...model.classes.slice(1)];
    const colours = { ...model.palettes[0]?.colours, asked: "#000000" };
    const own = { ...model, classes, palettes: [{ id: "p", name: "p", colours }] };
    const text = save({ ...saved, model: own, trace: traced("he said") });
    expect(text).not.toContain('"asked":{');
    expect(JSON.parse(text)).toMatchObject({ model: own, trace: saved.trace });
  });

  it("of the page's first version still opens", () => {
    // What models told then, and no more: `git show fb7c689:frontend/src/types.ts`.
    const { id, name, description, fingerprint, semantics, classes, limits } = model;
    const { architecture, perplexity } = model;
    const then = {
      ...{
        id,
        name,
        description,
        fingerprint,
        semantics,
        classes,
        limits,
        architecture,
        perplexity,
      },
      columns: model.columns.map((c) => ({
        ...{
          kind: c.kind,
          layer: c.layer,
          symbol: c.symbol,
          name: c.name,
          equation: c.equation,
        },
        ...{ operands: c.operands, depth: c.depth, perplexity: c.perplexity },
      })),
      palettes: model.palettes.map((p) => ({
        id: p.id,
        name: p.name,
        colours: p.colours,
      })),
      examples: model.examples.map(({ text, shows }) => ({ text, shows })),
    };
    const old = {
      format: "unrolled",
      version: 1,
      view: saved.view,
      model: then,
    };
    const opened = readSaved(JSON.stringify({ ...old, trace: saved.trace }));
    expect(opened).toEqual({
      view: saved.view,
      model: then,
      trace: saved.trace,
    });
    if ("problem" in opened) throw new Error(opened.problem);
    expect(fits({ ...DEFAULT_VIEW, model: id, text: "he said" }, opened)).toBe(true);
  });

  it("whose model says strange things of itself is refused", () => {
    const strange: object[] = [
      { unit: "<b>" },
      { unit: 5 },
      { architecture: { units: {} } },
      { architecture: 3 },
      { architecture: { cell_name: ["LSTM"] } },
      { perplexity: { test: "low" } },
      { accuracy: { test: 2 } },
    ];
    for (const said of strange)
      expect(problem((d) => ({ ...d, model: { ...d.model, ...said } }))).toEqual({
        problem: "its model is damaged",
      });
  });

  it("belongs to its view", () => {
    const own = { ...DEFAULT_VIEW, model: model.id, text: "he said" };
    expect(fits(own, saved)).toBe(true);
    for (const text of ["he", "he said so", "she said", ""])
      expect(fits({ ...own, text }, saved)).toBe(false);
    // The server does not read these at the end of a text.
    for (const end of [" ", "\u200b", "\u00ad", "\u0085", "\u001c", "\u001f"])
      expect(fits({ ...own, text: `he said${end}`, compare: end }, saved)).toBe(true);
    expect(fits({ ...own, semantic: "this" }, saved)).toBe(false);
    expect(fits({ ...own, top: 0.5 }, saved)).toBe(false);
    const trace = { ...saved.trace, fingerprint: "of another network" };
    expect(fits(own, { ...saved, trace })).toBe(false);
  });

  it("of another kind is refused", () => {
    for (const text of ["", "{", "null", "[]", "1", '"x"', "{}", '{"format":"other"}'])
      expect(readSaved(text)).toHaveProperty("problem");
    expect(problem((d) => ({ ...d, version: 2 }))).toEqual({
      problem: "it was saved by another version of the page",
    });
  });

  it("that is damaged is refused, wherever the damage is", () => {
    const damages: ((d: ReturnType<typeof file>) => unknown)[] = [
      (d) => ({ ...d, view: 1 }),
      (d) => ({ ...d, model: null }),
      (d) => ({ ...d, trace: { ...d.trace, rows: null } }),
      (d) => ({ ...d, trace: { ...d.trace, tokens: "abc" } }),
      (d) => ({ ...d, trace: { ...d.trace, from: 1 } }),
      (d) => void d.trace.tokens.pop(),
      (d) => void d.trace.columns.pop(),
      (d) => void d.trace.rows.mass[0]?.pop(),
      (d) => void d.trace.rows.top_ids[1]?.[2]?.pop(),
      (d) => void (d.trace.rows.entropy[0] = [null] as never),
      (d) => void (d.trace.rows.top_probs[0] = "xx" as never),
      (d) => void (d.trace.word_classes["1"] = 99),
      (d) => void (d.trace.words["1"] = {} as never),
      (d) =>
        void (d.model.palettes[0] = {
          id: "a",
          name: "b",
          colours: { NOUN: "url(x)" },
        }),
      (d) => void (d.model.columns[0] = {} as never),
    ];
    for (const damage of damages) expect(problem(damage)).toHaveProperty("problem");
  });

  it("never reaches Object.prototype", () => {
    const text = save(saved).replace('"words":{', '"words":{"__proto__":"x",');
    expect(readSaved(text)).not.toHaveProperty("problem");
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("HTML", () => {
  it("holds what is in view, and no data can become markup", () => {
    const { trace, columns, colours } = parts('</script><script>alert("1")</script>');
    const cells = popupCells(
      trace,
      model,
      selected(aloneLines(all(trace)), columns),
      colours,
      "fixed",
    );
    expect(Object.keys(cells[0] ?? {})).toHaveLength(columns.length);
    const colour = { paper: "#fff", ink: "#000", cell: "#fff" };
    const page = html({
      svg: "<svg></svg>",
      title: "</title><b>&",
      cells,
      script: 'function () { return "</script>"; }',
      colours: colour,
    });
    expect([...page.matchAll(/<\/script/g)]).toHaveLength(2);
    expect(page).not.toContain("<b>");
    expect(page).not.toMatch(/https?:/);
    const data = /id="cells">(.*)<\/script>/.exec(page)?.[1] ?? "";
    expect(JSON.parse(data)).toEqual(cells);
    expect(inert("<!--")).toBe('"\\u003c!--"');
  });
});
