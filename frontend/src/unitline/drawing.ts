import { cut, widthOf } from "../figure/text";
import { tokenLabel } from "../format";
import type { Trace } from "../types";

/** A unit's line over the tokens of a text, which flow as text does: where everything stands. Pure. */

export interface Side {
  second: boolean;
  trace: Trace;
  values: readonly number[];
  /** What is followed, drawn on a scale of its own. */
  followed: readonly (number | null)[] | null;
}

export interface Point {
  t: number;
  second: boolean;
  x: number;
  y: number;
  /** What belongs to the point, from left to right. */
  left: number;
  right: number;
  label: string;
  quiet: boolean;
}

/** As many tokens as stand side by side. */
export interface Band {
  letter: string;
  top: number;
  points: Point[];
  /** Paths of an SVG. */
  line: string;
  followed: string;
  ticks: Tick[];
}

interface Tick {
  y: number;
  value: number;
}

export interface Drawing {
  bands: Band[];
  width: number;
  height: number;
  /** Of the values of all sides. */
  least: number;
  greatest: number;
}

export const PLOT = 58;
export const LABEL = 11;
/** Room at the left for the figures of the scale. */
export const GUTTER = 50;
const PAD = 6;
const BAND = PLOT + 2 * PAD + 26;
/** Figures of the scale stand this far apart, at least. */
const APART = 10;
const SLOT = { least: 22, air: 10, label: 120, stretch: 1.9 };

interface Slot {
  label: string;
  width: number;
}

/** From where to where tokens stand in one band: as many as there is room for, at least one. */
function flow(slots: readonly Slot[], room: number): [from: number, to: number][] {
  const bands: [number, number][] = [];
  let [from, width] = [0, 0];
  slots.forEach((slot, at) => {
    if (at > from && width + slot.width > room) {
      bands.push([from, at]);
      [from, width] = [at, 0];
    }
    width += slot.width;
  });
  if (slots.length > from) bands.push([from, slots.length]);
  return bands;
}

/** A path through the points that there are; it breaks where a sentence starts. */
function path(points: readonly { x: number; y: number | null; starts: boolean }[]): string {
  let pen = "M";
  let d = "";
  for (const { x, y, starts } of points) {
    if (starts) pen = "M";
    if (y === null) pen = "M";
    else {
      d += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
    }
  }
  return d;
}

/** Zero, and the least and the greatest value where they do not touch what is told before them. */
function ticksOf(least: number, greatest: number, y: (value: number) => number): Tick[] {
  const ends = greatest > -least ? [greatest, least] : [least, greatest];
  const told: Tick[] = [];
  for (const value of [0, ...ends])
    if (told.every((tick) => Math.abs(tick.y - y(value)) > APART))
      told.push({ value, y: y(value) });
  return told.sort((a, b) => a.y - b.y);
}

export function drawingOf(sides: readonly Side[], width: number): Drawing {
  const all = sides.flatMap(({ values }) => values);
  const [least, greatest] = all.length ? [Math.min(...all), Math.max(...all)] : [0, 0];
  // One scale for all sides, with zero.
  const top = Math.max(0, greatest);
  const spread = top - Math.min(0, least) || 1;
  const told = sides.flatMap(({ followed }) => (followed ?? []).filter((n) => n !== null));
  const [low, high] = [Math.min(...told), Math.max(...told)];
  const room = Math.max(SLOT.least, width - GUTTER);
  const bands: Band[] = [];
  for (const { second, trace, values, followed } of sides) {
    const slots = trace.tokens.map((token): Slot => {
      const label = cut(tokenLabel(token), LABEL, SLOT.label);
      return { label, width: Math.max(SLOT.least, widthOf(label, LABEL) + SLOT.air) };
    });
    const total = slots.reduce((sum, slot) => sum + slot.width, 0);
    // A short text is drawn wider, not lost at the left.
    const wider = Math.max(1, Math.min(SLOT.stretch, room / total));
    for (const [from, to] of flow(slots, room)) {
      const start = PAD + bands.length * BAND;
      const y = (value: number) => start + ((top - value) / spread) * PLOT;
      let x = GUTTER;
      const points = slots.slice(from, to).map(({ label, width: own }, at): Point => {
        const t = from + at;
        const left = x;
        x += own * wider;
        const quiet = trace.tokens[t]?.span === null;
        return { t, second, x: (left + x) / 2, y: y(values[t] ?? 0), left, right: x, label, quiet };
      });
      const starts = (t: number) => trace.tokens[t]?.span === null;
      const scaled = (n: number | null | undefined) =>
        n === null || n === undefined || low === high
          ? null
          : start + ((high - n) / (high - low)) * PLOT;
      bands.push({
        letter: sides.length > 1 ? (second ? "B" : "A") : "",
        top: start,
        points,
        line: path(points.map((p) => ({ x: p.x, y: p.y, starts: starts(p.t) }))),
        followed: path(
          points.map((p) => ({ x: p.x, y: scaled(followed?.[p.t]), starts: starts(p.t) })),
        ),
        ticks: ticksOf(least, greatest, y),
      });
    }
  }
  return { bands, width, height: bands.length * BAND, least, greatest };
}

/** The point that a place belongs to. */
export function pointAt({ bands }: Drawing, x: number, y: number): Point | null {
  const band = bands.findLast(({ top }, i) => i === 0 || y >= top - PAD);
  const points = band?.points ?? [];
  return points.find(({ right }) => x < right) ?? points.at(-1) ?? null;
}
