import { nearest } from "./sight";

/**
 * A long text is drawn in turns: the first rows at once; those in sight a few in each frame, the nearest
 * first; the others when the browser has time for it. Every row is there from the start.
 */
export interface Pending {
  /** Draws a row now, or puts it off; a row that was put off before is drawn by the newer way. */
  put(row: HTMLTableRowElement, first: boolean, draw: () => void): void;
  /** Draws a row now, if it was put off. */
  now(row: HTMLTableRowElement | undefined): void;
  /** Draws all that was put off. */
  all(): void;
  /** Goes on drawing what was put off: of the blocks in sight frame by frame, the others when idle. */
  go(): void;
  come(block: Element): void;
  gone(block: Element): void;
}

/** How far from its edges a block counts as in sight, in pixels: some turns of the wheel. */
const MARGIN = 640;

/** Milliseconds that a turn may take, by the clock: half a frame, so that scrolling stays smooth. */
const BUDGET = 8;

/** A turn's least time left, in milliseconds: a row takes less. */
const ENOUGH = 5;

const idle: (turn: (left: () => number) => void) => void =
  typeof requestIdleCallback === "function"
    ? (turn) => requestIdleCallback((deadline) => turn(() => deadline.timeRemaining()))
    : (turn) => {
        const until = () => performance.now() + 12;
        setTimeout(() => {
          const end = until();
          turn(() => end - performance.now());
        }, 16);
      };

/** `drawn` is told when rows were drawn that had been put off. Without an observer all is drawn at once. */
export function createPending(box: HTMLElement, drawn: () => void): Pending {
  const waiting = new Map<HTMLTableRowElement, () => void>();
  const sight = new Set<Element>();
  const lazy = typeof IntersectionObserver !== "undefined";
  let turning = false;
  let seeing = false;

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
  const isSeen = (row: HTMLTableRowElement) =>
    row.parentElement !== null && sight.has(row.parentElement);

  /** What is in sight: a turn now, and one in each frame until all of it is there. */
  function see(): void {
    const seen = [...waiting.keys()].filter(isSeen);
    if (!seen.length) return;
    slice(nearest(box, seen));
    if (seen.some((row) => waiting.has(row))) seeSoon();
  }
  /** In the next frame: asked where rows are while they change, the browser would lay them all out. */
  function seeSoon(): void {
    if (seeing) return;
    seeing = true;
    requestAnimationFrame(() => {
      seeing = false;
      see();
    });
  }
  function soon(): void {
    if (turning || !waiting.size) return;
    turning = true;
    idle((left) => {
      turning = false;
      slice(waiting.keys(), left());
      soon();
    });
  }

  const observer = lazy
    ? new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries)
            if (isIntersecting) sight.add(target);
            else sight.delete(target);
          see();
        },
        { root: box, rootMargin: `${MARGIN}px 0px` },
      )
    : null;

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
      if ([...waiting.keys()].some(isSeen)) seeSoon();
      soon();
    },
    come: (block) => observer?.observe(block),
    gone(block) {
      observer?.unobserve(block);
      sight.delete(block);
    },
  };
}
