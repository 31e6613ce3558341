import type { Key } from "../colour/measure";
import { groupName } from "../colour/palette";
import { needsRim } from "../colour/rgb";
import type { ModelInfo } from "../types";
import { type Ink, line, rimOf } from "./ink";
import { widthOf } from "./text";
import { joined, type Markup, node } from "./xml";

/** The key under the grid: a swatch a colour, and how a mass dilutes it (the paper's Figure 2). */

const LINE = 20;

interface Entry {
  colour: string;
  name: string;
}

/** Classes that share a colour are one entry: they are one class to the rectangle. */
export function entriesOf(
  { classes, palettes }: Pick<ModelInfo, "classes" | "palettes">,
  colours: ReadonlyMap<string, string>,
): Entry[] {
  const groups = new Map<string, { id: string; name: string }[]>();
  for (const c of classes) {
    const colour = colours.get(c.id) ?? "#888888";
    groups.set(colour, [...(groups.get(colour) ?? []), c]);
  }
  return [...groups].map(([colour, list]) => {
    const own = groupName(palettes, colour, list.map((c) => c.id)); // prettier-ignore
    return { colour, name: own ?? list.map((c) => c.name).join(" + ") };
  });
}

const swatch = (x: number, y: number, width: number, colour: string, ink: Ink): Markup =>
  node("rect", {
    x,
    y,
    width,
    height: 12,
    rx: 3,
    fill: colour,
    stroke: "#808080",
    "stroke-opacity": 0.25,
    ...rimOf(ink, needsRim(colour, ink.ground)),
  });

/** Answers the markup and where it ends. */
export function drawLegend(
  entries: readonly Entry[],
  key: Key,
  at: { x: number; y: number; right: number },
  ink: Ink,
): { markup: Markup; bottom: number } {
  const parts: Markup[] = [];
  let { x, y } = at;
  for (const { colour: own, name } of entries) {
    const width = 18 + widthOf(name, 11) + 16;
    if (x > at.x && x + width > at.right) [x, y] = [at.x, y + LINE];
    parts.push(swatch(x, y, 12, own, ink), line(name, x + 18, y + 10, { size: 11, fill: ink.ink }));
    x += width;
  }
  [x, y] = [at.x, y + LINE + 4];
  const caption = key.title.charAt(0).toLowerCase() + key.title.slice(1);
  parts.push(line(caption, x, y + 10, { size: 11, fill: ink.quiet }));
  x += widthOf(caption, 11) + 12;
  for (const { label, colour } of key.steps) {
    parts.push(
      swatch(x, y, 40, colour, ink),
      line(label, x + 45, y + 10, { size: 10, fill: ink.quiet }),
    );
    x += 78;
  }
  return { markup: joined(parts), bottom: y + LINE };
}
