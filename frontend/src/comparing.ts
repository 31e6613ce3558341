import type { Api } from "./api";
import { createAsker, DELAYS } from "./asker";
import { secondTooLong } from "./limits";
import { Another, problemOf, refused, unanswered } from "./problems";
import { isOf } from "./question";
import type { State } from "./state";
import type { Store } from "./store";
import { createTracer } from "./tracer";
import type { Comparison, Pair, Query, Trace } from "./types";

/** The second text: traced like the first, and then both are compared. */

export interface Comparing {
  /** Asks for what the view needs now beside the first text, whose question this is. */
  question(query: Query, pair: Pair): void;
  retry(): void;
  /** What was asked for meanwhile is not wanted any more. */
  adopt(): void;
  /** There is no second text any more. */
  close(): void;
  /** The last answers are nothing to go on from any more. */
  forget(): void;
}

const ADVICE = "Shorten it; below is what fitted last. The first text is still read.";

const NONE: Partial<State> = { second: null, comparison: null, unpaired: null };

/** @param renew - told of a model whose network is another than it was described as. */
export function createComparing(
  store: Store,
  api: Api,
  renew: (model: string) => void,
  delays = DELAYS,
): Comparing {
  let pair: Pair | null = null;
  const busy = { tracer: false, asker: false };
  const report = (who: keyof typeof busy) => (now: boolean) => {
    busy[who] = now;
    const pairing = busy.tracer || busy.asker;
    if (pairing !== store.get().pairing) store.set({ pairing });
  };
  const failure = (error: unknown, retrying: boolean) =>
    error instanceof Another
      ? renew(store.get().model?.id ?? "")
      : store.set({
          unpaired: retrying ? unanswered(error, true) : problemOf(error, ADVICE, true),
        });
  /** Stores an answer of the network that is shown. */
  function take(answer: Trace | Comparison, patch: Partial<State>): boolean {
    const { model } = store.get();
    const own = model !== null && isOf(answer, model);
    if (own) store.set({ ...patch, unpaired: null });
    else renew(answer.model);
    return own;
  }

  const tracer = createTracer(
    (query, signal) => api.trace(query, signal),
    {
      answer(second) {
        // Only now: the server works at one question after the other, and the rows are seen first.
        if (take(second, { second }) && pair) asker.ask(pair);
      },
      busy: report("tracer"),
      failure,
    },
    delays,
  );
  const akin = (a: Pair, b: Pair) => a.model === b.model && a.semantic === b.semantic;
  const asker = createAsker<Pair, Comparison>(
    {
      send: (query, _, signal) => api.compare(query, signal),
      equal: (a, b) => akin(a, b) && a.texts.every((text, side) => text === b.texts[side]),
      akin,
    },
    {
      answer: (comparison) => void take(comparison, { comparison }),
      busy: report("asker"),
      failure,
    },
    // Hundreds of pairs take the server long: asked anew, they would only take it longer.
    { ...delays, patience: 6 * delays.patience },
  );

  function adopt(): void {
    pair = null;
    tracer.cancel();
    asker.cancel();
  }

  function close(): void {
    adopt();
    const { second, comparison, unpaired } = store.get();
    if (second || comparison || unpaired) store.set(NONE);
  }

  return {
    question(query, next) {
      const { model } = store.get();
      if (!model) return;
      const [, compare] = next.texts;
      const long = secondTooLong({ ...query, text: compare }, next, model.limits);
      if (long) {
        adopt();
        store.set({ unpaired: refused(long, ADVICE) });
        return;
      }
      pair = next;
      tracer.ask({ ...query, text: compare });
    },
    retry() {
      tracer.retry();
      asker.retry();
    },
    adopt,
    close,
    forget() {
      tracer.forget();
      asker.forget();
    },
  };
}
