import { count } from "./format";

/** Files out of the page: a picture drawn from an SVG, and the browser's download. */

/** What every browser's canvas bears a side. */
const SIDE = 16_384;

export async function png(svg: string, width: number, height: number, scale = 2): Promise<Blob> {
  const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
  if (Math.max(w, h) > SIDE)
    throw new Error(
      `The picture would be ${count(Math.max(w, h))} pixels long; browsers draw ${count(SIDE)}. ` +
        "Shorten the text or hide columns, or save it as SVG.",
    );
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
