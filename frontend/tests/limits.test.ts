import { describe, expect, it } from "vitest";
import { bodyOf } from "../src/api";
import { fewestTokens, tooLong } from "../src/limits";

const limits = { tokens: 512, bytes: 16384, bars: 50 };
const query = (text: string) => ({
  text,
  model: "m",
  semantic: "next" as const,
  bars: 10,
  top: 0.1,
});

describe("the fewest tokens a text can have", () => {
  it.each([
    ["", 0],
    [" \n\t", 0],
    ["can't", 1],
    [" we  stand\nin\u00a0solidarity ", 4],
    ["a\u00adb \u00ad \ufeff \u200b \u0085 c", 2],
  ])("%j", (text, tokens) => expect(fewestTokens(text)).toBe(tokens));
});

describe("what is too long", () => {
  it("is told with the limit, tokens first", () => {
    expect(tooLong(query("we ".repeat(513)), limits)).toBe(
      "This text is too long: at least 513 tokens, and the server reads 512 at once.",
    );
    expect(tooLong(query("x".repeat(20000)), limits)).toMatch(/20,1\d\d bytes.* 16,384 at once/);
  });

  it("is only what the server refuses for certain", () => {
    expect(tooLong(query("we ".repeat(512)), limits)).toBeNull();
    expect(tooLong(query("can't ".repeat(400)), limits)).toBeNull();
  });

  it("counts the bytes of the request, not the letters", () => {
    expect(tooLong(query("ж".repeat(8180)), limits)).toContain("bytes");
    expect(tooLong(query("ж".repeat(8100)), limits)).toBeNull();
  });

  it("leaves room for every request that the text will be asked with", () => {
    const fits = (letters: number) => tooLong(query("x".repeat(letters)), limits) === null;
    let letters = 16384;
    while (!fits(letters)) letters -= 1;
    expect(letters).toBeGreaterThan(16200);
    const { text, ...rest } = query("x".repeat(letters));
    const cell = { ...rest, text, timestep: 511, kind: "candidate_state", layer: 12 };
    for (const body of [bodyOf({ ...rest, text, from: 511 }), bodyOf(cell)])
      expect(body.length).toBeLessThanOrEqual(limits.bytes);
  });
});
