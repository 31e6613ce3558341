import { expect, it, vi } from "vitest";
import type { Api } from "../src/api";
import { askRow, textUpTo } from "../src/more";
import { labelTrace } from "./fixtures/labels";
import { syntheticTrace } from "./fixtures/synthetic";

const TEXT = "👩 he said . she was there .";
const query = {
  text: TEXT,
  model: "synthetic",
  semantic: "next" as const,
  bars: 50,
  top: 0.1,
};
const trace = syntheticTrace({ ...query, bars: 10 });

it("the text ends with the token, or with the one that a sentence's start needs", () => {
  const at = (word: string) => trace.tokens.findIndex((token) => token.surface === word);
  expect(textUpTo(TEXT, trace, at("said"))).toBe("👩 he said");
  expect(trace.tokens[5]?.span).toBeNull();
  expect(textUpTo(TEXT, trace, 5)).toBe("👩 he said . she");
});

it("one row is asked for, and is the row of the whole answer", async () => {
  const ask = vi.fn<Api["trace"]>((q) => Promise.resolve(syntheticTrace(q)));
  for (let t = 0; t < trace.tokens.length; t += 1) {
    const row = await askRow(ask, query, trace, t);
    const whole = syntheticTrace(query);
    expect(row.top_ids).toEqual(whole.rows.top_ids[t]);
    expect(row.top_probs).toEqual(whole.rows.top_probs[t]);
    const sent = ask.mock.lastCall?.[0];
    expect(sent).toMatchObject({ from: t, bars: 50 });
    // A sentence's start needs the token after it, no more.
    expect(syntheticTrace({ ...query, text: sent?.text ?? "" }).tokens.length).toBeLessThan(t + 3);
  }
  expect(ask).toHaveBeenCalledTimes(trace.tokens.length);
});

it("is asked for with the whole text when the shorter one is read otherwise", async () => {
  const ask = vi.fn<Api["trace"]>((q) =>
    Promise.resolve(syntheticTrace(q.text === TEXT ? q : { ...q, text: `x ${q.text}` })),
  );
  const row = await askRow(ask, query, trace, 3);
  expect(ask).toHaveBeenCalledTimes(2);
  expect(row.top_ids).toEqual(syntheticTrace(query).rows.top_ids[3]);
});

it("an answer of another text is refused", async () => {
  const ask: Api["trace"] = (q) => Promise.resolve(syntheticTrace({ ...q, text: "no no no no" }));
  await expect(askRow(ask, query, trace, 3)).rejects.toThrow("another text");
});

it("a network that reads ahead is asked with the whole text, and the row must be of that", async () => {
  const text = "he said it . she was there .";
  const tagged = { ...query, text, semantic: "label" as const };
  const ask = vi.fn<Api["trace"]>((q) => Promise.resolve(labelTrace(q.text)));
  await askRow(ask, tagged, labelTrace(text), 1);
  expect(ask.mock.calls.map(([q]) => q.text)).toEqual([text]);
  // One word more in its sentence, and every state of it is another.
  ask.mockImplementation((q) => Promise.resolve(labelTrace(q.text.replace("it", "it then"))));
  await expect(askRow(ask, tagged, labelTrace(text), 1)).rejects.toThrow("another text");
});
