import { inkOf, line, MATH, rimOf, symbol } from "../figure/ink";
import { EDGE } from "../figure/place";
import { type Figure, namedBy, sheet } from "../figure/sheet";
import { cut, wrap } from "../figure/text";
import { escaped, joined, type Markup, node } from "../figure/xml";
import { drawnCell, type Paint } from "../drawn";
import { bits, mathRuns, percent } from "../format";
import { columnKey } from "../columns";
import { factsOf } from "../describe";
import { type Figures, HEIGHT, layOut } from "./lay";
import { orderSaid, stripsSaid } from "./reading";
import type { Row } from "./rows";

/** The inside of a cell as one SVG: its equation, the strips of its vectors, what each of them says. */

/** Names, strips, words: from left to right, in pixels. */
const WIDTHS = { name: 224, strip: 900, gap: 22, says: 140 };
const GAP = 24;
/** Where the words of a name begin, and how wide a line of them may be: it ends before the strips. */
const NAME = { x: EDGE + 48, room: WIDTHS.name - 48 - 14 };

export interface Pictured extends Figures {
  text: string;
  title: string;
  equation: string;
  /** What the panel says of the cell. */
  said: string;
  paint: Paint;
  dark: boolean;
  /** The symbol of the cell whose equation it is. */
  owner: string;
}

/** An equation in one line, lowered and raised by as much as it is smaller. */
function math(equation: string, x: number, y: number, fill: string): Markup {
  let level = 0;
  const runs = mathRuns(equation).map((run) => {
    const to = run.level === "sub" ? 4 : run.level === "sup" ? -6 : 0;
    const dy = to - level;
    level = to;
    const small = run.level === "base" ? {} : { "font-size": 11, "font-style": "normal" };
    return node("tspan", { dy, ...small }, escaped(run.text));
  });
  return node(
    "text",
    { x, y, fill, "font-size": 17, "font-style": "italic", "font-family": MATH },
    ...runs,
  );
}

export function drawInside(pictured: Pictured): Figure {
  const { rows, form, order, paint, owner } = pictured;
  const ink = inkOf(pictured.dark);
  const laid = layOut(pictured, WIDTHS.strip);
  const quiet = { size: 10.5, fill: ink.quiet };
  const strips = EDGE + WIDTHS.name;
  const says = strips + WIDTHS.strip + WIDTHS.gap;
  const width = says + WIDTHS.says + EDGE;
  const parts: Markup[] = [];
  let y = EDGE;

  function drawName({ info, sign, through, own, beside }: Row, top: number, more: string) {
    const before = `${sign} ${through}`.trim();
    const middle = top + HEIGHT / 2 - 3;
    parts.push(
      line(before, EDGE + 40, middle, { size: 13, fill: ink.quiet, anchor: "end" }),
      symbol(info.symbol, info.layer, NAME.x, middle, ink.ink),
      line(cut(info.name, 12, 140), EDGE + 74, middle, { size: 12, fill: ink.ink, ...(own ? { weight: 600 } : {}) }), // prettier-ignore
    );
    // Each on a line of its own, as in the panel.
    const told = [beside ? `of the row ${beside}` : "", more].filter(Boolean);
    const lines = told.flatMap((words) => wrap(words, quiet.size, NAME.room));
    lines.forEach((words, i) => parts.push(line(words, NAME.x, middle + 15 + 13 * i, quiet)));
  }

  function drawSays(row: Row, top: number) {
    const column = paint.columns.find((c) => columnKey(c) === columnKey(row.info));
    const drawn = row.cell && column && drawnCell(paint, row.cell.t, column);
    const facts = row.cell && factsOf(paint.trace, paint.model, paint.colours, row.cell);
    if (!drawn || !facts) {
      parts.push(line("zeros", says, top + 12, quiet));
      return;
    }
    parts.push(
      node("rect", { x: says, y: top, width: WIDTHS.says, height: 9, rx: 3, fill: drawn.fill, ...rimOf(ink, drawn.rim) }), // prettier-ignore
    );
    drawn.bars.forEach((bar, i) => {
      if (!bar.word) return;
      const at = top + 11 + 13 * i;
      parts.push(
        node("rect", { x: says, y: at + 1, width: Math.max(1, WIDTHS.says * bar.length), height: 11, fill: bar.colour, ...rimOf(ink, bar.rim) }), // prettier-ignore
        line(cut(bar.word, 10.5, WIDTHS.says - 44), says + 3, at + 10, { size: 10.5, fill: bar.ink ?? ink.ink }), // prettier-ignore
        line(percent(facts.bars[i]?.p ?? 0), says + WIDTHS.says, at + 10, { size: 9.5, fill: ink.quiet, anchor: "end" }), // prettier-ignore
      );
    });
    if (row.divergence !== null)
      parts.push(line(`${bits(row.divergence, 2)} from ${owner}`, says, top + HEIGHT + 12, quiet));
  }

  function write(text: string, size: number, fill: string, step: number, weight?: number) {
    for (const words of wrap(text, size, width - 2 * EDGE)) {
      parts.push(line(words, EDGE, y + size, { size, fill, ...(weight ? { weight } : {}) }));
      y += step;
    }
  }

  write(pictured.title, 14, ink.ink, 22, 600);
  parts.push(math(pictured.equation, EDGE, y + 17, ink.ink));
  y += 32;
  if (pictured.said) write(pictured.said, 12, ink.ink, 17);
  y += 10;
  rows.forEach((row, i) => {
    const strip = laid.strips[i];
    drawName(row, y, laid.more[i] ?? "");
    drawSays(row, y);
    const paths = strip
      ? [
          node("path", { d: strip.stems, fill: ink.faint, "fill-opacity": 0.4 }),
          node("path", { d: strip.bars, fill: ink.faint }),
          node("path", { d: strip.marked, fill: ink.ink }),
        ]
      : [];
    parts.push(
      node(
        "g",
        { transform: `translate(${strips} ${y})` },
        node("path", { d: `M0 ${HEIGHT / 2}H${WIDTHS.strip}`, stroke: ink.line, fill: "none" }),
        ...paths,
      ),
    );
    y += HEIGHT + GAP;
  });
  const hint = laid.units.length
    ? `${stripsSaid(laid.units.length, WIDTHS.strip, laid.scale, form, laid.added)} ${orderSaid(order, form, laid.added)}`
    : "";
  write(hint, 10.5, ink.quiet, 15);
  write(`${namedBy(paint.model)} · reading: ${pictured.text}`, 10.5, ink.quiet, 15);
  return sheet(width, Math.ceil(y + EDGE), pictured.title, paint.model, ink, [joined(parts)]);
}
