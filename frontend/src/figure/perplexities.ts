import { decimal, perplexity } from "../format";
import type { Column } from "../columns";
import { explained, perplexitiesOf } from "../perplexities";
import type { View } from "../state/view";
import type { ModelInfo } from "../types";
import { inkOf, line, symbol } from "./ink";
import { EDGE } from "./place";
import { type Figure, namedBy, sheet } from "./sheet";
import { wrap } from "./text";
import { escaped, type Markup, node } from "./xml";

/** The chart of perplexities as one SVG. */

const HEIGHT = 180;
const BAR = { width: 30, step: 36, layer: 14 };
const AXIS = 34;

export interface Charted {
  model: ModelInfo;
  columns: readonly Column[];
  view: Pick<View, "semantic" | "axis">;
  dark: boolean;
}

export function drawPerplexities({ model, columns, view, dark }: Charted): Figure {
  const ink = inkOf(dark);
  const { bars, ticks, network } = perplexitiesOf(columns, view.semantic, view.axis);
  const gaps = bars.filter(({ column }) => column.gap === "layer").length;
  const right = EDGE + AXIS + bars.length * BAR.step + gaps * BAR.layer;
  const width = Math.max(480, right + 2 * EDGE);
  const quiet = { size: 10, fill: ink.quiet };
  const parts: Markup[] = [
    line(`${namedBy(model)} · perplexity of each kind`, EDGE, EDGE + 13, {
      size: 13,
      fill: ink.ink,
      weight: 600,
    }),
  ];
  const foot = EDGE + 52 + HEIGHT;
  for (const { at, label } of ticks) {
    const y = foot - HEIGHT * at;
    parts.push(
      line(label, EDGE + AXIS - 8, y + 3.5, { ...quiet, anchor: "end" }),
      node("path", { d: `M${EDGE + AXIS} ${y}H${right}`, stroke: ink.line, fill: "none" }),
    );
  }
  let x = EDGE + AXIS + 3;
  for (const bar of bars) {
    if (bar.column.gap === "layer") x += BAR.layer;
    const height = Math.max(1, HEIGHT * bar.length);
    const [middle, top] = [x + BAR.width / 2, foot - height];
    const shape = { x, y: top, width: BAR.width, height, fill: ink.faint };
    parts.push(
      node("g", {}, node("title", {}, escaped(bar.column.name)), node("rect", shape)),
      // A bar that is longer than the axis is broken.
      ...(bar.cut
        ? [8, 14].map((down) =>
            node("rect", { ...shape, y: top + down, height: 3, fill: ink.paper }),
          )
        : []),
      line(bar.figure, middle + 3.2 * bar.figure.length, top - 4, {
        size: 10,
        fill: ink.ink,
        anchor: "end",
        ...(bar.cut ? { weight: 700 } : {}),
      }),
      symbol(bar.column.symbol, bar.column.layer, middle - 6, foot + 18, ink.ink),
    );
    x += BAR.step;
  }
  if (network) {
    const y = foot - HEIGHT * network.at;
    const stroke = { stroke: ink.ink, "stroke-width": 1.5, "stroke-dasharray": "4 3" };
    parts.push(
      node("path", { d: `M${EDGE + AXIS} ${y}H${right}`, fill: "none", ...stroke }),
      symbol("y", null, right + 6, y + 3, ink.ink),
      line(perplexity(network.value), right + 18, y + 3.5, { size: 10, fill: ink.ink }),
    );
  }
  let y = foot + 34;
  const said = explained(view.semantic, !!network, model);
  for (const text of wrap(said, 10, width - 2 * EDGE)) {
    y += 14;
    parts.push(line(text, EDGE, y, quiet));
  }
  const height = y + EDGE;
  const title = `Perplexity of each kind, up to ${ticks.map((t) => t.label).at(-1) ?? decimal(0)}`;
  return sheet(width, height, title, model, ink, parts);
}
