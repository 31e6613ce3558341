import { bodyOf, type Refused } from "./api";
import { withoutUnread } from "./blank";
import { count } from "./format";
import type { ModelInfo, Pair, Query } from "./types";

/** What is known to be too long before it is sent. */

/**
 * A text has at least as many tokens as white space leaves pieces. How many exactly is for the
 * server's tokeniser to say: a second one here would one day say something else.
 */
export const fewestTokens = (text: string): number =>
  withoutUnread(text).match(/\S+/g)?.length ?? 0;

export const encoded = (body: string): number => new TextEncoder().encode(body).length;

const bytesOf = (query: Query): number => encoded(bodyOf({ ...query, from: 0 }));

/**
 * Bytes of the longest request that a text can come to: for its last rows alone, or for the inside of
 * one of its cells.
 */
function mostBytes(query: Query, tokens: number): number {
  const { text, model, semantic, top } = query;
  // A sentence of one token has two timesteps.
  const last = 2 * tokens;
  const cell = { timestep: last, kind: "the_longest_name_of_a_kind", layer: 99 };
  return Math.max(
    encoded(bodyOf({ ...query, from: last })),
    encoded(bodyOf({ text, model, semantic, top, bars: query.bars, ...cell })),
  );
}

/** Most of a question is words of one's own classes: those are to be shortened, not the text. */
export const ownAtFault = (query: Query): boolean =>
  bytesOf({ ...query, text: "" }) > bytesOf({ ...query, classes: [] });

/** Whether a question was refused for its length. */
export const isLong = ({ code }: Refused): boolean =>
  code === "body_too_large" || code === "too_many_tokens";

/** In a sentence. */
export const longSaid = (what: string, size: string, limit: number): string =>
  `${what} too long: ${size}, and the server reads ${count(limit)} at once.`;

/** Why a question would be refused for its length, in a sentence; null when it may not be. */
export function tooLong(query: Query, limits: ModelInfo["limits"]): string | null {
  const bytes = mostBytes(query, limits.tokens);
  const tokens = fewestTokens(query.text);
  const what = ownAtFault(query) ? "These classes are" : "This text is";
  const says = (size: string, limit: number) => longSaid(what, size, limit);
  if (tokens > limits.tokens) return says(`at least ${count(tokens)} tokens`, limits.tokens);
  return bytes > limits.bytes ? says(`${count(bytes)} bytes`, limits.bytes) : null;
}

/** Of two texts together. */
export const bothLong = (size: string, limit: number): string =>
  `The second text is too long: both together have ${size}, and the server compares ${count(limit)} at once.`;

/** Why the second text would be refused, alone or with the first: they share the limit of tokens. */
export function secondTooLong(
  query: Query,
  pair: Pair,
  limits: ModelInfo["limits"],
): string | null {
  const alone = tooLong(query, limits);
  if (alone) return alone.replace("This text", "The second text");
  const tokens = pair.texts.reduce((sum, text) => sum + fewestTokens(text), 0);
  const bytes = encoded(bodyOf(pair));
  if (tokens > limits.tokens) return bothLong(`at least ${count(tokens)} tokens`, limits.tokens);
  return bytes > limits.bytes ? bothLong(`${count(bytes)} bytes`, limits.bytes) : null;
}
