import { select } from "d3";
import type { GridRow } from "../alignment";
import { write } from "../dom";
import { type DrawnBar, type DrawnCell, type Paint, drawnCell } from "../drawn";
import type { Bars } from "./bars";
import { drawWords } from "./words";

/** The cells of a row: one keyed join, and in each of them only what is not yet as it should be. */

const classed = new WeakMap<HTMLElement, string>();
/** A cell's place among the others; set again, its classes would take the marks with them. */
function place(td: HTMLElement, { gap, layer }: DrawnCell["column"]): void {
  const classes = `cell${gap && ` gap-${gap}`}${layer === null ? " y" : ""}`;
  if (classed.get(td) === classes) return;
  classed.set(td, classes);
  td.className = classes;
}

const sameWords = (a: readonly DrawnBar[], b: readonly DrawnBar[]): boolean =>
  a.length === b.length &&
  a.every((bar, at) => {
    const other = b[at];
    return (
      bar.word === other?.word &&
      bar.percent === other.percent &&
      bar.asked === other.asked &&
      bar.ink === other.ink &&
      bar.long === other.long
    );
  });

/** What each cell was drawn as. */
const drawn = new WeakMap<HTMLElement, DrawnCell>();

function drawCell(td: HTMLElement, cell: DrawnCell): void {
  const was = drawn.get(td);
  drawn.set(td, cell);
  const rectangle = td.getElementsByClassName("colour")[0] as HTMLElement;
  if (was?.label !== cell.label) rectangle.setAttribute("aria-label", cell.label);
  if (was?.rim !== cell.rim) rectangle.classList.toggle("rim", cell.rim);
  // Each property by itself: for a new text of style the browser styles the element from the start.
  // An attribute would be refused by the content security policy.
  if (was?.fill !== cell.fill) rectangle.style.backgroundColor = cell.fill;
  const [ink, before] = [cell.figure?.ink ?? "", was?.figure?.ink ?? ""];
  if (ink !== before) rectangle.style.color = ink;
  write(rectangle, cell.figure?.text ?? "");
  const long = cell.figure?.long ?? false;
  if (long !== (was?.figure?.long ?? false)) rectangle.classList.toggle("long", long);
  if (!was || !sameWords(was.bars, cell.bars)) drawWords(td, cell.bars);
}

/** Draws the cells of a row; what is marked among them stays marked. */
export function drawCells(
  tr: HTMLTableRowElement,
  paint: Paint,
  { t, step }: GridRow,
  bars: Bars,
): void {
  const bits = step?.bits ?? null;
  const cells = paint.columns
    .map((column) => drawnCell(paint, t, column, bits))
    .filter((cell) => cell !== null);
  select(tr)
    .selectAll<HTMLTableCellElement, DrawnCell>("td.cell")
    .data(cells, (d) => d.column.key)
    .join((enter) => {
      const td = enter.insert("td", "td.came").attr("role", "gridcell").attr("tabindex", -1);
      // The sentence is the cell's whole text alternative: it names the rectangle, and what is drawn
      // under it is not read out a second time.
      td.append("i").attr("class", "colour").attr("role", "img");
      return td;
    })
    .order()
    .each(function (d) {
      place(this, d.column);
      drawCell(this, d);
    });
  bars.draw(tr, cells);
}
