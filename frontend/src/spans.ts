import { MAX_SPANS, type Span } from "./state/choices";

/** Which timesteps are shown, as people write it, counted from 1: "2-5, 9". */

export const writeSpans = (spans: readonly Span[]): string =>
  spans.map(([from, to]) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`)).join(",");

/** Sorted and joined, however many; undefined for what is not understood. Blank is all. */
function understood(raw: string): Span[] | undefined {
  const spans: [number, number][] = [];
  for (const part of raw.split(/[,;]/)) {
    if (!part.trim()) continue;
    const m = /^\s*(\d{1,5})\s*(?:[-–—]\s*(\d{1,5})\s*)?$/.exec(part);
    const [from, to] = [Number(m?.[1]), Number(m?.[2] ?? m?.[1])];
    if (!m || from < 1 || to < from) return undefined;
    spans.push([from - 1, to - 1]);
  }
  return joined(spans);
}

/** Sorted and joined; undefined for what is not understood, or too many. */
export function readSpans(raw: string): Span[] | undefined {
  const all = understood(raw);
  return all && all.length <= MAX_SPANS ? all : undefined;
}

/** Why they would not be read, in a sentence; "" where they would. */
export function spansRefused(raw: string): string {
  const all = understood(raw);
  if (!all) return "Numbers and ranges, such as 2-5, 9.";
  return all.length > MAX_SPANS
    ? `At most ${MAX_SPANS} numbers and ranges; these are ${all.length}.`
    : "";
}

/** Sorted, and those that meet as one. */
function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}

/** The spans of these timesteps. */
export const spansOf = (timesteps: readonly number[]): Span[] =>
  joined(timesteps.map((t) => [t, t]));

/** Whether a timestep is one of these. */
export const isIn = (spans: readonly Span[], t: number): boolean =>
  spans.some(([from, to]) => from <= t && t <= to);
