import { svg } from "../dom";
import type { DrawnCell } from "../drawn";
import { GAPS, LEAST_BAR, outputExtra, RECTANGLE, SIZES } from "../measures";
import type { Density } from "../state/choices";

/**
 * The bars of a row: one path for each colour, behind its words. An element for each of a thousand
 * bars took the browser three times as long to style, lay out and paint.
 */

export interface Geometry {
  /** How wide a cell is, in pixels: what a full bar takes. */
  cell: number;
  density: Density;
}

export interface Bars {
  draw(tr: HTMLTableRowElement, cells: readonly DrawnCell[]): void;
  /** Draws all rows again, if cells are of another size. */
  fit(geometry: Geometry): void;
}

/** How round a cell is, in pixels: as in the stylesheet. */
const ROUND = 3;

/** A path's fill, and what it covers. */
export type Ink = [fill: string, path: string];

const number = (value: number) => String(Math.round(value * 100) / 100);
const box = (x: number, y: number, width: number, height: number) =>
  `M${number(x)} ${y}h${number(width)}v${height}h${number(-width)}z`;

/** The ground that bars stand on: round at its lower corners, as a cell is. */
const ground = (x: number, width: number, height: number) =>
  `M${number(x)} ${RECTANGLE}h${number(width)}v${height - ROUND}a${ROUND} ${ROUND} 0 0 1 -${ROUND} ${ROUND}` +
  `h${number(2 * ROUND - width)}a${ROUND} ${ROUND} 0 0 1 -${ROUND} -${ROUND}z`;

/** What is painted for these cells, the lowest first; the first of them begins at its own gap. */
export function inksOf(cells: readonly DrawnCell[], { cell, density }: Geometry): Ink[] {
  const { bar: height } = SIZES[density];
  const inks = new Map<string, string>([
    ["var(--cell)", ""],
    ["var(--rim)", ""],
  ]);
  const add = (fill: string, path: string) => inks.set(fill, (inks.get(fill) ?? "") + path);
  let x = 0;
  for (const { bars, column } of cells) {
    x += GAPS[column.gap];
    const width = cell + (column.layer === null ? outputExtra(density) : 0);
    if (bars.length) add("var(--cell)", ground(x, width, bars.length * height));
    bars.forEach((bar, at) => {
      if (!bar.word) return;
      const [top, length] = [RECTANGLE + at * height + 1, Math.max(LEAST_BAR, cell * bar.length)];
      if (!bar.rim) return add(bar.colour, box(x, top, length, height - 2));
      add("var(--rim)", box(x, top, length, height - 2));
      if (length > 2) add(bar.colour, box(x + 1, top + 1, length - 2, height - 4));
    });
    x += width + 3;
  }
  return [...inks].filter(([, path]) => path);
}

/** What was painted in each drawing. */
const painted = new WeakMap<Element, readonly Ink[]>();

/** The drawing of a row, or of a cell that stands in its row by itself: its paths are used again. */
function drawInks(node: Element, inks: readonly Ink[]): void {
  let picture = node.firstElementChild;
  if (!(picture instanceof SVGElement)) {
    picture = svg("svg", { "aria-hidden": "true" });
    node.prepend(picture);
  }
  const before = painted.get(picture) ?? [];
  painted.set(picture, inks);
  for (const [at, [fill, path]] of inks.entries()) {
    const shape = picture.children[at] ?? picture.appendChild(svg("path"));
    const [oldFill, oldPath] = before[at] ?? [];
    if (fill !== oldFill) shape.setAttribute("fill", fill);
    if (path !== oldPath) shape.setAttribute("d", path);
  }
  while (picture.children.length > inks.length) picture.lastElementChild?.remove();
}

export function createBars(table: HTMLTableElement): Bars {
  let geometry: Geometry = { cell: 0, density: "bars" };
  /** What was drawn of each row: a row that is gone is forgotten with it. */
  const drawn = new WeakMap<HTMLTableRowElement, readonly DrawnCell[]>();

  function paint(tr: HTMLTableRowElement, cells: readonly DrawnCell[]): void {
    // The network's own prediction may stick to an edge, over the others: it has its bars with it.
    const [states, output] = [
      cells.filter(({ column }) => column.layer !== null),
      cells.filter(({ column }) => column.layer === null),
    ];
    drawInks(tr, inksOf(states, geometry));
    const td = tr.querySelector("td.y");
    if (td) drawInks(td, inksOf(output.map(standing), geometry));
  }

  return {
    draw(tr, cells) {
      drawn.set(tr, cells);
      paint(tr, cells);
    },
    fit(now) {
      if (now.cell === geometry.cell && now.density === geometry.density) return;
      geometry = now;
      for (const tr of table.rows) {
        const cells = drawn.get(tr);
        if (cells) paint(tr, cells);
      }
    },
  };
}

/** A cell drawn by itself: the gap before it belongs to its row. */
const standing = (cell: DrawnCell): DrawnCell => ({
  ...cell,
  column: { ...cell.column, gap: "" },
});
