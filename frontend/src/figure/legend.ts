import { fill } from "../colour/rectangle";
import { percent } from "../format";
import type { WordClass } from "../types";
import { type Ink, line } from "./ink";
import { widthOf } from "./text";
import { joined, type Markup, node } from "./xml";

/** The key under the grid: a swatch a colour, and how a mass dilutes it (the paper's Figure 2). */

const MASSES = [0.9, 0.5, 1 / 3, 0.1];
const LINE = 20;

interface Entry {
  colour: string;
  name: string;
}

/** Classes that share a colour are one entry: they are one class to the rectangle. */
export function entriesOf(
  classes: readonly WordClass[],
  colours: ReadonlyMap<string, string>,
): Entry[] {
  const names = new Map<string, string[]>();
  for (const { id, name } of classes) {
    const colour = colours.get(id) ?? "#888888";
    names.set(colour, [...(names.get(colour) ?? []), name]);
  }
  return [...names].map(([colour, list]) => ({ colour, name: list.join(" + ") }));
}

const swatch = (x: number, y: number, width: number, colour: string): Markup =>
  node("rect", {
    x,
    y,
    width,
    height: 12,
    rx: 3,
    fill: colour,
    stroke: "#808080",
    "stroke-opacity": 0.25,
  });

/** Answers the markup and where it ends. */
export function drawLegend(
  entries: readonly Entry[],
  colour: string,
  at: { x: number; y: number; right: number },
  ink: Ink,
): { markup: Markup; bottom: number } {
  const parts: Markup[] = [];
  let { x, y } = at;
  for (const { colour: own, name } of entries) {
    const width = 18 + widthOf(name, 11) + 16;
    if (x > at.x && x + width > at.right) [x, y] = [at.x, y + LINE];
    parts.push(swatch(x, y, 12, own), line(name, x + 18, y + 10, { size: 11, fill: ink.ink }));
    x += width;
  }
  [x, y] = [at.x, y + LINE + 4];
  const caption = "mass of the strongest colour";
  parts.push(line(caption, x, y + 10, { size: 11, fill: ink.quiet }));
  x += widthOf(caption, 11) + 12;
  for (const p of MASSES) {
    const shade = fill({ colour, p, classes: [] }, ink.ground);
    parts.push(
      swatch(x, y, 40, shade),
      line(percent(p), x + 45, y + 10, { size: 10, fill: ink.quiet }),
    );
    x += 78;
  }
  return { markup: joined(parts), bottom: y + LINE };
}
