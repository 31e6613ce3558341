import type { Api } from "./api";
import type { LongRow } from "./state";
import type { Query, Trace } from "./types";

/** More of a row than the grid asks for: every cell of one timestep with as many words as there are. */

/** Where the text may end so that a timestep is still in it: what comes later does not change it. */
export function textUpTo(text: string, trace: Trace, t: number): string {
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
  const same = (answer: Trace) =>
    trace.tokens.slice(0, t + 1).every(({ id }, i) => answer.tokens[i]?.id === id);
  let answer = await ask({ ...query, text: textUpTo(query.text, trace, t), from: t });
  // A tokeniser looks ahead: cut short, the text may be read otherwise.
  if (!same(answer)) answer = await ask({ ...query, from: t });
  const [ids, probs] = [answer.rows.top_ids[0], answer.rows.top_probs[0]];
  if (!ids || !probs || !same(answer)) throw new Error("the answer is of another text");
  const { words, word_classes } = answer;
  return { top_ids: ids, top_probs: probs, words, word_classes };
}
