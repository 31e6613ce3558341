import { describe, expect, it, vi } from "vitest";
import { type Api, ApiError, Busy, Refused } from "../src/api";
import { createGuard } from "../src/guard";
import { problemOf } from "../src/problems";
import { createReading, mostTokens } from "../src/reading";
import type { ModelInfo, Query } from "../src/types";
import { syntheticInside } from "./fixtures/inside";
import {
  syntheticComparison,
  syntheticModel,
  syntheticRead,
  syntheticTokens,
  syntheticTrace,
} from "./fixtures/synthetic";
import { syntheticLine } from "./fixtures/unit";

const whole = syntheticModel();
const model: ModelInfo = {
  ...whole,
  columns: whole.columns.map((c) => ({ ...c, units: c.layer === null ? null : 8 })),
};
const query = (text: string, more: Partial<Query> = {}) => ({
  ...{ text, model: model.id, semantic: "next" as const, bars: 10, top: 0.1, from: 0 },
  ...more,
});

/** Rows are of no interest here. */
const short = syntheticTrace(query("he"));

/** A guard before a server, whose model the page shows. */
function guarded(shown: ModelInfo = model, served: ModelInfo = model) {
  const server = {
    models: vi.fn<Api["models"]>(() => Promise.resolve({ default: served.id, models: [served] })),
    model: vi.fn<Api["model"]>(() => Promise.resolve(served)),
    tokens: vi.fn<Api["tokens"]>((q) => Promise.resolve(syntheticRead(q))),
    trace: vi.fn<Api["trace"]>((q) =>
      Promise.resolve({ ...short, tokens: syntheticTokens(q.text) }),
    ),
    cell: vi.fn<Api["cell"]>((q) => Promise.resolve(syntheticInside(q))),
    unit: vi.fn<Api["unit"]>((q) => Promise.resolve(syntheticLine(q))),
    compare: vi.fn<Api["compare"]>((q) => Promise.resolve(syntheticComparison(q))),
  };
  return { server, api: createGuard(server, () => ({ model: shown })) };
}

/** Code, sentence and field of a question that was not sent; null of one that was answered. */
const refusal = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(Refused);
      expect(error).not.toBeInstanceOf(ApiError);
      const { code, message, field } = error as Refused;
      return [code, message, field];
    },
  );

describe("the most tokens that a text can have", () => {
  const text = Array(10).fill("government").join(" ");
  const then = { text, tokens: syntheticTokens(text) };

  it("is one for each code point of a text of which nothing is known", () => {
    expect(mostTokens("👍!", null)).toBe(2);
    expect(mostTokens("", null)).toBe(0);
  });

  it.each([
    // The tokens beside the change, the code points between them, and 8 that may part anew.
    [`${text} t`, 9 + 13 + 8],
    [`a ${text}`, 9 + 13 + 8],
    [`${text.slice(0, 55)}of ${text.slice(55)}`, 5 + 4 + 15 + 8],
    [text.slice(0, 60), 5 + 6 + 8],
    ["something else than that", 24],
  ])("%s", (now, most) => expect(mostTokens(now, then)).toBe(most));

  it("is what was counted of the same text, by the same model", () => {
    const reading = createReading();
    reading.learn("m", text, then.tokens);
    expect(reading.count("m", text)).toEqual({ tokens: 10, exactly: true });
    expect(reading.count("other", text)).toEqual({ tokens: 109, exactly: false });
    for (const other of ["a", "b", "c", "d"]) reading.learn("m", other, syntheticTokens(other));
    expect(reading.count("m", text).exactly).toBe(false);
  });
});

describe("a text", () => {
  it("that is typed on costs no question more, however long it is", async () => {
    const { server, api } = guarded();
    const long = "he said that ".repeat(100).trimEnd();
    await api.trace(query(long));
    expect(server.tokens).toHaveBeenCalledTimes(1);
    for (const text of [`${long} t`, `${long} th`, `${long} the`, `the ${long} the`])
      await api.trace(query(text));
    await api.trace(query("he said"));
    expect(server.tokens).toHaveBeenCalledTimes(1);
    expect(server.trace).toHaveBeenCalledTimes(6);
  });

  it("that is too long is counted once, and not sent", async () => {
    const { server, api } = guarded();
    for (let n = 0; n < 2; n += 1)
      expect(await refusal(api.trace(query("he!".repeat(257))))).toEqual([
        "too_many_tokens",
        "This text is too long: 514 tokens, and the server reads 512 at once.",
        "text",
      ]);
    expect(server.tokens).toHaveBeenCalledTimes(1);
    expect(server.trace).not.toHaveBeenCalled();
    await api.trace(query("he!".repeat(256)));
    expect(server.tokens).toHaveBeenCalledTimes(2);
  });

  it("together with another is counted where the traces have not told", async () => {
    const { server, api } = guarded();
    const pair = (first: string, second: string) => ({
      texts: [first, second] as [string, string],
      model: model.id,
      semantic: "next" as const,
    });
    const half = "he!".repeat(128);
    await api.compare(pair("he said", "he was"));
    expect(server.tokens).not.toHaveBeenCalled();
    await api.trace(query(half));
    await api.compare(pair(half, half));
    expect(server.tokens).not.toHaveBeenCalled();
    expect(await refusal(api.compare(pair(half, `${half}!`)))).toEqual([
      "too_many_tokens",
      "The second text is too long: both together have 513 tokens, and the server compares 512 at once.",
      "texts[1]",
    ]);
    expect(server.tokens).toHaveBeenCalledTimes(1);
    expect(server.compare).toHaveBeenCalledTimes(2);
  });

  it("is not at fault where the first is too long alone", async () => {
    const { api } = guarded();
    const pair = { model: model.id, semantic: "next" as const };
    const long = "he!".repeat(300);
    const refused = await api.compare({ ...pair, texts: [long, "he"] }).catch((e: unknown) => e);
    expect(problemOf(refused, "Shorten it.", true)).toEqual({
      message: "The first text is too long: 600 tokens, and the server reads 512 at once.",
      ...{ advice: "", retrying: false, ofText: false },
    });
    // The same text twice: it is the two together that do not fit.
    const half = "he!".repeat(150);
    expect((await refusal(api.compare({ ...pair, texts: [half, half] })))?.[2]).toBe("texts[1]");
  });
});

