import { type Rgb, WHITE, css, dilute, parseHex } from "./rgb";

export interface Rectangle {
  /** The winning colour, undiluted. */
  colour: string;
  /** Its mass, absolute: what lies outside the top words dilutes too. */
  p: number;
  /** Every class that shares the winning colour, in class order. */
  classes: string[];
}

/**
 * The colour of a cell. Probability is summed per *colour*, so classes that share one count as one;
 * the largest sum wins, and in a tie the colour whose class comes first in class order.
 */
export function rectangle(
  mass: readonly number[],
  classes: readonly string[],
  colours: ReadonlyMap<string, string>,
): Rectangle {
  const sums = new Map<string, Rectangle>();
  classes.forEach((id, k) => {
    const colour = (colours.get(id) ?? "#888888").toLowerCase();
    const sum = sums.get(colour) ?? { colour, p: 0, classes: [] };
    sum.p += mass[k] ?? 0;
    sum.classes.push(id);
    sums.set(colour, sum);
  });
  // A Map keeps the order of first insertion, so `>` lets the earlier class win a tie.
  let best: Rectangle = { colour: "#ffffff", p: 0, classes: [] };
  for (const sum of sums.values()) if (sum.p > best.p) best = sum;
  return best;
}

export const fill = (r: Rectangle, ground: Rgb = WHITE): string =>
  css(dilute(parseHex(r.colour), r.p, ground));
