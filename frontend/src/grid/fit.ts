import { createProperties } from "../dom";
import type { Column } from "../columns";
import { FIGURE_WIDTH, measure, PAPER, SIZES, tokenWidth, gridWidth } from "../measures";
import type { Density } from "../state/choices";

/** The grid's measures, on the table as custom properties, and what sticks at its edges. */

export interface Fitted {
  columns: readonly Column[];
  /** How wide the widest token is. */
  longest: number;
  density: Density;
  bars: number;
  /** What "came next" takes. */
  came: number;
}

/**
 * `settled` is told when the widths of the box or of the table are others; `sized`, how wide a cell
 * is on the screen and on paper.
 */
export function createFit(
  root: HTMLElement,
  table: HTMLTableElement,
  settled: () => void,
  sized: (screen: number, paper: number) => void,
): (now: Fitted) => void {
  /** Asking for a width lays out all that has changed: it is asked for when it may be another. */
  let available = 0;
  let last: Fitted = { columns: [], longest: 0, density: "bars", bars: 0, came: 0 };
  const property = createProperties(table);

  function fit(): void {
    const { columns, longest, density, bars, came } = last;
    available ||= root.clientWidth;
    const width = available || 1100;
    const token = tokenWidth(longest, width);
    const { cell } = measure(width, columns, token, density, came);
    const { bar, font } = SIZES[density];
    table.classList.toggle("narrow", cell < FIGURE_WIDTH);
    property("--bar-height", `${bar}px`);
    property("--bar-font", `${font}px`);
    property("--bars", String(bars));
    property("--cell-width", `${cell}px`);
    property("--token-width", `${token}px`);
    const paper = measure(PAPER, columns, token, density, came);
    property("--paper-cell", `${paper.cell}px`);
    property("--paper-width", String(gridWidth(paper, columns, density, came)));
    sized(cell, paper.cell);
  }

  /**
   * Whether columns lie beyond an edge: the right one says so, and only then anything has to stick.
   * What sticks is a layer of its own, three in each row: many to put together while scrolling.
   */
  function edge(): void {
    const over = root.scrollWidth - root.clientWidth;
    root.classList.toggle("wide", over > 0);
    root.classList.toggle("beyond", over - root.scrollLeft > 2);
  }
  let left = 0;
  root.addEventListener(
    "scroll",
    () => {
      // Down the rows nothing changes at the edges, and asking how wide they are takes a layout.
      if (root.scrollLeft !== left) edge();
      left = root.scrollLeft;
    },
    { passive: true },
  );

  // It answers after the layout of a frame, so nothing is laid out for its sake.
  if (typeof ResizeObserver !== "undefined") {
    const resized = new ResizeObserver(() => {
      if (available !== root.clientWidth) {
        available = root.clientWidth;
        fit();
      }
      edge();
      settled();
    });
    resized.observe(root);
    resized.observe(table);
  }

  return (now) => {
    last = now;
    fit();
  };
}
