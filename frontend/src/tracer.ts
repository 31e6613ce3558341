import { ApiError, Unreachable } from "./api";
import { firstRow, merge, sameQuestion } from "./merge";
import type { Query, Trace } from "./types";

/**
 * Redraw as you type: when idle a question goes out at once, then at most one every `pace`
 * milliseconds, always the newest; a newer question aborts the one in flight, whose answer, should it
 * still come, is dropped. A server that is gone is asked again until it is back.
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

export const DELAYS = { pace: 120, busy: 300, retry: [1000, 2000, 4000, 8000] };

export function createTracer(send: Send, on: TracerEvents, delays = DELAYS): Tracer {
  let wanted: Query | null = null;
  let base: { query: Query; trace: Trace } | null = null;
  let flight: AbortController | null = null;
  let started = -Infinity;
  let failures = 0;
  let startTimer: ReturnType<typeof setTimeout> | undefined;
  let busyTimer: ReturnType<typeof setTimeout> | undefined;

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

  function settle(): void {
    flight = null;
    clearTimeout(busyTimer);
    busyTimer = undefined;
    on.busy(false);
  }

  async function start(): Promise<void> {
    clearTimeout(startTimer);
    startTimer = undefined;
    const query = wanted;
    if (!query) return;
    flight?.abort();
    const mine = new AbortController();
    flight = mine;
    started = Date.now();
    busyTimer ??= setTimeout(() => on.busy(true), delays.busy);
    try {
      const trace = await complete(query, mine.signal);
      if (flight !== mine) return;
      base = { query, trace };
      failures = 0;
      settle();
      on.answer(trace, query);
    } catch (error) {
      if (flight !== mine) return;
      settle();
      const retrying = error instanceof Unreachable;
      on.failure(error, retrying);
      if (!retrying || startTimer !== undefined) return;
      const wait = delays.retry[Math.min(failures, delays.retry.length - 1)] ?? 1000;
      failures += 1;
      startTimer = setTimeout(() => void start(), wait);
    }
  }

  return {
    ask(query) {
      wanted = query;
      const wait = started + delays.pace - Date.now();
      if (wait <= 0) void start();
      else if (failures || startTimer === undefined) {
        clearTimeout(startTimer);
        startTimer = setTimeout(() => void start(), wait);
      }
    },
    retry: () => void start(),
    cancel() {
      wanted = null;
      clearTimeout(startTimer);
      startTimer = undefined;
      flight?.abort();
      settle();
    },
  };
}
