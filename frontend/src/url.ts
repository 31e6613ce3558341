import { OWN_LIMITS, refused } from "./colour/own";
import { isHex } from "./colour/rgb";
import { MAX_PINS, ofText } from "./state/cells";
import {
  AXES,
  DENSITIES,
  DISTANCES,
  LABELS,
  ORDERS,
  SCALES,
  SEARCHES,
  SHOWS,
  THEMES,
} from "./state/choices";
import { BARS_ASKED, DEFAULT_VIEW, type View } from "./state/view";
import { SEMANTICS, type CellId, type OwnClass, type UnitId } from "./types";
import { columnKey } from "./columns";
import { readSpans, writeSpans } from "./spans";
import { wellFormed } from "./format";
import { CLASS, MAX_SERIES, OWN } from "./unitline/series";

/**
 * The whole view in the fragment. ONE table both writes and reads it: a field knows how it is
 * spelled, and reading answers undefined for what it does not understand. A field at its default is
 * left out.
 */

export const VERSION = 1;

interface Field<K extends keyof View = keyof View> {
  write(value: View[K]): string;
  read(raw: string): View[K] | undefined;
}

/** Models, palettes and classes are called what their makers call them: `general prose`, `PRP$`. */
const MAX_ID = 200;
const isId = (raw: string) => raw.length > 0 && raw.length <= MAX_ID;

const choice = <T extends string>(values: readonly T[]) => ({
  write: (value: T): string => value,
  read: (raw: string): T | undefined => values.find((v) => v === raw),
});

const number = (fits: (n: number) => boolean) => ({
  write: (value: number): string => String(value),
  read: (raw: string): number | undefined => {
    const n = /^\d*\.?\d+(e-?\d+)?$/i.test(raw) ? Number(raw) : NaN;
    return fits(n) ? n : undefined;
  },
});

const id = {
  write: wellFormed,
  read: (raw: string): string | undefined => (isId(raw) ? raw : undefined),
};

/** Items joined by a sign; one that is not understood spoils its field, which falls back. */
const list = <T>(
  write: (item: T) => string,
  read: (raw: string) => T | undefined,
  max: number,
  sign = ",",
) => ({
  write: (items: readonly T[]): string => items.map(write).join(sign),
  read: (raw: string): T[] | undefined => {
    const items = raw.split(sign).map(read);
    const good = items.filter((item) => item !== undefined);
    return good.length === items.length && good.length <= max ? good : undefined;
  },
});

/** As many as a model has labels, and one's own classes. */
const MAX_COLOURS = 64 + OWN_LIMITS.classes;

const word = (raw: string) => (/^\w{1,40}$/.test(raw) ? raw : undefined);

/**
 * A cell is timestep.kind.layer, counted from 1 as on the page: 9.long_term.2, 9.output. One of the
 * second text begins with a b.
 */
const writeCell = (cell: CellId): string =>
  `${cell.second ? "b" : ""}${cell.t + 1}.${columnKey(cell)}`;

function readCell(raw: string): CellId | undefined {
  const m = /^(b?)([1-9]\d{0,4})\.([a-z]\w{0,39})(?:\.(\d{1,3}))?$/.exec(raw);
  if (!m?.[2] || !m[3]) return undefined;
  const layer = m[4] === undefined ? null : Number(m[4]);
  return { t: Number(m[2]) - 1, kind: m[3], layer, ...ofText(m[1] === "b") };
}

/** A unit is kind.layer.number, counted from 1: cell_state.1.25. */
const writeUnit = (unit: UnitId): string => `${columnKey(unit)}.${unit.unit + 1}`;

export function readUnit(raw: string): UnitId | undefined {
  const m = /^([a-z]\w{0,39})\.(\d{1,3})\.([1-9]\d{0,5})$/.exec(raw);
  return m?.[1] ? { kind: m[1], layer: Number(m[2]), unit: Number(m[3]) - 1 } : undefined;
}

const FOLLOWS = ["", "depth", "timestep", "surprisal", OWN];

const readFollow = (raw: string): string | undefined =>
  FOLLOWS.includes(raw) || (raw.startsWith(CLASS) && isId(raw.slice(CLASS.length)))
    ? raw
    : undefined;

/** A part of an item: the signs between items and parts are none of it. */
const encoded = (part: string): string => encodeURIComponent(wellFormed(part));