describe("a word to watch", () => {
  it("is asked about once, and not sent when it is two", async () => {
    const { server, api } = guarded();
    for (const text of ["he", "he said"]) await api.trace(query(text, { watch: "she" }));
    expect(server.tokens.mock.calls.map(([q]) => q)).toEqual([
      { text: "he", model: model.id, watch: "she" },
    ]);
    for (let n = 0; n < 2; n += 1)
      expect(await refusal(api.trace(query("he", { watch: "new,york" })))).toEqual([
        "invalid_field",
        "“new,york” cannot be watched: this model reads it as several words, or as none.",
        "watch",
      ]);
    expect(server.tokens).toHaveBeenCalledTimes(2);
    expect(server.trace).toHaveBeenCalledTimes(2);
  });

  it("must be a label where the model gives labels", async () => {
    const tagger: ModelInfo = {
      ...{ ...model, semantics: ["label"] },
      classes: ["NOUN", "VERB"].map((id) => ({ id, name: id })),
    };
    const { api, server } = guarded(tagger, tagger);
    server.tokens.mockResolvedValue({ count: 1, tokens: [], watch: null });
    const asked = query("he", { watch: "he", semantic: "label" });
    expect((await refusal(api.trace(asked)))?.[1]).toBe(
      "“he” cannot be watched: its labels are NOUN, VERB.",
    );
  });
});

describe("where the server cannot be asked first", () => {
  const long = query("he!".repeat(300));

  it("one of an earlier version is asked as ever, and refuses by itself", async () => {
    const { server, api } = guarded();
    server.tokens.mockRejectedValue(new ApiError(404, "not_found", "Nothing here.", null));
    server.trace.mockRejectedValue(new ApiError(422, "too_many_tokens", "600 tokens", "text"));
    await expect(api.trace(long)).rejects.toThrow("600 tokens");
    await expect(api.trace({ ...long, watch: "x y" })).rejects.toThrow("600 tokens");
  });

  it("one that is busy is asked again, and a question that is given up is given up", async () => {
    const { server, api } = guarded();
    server.tokens.mockRejectedValueOnce(new Busy(1));
    await expect(api.trace(long)).rejects.toBeInstanceOf(Busy);
    const abort = new AbortController();
    server.tokens.mockRejectedValueOnce(new DOMException("", "AbortError"));
    await expect(api.trace(long, abort.signal)).rejects.toThrow(DOMException);
    expect(server.tokens.mock.lastCall?.[1]).toBe(abort.signal);
    expect(server.trace).not.toHaveBeenCalled();
  });
});

describe("a question about a unit", () => {
  const unit = { ...query("he"), kind: "cell_state", layer: 1, unit: 7 };
  const asked = (more: object) => {
    const { text, model, kind, layer, unit: of } = unit;
    return { ...{ text, model, kind, layer, unit: of, follow: null, all_kinds: false }, ...more };
  };

  it("is of one that the kind has", async () => {
    const { server, api } = guarded();
    expect(await refusal(api.unit(asked({ unit: 8 })))).toEqual([
      "out_of_range",
      "This kind has 8 units.",
      "unit",
    ]);
    expect((await refusal(api.unit(asked({ kind: "update_gate" }))))?.[2]).toBe("kind");
    expect(await refusal(api.unit(asked({})))).toBeNull();
    expect(server.unit).toHaveBeenCalledTimes(1);
  });

  it("counts the numbers to follow in its bytes", async () => {
    const { server, api } = guarded();
    const follow = Array<number>(900).fill(-123.45678901234567);
    const said = await refusal(api.unit(asked({ follow })));
    expect(said?.[1]).toMatch(/^This question is too long: 1\d,\d{3} bytes, .* 16,384 at once\.$/);
    expect(server.unit).not.toHaveBeenCalled();
  });
});

describe("a model of a file", () => {
  const file = { ...model, limits: { tokens: 9000, bytes: 9e9, bars: 50 } };

  it("is asked about under the limits of this server", async () => {
    const { api } = guarded(file);
    expect((await refusal(api.trace(query("he!".repeat(300)))))?.[0]).toBe("too_many_tokens");
    const { api: again } = guarded(file);
    expect((await refusal(again.trace(query("x".repeat(17_000)))))?.[0]).toBe("body_too_large");
  });

  it("is not asked about where this server has none of its name, or another", async () => {
    const cell = { ...query("he"), timestep: 1, kind: "cell_state", layer: 1 };
    const { server, api } = guarded(file, { ...model, id: "other" });
    await api.models();
    expect(await refusal(api.cell(cell))).toEqual([
      "unknown_model",
      "This server has no model “synthetic”.",
      "model",
    ]);
    expect(server.model).not.toHaveBeenCalled();
    const { server: trained, api: anew } = guarded(file, { ...model, fingerprint: "f" });
    expect((await refusal(anew.cell(cell)))?.[1]).toBe(
      "The server has another model than the grid shows.",
    );
    expect(trained.cell).not.toHaveBeenCalled();
    const { api: headless } = guarded(file, { ...model, semantics: ["this"] });
    expect((await refusal(headless.cell(cell)))?.[0]).toBe("semantic_unavailable");
  });
});
