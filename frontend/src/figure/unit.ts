import { type Drawing, LABEL, PLOT } from "../unitline/drawing";
import { tickSaid } from "../unitline/said";
import { type Ink, line } from "./ink";
import { type Markup, node } from "./xml";
import { widthOf } from "./text";

/** A unit along the text, as on the page: its line over the tokens, at a place of the figure. */
export function drawUnit({ bands, width }: Drawing, x: number, y: number, ink: Ink): Markup {
  const quiet = { size: 10, fill: ink.quiet };
  const stroke = (colour: string) => ({ fill: "none", stroke: colour });
  const parts = bands.flatMap(({ letter, top, points, line: d, followed, ticks }): Markup[] => {
    const foot = top + PLOT + LABEL + 9;
    const edge = points.at(-1)?.right ?? width;
    return [
      ...ticks.flatMap(({ value, y: at }) => [
        node("path", { d: `M40 ${at}H${edge}`, ...stroke(value === 0 ? ink.faint : ink.line) }),
        line(tickSaid(value), 36, at + 3.5, { ...quiet, anchor: "end" }),
      ]),
      ...(letter ? [line(letter, 0, foot, { ...quiet, weight: 600 })] : []),
      ...(followed
        ? [node("path", { d: followed, ...stroke(ink.warm), "stroke-dasharray": "3 3" })]
        : []),
      node("path", { d, ...stroke(ink.ink), "stroke-width": 1.5 }),
      ...points.flatMap((p) => [
        node("circle", { cx: p.x, cy: p.y, r: 2.2, fill: ink.ink }),
        line(p.label, p.x - widthOf(p.label, LABEL) / 2, foot, {
          size: LABEL,
          fill: p.quiet ? ink.quiet : ink.ink,
        }),
      ]),
    ];
  });
  return node("g", { transform: `translate(${x} ${y})` }, ...parts);
}
