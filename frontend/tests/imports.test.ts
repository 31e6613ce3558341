import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** The direction of imports: pure ← services ← components ← main. A folder is one unit. */

const SRC = fileURLToPath(new URL("../src", import.meta.url));

const PURE =
  "types colour columns measures scale operands sentence state format describe merge hover drawn geometry spans perplexities figure files once share selection steps keys alignment showing partings examples unitline question paint blank isolate".split(
    " ",
  );
const SERVICES =
  "url address touring store api limits more asker tracer comparing session theme picture printing standalone saving within along guard reading colouring pinning pointing clipboard opening left unread problems newest givenway".split(
    " ",
  );
const TOP = ["app", "main"];
const HELPERS = ["area", "dom", "focus", "menu", "pending", "picker", "ruler", "sheet", "told"];

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((f) =>
  f.endsWith(".ts"),
);
const unitOf = (path: string) => (path.split("/")[0] ?? "").replace(/\.ts$/, "");

function allowed(from: string, to: string): boolean {
  if (from === to || TOP.includes(from)) return true;
  if (PURE.includes(to)) return true;
  if (PURE.includes(from)) return false;
  if (SERVICES.includes(from)) return SERVICES.includes(to);
  // A component knows pure modules and the helpers for building elements, nothing else.
  return HELPERS.includes(from) ? to === "dom" : HELPERS.includes(to);
}

it("imports point one way only", () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const file of files) {
    const source = readFileSync(join(SRC, file), "utf8");
    for (const match of source.matchAll(/from\s+"(\.[^"]+)"/g)) {
      const target = relative(SRC, join(SRC, dirname(file), match[1] ?? ""));
      seen += 1;
      if (!allowed(unitOf(file), unitOf(target))) wrong.push(`${file} imports ${target}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(40);
});

it("pure modules do not touch the document, and nothing asks another host", () => {
  const wrong = files.filter((file) => {
    const source = readFileSync(join(SRC, file), "utf8");
    const touches = PURE.includes(unitOf(file)) && /\b(document|window)\./.test(source);
    // The name of a namespace is no address.
    // The paper is a link that a person may follow.
    const named = /https?:\/\/(?!www\.w3\.org\/2000\/svg"|arxiv\.org\/abs\/1908\.00588")/;
    return touches || named.test(source);
  });
  expect(wrong).toEqual([]);
});
