import { select } from "d3";
import { type Line, markOf, opSaid } from "../alignment";
import { type DrawnCell, type DrawnRow, type Paint, drawnCell, drawnRow } from "../drawn";
import type { Trace, Unit } from "../types";
import type { Bars } from "./bars";
import { drawWords, write } from "./words";

/** A row: one keyed join for its cells, and what stands at its ends. */

/** Widest surprisal bar, in pixels, and how many a bit takes: its figure stands beside it. */
const SURPRISAL = { most: 58, bit: 2.6 };

function drawToken(head: HTMLTableCellElement, row: DrawnRow, line: Line): void {
  const number = document.createElement("small");
  number.textContent = `${line.step ? `${markOf(line.second)} ` : ""}${row.t + 1}`;
  const token = document.createElement("b");
  token.textContent = row.token;
  token.className = row.known ? (row.quiet ? "quiet" : "") : "unknown";
  head.title = row.known ? row.token : `${row.token}: not in the vocabulary, read as <unk>`;
  const op = document.createElement("em");
  op.textContent = opSaid(line);
  head.replaceChildren(number, token, ...(op.textContent ? [op] : []));
}

function drawNext(cell: HTMLTableCellElement, row: DrawnRow, unit: Unit): void {
  if (!row.next) {
    cell.replaceChildren();
    cell.removeAttribute("title");
    return;
  }
  const word = document.createElement("b");
  word.textContent = row.next.word;
  const figures = document.createElement("div");
  figures.textContent = row.next.rank;
  const line = document.createElement("div");
  const bar = document.createElement("s");
  bar.style.width = `${Math.min(SURPRISAL.most, row.next.bits * SURPRISAL.bit).toFixed(1)}px`;
  line.append(bar, row.next.surprisal);
  cell.title = `surprisal: the network gave the ${unit} that came next ${row.next.surprisal}`;
  cell.replaceChildren(word, figures, line);
}

/** By the style object: an attribute would be refused by the content security policy. */
const painted = new WeakMap<HTMLElement, string>();
function put(node: HTMLElement, style: string): void {
  if (painted.get(node) === style) return;
  painted.set(node, style);
  node.style.cssText = style;
}

const classed = new WeakMap<HTMLElement, string>();
/** Draws the cells of a row; what is marked among them stays marked. */
export function drawCells(
  tr: HTMLTableRowElement,
  paint: Paint,
  { t, step }: Line,
  bars: Bars,
): void {
  const bits = step?.bits ?? null;
  const cells = paint.columns
    .map((column) => drawnCell(paint, t, column, bits))
    .filter((cell) => cell !== null);
  const joined = select(tr)
    .selectAll<HTMLTableCellElement, DrawnCell>("td.cell")
    .data(cells, (d) => d.column.key)
    .join((enter) => {
      const td = enter.insert("td", "td.came").attr("role", "gridcell").attr("tabindex", -1);
      // The sentence is the cell's whole text alternative: it names the rectangle, and what is drawn
      // under it is not read out a second time.
      td.append("i").attr("class", "colour").attr("role", "img");
      return td;
    })
    .each(function (d) {
      const { gap, layer } = d.column;
      const classes = `cell${gap && ` gap-${gap}`}${layer === null ? " y" : ""}`;
      // Set again they would take the marks with them.
      if (classed.get(this) === classes) return;
      classed.set(this, classes);
      this.className = classes;
    })
    .order();
  joined.each(function (d) {
    const rectangle = this.getElementsByClassName("colour")[0] as HTMLElement;
    rectangle.setAttribute("aria-label", d.label);
    rectangle.classList.toggle("rim", d.rim);
    const ink = d.figure ? `; color: ${d.figure.ink}` : "";
    put(rectangle, `background-color: ${d.fill}${ink}`);
    write(rectangle, d.figure?.text ?? "");
    drawWords(this, d.bars);
  });
  bars.draw(tr, cells);
}

/** Draws what stands at a row's ends: it depends on the answer alone, not on how it is painted. */
export function drawEnds(tr: HTMLTableRowElement, trace: Trace, line: Line, unit: Unit): void {
  const { t, second, step } = line;
  const row = drawnRow(trace, t);
  const under = second && step !== null && step.first !== null;
  tr.classList.toggle("sentence", row.gap && !under);
  tr.classList.toggle("second", second);
  // The row of the other text stands right under it.
  tr.classList.toggle("joined", !second && step !== null && step.second !== null);
  tr.classList.toggle("differs", step !== null && step.op !== null && step.op !== "same");
  const [head, came] = [tr.cells[0], tr.cells[tr.cells.length - 1]];
  if (head) drawToken(head, row, line);
  if (came) drawNext(came, row, unit);
}
