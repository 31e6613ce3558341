import { describe, expect, it } from "vitest";
import { commonPrefix, firstRow, merge } from "../src/merge";
import { perplexityOf } from "../src/sentence";
import type { Query, Semantic } from "../src/types";
import { syntheticTrace } from "./fixtures/synthetic";

const query = (text: string, semantic: Semantic = "next"): Query => ({
  text,
  model: "synthetic",
  semantic,
  bars: 10,
  top: 0.1,
});

describe("the common prefix", () => {
  it("is counted in code points", () => {
    expect(commonPrefix("👍 ab", "👍 ac")).toBe(3);
    expect(commonPrefix("👍", "👎")).toBe(0);
    expect(commonPrefix("", "a")).toBe(0);
  });
});

describe("the first row to ask for", () => {
  const old = syntheticTrace(query("the man said that the world is good"));
  //             0 <bos> 1 the 2 man 3 said 4 that 5 the 6 world 7 is 8 good

  it("gives up the changed token, one for look-ahead, and one for the label", () => {
    // "goods": the last token changes. 7 tokens end strictly before it and its space; 8 tokens are
    // common, 7 after look-ahead, and the label of row 6 lies in row 7.
    expect(firstRow(old, "the man said that the world is good", query("the man said that the world is goods"))).toBe(6); // prettier-ignore
  });
  it("gives up two for the word after next", () => {
    const q = query("the man said that the world is goods", "after_next");
    expect(firstRow(old, "the man said that the world is good", q)).toBe(5);
  });
  it("is 0 when the text begins otherwise", () => {
    expect(
      firstRow(old, "the man said that the world is good", query("a man said that the world")),
    ).toBe(0);
  });
  it("does not keep a token that the change touches", () => {
    // "world" ends exactly where the change begins: it may have become "worlds".
    const text = "the man said that the worldly is good";
    expect(firstRow(old, "the man said that the world is good", query(text))).toBe(4);
  });
  it("never keeps a sentence start at the seam", () => {
    const two = syntheticTrace(query("he said . she went"));
    // <bos> he said . <bos> she went: after "she" changes, the second <bos> is not kept.
    expect(firstRow(two, "he said . she went", query("he said . he went"))).toBeLessThanOrEqual(2);
  });
  it("counts code points where a token before is an emoji", () => {
    const emoji = syntheticTrace(query("👍 the man said that he was"));
    const from = firstRow(
      emoji,
      "👍 the man said that he was",
      query("👍 the man said that he is"),
    );
    expect(from).toBe(5);
  });
});

describe("merging", () => {
  const before = "the man said that the world is good";
  const old = syntheticTrace(query(before));

  it.each([
    "the man said that the world is good .",
    "the man said that the world is not good",
    "the man said that the",
    "the man said . the world is good",
    "the man",
  ])("gives what the whole question would have given: %s", (text) => {
    const from = firstRow(old, before, query(text));
    const answer = syntheticTrace({ ...query(text), from });
    const whole = syntheticTrace(query(text));
    const merged = merge(old, answer);
    expect(merged?.rows).toEqual(whole.rows);
    expect(merged?.tokens).toEqual(whole.tokens);
    // A file that is saved after typing has the figure that the page shows.
    const shown = perplexityOf(whole.rows.surprisal) ?? NaN;
    expect((merged?.perplexity ?? NaN) / shown).toBeCloseTo(1, 4);
  });

  it("keeps old rows as the same objects", () => {
    const text = "the man said that the world is good .";
    const from = firstRow(old, before, query(text));
    expect(from).toBeGreaterThan(3);
    const merged = merge(old, syntheticTrace({ ...query(text), from }));
    expect(merged?.rows.top_ids[0]).toBe(old.rows.top_ids[0]);
  });

  it("refuses rows of another tokenisation, model, semantic, width or fingerprint", () => {
    const answer = syntheticTrace({ ...query(before), from: 4 });
    expect(merge(old, answer)).not.toBeNull();
    const tokens = answer.tokens.map((t, i) => (i === 2 ? { ...t, id: t.id + 1 } : t));
    for (const patch of [
      { tokens },
      { model: "other" },
      { fingerprint: "other" },
      { semantic: "this" as const },
      { bars: 9 },
      { top: 0.2 },
    ])
      expect(merge(old, { ...answer, ...patch })).toBeNull();
  });

  it("refuses when the label of the last kept row changed", () => {
    const answer = syntheticTrace({ ...query("the man said is the world"), from: 4 });
    // Row 3 (said) is kept by from = 4, but what follows it is no longer "that".
    expect(merge(old, answer)).toBeNull();
  });
});
