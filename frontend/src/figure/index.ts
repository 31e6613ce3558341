import { type Compared, domainOn, isUnder } from "../alignment";
import { isMeasure, legendKey, showOf } from "../colour/measure";
import { answeredClasses } from "../colour/own";
import { coloursOf } from "../colour/palette";
import { drawnRow, type Paint } from "../drawn";
import { ofFew, topSaid } from "../describe";
import { inUnits, perplexity, tokenLabel } from "../format";
import type { Column } from "../columns";
import { barsShown, cameOf, fittedToken, MARK, measure, TOKEN } from "../measures";
import { textPerplexityOf, unknownSaid } from "../sentence";
import {
  alikeSaid,
  chosenSteps,
  findingOf,
  isAlike,
  outlinedOf,
  pairsOf,
  stripsOf,
} from "../partings";
import { notesOf, weakOf } from "../perplexities";
import { paintOf } from "../paint";
import { type Part, PART_NAMES, selectionOf } from "../selection";
import type { AlongText } from "../state";
import { SCALE_NAMES, SEMANTIC_NAMES, showNames } from "../state/choices";
import type { View } from "../state/view";
import { type ModelInfo, ofLabels, type Trace, type Unit, unitOf } from "../types";
import { lineParts } from "./along";
import { drawHead, HEAD, NOTE_LINE } from "./head";
import { inkOf, line } from "./ink";
import { drawLegend, entriesOf } from "./legend";
import { drawMatrix } from "./matrix";
import { across, down, EDGE } from "./place";
import { drawRow } from "./rows";
import { type Figure, namedBy, sheet } from "./sheet";
import { BOLD, flow, widthOf, wrap } from "./text";
import type { Markup } from "./xml";

/** The figure: what is seen, as one SVG. Numbers in, markup out; no document, no script. */

export interface Seen {
  trace: Trace;
  /** Both texts, when two are compared. */
  compared?: Compared | null;
  model: ModelInfo;
  view: View;
  dark: boolean;
  /** How wide the grid stands on the page. */
  width: number;
  /** The unit that is drawn along the text. */
  line?: AlongText | null;
  /** What of the grid is drawn: what is seen, if nothing else is said. */
  part?: Part;
}

const TEXT = { size: 17, line: 23 };

/** What the page says of the comparison, in a line. */
function saidOf(
  { comparison }: Compared,
  columns: readonly Column[],
  view: View,
  unit: Unit,
): string {
  const { distance, steps } = chosenSteps(pairsOf(comparison), view.distance);
  const finding = () => findingOf(comparison, stripsOf(comparison, steps, columns), distance, unit);
  return alikeSaid(comparison, unit) || finding();
}

/** The perplexity and what flatters it: of both texts, where two are compared. */
function perplexitySaid({ trace, compared = null }: Seen, unit: Unit): string[] {
  const texts = [{ mark: "", trace }];
  if (compared) texts.splice(0, 1, { mark: "A", trace }, { mark: "B", trace: compared.second });
  const told = texts.flatMap((text) => {
    const figure = textPerplexityOf(text.trace);
    return figure === null ? [] : [{ ...text, figure }];
  });
  if (!told.length) return [];
  const figures = told.map(({ mark, figure }) => `${mark} ${perplexity(figure)}`.trim());
  const unknown = told.map(({ mark, trace: of }) => {
    const said = inUnits(unknownSaid(of), unit);
    return said && mark ? `in ${mark} ${said}` : said;
  });
  return [`text perplexity ${figures.join(", ")}`, ...unknown];
}

/** What stands under the text, in sayings. */
function caption(seen: Seen, shown: number, outlined: boolean): string[] {
  const { trace, model, view, part } = seen;
  const show = showOf(view.show, trace);
  const all = trace.tokens.length + (seen.compared?.second.tokens.length ?? 0);
  const unit = unitOf(model);
  return [
    namedBy(model),
    inUnits(`decoded: ${SEMANTIC_NAMES[trace.semantic]}`, unit),
    !isMeasure(show)
      ? ofLabels(trace)
        ? "colour: the most probable label"
        : ofFew(trace, model)
          ? "colour: the most probable class"
          : `colour: the most probable class of the likeliest ${topSaid(trace, model, true)}`
      : inUnits(`rectangles: ${showNames(ofLabels(trace))[show]}`, unit),
    barsShown(view) ? `bars: ${SCALE_NAMES[view.scale]}` : "",
    ...perplexitySaid(seen, unit),
    part === "pinned" ? PART_NAMES.pinned : "",
    shown < all ? `${shown} of ${all} timesteps` : "",
    outlined ? "outlined: the cells in which A and B differ most" : "",
  ].filter(Boolean);
}

