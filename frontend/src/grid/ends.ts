import { type GridRow, isUnder, markOf, opSaid } from "../alignment";
import { write } from "../dom";
import { type DrawnRow, drawnRow } from "../drawn";
import { SURPRISAL } from "../measures";
import type { Trace, Unit } from "../types";

/** What stands at a row's ends: its token, and what came next. Of the answer alone, however it is painted. */

/** The elements in a node, made where it is still empty. */
function within(node: Element, ...tags: string[]): HTMLElement[] {
  if (!node.firstElementChild) node.append(...tags.map((tag) => document.createElement(tag)));
  return [...node.children] as HTMLElement[];
}

function entitle(node: HTMLElement, title: string): void {
  if (node.title !== title) node.title = title;
}

function drawToken(head: HTMLTableCellElement, row: DrawnRow, line: GridRow): void {
  const [number, token, op] = within(head, "small", "b");
  if (!number || !token) return;
  write(number, `${line.step ? `${markOf(line.second)} ` : ""}${row.t + 1}`);
  write(token, row.token);
  token.className = row.known ? (row.quiet ? "quiet" : "") : "unknown";
  entitle(head, row.known ? row.token : `${row.token}: not in the vocabulary, read as ${row.read}`);
  const said = opSaid(line);
  if (said) write(op ?? head.appendChild(document.createElement("em")), said);
  else op?.remove();
}

function drawNext(cell: HTMLTableCellElement, row: DrawnRow, unit: Unit): void {
  if (!row.next) {
    cell.replaceChildren();
    cell.removeAttribute("title");
    return;
  }
  const [word, figures, line] = within(cell, "b", "div", "div");
  if (!word || !figures || !line) return;
  write(word, row.next.word);
  write(figures, row.next.rank);
  const [bar, surprisal] = within(line, "s", "span");
  if (!bar || !surprisal) return;
  bar.style.width = `${Math.min(SURPRISAL.most, row.next.bits * SURPRISAL.bit).toFixed(1)}px`;
  write(surprisal, row.next.surprisal);
  entitle(cell, `surprisal: the network gave the ${unit} that came next ${row.next.surprisal}`);
}

export function drawEnds(tr: HTMLTableRowElement, trace: Trace, line: GridRow, unit: Unit): void {
  const { t, second, step } = line;
  const row = drawnRow(trace, t);
  tr.classList.toggle("sentence", row.gap && !isUnder(line));
  tr.classList.toggle("second", second);
  // The row of the other text stands right under it.
  tr.classList.toggle("joined", !second && step !== null && step.second !== null);
  tr.classList.toggle("differs", step !== null && step.op !== null && step.op !== "same");
  const [head, came] = [tr.cells[0], tr.cells[tr.cells.length - 1]];
  if (head) drawToken(head, row, line);
  if (came) drawNext(came, row, unit);
}
