import { count } from "./format";

/** Files out of the page: a picture drawn from an SVG, and the browser's download. */

/** What every browser's canvas bears a side, and in all. */
const SIDE = 16_384;
const AREA = 2 ** 28;
/** Below this the letters cannot be read. */
const LEAST = 0.75;

/** How many pixels a pixel of the figure becomes: two, or what a browser can still draw. */
export function pictureScale(width: number, height: number): number {
  const most = Math.min(2, SIDE / Math.max(width, height), Math.sqrt(AREA / (width * height)));
  if (most < LEAST)
    throw new Error(
      `The picture would be ${count(Math.max(width, height))} pixels long; browsers draw ` +
        `${count(SIDE)}. Shorten the text or hide columns, or save it as SVG.`,
    );
  // Down to a tenth, so that it can be told.
  return most === 2 ? 2 : Math.floor(10 * most) / 10 || most;
}

export async function png(
  svg: string,
  width: number,
  height: number,
  scale: number,
): Promise<Blob> {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  const image = new Image();
  // A data address, since the content security policy lets pictures come from nowhere else.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [w, h];
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, w, h);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (!context || !blob)
    throw new Error("This browser could not draw the picture; save it as SVG.");
  return blob;
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // Revoked at once, some browsers save nothing.
  setTimeout(() => URL.revokeObjectURL(link.href), 30_000);
}
