import { Busy, Unreachable } from "./api";

/**
 * Questions to the server without a queue: one is out at a time, and behind it waits only the newest.
 * The server works at one after the other and does not notice that an answer is not wanted any more,
 * so a question that is out is let finish: its answer may be where the next one goes on from. Only one
 * that hangs is aborted. A server that is gone is asked again until it is back; one that says when it may
 * be asked again is let be until then, whatever is typed meanwhile.
 */

export interface Asked<Q, A> {
  query: Q;
  answer: A;
}

/** What is asked, and when two questions are the same. */
export interface Kind<Q, A> {
  /** `last` is the newest answer there is, to go on from. */
  send: (query: Q, last: Asked<Q, A> | null, signal: AbortSignal) => Promise<A>;
  equal: (a: Q, b: Q) => boolean;
  /** Whether the answer to one is news while the other waits. */
  akin: (a: Q, b: Q) => boolean;
}

export interface AskerEvents<Q, A> {
  answer(answer: A, query: Q): void;
  busy(busy: boolean): void;
  /** `retrying` when the asker goes on by itself. */
  failure(error: unknown, retrying: boolean): void;
}

export interface Asker<Q> {
  ask(query: Q): void;
  /** Asks again now: the network is back, or the person does not want to wait. */
  retry(): void;
  /** Forgets what was asked: nothing more will be reported for it. */
  cancel(): void;
  /** The last answer is nothing to go on from any more: even the same question is sent again. */
  forget(): void;
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

interface Flight<Q> {
  query: Q;
  abort: AbortController;
  /** Its answer is for nobody. */
  dropped: boolean;
}

export function createAsker<Q, A>(
  { send, equal, akin }: Kind<Q, A>,
  on: AskerEvents<Q, A>,
  delays = DELAYS,
): Asker<Q> {
  let newest: Q | null = null;
  let waiting: Q | null = null;
  let flight: Flight<Q> | null = null;
  let last: Asked<Q, A> | null = null;
  let started = -Infinity;
  /** Until when a busy server wants to be left alone, and what it said. */
  let rest: { until: number; error: Busy } | null = null;
  let failures = 0;
  let startTimer: ReturnType<typeof setTimeout> | undefined;
  let busyTimer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

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
    if (last && equal(last.query, waiting)) {
      waiting = null;
      idle();
      on.answer(last.answer, last.query);
      return;
    }
    const mine: Flight<Q> = { query: waiting, abort: new AbortController(), dropped: false };
    flight = mine;
    waiting = null;
    started = Date.now();
    busyTimer ??= setTimeout(() => on.busy(true), delays.busy);
    send(mine.query, last, mine.abort.signal).then(
      (answer) => mine === flight && landed(mine, answer),
      (error: unknown) => mine === flight && failed(mine, error),
    );
  }

  function landed({ query, dropped }: Flight<Q>, answer: A): void {
    last = { query, answer };
    failures = 0;
    rest = null;
    land();
    // While a person types on, the answer to what stood there a moment ago is news too.
    if (!dropped && (!waiting || akin(query, waiting))) on.answer(answer, query);
    soon();
  }

  function failed({ query, dropped }: Flight<Q>, error: unknown): void {
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
      const wait = error instanceof Busy ? error.wait : pause(failures, delays);
      if (error instanceof Busy) rest = { until: Date.now() + wait, error };
      at(wait);
      failures += 1;
    }
  }

  /** What waits goes out in its turn: not faster than the pace, and what must be sent not before `rest`. */
  function soon(): void {
    const known = last && waiting && equal(last.query, waiting);
    const turn = Math.max(started + delays.pace, Date.now());
    const held = waiting && !known && rest && rest.until > turn ? rest : null;
    // What was told of it may have given way to something else meanwhile.
    if (held) on.failure(held.error, true);
    const wait = (held ? held.until : turn) - Date.now();
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
      const same = asked !== null && equal(asked, query);
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
    forget() {
      last = null;
    },
  };
}
