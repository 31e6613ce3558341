import { traceBody } from "./api";
import { count } from "./format";
import type { ModelInfo, Query } from "./types";

/** What is known to be too long before it is sent. */

/** No token by themselves: what the server does not read, or takes for space where `\s` does not. */
// eslint-disable-next-line no-control-regex
const UNREAD = /[\u001C-\u001F\u0085\u00AD\u200B\uFEFF]/g;

/**
 * A text has at least as many tokens as white space leaves pieces. How many exactly is for the
 * server's tokeniser to say: a second one here would one day say something else.
 */
export const fewestTokens = (text: string): number =>
  text.replace(UNREAD, "").match(/\S+/g)?.length ?? 0;

const bytesOf = (query: Query): number =>
  new TextEncoder().encode(traceBody({ ...query, from: 0 })).length;

/** Most of a question is words of one's own classes: those are to be shortened, not the text. */
export const ownAtFault = (query: Query): boolean =>
  bytesOf({ ...query, text: "" }) > bytesOf({ ...query, classes: [] });

/** Why a question would be refused for its length, in a sentence; null when it may not be. */
export function tooLong(query: Query, limits: ModelInfo["limits"]): string | null {
  const bytes = bytesOf(query);
  const tokens = fewestTokens(query.text);
  const what = ownAtFault(query) ? "These classes are" : "This text is";
  const says = (size: string, limit: number) =>
    `${what} too long: ${size}, and the server reads ${count(limit)} at once.`;
  if (tokens > limits.tokens) return says(`at least ${count(tokens)} tokens`, limits.tokens);
  return bytes > limits.bytes ? says(`${count(bytes)} bytes`, limits.bytes) : null;
}
