import { perplexity } from "../format";
import { groupsOf } from "../columns";
import type { Labels } from "../state/choices";
import { ofLabels, type Semantic } from "../types";
import { type Ink, line, symbol } from "./ink";
import type { PlacedColumn, Places } from "./place";
import { cut, widthOf, wrap } from "./text";
import { joined, type Markup, node } from "./xml";

/** The head of the grid: layers with their rule, symbols or names, and how well each predicts. */

export const HEAD = 66;
/** The words under the figures: which column is weak, what y predicts. */
export const NOTE_LINE = 12;

/** A name in two lines, as small as its longest word needs. */
function name(column: PlacedColumn, top: number, ink: Ink): Markup[] {
  const longest = Math.max(...column.name.split(" ").map((word) => widthOf(word, 9.5)));
  const size = Math.max(6.5, 9.5 * Math.min(1, (column.width - 2) / longest));
  return wrap(column.name, size, column.width)
    .slice(0, 2)
    .map((text, i) => line(text, column.x + 2, top + 31 + 11 * i, { size, fill: ink.ink }));
}

export function drawHead(
  places: Places,
  top: number,
  semantic: Semantic,
  labels: Labels,
  notes: ReadonlyMap<string, string>,
  ink: Ink,
): Markup {
  const parts: Markup[] = [];
  let at = 0;
  for (const group of groupsOf(places.columns)) {
    const [first, last] = [places.columns[at], places.columns[at + group.span - 1]];
    at += group.span;
    if (!first || !last) continue;
    const end = last.x + last.width;
    const room = Math.max(end - first.x, 40);
    parts.push(
      line(cut(group.name, 11, room), first.x + 2, top + 11, { size: 11, fill: ink.quiet }),
      node("path", { d: `M${first.x} ${top + 17.5}H${end}`, stroke: ink.line, fill: "none" }),
    );
  }
  const quiet = { size: 10, fill: ink.quiet };
  parts.push(line("perplexity", places.token - 9, top + 56, { ...quiet, anchor: "end" }));
  for (const column of places.columns) {
    const value = column.perplexity[semantic];
    if (labels === "symbol")
      parts.push(symbol(column.symbol, column.layer, column.x + 2, top + 40, ink.ink));
    else parts.push(...name(column, top, ink));
    const figure = typeof value === "number" ? perplexity(value) : "–";
    parts.push(line(figure, column.x + 2, top + 56, quiet));
    const note = notes.get(column.key);
    if (note) parts.push(line(note, column.x + 2, top + 56 + NOTE_LINE, quiet));
  }
  if (!ofLabels({ semantic }))
    parts.push(line("came next", places.came, top + 56, { size: 11, fill: ink.quiet }));
  return joined(parts);
}
