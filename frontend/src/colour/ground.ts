import { parseHex, type Rgb, WHITE } from "./rgb";

/** What every colour is mixed with or stands on, in both themes: the stylesheet's --ink and --cell. */

export const INK = { light: "#1d1d1b", dark: "#ecebe6" };
export const CELL = { light: "#ffffff", dark: "#1e1e1c" };

export interface Ground {
  /** What an empty cell is painted with; masses dilute toward it. */
  ground: Rgb;
  /** The page's own ink. */
  ink: Rgb;
}

const LIGHT: Ground = { ground: WHITE, ink: parseHex(INK.light) };
const DARK: Ground = { ground: parseHex(CELL.dark), ink: parseHex(INK.dark) };

export const groundOf = (dark: boolean): Ground => (dark ? DARK : LIGHT);
