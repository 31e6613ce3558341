import { describe, expect, it } from "vitest";
import {
  bits,
  decimal,
  equationAt,
  finer,
  mathRuns,
  percent,
  perplexity,
  probability,
  rank,
  tokenLabel,
  wellFormed,
} from "../src/format";
import { tickSaid } from "../src/unitline/said";

describe("figures", () => {
  it.each([
    [1, "100 %"],
    [0.99996, ">99 %"],
    [0.7 + 0.2 + 0.1 - 1e-9, "100 %"],
    [0.9951, ">99 %"],
    [0.9949, "99 %"],
    [0.163, "16 %"],
    [0.01, "1 %"],
    [0.00997, "1 %"],
    [0.0094, "0.9 %"],
    [0.001, "0.1 %"],
    [0.0006, "0.06 %"],
    [0.0001, "0.01 %"],
    [0.00009, "<0.01 %"],
    [0, "0 %"],
  ])("writes %f as %s", (p, text) => expect(percent(p)).toBe(text));

  it.each([
    [1, "100 %"],
    [0.9999, ">99.9 %"],
    [0.9994, "99.9 %"],
    [0.1234, "12.3 %"],
    [0.0314, "3.1 %"],
    [0.00996, "1.0 %"],
    [0.0094, "0.94 %"],
    [0.0001, "0.01 %"],
    [0.00009, "<0.01 %"],
    [0, "0 %"],
  ])("writes %f more finely as %s", (p, text) => expect(finer(p)).toBe(text));

  it("says of a word that its probability is little, never that it is none", () =>
    expect([0, 1e-9, 0.01, 1].map(probability)).toEqual(["<0.01 %", "<0.01 %", "1 %", "100 %"]));

  it("writes no bits that are there as none", () => {
    expect([0, 0.004, 0.005, 0.31].map((n) => bits(n, 2))).toEqual([
      "0.00 bits",
      "<0.01 bits",
      "0.01 bits",
      "0.31 bits",
    ]);
    expect(bits(0.04)).toBe("<0.1 bits");
  });

  it.each([
    [0, "0"],
    [8.8449, "8.84"],
    [1234, "1,234"],
    [0.2, "0.2"],
    [0.005, "0.01"],
    [0.0042, "0.004"],
    [0.00096, "0.001"],
    [0.0005, "5·10⁻⁴"],
    [3.4e-12, "3·10⁻¹²"],
  ])("of %d tells what there is: %s", (n, text) => {
    expect(decimal(n)).toBe(text);
    expect(tickSaid(-n)).toBe(n ? `−${text}` : text);
  });

  it("counts ranks from 1 with grouping", () => expect(rank(13575)).toBe("#13,575"));
  it("rounds perplexities", () => {
    expect(perplexity(172.8)).toBe("173");
    expect(perplexity(3.24)).toBe("3.2");
    expect(perplexity(1.244)).toBe("1.24");
  });
});

describe("words", () => {
  it("are what was typed, or the special token as the network reads it", () => {
    expect(tokenLabel({ surface: "The", word: "the" })).toBe("The");
    expect(tokenLabel({ surface: "", word: "<bos>" })).toBe("<bos>");
  });
  it("mends lone surrogates and nothing else", () => {
    expect(wellFormed("a\uD83Db")).toBe("a\uFFFDb");
    expect(wellFormed("\uDE00")).toBe("\uFFFD");
    expect(wellFormed("👩‍🔬 ok")).toBe("👩‍🔬 ok");
  });
});

describe("equations", () => {
  it("are runs of base, subscript and superscript", () => {
    expect(mathRuns("l_t = f_t ∘ c_{t−1}^2")).toEqual([
      { text: "l", level: "base" },
      { text: "t", level: "sub" },
      { text: " = f", level: "base" },
      { text: "t", level: "sub" },
      { text: " ∘ c", level: "base" },
      { text: "t−1", level: "sub" },
      { text: "2", level: "sup" },
    ]);
  });
  it("name their layer, and the input below the first", () => {
    const gate = "f_t^u = σ(W_f^u [h_t^{u−1}, h_{t−1}^u] + b_f^u)";
    const at = (equation: string, layer: number | null, read: number | null = 1) =>
      equationAt({ equation, layer, operands: [{ layer: read }] });
    expect(at(gate, 2)).toBe("f_t^2 = σ(W_f^2 [h_t^1, h_{t−1}^2] + b_f^2)");
    expect(at(gate, 1)).toBe("f_t^1 = σ(W_f^1 [x_t, h_{t−1}^1] + b_f^1)");
    expect(at("c_t^u", 12)).toBe("c_t^{12}");
    expect(at("y_t = softmax(D h_t^U + b)", null, 2)).toBe("y_t = softmax(D h_t^2 + b)");
  });
  it("lose nothing when they are odd", () => {
    const text = mathRuns("a_ b^")
      .map((r) => r.text)
      .join("");
    expect(text).toContain("a");
    expect(text).toContain("b^");
  });
});

describe("what does not show", () => {
  it.each([
    ["we\u0000stand", "we<U+0000>stand"],
    ["\u001b[31m\u007f", "<U+001B>[31m<U+007F>"],
    ["\u202ewe\u200f\u0085", "<U+202E>we<U+200F><U+0085>"],
    ["👩‍🔬 é क्‍ष “we”", "👩‍🔬 é क्‍ष “we”"],
  ])("%j can be read", (surface, label) => {
    expect(tokenLabel({ surface, word: "<unk>" })).toBe(label);
  });

  it("shows a blank that is a token by itself, as vocabularies of characters do", () => {
    const label = (surface: string) => tokenLabel({ surface, word: "␣" });
    expect([" ", "\t", "\n", "\u00a0"].map(label)).toEqual(["␣", "⇥", "⏎", "⍽"]);
    expect(label("a b")).toBe("a b");
  });

  it("is the special token where nothing was typed", () => {
    expect(tokenLabel({ surface: "", word: "<bos>" })).toBe("<bos>");
  });
});
