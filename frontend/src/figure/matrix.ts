import { css, dilute, inkOn, parseHex } from "../colour/rgb";
import { columnSaid } from "../columns";
import { aloneSaid, figure, mostIn, pairsOf, inkShare, stepLabel } from "../partings";
import type { Comparison } from "../types";
import { type Ink, line, symbol } from "./ink";
import type { Places } from "./place";
import { cut } from "./text";
import { escaped, joined, type Markup, node } from "./xml";

/** The grid of divergences of two texts, over the columns of the grid that stands under it. */

const HEAD = 26;
const STEP = 20;
const SIZE = 10;

/** Answers the markup and where it ends. */
export function drawMatrix(
  comparison: Comparison,
  { columns, token }: Places,
  top: number,
  ink: Ink,
): { markup: Markup; bottom: number } {
  const quiet = { size: SIZE, fill: ink.quiet };
  const parts: Markup[] = [
    line("divergence, bits", token - 9, top + 16, { ...quiet, anchor: "end" }),
    ...columns.map((c) => symbol(c.symbol, c.layer, c.x + 2, top + 17, ink.ink)),
  ];
  const pairs = new Map(pairsOf(comparison).map((pair) => [pair.at, pair]));
  const most = mostIn(comparison, columns);
  comparison.alignment.forEach(([first, , op], at) => {
    const y = top + HEAD + at * STEP;
    const label = stepLabel(comparison, at);
    parts.push(
      line(cut(label, 12, token - 36), token - 9, y + 13, {
        size: 12,
        fill: ink.ink,
        anchor: "end",
        ...(op === "same" ? {} : { weight: 600 }),
      }),
    );
    if (!pairs.has(at)) {
      parts.push(line(aloneSaid(first), columns[0]?.x ?? token, y + 13, quiet));
      return;
    }
    for (const column of columns) {
      const { x, width, index } = column;
      const bits = comparison.divergence[at]?.[index] ?? 0;
      const shade = dilute(parseHex(ink.ink), inkShare(bits, most), ink.ground);
      parts.push(
        node(
          "g",
          {},
          node("title", {}, escaped(`${label}, ${columnSaid(column)}: ${bits.toFixed(6)} bits`)),
          node("rect", { x, y, width, height: STEP - 2, rx: 3, fill: css(shade), stroke: ink.line }), // prettier-ignore
          ...(figure(bits)
            ? [line(figure(bits), x + 4, y + 12.5, { size: SIZE, fill: inkOn(shade) })]
            : []),
        ),
      );
    }
  });
  return { markup: joined(parts), bottom: top + HEAD + comparison.alignment.length * STEP };
}
