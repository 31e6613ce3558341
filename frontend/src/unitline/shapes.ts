import { type Band, GUTTER, LABEL, PLOT } from "./drawing";
import { tickSaid } from "./said";

/** What a band is drawn of; how each shape looks is said by the page and by the figure. Pure. */

export type Shape =
  | { is: "tick" | "zero" | "followed" | "line"; d: string }
  | { is: "point"; x: number; y: number }
  | {
      is: "figure" | "letter" | "label" | "quiet";
      text: string;
      x: number;
      y: number;
      anchor: "start" | "middle" | "end";
    };

/** From the back to the front. */
export function shapesOf({ letter, top, points, line, followed, ticks }: Band): Shape[] {
  const foot = top + PLOT + LABEL + 9;
  const edge = points.at(-1)?.right ?? 0;
  return [
    ...ticks.flatMap(({ y, value }): Shape[] => [
      { is: value === 0 ? "zero" : "tick", d: `M${GUTTER - 4} ${y.toFixed(1)}H${edge.toFixed(1)}` },
      { is: "figure", text: tickSaid(value), x: GUTTER - 8, y: y + 3.5, anchor: "end" },
    ]),
    ...(letter ? [{ is: "letter", text: letter, x: 0, y: foot, anchor: "start" } as const] : []),
    ...(followed ? [{ is: "followed", d: followed } as const] : []),
    { is: "line", d: line },
    ...points.flatMap(({ x, y, label, quiet }): Shape[] => [
      { is: "point", x, y },
      { is: quiet ? "quiet" : "label", text: label, x, y: foot, anchor: "middle" },
    ]),
  ];
}
