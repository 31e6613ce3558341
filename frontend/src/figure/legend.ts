import type { Key } from "../colour/measure";
import { groupName } from "../colour/palette";
import { needsRim, NO_COLOUR } from "../colour/rgb";
import type { ModelInfo } from "../types";
import { type Ink, line, rimOf } from "./ink";
import { widthOf, wrap } from "./text";
import { joined, type Markup, node } from "./xml";

/** The key under the grid: a swatch a colour, and how a mass dilutes it (the paper's Figure 2). */

const LINE = 20;
/** Between two lines of one name. */
const NEXT = 14;
/** From one step of the scale to the next. */
const STEP = 78;

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
    const colour = colours.get(c.id) ?? NO_COLOUR;
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
  /** Goes on in a new line where this one has no room. */
  const fit = (width: number) => {
    if (x > at.x && x + width > at.right) [x, y] = [at.x, y + LINE];
  };
  /** Words from here on, in as many lines as they take. */
  const write = (text: string, fill: string) => {
    const lines = wrap(text, 11, at.right - x);
    lines.forEach((words, n) => parts.push(line(words, x, y + 10 + n * NEXT, { size: 11, fill })));
    x += Math.max(...lines.map((words) => widthOf(words, 11)));
    y += (lines.length - 1) * NEXT;
  };
  for (const { colour: own, name } of entries) {
    fit(18 + widthOf(name, 11));
    parts.push(swatch(x, y, 12, own, ink));
    x += 18;
    write(name, ink.ink);
    x += 16;
  }
  [x, y] = [at.x, y + LINE + 4];
  write(key.title.charAt(0).toLowerCase() + key.title.slice(1), ink.quiet);
  x += 12;
  // The steps are one scale: they stay in one line.
  fit((key.steps.length - 1) * STEP + 45 + widthOf(key.steps.at(-1)?.label ?? "", 10));
  for (const { label, colour } of key.steps) {
    parts.push(
      swatch(x, y, 40, colour, ink),
      line(label, x + 45, y + 10, { size: 10, fill: ink.quiet }),
    );
    x += STEP;
  }
  return { markup: joined(parts), bottom: y + LINE };
}
