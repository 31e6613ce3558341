import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, Busy, Unreachable } from "../src/api";
import { createTracer, type Send } from "../src/tracer";
import type { Query, Trace } from "../src/types";
import { syntheticTrace } from "./fixtures/synthetic";

const query = (text: string): Query => ({
  text,
  model: "synthetic",
  semantic: "next",
  bars: 10,
  top: 0.1,
});

/** A server whose answers come when the test says so. */
function stage() {
  const asked: {
    query: Query & { from: number };
    signal: AbortSignal;
    answer(of?: Query): void;
    fail(e: Error): void;
  }[] = [];
  const send: Send = (q, signal) =>
    new Promise<Trace>((resolve, reject) => {
      const answer = (of: Query = q) => resolve(syntheticTrace({ ...of, from: q.from }));
      asked.push({ query: q, signal, answer, fail: reject });
    });
  const shown: string[] = [];
  const events: string[] = [];
  const tracer = createTracer(send, {
    answer: (trace, q) => {
      expect(trace.rows.top_ids).toHaveLength(trace.tokens.length);
      shown.push(q.text);
    },
    busy: (b) => events.push(b ? "busy" : "idle"),
    failure: (e, retrying) => events.push(`${(e as Error).message}${retrying ? " retrying" : ""}`),
  });
  return { asked, shown, events, tracer };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("asking", () => {
  it("goes out at once when idle, and then no more often than the pace, newest only", async () => {
    const { asked, tracer } = stage();
    tracer.ask(query("a"));
    asked[0]?.answer();
    await settle();
    for (const text of ["ab", "abc", "abcd"]) tracer.ask(query(text));
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(120);
    expect(asked.map((a) => a.query.text)).toEqual(["a", "abcd"]);
  });

  it("has one question out, whatever is typed, and behind it only the newest", async () => {
    const { asked, shown, tracer } = stage();
    const typed = Array.from({ length: 30 }, (_, n) => "abc ".repeat(8).slice(0, n + 1));
    for (const text of typed) {
      tracer.ask(query(text));
      await vi.advanceTimersByTimeAsync(50);
      expect(asked).toHaveLength(1);
    }
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(120);
    expect(asked.map((a) => a.query.text)).toEqual(["a", typed[29]]);
    asked[1]?.answer();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(2);
    expect(shown).toEqual(["a", typed[29]]);
  });

  it("does not ask again for what is on its way", async () => {
    const { asked, shown, tracer } = stage();
    for (const text of ["a", "ab", "a"]) tracer.ask(query(text));
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(shown).toEqual(["a"]);
  });

  it("drops an answer to another question than is asked now", async () => {
    const { asked, shown, tracer } = stage();
    tracer.ask(query("a"));
    tracer.ask({ ...query("a"), semantic: "this" });
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(120);
    expect(shown).toEqual([]);
    expect(asked[1]?.query).toMatchObject({ text: "a", semantic: "this", from: 0 });
    asked[1]?.answer();
    await settle();
    expect(shown).toEqual(["a"]);
  });

  it("says nothing of a failure that a newer question has overtaken", async () => {
    const { asked, shown, events, tracer } = stage();
    tracer.ask(query("a"));
    tracer.ask(query("ab"));
    asked[0]?.fail(new ApiError(500, "internal", "The server failed.", null));
    await vi.advanceTimersByTimeAsync(120);
    asked[1]?.answer();
    await settle();
    expect(shown).toEqual(["ab"]);
    expect(events).not.toContain("The server failed.");
  });

  it("aborts a question that hangs when a newer one waits, and only then", async () => {
    const { asked, shown, tracer } = stage();
    tracer.ask(query("a"));
    await vi.advanceTimersByTimeAsync(9000);
    tracer.ask(query("ab"));
    await vi.advanceTimersByTimeAsync(999);
    expect(asked[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked[0]?.signal.aborted).toBe(true);
    expect(asked[1]?.query.text).toBe("ab");
    asked[1]?.answer();
    await settle();
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown).toEqual(["ab"]);
    tracer.ask(query("abc"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked[2]?.signal.aborted).toBe(false);
  });

  it("asks only for the rows after the common prefix", async () => {
    const { asked, shown, tracer } = stage();
    tracer.ask(query("the man said that the world"));
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(200);
    tracer.ask(query("the man said that the world is"));
    expect(asked[1]?.query.from).toBe(4);
    asked[1]?.answer();
    await settle();
    expect(shown).toHaveLength(2);
  });

  it("asks for everything again when the rows do not fit", async () => {
    const { asked, shown, tracer } = stage();
    tracer.ask(query("the man said that the world"));
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(200);
    tracer.ask(query("the man said that the world is"));
    // There may be fewer rows than that: past the end the answer has none.
    expect(asked[1]?.query.from).toBe(4);
    asked[1]?.answer(query("the man"));
    await settle();
    expect(asked[2]?.query).toMatchObject({ from: 0, text: "the man said that the world is" });
    asked[2]?.answer();
    await settle();
    expect(shown).toHaveLength(2);
  });

  it("says that it is busy only after 150 ms", async () => {
    const { asked, events, tracer } = stage();
    tracer.ask(query("a"));
    await vi.advanceTimersByTimeAsync(149);
    expect(events).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(["busy"]);
    asked[0]?.answer();
    await settle();
    expect(events).toEqual(["busy", "idle"]);
  });
});

describe("failing", () => {
  it("asks a busy server again when it said, for the newest text", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { asked, shown, events, tracer } = stage();
    tracer.ask(query("a"));
    asked[0]?.fail(new Busy(3));
    await settle();
    expect(events.at(-1)).toBe("busy retrying");
    for (const typed of ["ab", "abc"]) {
      await vi.advanceTimersByTimeAsync(1000);
      tracer.ask(query(typed));
    }
    // Told again with each: what was told before may have given way to something else.
    expect(events.filter((event) => event === "busy retrying")).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(990);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(asked[1]?.query.text).toBe("abc");
    asked[1]?.answer();
    await settle();
    expect(shown).toEqual(["abc"]);
    expect(asked).toHaveLength(2);
  });

  it("asks a busy server at once where a person wants it, and shows what is known without asking", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { asked, shown, tracer } = stage();
    tracer.ask(query("a"));
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(200);
    tracer.ask(query("ab"));
    asked[1]?.fail(new Busy(30));
    await vi.advanceTimersByTimeAsync(200);
    tracer.ask(query("a"));
    await settle();
    expect([asked.length, shown]).toEqual([2, ["a", "a"]]);
    tracer.ask(query("abc"));
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
    tracer.retry();
    asked[2]?.answer();
    await settle();
    expect(shown).toEqual(["a", "a", "abc"]);
    // It has answered: what is typed goes out in its turn.
    tracer.ask(query("abcd"));
    await vi.advanceTimersByTimeAsync(200);
    expect(asked).toHaveLength(4);
  });

  it("tries again, later and later, until the server is back", async () => {
    const { asked, shown, events, tracer } = stage();
    tracer.ask(query("a"));
    for (const wait of [1000, 2000, 4000]) {
      asked.at(-1)?.fail(new Unreachable("gone"));
      await vi.advanceTimersByTimeAsync(wait - 1);
      const before = asked.length;
      await vi.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(before + 1);
    }
    asked.at(-1)?.answer();
    await settle();
    expect(shown).toEqual(["a"]);
    expect(events).toContain("gone retrying");
  });

  it("does not repeat what the server refused", async () => {
    const { asked, events, tracer } = stage();
    tracer.ask(query("a"));
    asked[0]?.fail(new ApiError(422, "too_many_tokens", "The text has 600 tokens.", "text"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveLength(1);
    expect(events).toContain("The text has 600 tokens.");
  });

  it("reports nothing more after it was cancelled", async () => {
    const { asked, shown, tracer } = stage();
    tracer.ask(query("a"));
    tracer.cancel();
    asked[0]?.answer();
    await settle();
    expect(shown).toEqual([]);
  });

  it("keeps one question out also when the one before it was cancelled", async () => {
    const { asked, shown, tracer } = stage();
    tracer.ask(query("a"));
    tracer.cancel();
    await vi.advanceTimersByTimeAsync(200);
    tracer.ask(query("a"));
    expect(asked).toHaveLength(1);
    asked[0]?.answer();
    await vi.advanceTimersByTimeAsync(120);
    // The answer that nobody waited for is the one that is wanted again.
    expect(asked).toHaveLength(1);
    expect(shown).toEqual(["a"]);
    tracer.ask(query("ab"));
    expect(asked).toHaveLength(2);
  });
});
