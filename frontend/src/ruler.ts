import { widthOf } from "./figure/text";

/** How wide a text stands on the page, in pixels: measured, or estimated where nothing can be. */

export interface Letters {
  size: number;
  weight: number;
}

/** Measures of one kind of letters; asking for the page's fonts brings its styles up to date. */
interface Ruler {
  context: OffscreenCanvasRenderingContext2D | null;
  widths: Map<string, number>;
}

/** A text that is typed brings the same words again and again; more of them are forgotten. */
const KEPT = 20_000;

const rulers = new Map<string, Ruler>();

function rulerOf({ size, weight }: Letters): Ruler {
  const key = `${weight} ${size}px`;
  const known = rulers.get(key);
  if (known) return known;
  const context =
    typeof OffscreenCanvas === "undefined" ? null : new OffscreenCanvas(1, 1).getContext("2d");
  if (context) context.font = `${key} ${getComputedStyle(document.body).fontFamily}`;
  const made = { context, widths: new Map<string, number>() };
  rulers.set(key, made);
  return made;
}

export function textWidth(text: string, letters: Letters): number {
  const { context, widths } = rulerOf(letters);
  const known = widths.get(text);
  if (known !== undefined) return known;
  const width = context ? context.measureText(text).width : widthOf(text, letters.size);
  if (widths.size >= KEPT) widths.clear();
  widths.set(text, width);
  return width;
}
