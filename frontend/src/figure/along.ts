import { markOf } from "../alignment";
import type { AlongText } from "../state";
import type { ModelInfo } from "../types";
import { drawingOf } from "../unitline/drawing";
import { lineName, lineSaid, sidesOf } from "../unitline/said";
import { type Ink, inkOf, line as textLine } from "./ink";
import { EDGE } from "./place";
import { type Figure, namedBy, sheet } from "./sheet";
import { wrap } from "./text";
import { drawUnit } from "./unit";
import type { Markup } from "./xml";

/** A unit along the text, in a figure: of the grid, or of its own. */

/** Parts of a figure, and where they end. */
interface Drawn {
  parts: Markup[];
  bottom: number;
}

/** What is said of a unit, and its line under it. */
export function lineParts(
  line: AlongText,
  model: ModelInfo,
  room: number,
  y: number,
  ink: Ink,
): Drawn {
  const drawing = drawingOf(sidesOf(line), room);
  const said = wrap(lineSaid(line, model, drawing), 11, room);
  const top = y + 16 * said.length;
  return {
    parts: [
      ...said.map((text, i) => textLine(text, EDGE, y + 16 * i + 12, { size: 11, fill: ink.ink })),
      drawUnit(drawing, EDGE, top, ink),
    ],
    bottom: top + drawing.height,
  };
}

const TEXT = { size: 15, line: 20 };

/** The line alone, under its text. room: how wide the line stands on the page. */
export function drawAlong(line: AlongText, model: ModelInfo, room: number, dark: boolean): Figure {
  const ink = inkOf(dark);
  const parts: Markup[] = [];
  let y = EDGE;
  const texts = line.sides.map(({ query, second }) =>
    line.sides.length > 1 ? `${markOf(second)}: ${query.text}` : query.text,
  );
  for (const text of texts.flatMap((whole) => wrap(whole, TEXT.size, room))) {
    parts.push(textLine(text, EDGE, y + TEXT.size, { size: TEXT.size, fill: ink.ink }));
    y += TEXT.line;
  }
  parts.push(textLine(namedBy(model), EDGE, y + 14, { size: 11, fill: ink.quiet }));
  const drawn = lineParts(line, model, room, y + 20, ink);
  const title = `${lineName(line, model)} along: ${line.sides[0]?.query.text ?? ""}`;
  const height = Math.ceil(drawn.bottom + EDGE);
  return sheet(room + 2 * EDGE, height, title, model, ink, [...parts, ...drawn.parts]);
}
