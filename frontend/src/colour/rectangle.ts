import { once } from "../once";
import { type Rgb, WHITE, css, dilute, parseHex, NO_COLOUR } from "./rgb";

export interface Rectangle {
  /** The winning colour, undiluted. */
  colour: string;
  /** Its mass, absolute: what lies outside the top words dilutes too. */
  p: number;
  /** Every class that shares the winning colour, in class order. */
  classes: string[];
}

interface Shared {
  colour: string;
  /** The classes of that colour, and where they stand in class order. */
  classes: string[];
  places: number[];
}

/** Which classes share a colour, in the order of the first of each: the same for all cells. */
const sharedOf = once((colours: ReadonlyMap<string, string>) =>
  once((classes: readonly string[]): Shared[] => {
    const found = new Map<string, Shared>();
    classes.forEach((id, k) => {
      const colour = (colours.get(id) ?? NO_COLOUR).toLowerCase();
      const shared = found.get(colour) ?? { colour, classes: [], places: [] };
      shared.classes.push(id);
      shared.places.push(k);
      found.set(colour, shared);
    });
    return [...found.values()];
  }),
);

/**
 * The colour of a cell. Probability is summed per *colour*, so classes that share one count as one;
 * the largest sum wins, and in a tie the colour whose class comes first in class order.
 */
export function rectangle(
  mass: readonly number[],
  classes: readonly string[],
  colours: ReadonlyMap<string, string>,
): Rectangle {
  let best: Rectangle = { colour: "#ffffff", p: 0, classes: [] };
  for (const { colour, classes: of, places } of sharedOf(colours)(classes)) {
    let p = 0;
    for (const k of places) p += mass[k] ?? 0;
    // `>` lets the earlier class win a tie.
    if (p > best.p) best = { colour, p, classes: of };
  }
  return best;
}

export const diluted = (r: Rectangle, ground: Rgb): Rgb => dilute(parseHex(r.colour), r.p, ground);

export const fill = (r: Rectangle, ground: Rgb = WHITE): string => css(diluted(r, ground));
