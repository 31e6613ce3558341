import { describe, expect, it } from "vitest";
import {
  display,
  equationAt,
  mathRuns,
  percent,
  perplexity,
  rank,
  wellFormed,
} from "../src/format";

describe("figures", () => {
  it.each([
    [1, "100 %"],
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

  it("counts ranks from 1 with grouping", () => expect(rank(13575)).toBe("#13,575"));
  it("rounds perplexities", () => {
    expect(perplexity(172.8)).toBe("173");
    expect(perplexity(1.24)).toBe("1.2");
  });
});

describe("words", () => {
  it("shows special tokens as such", () => {
    expect(["<bos>", "<eos>", "<unk>", "<num>", "the"].map(display)).toEqual([
      "⟨s⟩",
      "⟨/s⟩",
      "⟨unk⟩",
      "⟨num⟩",
      "the",
    ]);
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
  it("may have characters that are lowered and raised already", () => {
    expect(mathRuns("cₜ₋₁ᵘ = fₜ¹²")).toEqual([
      { text: "c", level: "base" },
      { text: "t−1", level: "sub" },
      { text: "u", level: "sup" },
      { text: " = f", level: "base" },
      { text: "t", level: "sub" },
      { text: "12", level: "sup" },
    ]);
  });
  it("name their layer, and the input below the first", () => {
    const gate = "fₜᵘ = σ(W_f[hₜᵘ⁻¹, hₜ₋₁ᵘ] + b_f)";
    expect(equationAt(gate, 2)).toBe("fₜ² = σ(W_f[hₜ¹, hₜ₋₁²] + b_f)");
    expect(equationAt(gate, 1)).toBe("fₜ¹ = σ(W_f[xₜ, hₜ₋₁¹] + b_f)");
    expect(equationAt("cₜᵘ", 12)).toBe("cₜ¹²");
    expect(equationAt("yₜ = softmax(D hₜᵁ + b)", null)).toBe("yₜ = softmax(D hₜᵁ + b)");
  });
  it("lose nothing when they are odd", () => {
    const text = mathRuns("a_ b^")
      .map((r) => r.text)
      .join("");
    expect(text).toContain("a");
    expect(text).toContain("b^");
  });
});
