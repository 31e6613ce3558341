import { type GridRow, markOf, opSaid } from "../alignment";
import { type DrawnBar, drawnCell, type DrawnCell, type DrawnRow, type Paint } from "../drawn";
import { FIGURE_WIDTH, LEAST_BAR, MARK, RECTANGLE, SIZES, SURPRISAL, TOKEN } from "../measures";
import { ofText, sameCell } from "../state/cells";
import type { CellId } from "../types";
import { type Ink, line, rimOf } from "./ink";
import { EDGE, type PlacedColumn, type Places } from "./place";
import { BOLD, cut, widthOf } from "./text";
import { escaped, joined, type Markup, node, NONE } from "./xml";

/** The rows: a token, its cells, and what came next. */

/** What three digits of a timestep's number take. */
const NUMBER = 18;

function drawBar(
  bar: DrawnBar,
  column: PlacedColumn,
  y: number,
  ink: Ink,
  { full, density }: Places,
): Markup {
  const { bar: height, font } = SIZES[density];
  if (!bar.word) return NONE;
  const output = bar.percent !== null;
  const room = column.width - 4 - (output ? 32 : 0);
  return joined([
    node("rect", {
      x: column.x,
      y: y + 1,
      width: Math.max(LEAST_BAR, full * bar.length),
      height: height - 2,
      fill: bar.colour,
      ...rimOf(ink, bar.rim),
    }),
    line(cut(bar.word, font, room), column.x + 3, y + height / 2 + font * 0.35, {
      size: font,
      fill: bar.ink ?? ink.ink,
      ...(bar.asked ? { weight: 700 } : {}),
    }),
    output
      ? line(bar.percent ?? "", column.x + column.width - 3, y + height / 2 + 3.2, {
          size: 9,
          fill: ink.quiet,
          anchor: "end",
        })
      : NONE,
  ]);
}

/** What stands out among the cells, and how many timesteps the first text has. */
export interface Marks {
  pins: readonly CellId[];
  parted: readonly CellId[];
  count: number;
}

/** A row: how it is painted, which of the two texts' it is, and what stands at its ends. */
export interface FigureRow {
  paint: Paint;
  line: GridRow;
  row: DrawnRow;
}

function drawCell(
  cell: DrawnCell,
  column: PlacedColumn,
  y: number,
  places: Places,
  ink: Ink,
  { pins, parted, count }: Marks,
): Markup {
  const { bar, font } = SIZES[places.density];
  const height = RECTANGLE + cell.bars.length * bar;
  const { x, width } = column;
  const among = (cells: readonly CellId[]) => cells.some((c) => sameCell(c, cell.id));
  const outline = among(parted) ? ink.warm : among(pins) ? ink.faint : null;
  // "data-" attributes say which cell this is: the standalone page points at them.
  return node(
    "g",
    { "data-t": cell.id.t + (cell.id.second ? count : 0), "data-c": column.index },
    node("title", {}, escaped(cell.label)),
    node("rect", { x, y, width, height, rx: 3, fill: ink.cell }),
    node("rect", {
      x,
      y,
      width,
      height: RECTANGLE,
      rx: 3,
      fill: cell.fill,
      ...rimOf(ink, cell.rim),
    }),
    cell.figure && width >= FIGURE_WIDTH
      ? line(cut(cell.figure.text, font, width - 6), x + 3, y + 10, {
          size: font,
          fill: cell.figure.ink,
        })
      : NONE,
    ...cell.bars.map((b, i) => drawBar(b, column, y + RECTANGLE + i * bar, ink, places)),
    outline
      ? node("rect", {
          x: x - 1.25,
          y: y - 1.25,
          width: width + 2.5,
          height: height + 2.5,
          rx: 5,
          fill: "none",
          stroke: outline,
          "stroke-width": 1.5,
        })
      : NONE,
  );
}

/** Numbers stand under one another: where a token begins the font alone knows, which may be another's. */
function drawToken({ row, line: of }: FigureRow, places: Places, y: number, ink: Ink): Markup {
  const [left, end] = [EDGE + NUMBER + (of.step ? MARK : 0), places.token - 9];
  const text = cut(row.token, TOKEN.size * BOLD, end - left - 6);
  const width = widthOf(text, TOKEN.size);
  const op = opSaid(of);
  return joined([
    line(`${of.step ? `${markOf(of.second)} ` : ""}${row.t + 1}`, left, y + 12, {
      size: 10,
      fill: ink.quiet,
      anchor: "end",
    }),
    line(text, end, y + 12, {
      size: TOKEN.size,
      fill: row.quiet ? ink.quiet : ink.ink,
      anchor: "end",
      ...(row.quiet ? {} : { weight: 600 }),
    }),
    row.known
      ? NONE
      : node("path", {
          d: `M${end - width} ${y + 16}H${end}`,
          stroke: ink.faint,
          "stroke-width": 1.5,
          "stroke-dasharray": "1.5 2",
          fill: "none",
        }),
    ...(op ? [line(op, end, y + 26, { size: 10, fill: ink.quiet, anchor: "end" })] : []),
  ]);
}

function drawNext(row: DrawnRow, { came: x, density }: Places, y: number, ink: Ink): Markup {
  if (!row.next) return NONE;
  const { word, rank, surprisal, bits } = row.next;
  const quiet = { size: 10, fill: ink.quiet };
  const bar = Math.max(1, Math.min(SURPRISAL.most, bits * SURPRISAL.bit));
  const followed = line(cut(word, 13, 112), x, y + 12, { size: 13, weight: 500, fill: ink.ink });
  if (density === "rectangles") return followed;
  return joined([
    followed,
    line(rank, x, y + 26, quiet),
    node("rect", { x, y: y + 33.5, width: bar, height: 4, rx: 2, fill: ink.faint }),
    line(surprisal, x + bar + 5, y + 39, quiet),
  ]);
}

export function drawRow(
  figureRow: FigureRow,
  places: Places,
  y: number,
  ink: Ink,
  marks: Marks,
  has: (cell: CellId) => boolean,
): Markup {
  const { paint, row, line: of } = figureRow;
  const cells = places.columns.flatMap((column) => {
    const { kind, layer } = column;
    if (!has({ t: row.t, kind, layer, ...ofText(of.second) })) return [];
    const cell = drawnCell(paint, row.t, column, of.step?.bits ?? null);
    return cell ? [drawCell(cell, column, y, places, ink, marks)] : [];
  });
  return joined([drawToken(figureRow, places, y, ink), ...cells, drawNext(row, places, y, ink)]);
}
