import { describe, expect, it } from "vitest";
import { isIn, readSpans, spansRefused, writeSpans } from "../src/spans";

describe("timesteps as people write them", () => {
  it.each([
    ["", []],
    [" ", []],
    ["3", [[2, 2]]],
    ["2-5, 9", [[1, 4], [8, 8]]],
    ["9;2–5", [[1, 4], [8, 8]]],
    ["2-5,4-7,8", [[1, 7]]],
  ] as const)("%j", (text, spans) => expect(readSpans(text)).toEqual(spans)); // prettier-ignore

  it.each([
    "0",
    "5-2",
    "a",
    "1-",
    "-3",
    "1.5",
    "999999",
    Array.from({ length: 40 }, (_, i) => 2 * i + 1).join(),
  ])("%j is not understood", (text) => expect(readSpans(text)).toBeUndefined());

  it("are refused in words that say what is wrong", () => {
    const many = Array.from({ length: 33 }, (_, i) => 2 * i + 1).join();
    expect(spansRefused(many)).toBe("At most 32 numbers and ranges; these are 33.");
    expect(spansRefused("2-5, x")).toBe("Numbers and ranges, such as 2-5, 9.");
    for (const text of ["", "2-5, 9", many.replace(/,65$/, "")])
      expect(spansRefused(text)).toBe("");
  });

  it("come back as they went", () => {
    for (const text of ["2-5,9", "1", ""]) expect(writeSpans(readSpans(text) ?? [])).toBe(text);
  });
});

it("a timestep is in view when a span has it, ends included", () => {
  expect([0, 1, 2, 3, 4, 9].map((t) => isIn([[1, 2], [4, 8]], t))).toEqual([false, true, true, false, true, false]); // prettier-ignore
  expect(isIn([], 0)).toBe(false);
});
