import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { contrast, parseHex } from "../src/colour/rgb";
import { inkOf } from "../src/figure/ink";
import { createTheme } from "../src/theme";

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), "utf8");
const names = [...read("styles.css").matchAll(/@import "\.\/(.*)"/g)].map(([, name]) => name ?? "");
const sheet = names
  .map(read)
  .join("\n")
  .replaceAll(/\/\*.*?\*\//gs, "");

interface Rule {
  selector: string;
  body: string;
}
/** The innermost rules, whatever media they are for. */
const rules: Rule[] = [...sheet.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector, body]) => ({
  selector: selector?.trim().replaceAll(/\s+/g, " ") ?? "",
  body: body ?? "",
}));

/** The two values of a colour of the page: light, dark. */
function pair(name: string): [string, string] {
  const found = new RegExp(`--${name}: light-dark\\((\\S+), (\\S+)\\);`).exec(sheet);
  const [light = "", dark = ""] = (found?.slice(1) ?? []).map((c) =>
    c === "#fff" ? "#ffffff" : c,
  );
  return [light, dark];
}

describe("what is filled in or read as a bar", () => {
  it.each([0, 1])("stands out by 3 to 1 from what it lies on: WCAG 1.4.11, theme %i", (theme) => {
    const faint = parseHex(pair("faint")[theme] ?? "");
    for (const ground of ["paper", "cell", "well"] as const)
      expect(contrast(faint, parseHex(pair(ground)[theme] ?? "")), ground).toBeGreaterThanOrEqual(
        3,
      );
  });

  it("has that colour as its edge", () => {
    const edges = rules.filter(
      ({ selector, body }) =>
        /\b(input|select|textarea)\b/.test(selector) && /border: 1px/.test(body),
    );
    const fields = edges.filter(({ selector }) => !/swatch/.test(selector));
    expect(fields.length).toBeGreaterThan(6);
    for (const { selector, body } of fields)
      expect(body, selector).toContain("border: 1px solid var(--faint)");
  });

  it("has it in a picture as well", () => {
    expect([inkOf(false).faint, inkOf(true).faint]).toEqual(pair("faint"));
  });
});

it("menus and messages lie over the inside of a cell, and the popup over them", () => {
  const layer = (selector: string) => {
    const rule = rules.find((r) => r.selector === selector && r.body.includes("z-index"));
    return Number(/z-index: (\d+)/.exec(rule?.body ?? "")?.[1]);
  };
  for (const name of [".menu", ".told:not(:empty)", ".busy"]) {
    expect(layer(name), name).toBeGreaterThan(layer(".inside"));
    expect(layer(name), name).toBeLessThan(layer(".popup"));
  }
});

it("paper has a paragraph in place of each text box: a box is cut where its height is not its text's", () => {
  const paper = read("styles/print.css");
  expect(paper).toMatch(/\.box > textarea \{\s*display: none;/);
  expect(paper).toMatch(/\.box\[data-text\]::after \{\s*content: attr\(data-text\);/);
});

describe("the theme", () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    [false, "light", false],
    [false, "", true],
    // Their colours are the system's: what is drawn on them follows it.
    [true, "light", true],
  ] as const)("with forced colours %s and “%s” chosen on a dark system", (forced, choice, dark) => {
    const matchMedia = (query: string) => ({
      matches: query === "(prefers-color-scheme: dark)" || forced,
      addEventListener: () => undefined,
    });
    vi.stubGlobal("window", { matchMedia });
    vi.stubGlobal("document", { documentElement: { dataset: {} } });
    expect(createTheme(() => undefined).apply(choice)).toBe(dark);
  });
});
