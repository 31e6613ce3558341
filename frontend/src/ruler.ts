import { widthOf } from "./figure/text";

/** How wide a text stands on the page, in pixels: measured, or estimated where nothing can be. */

export interface Letters {
  size: number;
  weight: number;
}

let context: OffscreenCanvasRenderingContext2D | null | undefined;

export function textWidth(text: string, { size, weight }: Letters): number {
  if (context === undefined)
    context =
      typeof OffscreenCanvas === "undefined" ? null : new OffscreenCanvas(1, 1).getContext("2d");
  if (!context) return widthOf(text, size);
  context.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return context.measureText(text).width;
}
