import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { isLocal } from "../src/share";
import { markdown } from "../src/share/markdown";
import { curl, python } from "../src/share/notebook";
import { DEFAULT_VIEW } from "../src/state/view";
import { parse, serialise } from "../src/url";

const query = (text: string) => ({ text, model: "m", semantic: "next" as const, bars: 10, top: 1e-7 }); // prettier-ignore
const URL_ = "http://host:1/it's/api/v1/trace";
const TEXTS = [
  "salt & pepper",
  "issue #1 is = 2",
  "2019",
  "50% off",
  "One. Two!",
  "👩‍👩‍👧 日本語",
  'it\'s `id` $(id) "$HOME" \\ !! \\n',
  "a\nb\tc\u2028d\u0000e\u007f",
  "@file",
];

describe("copied for a program", () => {
  // A shell function in place of curl answers with the arguments that it was given.
  it.each(TEXTS)("a shell gives curl the question as it is: %j", (text) => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${curl(URL_, query(text))}`;
    const args = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0");
    expect(args.slice(0, -2)).toEqual(["-sS", URL_, "-H", "Content-Type: application/json", "--data-raw"]); // prettier-ignore
    expect(JSON.parse(args.at(-2) ?? "")).toEqual(query(text));
  });

  it("has nothing that JSON writes and Python does not read", () => {
    const own = { ...query("x"), classes: [{ name: "he", words: ["he"] }], watch: "a" };
    expect(python(URL_, own)).not.toMatch(/\b(true|false|null|undefined|NaN)\b/);
  });

  it("says labels where labels are printed", () => {
    const comment = "# For each timestep the three";
    expect(python(URL_, query("x"))).toContain(`${comment} words that`);
    expect(python(URL_, { ...query("x"), semantic: "label" })).toContain(`${comment} labels that`);
  });
});

it.each<[string, boolean]>([
  ["http://127.0.0.1:8000/", true],
  ["http://localhost:8000/", true],
  ["http://[::1]:8000/", true],
  ["http://0.0.0.0:8000/", true],
  ["http://[::]:8000/", true],
  ["http://a.localhost:8000/", true],
  ["http://192.168.1.5:8000/", false],
  ["https://localhost.lab.org/", false],
])("a link to %s opens on this computer only: %s", (address, local) => {
  expect(isLocal(new URL(address))).toBe(local);
});

describe("copied as Markdown", () => {
  it.each([
    ["salt & pepper", "salt \\& pepper"],
    ["a *b* _c_ `d` [e](f) <g> ~h~ \\ $i$ | j", "a \\*b\\* \\_c\\_ \\`d\\` \\[e\\](f) \\<g\\> \\~h\\~ \\\\ \\$i\\$ \\| j"], // prettier-ignore
    [" two\n lines ", "two lines"],
    ["", "Unrolled"],
    ["x\uD800", "x\uFFFD"],
  ])("%j is literal", (text, words) => {
    expect(markdown(text, "http://a/#v=1")).toBe(`[${words}](http://a/#v=1)`);
  });

  it("names both texts of a comparison, and no second one that is blank", () => {
    const link = (compare: string) =>
      `http://a/#${serialise({ ...DEFAULT_VIEW, text: "the *keys*", compare })}`;
    const label = (compare: string) => markdown("the *keys*", link(compare)).split("](")[0];
    expect(label("the\n[key]")).toBe("[the \\*keys\\* compared with the \\[key\\]");
    expect(label("  \n")).toBe("[the \\*keys\\*");
    expect(markdown("a", link("b")).endsWith(`](${link("b")})`)).toBe(true);
  });

  it("has an address that no text can end, and that opens the text again", () => {
    for (const text of [...TEXTS, ") [x](y) <z>", "\\"]) {
      const link = `http://a/#${serialise({ ...DEFAULT_VIEW, text })}`;
      const [, address] = /\]\(([^()<>\s\\]+)\)$/.exec(markdown(text, link)) ?? [];
      expect(address).toBe(link);
      expect(parse(new URL(link).hash).view.text).toBe(text);
    }
  });
});
