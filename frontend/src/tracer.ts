import { type Asked, type Asker, type AskerEvents, createAsker, DELAYS } from "./asker";
import { firstRow, merge } from "./merge";
import { sameQuestion } from "./question";
import type { Query, Trace } from "./types";

/** Redraw as you type: traces, of which only the rows after the common beginning are asked for. */

export type Send = (query: Query & { from: number }, signal: AbortSignal) => Promise<Trace>;

export function createTracer(
  send: Send,
  on: AskerEvents<Query, Trace>,
  delays = DELAYS,
): Asker<Query> {
  async function complete(
    query: Query,
    last: Asked<Query, Trace> | null,
    signal: AbortSignal,
  ): Promise<Trace> {
    const old = last && sameQuestion(last.query, query) ? last : null;
    const from = old ? firstRow(old.answer, old.query.text, query) : 0;
    if (!old || from === 0) return send({ ...query, from: 0 }, signal);
    const merged = merge(old.answer, await send({ ...query, from }, signal));
    if (merged) return merged;
    // Rows that do not fit the old ones (another tokenisation, another model): ask for all of them.
    return send({ ...query, from: 0 }, signal);
  }

  const equal = (a: Query, b: Query) => a.text === b.text && sameQuestion(a, b);
  return createAsker({ send: complete, equal, akin: sameQuestion }, on, delays);
}
