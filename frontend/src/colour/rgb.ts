/** sRGB arithmetic: bytes in, bytes out. */

export type Rgb = readonly [number, number, number];

export const WHITE: Rgb = [255, 255, 255];

/** Of what has no colour of its own. */
export const NO_COLOUR = "#888888";

const HEX = /^#[0-9a-f]{6}$/i;

export const isHex = (text: string): boolean => HEX.test(text);

export function parseHex(hex: string): Rgb {
  const n = Number.parseInt((isHex(hex) ? hex : NO_COLOUR).slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

export const css = ([r, g, b]: Rgb): string =>
  `rgb(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)})`;

/** `ground + p · (colour − ground)`, channel by channel: the paper's dilution when ground is white. */
export function dilute(colour: Rgb, p: number, ground: Rgb = WHITE): Rgb {
  const channel = (i: 0 | 1 | 2) => ground[i] + p * (colour[i] - ground[i]);
  return [channel(0), channel(1), channel(2)];
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((byte) => {
    const s = byte / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** A colour that stands out less than this from what is around it has an outline. */
const FAINT = 1.5;

/** Whether a colour must be outlined to be seen on a ground: one rule for every palette. */
export const needsRim = (colour: string, ground: Rgb): boolean =>
  contrast(parseHex(colour), ground) < FAINT;

/** Black or white, whichever reads better on this colour. */
export const inkOn = (colour: Rgb): "#000" | "#fff" =>
  contrast(colour, [0, 0, 0]) >= contrast(colour, WHITE) ? "#000" : "#fff";