/** Which cells are framed as those in which two texts part most. Of pins alone none are: it would be told of them as if they were all. */
const partedOf = ({ compared, part, view }: Seen, columns: readonly Column[]) =>
  compared && part !== "pinned" ? outlinedOf(compared.comparison, columns, view.distance) : [];

/** What a figure of this says under its text: of what model it is, and how it is to be read. */
export function captionOf(seen: Seen): string {
  const { trace, model, view, part, compared = null } = seen;
  const { columns, lines } = selectionOf(trace, model, view, part, compared);
  return caption(seen, lines.length, partedOf(seen, columns).length > 0).join(" · ");
}

export function drawFigure(seen: Seen): Figure {
  const { trace, model, view, dark, compared = null } = seen;
  const ink = inkOf(dark);
  const { columns, lines, has } = selectionOf(trace, model, view, seen.part, compared);
  const tokens = [...trace.tokens, ...(compared?.second.tokens ?? [])];
  const longest =
    Math.max(0, ...tokens.map((t) => widthOf(tokenLabel(t), TOKEN.size * BOLD))) +
    (compared ? MARK : 0);
  const came = cameOf(trace);
  const measures = measure(seen.width, columns, fittedToken(longest), view.density, came);
  const places = across(columns, measures, view.density, came > 0);
  const colours = coloursOf(trace.classes, model.palettes, view);
  const width = Math.max(places.width, 480);
  const room = width - 2 * EDGE;

  const pinned = seen.part === "pinned";
  const parted = partedOf(seen, columns);
  const parts: Markup[] = [];
  let y = EDGE;
  const texts = compared ? [`A: ${view.text}`, `B: ${view.compare ?? ""}`] : [view.text];
  for (const text of texts.flatMap((whole) => wrap(whole, TEXT.size, room))) {
    parts.push(line(text, EDGE, y + TEXT.size, { size: TEXT.size, fill: ink.ink }));
    y += TEXT.line;
  }
  const found = compared && !pinned ? saidOf(compared, columns, view, unitOf(model)) : "";
  for (const text of found ? wrap(found, 13, room) : []) {
    parts.push(line(text, EDGE, y + 13, { size: 13, fill: ink.ink }));
    y += 18;
  }
  for (const text of flow(caption(seen, lines.length, parted.length > 0), 11, room)) {
    parts.push(line(text, EDGE, y + 12, { size: 11, fill: ink.quiet }));
    y += 16;
  }
  y += 12;
  if (seen.line?.sides.length && !pinned) {
    const along = lineParts(seen.line, model, room, y, ink);
    parts.push(...along.parts);
    y = along.bottom + 10;
  }
  if (compared && !pinned && !isAlike(compared.comparison)) {
    const matrix = drawMatrix(compared.comparison, places, y, ink);
    parts.push(matrix.markup);
    y = matrix.bottom + 16;
  }
  const notes = notesOf(columns, weakOf(model, trace.semantic), trace.semantic, unitOf(model));
  parts.push(drawHead(places, y, trace.semantic, view.labels, notes, ink));

  const bars = barsShown(view);
  const domain = domainOn(trace, lines, columns, view.scale, compared?.second, has);
  const paint = paintOf(seen, { columns, domain });
  const other: Paint = compared ? { ...paint, trace: compared.second, second: true } : paint;
  const rows = lines.map((of) => {
    const own = of.second ? other : paint;
    const row = drawnRow(own.trace, of.t);
    return { paint: own, line: of, row: { ...row, gap: row.gap && !isUnder(of) } };
  });
  const tops = down(
    y + HEAD + (notes.size ? NOTE_LINE : 0),
    rows.map(({ row }) => row.gap),
    bars,
    view.density,
  );
  const marks = { pins: view.pins, parted, count: trace.tokens.length };
  rows.forEach((row, i) => parts.push(drawRow(row, places, tops[i] ?? 0, ink, marks, has)));

  const legend = drawLegend(
    entriesOf({ ...model, classes: answeredClasses(model, trace) }, colours),
    legendKey(view.show, trace, model, colours, ink.ground),
    { x: EDGE, y: (tops.at(-1) ?? y) + 14, right: width - EDGE },
    ink,
  );
  parts.push(legend.markup);
  const height = Math.ceil(legend.bottom + EDGE - 8);
  return sheet(width, height, `Hidden states while reading: ${view.text}`, model, ink, parts);
}
