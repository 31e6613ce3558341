import { nearest } from "./sight";

/**
 * A text is drawn in turns: the rows that are seen at once, for each change of what is seen is laid out
 * and painted anew; once that is painted, those next to them; those near a few in each frame of
 * scrolling, the nearest first, before they are seen; the others when the browser has time for it. Every
 * row is there from the start.
 */
export interface Pending {
  /** Draws a row now, or puts it off; a row that was put off before is drawn by the newer way. */
  put(row: HTMLTableRowElement, first: boolean, draw: () => void): void;
  /** Draws a row now, if it was put off. */
  now(row: HTMLTableRowElement | undefined): void;
  /** Draws all that was put off. */
  all(): void;
  /** Goes on drawing what was put off: what is in sight after the next paint, the others when idle. */
  go(): void;
  come(block: Element): void;
  gone(block: Element): void;
}

/** How far from the edges a block counts as in sight, and as near, in pixels: some turns of the wheel. */
const SIGHT = 240;
const NEAR = 2400;

/** Milliseconds that a turn may take, by the clock: half a frame, so that scrolling stays smooth. */
const BUDGET = 8;

/** A turn's least time left, in milliseconds: a row takes less. */
const ENOUGH = 5;

const idle: (turn: (left: () => number) => void) => void =
  typeof requestIdleCallback === "function"
    ? (turn) => requestIdleCallback((deadline) => turn(() => deadline.timeRemaining()))
    : (turn) =>
        void setTimeout(() => {
          const end = performance.now() + 12;
          turn(() => end - performance.now());
        }, 16);

/** `drawn` is told when rows were drawn that had been put off. Without an observer all is drawn at once. */
export function createPending(box: HTMLElement, drawn: () => void): Pending {
  const waiting = new Map<HTMLTableRowElement, () => void>();
  const sight = new Set<Element>();
  const near = new Set<Element>();
  const lazy = typeof IntersectionObserver !== "undefined";
  let turning = false;
  let nearing = false;
  let painting = false;

  function take(row: HTMLTableRowElement): boolean {
    const draw = waiting.get(row);
    waiting.delete(row);
    // A row that is gone meanwhile is nobody's.
    if (!draw || !row.isConnected) return false;
    draw();
    return true;
  }
  /** Draws rows in this order while there is time; one in any case, so that it ends. */
  function slice(rows: Iterable<HTMLTableRowElement>, left = Infinity): void {
    const start = performance.now();
    let some = false;
    for (const row of rows) {
      if (take(row)) some = true;
      if (performance.now() - start >= Math.min(BUDGET, left - ENOUGH)) break;
    }
    if (some) drawn();
  }
  const rowsIn = (blocks: ReadonlySet<Element>) =>
    [...waiting.keys()].filter((row) => row.parentElement && blocks.has(row.parentElement));

  /** What is in sight: all of it. */
  function see(): void {
    if (rowsIn(sight).filter(take).length) drawn();
  }
  /** A timer that a frame's callback sets runs once that frame is painted. */
  function seeOncePainted(): void {
    if (painting || !waiting.size) return;
    painting = true;
    requestAnimationFrame(() =>
      setTimeout(() => {
        painting = false;
        see();
      }),
    );
  }
  // While it is scrolled the browser is hardly idle: then what is near has a turn in each frame.
  if (lazy)
    box.addEventListener(
      "scroll",
      () => {
        if (nearing || !waiting.size) return;
        nearing = true;
        requestAnimationFrame(() => {
          nearing = false;
          slice(nearest(box, rowsIn(near)));
        });
      },
      { passive: true },
    );
  function soon(): void {
    if (turning || !waiting.size) return;
    turning = true;
    idle((left) => {
      turning = false;
      slice(waiting.keys(), left());
      soon();
    });
  }

  const watch = (blocks: Set<Element>, margin: number) =>
    lazy
      ? new IntersectionObserver(
          (entries) => {
            for (const { target, isIntersecting } of entries)
              if (isIntersecting) blocks.add(target);
              else blocks.delete(target);
            see();
          },
          { root: box, rootMargin: `${margin}px 0px` },
        )
      : null;
  const observers = [watch(sight, SIGHT), watch(near, NEAR)];

  return {
    put(row, first, draw) {
      if (!lazy || first) {
        waiting.delete(row);
        draw();
      } else waiting.set(row, draw);
    },
    now: (row) => void (row && take(row)),
    all() {
      if ([...waiting.keys()].filter(take).length) drawn();
    },
    go() {
      seeOncePainted();
      soon();
    },
    come: (block) => observers.forEach((observer) => observer?.observe(block)),
    gone(block) {
      observers.forEach((observer) => observer?.unobserve(block));
      sight.delete(block);
      near.delete(block);
    },
  };
}
