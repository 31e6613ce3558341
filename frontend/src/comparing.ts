import { type Api, ApiError, Busy, Refused } from "./api";
import { createAsker, DELAYS } from "./asker";
import { wellFormed } from "./format";
import { isLong, secondTooLong } from "./limits";
import type { Problem, State } from "./state";
import type { View } from "./state/view";
import type { Store } from "./store";
import { createTracer } from "./tracer";
import type { Comparison, Pair, Query } from "./types";

/** The second text: traced like the first, and then both are compared. */

export interface Comparing {
  /** Asks for what the view needs now beside the first text, whose question this is. */
  question(query: Query): void;
  retry(): void;
  /** What was asked for meanwhile is not wanted any more. */
  adopt(): void;
}

const ADVICE = "Shorten it; what fitted last is shown below. The first text goes on by itself.";

/** The page's own sentences name the text that they are about. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError) return `The second text: ${error.message}`;
  if (!(error instanceof Refused)) return "The page failed at the second text.";
  return error.message.replace("This text", "The second text");
}

function problemOf(error: unknown): Problem {
  const long = error instanceof Refused && isLong(error) && error.field !== "texts[0]";
  return {
    message: messageOf(error),
    advice: long ? ADVICE : "",
    retrying: false,
    ofText: true,
  };
}

const GONE: Problem = {
  message: "Can't reach the server.",
  advice: "The second text is kept. Trying again…",
  retrying: true,
  ofText: false,
};

const BUSY: Problem = { ...GONE, message: "The server is busy." };

/** What is asked of two texts; null where there is no second. */
export function pairOf({ text, compare, semantic }: View, model: string): Pair | null {
  const second = wellFormed(compare ?? "");
  const first = wellFormed(text);
  return first.trim() && second.trim() ? { texts: [first, second], model, semantic } : null;
}

const NONE: Partial<State> = { second: null, comparison: null, unpaired: null };

export function createComparing(store: Store, api: Api, delays = DELAYS): Comparing {
  let pair: Pair | null = null;
  const busy = { tracer: false, asker: false };
  const report = (who: keyof typeof busy) => (now: boolean) => {
    busy[who] = now;
    const pairing = busy.tracer || busy.asker;
    if (pairing !== store.get().pairing) store.set({ pairing });
  };
  const failure = (error: unknown, retrying: boolean) =>
    store.set({
      unpaired: !retrying ? problemOf(error) : error instanceof Busy ? BUSY : GONE,
    });

  const tracer = createTracer(
    (query, signal) => api.trace(query, signal),
    {
      answer(second) {
        store.set({ second, unpaired: null });
        // Only now: the server works at one question after the other, and the rows are seen first.
        if (pair) asker.ask(pair);
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
      answer: (comparison) => store.set({ comparison, unpaired: null }),
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

  return {
    question(query) {
      const { view, model } = store.get();
      const next = model && pairOf(view, query.model);
      if (!next) {
        adopt();
        store.set(NONE);
        return;
      }
      const [, compare] = next.texts;
      const long = secondTooLong({ ...query, text: compare }, next, model.limits);
      if (long) {
        adopt();
        store.set({
          unpaired: { message: long, advice: ADVICE, retrying: false, ofText: true },
        });
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
  };
}