/** Undefined where a "%" is not part of a code. */
function decoded(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** A class and its colour: NOUN:102030. A colon may be part of the class's id: own:0:102030. */
const writeColour = ([id, colour]: [string, string]): string =>
  `${encoded(id).replaceAll("%3A", ":")}:${colour.slice(1)}`;

function readColour(raw: string): [string, string] | undefined {
  const m = /^(.+):([0-9a-f]{6})$/i.exec(raw);
  const [id] = decoded([m?.[1] ?? ""]) ?? [];
  const colour = `#${m?.[2] ?? ""}`.toLowerCase();
  return id && isId(id) && isHex(colour) ? [id, colour] : undefined;
}

const colours = list(writeColour, readColour, MAX_COLOURS);

/** A class of one's own is its name and its words, joined by commas: he,he,him,his. */
const writeClass = ({ name, words }: OwnClass): string => [name, ...words].map(encoded).join(",");

function readClass(raw: string): OwnClass | undefined {
  const [name, ...words] = decoded(raw.split(",")) ?? [];
  const own = { name: name ?? "", words };
  const good = name?.trim() && words.every((word) => /^\S+$/u.test(word));
  return good && !refused(own) ? own : undefined;
}

/** A word, or what somebody takes for one: why it cannot be watched is told, not that a link is bad. */
const readWord = (raw: string): string | undefined =>
  /^(\S+( \S+)*)?$/u.test(raw) && raw.length <= OWN_LIMITS.word ? raw : undefined;

export const FIELDS: { [K in keyof View]: Field<K> } = {
  text: { write: wellFormed, read: (raw) => raw },
  // A second text that is still blank is none.
  compare: { write: (text) => wellFormed(text ?? ""), read: (raw) => raw || null },
  distance: { write: String, read: (raw) => DISTANCES.find((d) => String(d) === raw) },
  model: id,
  fingerprint: id,
  semantic: choice(SEMANTICS),
  bars: number((n) => Number.isInteger(n) && n >= 0 && n <= BARS_ASKED),
  top: number((n) => n > 0 && n <= 1),
  scale: choice(SCALES),
  show: choice(SHOWS),
  watch: { write: wellFormed, read: readWord },
  density: choice(DENSITIES),
  labels: choice(LABELS),
  axis: choice(AXES),
  hide: list((k) => k, word, 64),
  hide_layers: list((k) => k, word, 64),
  rows: { write: writeSpans, read: readSpans },
  palette: id,
  colours: {
    write: (value) => colours.write([...value]),
    read: (raw) => {
      const pairs = colours.read(raw);
      return pairs && new Map(pairs);
    },
  },
  pins: list(writeCell, readCell, MAX_PINS),
  inside: { write: (cell) => (cell ? writeCell(cell) : ""), read: readCell },
  order: choice(ORDERS),
  unit: { write: (unit) => (unit ? writeUnit(unit) : ""), read: readUnit },
  follow: { write: (value) => value, read: readFollow },
  series: {
    write: wellFormed,
    read: (raw) => (raw.length <= MAX_SERIES ? raw : undefined),
  },
  search: choice(SEARCHES),
  classes: list(writeClass, readClass, OWN_LIMITS.classes, ";"),
  theme: choice(THEMES),
};

const NAMES = Object.keys(FIELDS) as (keyof View)[];

export function serialise(view: View): string {
  const params = new URLSearchParams({ v: String(VERSION) });
  const put = <K extends keyof View>(name: K) => {
    const written = FIELDS[name].write(view[name]);
    if (written !== FIELDS[name].write(DEFAULT_VIEW[name])) params.set(name, written);
  };
  NAMES.forEach(put);
  return params.toString();
}

/** What a link says whose view is written after `?`, as by hand, as a fragment; "" where it says none. */
export function fragmentOf(search: string): string {
  const said = [...new URLSearchParams(search)].filter(([name]) =>
    NAMES.includes(name as keyof View),
  );
  return said.length ? `#${new URLSearchParams(said)}` : "";
}

export interface Parsed {
  view: View;
  notices: string[];
}

/** Never throws: what is not understood is told, and falls back field by field. */
export function parse(fragment: string): Parsed {
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  const view: View = { ...DEFAULT_VIEW };
  const notices: string[] = [];
  const version = params.get("v") ?? String(VERSION);
  if (!/^\d+$/.test(version) || Number(version) > VERSION)
    notices.push(
      "This link was made by another version of the page. What could be read of it is shown.",
    );
  const take = <K extends keyof View>(name: K, raw: string) => {
    const value = FIELDS[name].read(raw);
    if (value === undefined)
      notices.push(`The link's “${name}” could not be read; the default is used.`);
    else view[name] = value;
  };
  for (const name of NAMES) {
    const raw = params.get(name);
    if (raw !== null) take(name, raw);
  }
  const strange = [...new Set(params.keys())].filter(
    (key) => key !== "v" && !(NAMES as string[]).includes(key),
  );
  if (strange.length)
    notices.push(
      `The link has parts that this page does not know: ${strange.slice(0, 5).join(", ").slice(0, 80)}.`,
    );
  return { view, notices };
}
