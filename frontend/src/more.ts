import type { Api } from "./api";
import { wellFormed } from "./format";
import { readsAhead, readUpTo } from "./operands";
import { Another, failureSaid } from "./problems";
import { answers, ownOf } from "./question";
import type { LongRow } from "./state";
import type { RowId } from "./state/cells";
import { textOf, traceOf } from "./state/sides";
import type { Store } from "./store";
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

/** @param another - told when the server has another network than the grid shows. */
export function createMore(store: Store, ask: Api["trace"], another = () => {}) {
  return {
    /** Asks for more words of a timestep. */
    async ask(row: RowId): Promise<void> {
      const { view, model } = store.get();
      const { t } = row;
      const trace = traceOf(store.get(), row);
      if (!trace || !model) return;
      const tell = (found: LongRow | null, problem: string | null) =>
        store.set({ more: { of: trace, t, row: found, problem } });
      if (!answers(trace, { ...view, text: textOf(view, row) }, model)) {
        tell(null, "The grid does not show this text yet.");
        return;
      }
      tell(null, null);
      const current = () => {
        const { more } = store.get();
        return more?.of === trace && more.t === t && !more.row;
      };
      const { semantic, top } = trace;
      const text = wellFormed(textOf(view, row));
      const query = { text, model: model.id, semantic, top, ...ownOf(view) };
      try {
        const found = await askRow(ask, { ...query, bars: model.limits.bars }, trace, t);
        if (current()) tell(found, null);
      } catch (error) {
        if (error instanceof Another) another();
        if (current()) tell(null, failureSaid(error));
      }
    },
    drop: () => store.set({ more: null }),
  };
}
