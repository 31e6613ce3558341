import type { Api } from "./api";
import { Another } from "./problems";
import { readsAhead, readUpTo } from "./operands";
import type { LongRow } from "./state";
import type { Query, Trace } from "./types";

/** More of a row than the grid asks for: every cell of one timestep with as many words as there are. */

/**
 * The text as far as a timestep needs it: what comes later does not change it, unless the network reads
 * ahead.
 */
export function textUpTo(text: string, trace: Trace, t: number): string {
  if (readsAhead(trace.columns)) return text;
  // The start of a sentence stands only with the token that follows it.
  const span = trace.tokens[t]?.span ?? trace.tokens[t + 1]?.span;
  return span ? Array.from(text).slice(0, span[1]).join("") : text;
}

export async function askRow(
  ask: Api["trace"],
  query: Query,
  trace: Trace,
  t: number,
): Promise<LongRow> {
  const read = readUpTo(trace, t);
  const same = (answer: Trace) =>
    readUpTo(answer, t) === read &&
    trace.tokens.slice(0, read).every(({ id }, i) => answer.tokens[i]?.id === id);
  const text = textUpTo(query.text, trace, t);
  let answer = await ask({ ...query, text, from: t });
  // A tokeniser looks ahead: cut short, the text may be read otherwise.
  if (!same(answer) && text !== query.text) answer = await ask({ ...query, from: t });
  const [ids, probs] = [answer.rows.top_ids[0], answer.rows.top_probs[0]];
  if (answer.fingerprint !== trace.fingerprint) throw new Another();
  if (!ids || !probs || !same(answer)) throw new Error("the answer is of another text");
  const { words, word_classes } = answer;
  return { top_ids: ids, top_probs: probs, words, word_classes };
}
