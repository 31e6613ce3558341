/**
 * A long text is drawn in turns: the rows in sight at once, the others when the browser has time for it,
 * and earlier when they come into sight or are asked for. Every row is there from the start.
 */
export interface Pending {
  /** Draws a row now, or puts it off; a row that was put off before is drawn by the newer way. */
  put(row: HTMLTableRowElement, first: boolean, draw: () => void): void;
  /** Draws a row now, if it was put off. */
  now(row: HTMLTableRowElement | undefined): void;
  /** Draws all that was put off. */
  all(): void;
  /** Draws what was put off of the blocks in sight, and the others bit by bit. */
  go(): void;
  come(block: Element): void;
  gone(block: Element): void;
}

/** How far from its edges a block counts as in sight, in pixels: a few turns of the wheel. */
const MARGIN = 240;

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

  function take(row: HTMLTableRowElement): boolean {
    const draw = waiting.get(row);
    waiting.delete(row);
    // A row that is gone meanwhile is nobody's.
    if (!draw || !row.isConnected) return false;
    draw();
    return true;
  }
  function takeAll(of: (row: HTMLTableRowElement) => boolean): void {
    let some = false;
    for (const row of [...waiting.keys()]) if (of(row) && take(row)) some = true;
    if (some) drawn();
  }
  const isSeen = (row: HTMLTableRowElement) =>
    row.parentElement !== null && sight.has(row.parentElement);

  function turn(left: () => number): void {
    turning = false;
    const rows = waiting.keys();
    let some = false;
    do {
      const { value, done } = rows.next();
      if (done) break;
      if (take(value)) some = true;
    } while (left() > ENOUGH);
    if (some) drawn();
    soon();
  }
  function soon(): void {
    if (turning || !waiting.size) return;
    turning = true;
    idle(turn);
  }

  const observer = lazy
    ? new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries)
            if (isIntersecting) sight.add(target);
            else sight.delete(target);
          takeAll(isSeen);
        },
        { root: box, rootMargin: `${MARGIN}px 0px` },
      )
    : null;

  return {
    put(row, first, draw) {
      if (!lazy || first || isSeen(row)) {
        waiting.delete(row);
        draw();
      } else waiting.set(row, draw);
    },
    now: (row) => void (row && take(row)),
    all: () => takeAll(() => true),
    go() {
      takeAll(isSeen);
      soon();
    },
    come: (block) => observer?.observe(block),
    gone(block) {
      observer?.unobserve(block);
      sight.delete(block);
    },
  };
}
