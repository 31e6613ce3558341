import { ApiError, Busy, Unreachable } from "./api";
import { firstRow, merge, sameQuestion } from "./merge";
import type { Query, Trace } from "./types";

/**
 * Redraw as you type, without a queue: one question is out at a time, and behind it waits only the
 * newest. The server works at one after the other and does not notice that an answer is not wanted
 * any more, so a question that is out is let finish: its rows are where the next one goes on from.
 * Only one that hangs is aborted. A server that is gone is asked again until it is back.
 */

export type Send = (query: Query & { from: number }, signal: AbortSignal) => Promise<Trace>;

export interface TracerEvents {
  answer(trace: Trace, query: Query): void;
  busy(busy: boolean): void;
  /** `retrying` when the tracer goes on by itself. */
  failure(error: unknown, retrying: boolean): void;
}

export interface Tracer {
  ask(query: Query): void;
  /** Asks again now: the network is back, or the person does not want to wait. */
  retry(): void;
  /** Forgets what was asked: nothing more will be reported for it. */
  cancel(): void;
}

/**
 * Milliseconds: between two questions, until the page says that it waits, until a question that a
 * newer one waits for is taken to hang, and between attempts to reach a server that is gone.
 */
export const DELAYS = {
  pace: 120,
  busy: 150,
  patience: 10_000,
  retry: [1000, 2000, 4000, 8000],
};

/** Until the next attempt, after so many that failed. */
export const pause = (failures: number, { retry } = DELAYS): number =>
  retry[Math.min(failures, retry.length - 1)] ?? 1000;

interface Flight {
  query: Query;
  abort: AbortController;
  /** Its answer is for nobody. */
  dropped: boolean;
}

export function createTracer(send: Send, on: TracerEvents, delays = DELAYS): Tracer {
  let newest: Query | null = null;
  let waiting: Query | null = null;
  let flight: Flight | null = null;
  let base: { query: Query; trace: Trace } | null = null;
  let started = -Infinity;
  let failures = 0;
  let startTimer: ReturnType<typeof setTimeout> | undefined;
  let busyTimer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  async function complete(query: Query, signal: AbortSignal): Promise<Trace> {
    const old = base && sameQuestion(base.query, query) ? base : null;
    const from = old ? firstRow(old.trace, old.query.text, query) : 0;
    if (!old || from === 0) return send({ ...query, from: 0 }, signal);
    try {
      const merged = merge(old.trace, await send({ ...query, from }, signal));
      if (merged) return merged;
    } catch (error) {
      if (!(error instanceof ApiError && error.field === "from")) throw error;
    }
    // Rows that do not fit the old ones (another tokenisation, another model): ask for all of them.
    return send({ ...query, from: 0 }, signal);
  }

  function at(wait: number): void {
    clearTimeout(startTimer);
    startTimer = setTimeout(start, wait);
  }

  function idle(): void {
    clearTimeout(busyTimer);
    busyTimer = undefined;
    on.busy(false);
  }

  function land(): void {
    flight = null;
    clearTimeout(patience);
    if (!waiting) idle();
  }

  /** Sends what waits, unless something is out: then its end does. */
  function start(): void {
    clearTimeout(startTimer);
    if (!waiting || flight) return;
    if (base?.query.text === waiting.text && sameQuestion(base.query, waiting)) {
      waiting = null;
      idle();
      on.answer(base.trace, base.query);
      return;
    }
    const mine: Flight = { query: waiting, abort: new AbortController(), dropped: false };
    flight = mine;
    waiting = null;
    started = Date.now();
    busyTimer ??= setTimeout(() => on.busy(true), delays.busy);
    complete(mine.query, mine.abort.signal).then(
      (trace) => mine === flight && landed(mine, trace),
      (error: unknown) => mine === flight && failed(mine, error),
    );
  }

  function landed({ query, dropped }: Flight, trace: Trace): void {
    base = { query, trace };
    failures = 0;
    land();
    // While a person types on, the answer to what stood there a moment ago is news too.
    if (!dropped && (!waiting || sameQuestion(query, waiting))) on.answer(trace, query);
    soon();
  }

  function failed({ query, dropped }: Flight, error: unknown): void {
    const gone = error instanceof Unreachable;
    const stale = dropped || waiting !== null;
    if (gone && !dropped) waiting ??= query;
    land();
    if (!gone) {
      if (!stale) on.failure(error, false);
      soon();
    } else if (waiting) {
      idle();
      on.failure(error, true);
      at(error instanceof Busy ? error.wait : pause(failures, delays));
      failures += 1;
    }
  }

  /** What waits goes out in its turn: not faster than the pace. */
  function soon(): void {
    const wait = started + delays.pace - Date.now();
    if (wait > 0) at(wait);
    else start();
  }

  function hangs(): void {
    if (!flight || !waiting) return;
    flight.abort.abort();
    land();
    soon();
  }

  return {
    ask(query) {
      newest = query;
      const asked = flight && !flight.dropped ? flight.query : null;
      const same = asked?.text === query.text && sameQuestion(asked, query);
      waiting = same ? null : query;
      if (flight) {
        clearTimeout(patience);
        patience = setTimeout(hangs, Math.max(0, started + delays.patience - Date.now()));
      } else soon();
    },
    retry() {
      if (!flight) waiting = newest;
      start();
    },
    cancel() {
      newest = waiting = null;
      clearTimeout(startTimer);
      if (flight) flight.dropped = true;
      idle();
    },
  };
}
