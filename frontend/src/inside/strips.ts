/** A vector as a strip: a bar for each unit, or for as many as share a pixel. Pure. */

/** Units `from` to `to` (not included) of the order, on whole pixels. */
export interface Slot {
  from: number;
  to: number;
  x: number;
  width: number;
}

/** From this width on, bars have a pixel of air between them. */
const AIR = 3;

/**
 * Where units stand. With room for all, each has its own pixels: more or fewer by one, so that edges
 * are crisp and the strip is filled. With less room each pixel has the units that fall on it.
 */
export function slotsOf(units: number, width: number): Slot[] {
  const room = Math.max(1, Math.floor(width));
  if (units > room)
    return Array.from({ length: room }, (_, x) => ({
      from: Math.ceil((x * units) / room),
      to: Math.ceil(((x + 1) * units) / room),
      x,
      width: 1,
    }));
  const edge = (unit: number) => Math.round((unit * room) / units);
  const air = room / units >= AIR ? 1 : 0;
  return Array.from({ length: units }, (_, unit) => ({
    from: unit,
    to: unit + 1,
    x: edge(unit),
    width: edge(unit + 1) - edge(unit) - air,
  }));
}

/** The place in the order that stands at a pixel: of several the middle one. */
export function placeAt(x: number, units: number, width: number): number {
  const place = Math.floor(((x + 0.5) * units) / Math.max(1, width));
  return Math.max(0, Math.min(units - 1, place));
}

/** The absolute value that reaches the edge, for all strips alike. */
export const scaleOf = (vectors: readonly (readonly number[])[]): number =>
  Math.max(...vectors.flatMap((values) => values.map(Math.abs)), 0) || 1;

export interface VectorStrip {
  /** From zero toward the units of a pixel, where they share one and all lie on one side of zero. */
  stems: string;
  /** All units: each a bar from zero, or from the least to the greatest that share a pixel. */
  bars: string;
  /** Those of them that stand out. */
  marked: string;
}

export interface Drawn {
  /** In the order of the slots. */
  values: readonly number[];
  marks: readonly boolean[] | null;
  height: number;
  /** Absolute value at the edge. */
  scale: number;
}

/** The strip of a vector as paths of an SVG as high as `height`, zero in its middle. */
export function stripOf(
  slots: readonly Slot[],
  { values, marks, height, scale }: Drawn,
): VectorStrip {
  const half = height / 2;
  const y = (value: number) => half - (value / scale) * half;
  const bar = ({ x, width }: Slot, a: number, b: number): string => {
    // What is drawn is seen: a value that is nearly nothing has half a pixel.
    const top = Math.min(y(a), y(b));
    const length = Math.max(0.5, Math.abs(y(a) - y(b)));
    return `M${x} ${top.toFixed(2)}h${width}v${length.toFixed(2)}h${-width}z`;
  };
  const strip: VectorStrip = { stems: "", bars: "", marked: "" };
  for (const slot of slots) {
    const here = values.slice(slot.from, slot.to);
    const alone = slot.to - slot.from === 1;
    const span = (of: readonly number[]): string =>
      bar(slot, alone ? 0 : Math.min(...of), Math.max(...of));
    strip.bars += span(here);
    const [least, most] = [Math.min(...here), Math.max(...here)];
    if (!alone && least * most > 0) strip.stems += bar(slot, 0, least > 0 ? least : most);
    const marked = marks ? here.filter((_, i) => marks[slot.from + i]) : here;
    if (marked.length) strip.marked += span(marked);
  }
  return strip;
}
