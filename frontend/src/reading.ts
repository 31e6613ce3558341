import type { Token } from "./types";

/** How the server's tokeniser read the latest texts, and what follows from it for the next. */

interface Read {
  /** Its fingerprint: under the same name another model may read another vocabulary. */
  model: string;
  text: string;
  tokens: readonly Token[];
}

/** How many texts are remembered: two are compared, and each is being typed. */
const KEPT = 4;
/** Tokens that may part anew beside a change: a full stop is set apart only at the end of a sentence. */
const SLACK = 8;

/** Without the starts of sentences: what the limit is about. */
const tokenCount = (tokens: readonly Token[]): number => tokens.filter(({ span }) => span).length;

/**
 * The most tokens that a text can have: one for each code point; and beside one that was read, those
 * that do not touch the change, and one for each code point between them. A test holds this against the
 * server's own tokenisers: tests/server/test_tokens.py.
 */
export function mostTokens(text: string, read: Pick<Read, "text" | "tokens"> | null): number {
  const now = Array.from(text);
  if (!read) return now.length;
  const then = Array.from(read.text);
  const least = Math.min(then.length, now.length);
  let same = 0;
  while (same < least && then[same] === now[same]) same += 1;
  let after = 0;
  while (after < least - same && then.at(-1 - after) === now.at(-1 - after)) after += 1;
  const spans = read.tokens.flatMap(({ span }) => (span ? [span] : []));
  const head = spans.filter(([, end]) => end < same);
  const tail = spans.filter(([start]) => start > then.length - after);
  const ends = head.at(-1)?.[1] ?? 0;
  const begins = tail[0] ? tail[0][0] + now.length - then.length : now.length;
  return Math.min(now.length, head.length + tail.length + begins - ends + SLACK);
}

export interface Reading {
  /** What an answer tells: how a text was read. */
  learn(model: string, text: string, tokens: readonly Token[]): void;
  /** How many tokens a text has, where that is known; else the most that it can have. */
  count(model: string, text: string): { tokens: number; exactly: boolean };
}

export function createReading(): Reading {
  let known: Read[] = [];
  return {
    learn(model, text, tokens) {
      const others = known.filter((one) => one.model !== model || one.text !== text);
      known = [{ model, text, tokens }, ...others].slice(0, KEPT);
    },
    count(model, text) {
      const here = known.filter((one) => one.model === model);
      const exact = here.find((one) => one.text === text);
      if (exact) return { tokens: tokenCount(exact.tokens), exactly: true };
      const most = [null, ...here].map((read) => mostTokens(text, read));
      return { tokens: Math.min(...most), exactly: false };
    },
  };
}
