import { ownId } from "../colour/own";
import { isHex } from "../colour/rgb";
import { type Comparison, type ModelInfo, OPS, SEMANTICS, type Answer } from "../types";

/** Whether data has the shape that the page's code relies on: types, lengths and ranges. */

type Check = (value: unknown) => boolean;

export const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;

const text: Check = (v) => typeof v === "string";
const flag: Check = (v) => typeof v === "boolean";
const finite: Check = (v) => typeof v === "number" && Number.isFinite(v);
const positive: Check = (v) => finite(v) && (v as number) >= 0;
const whole: Check = (v) => Number.isSafeInteger(v) && (v as number) >= 0;
const share: Check = (v) => positive(v) && (v as number) <= 1.0001;
const colour: Check = (v) => typeof v === "string" && isHex(v);
const semantic: Check = (v) => (SEMANTICS as readonly unknown[]).includes(v);
const maybe =
  (check: Check): Check =>
  (v) =>
    v === null || check(v);
const optional =
  (check: Check): Check =>
  (v) =>
    v === undefined || check(v);
const list =
  (check: Check, length?: number): Check =>
  (v) =>
    Array.isArray(v) && (length === undefined || v.length === length) && v.every(check);
const table =
  (check: Check): Check =>
  (v) =>
    Object.values(record(v) ?? { wrong: undefined }).every(check) && record(v) !== null;
const shape =
  (fields: Record<string, Check>): Check =>
  (v) => {
    const has = record(v);
    return has !== null && Object.entries(fields).every(([name, check]) => check(has[name]));
  };

const COLUMN = { kind: text, layer: maybe(whole) };

const MODEL = shape({
  id: text,
  name: text,
  task: (v) => [undefined, "language", "tagging", "classification"].includes(v as undefined),
  description: text,
  unit: (v) => [undefined, "word", "character", "symbol"].includes(v as undefined),
  architecture: optional(
    shape({
      vocabulary: optional(whole),
      cell_name: optional(text),
      layers: optional(whole),
      units: optional((n) => whole(n) || list(whole)(n)),
      tied: optional(flag),
      bidirectional: optional(maybe(flag)),
    }),
  ),
  perplexity: optional(table(maybe(finite))),
  accuracy: optional(maybe(table(maybe(share)))),
  fingerprint: text,
  network_fingerprint: optional(text),
  baselines: optional(table(finite)),
  imported: optional(flag),
  forms: optional(table(text)),
  ends: optional(flag),
  semantics: list(semantic),
  columns: list(
    shape({
      ...COLUMN,
      symbol: text,
      name: text,
      equation: text,
      operands: list(shape({ ...COLUMN, lag: (v) => v === -1 || whole(v) })),
      depth: whole,
      units: optional(maybe(whole)),
      gate: optional(flag),
      direction: (v) => [undefined, null, "forward", "backward"].includes(v as undefined),
      perplexity: table(maybe(finite)),
    }),
  ),
  classes: list(shape({ id: text, name: text })),
  palettes: list(
    shape({
      ...{ id: text, name: text, colours: table(colour) },
      groups: optional(table(text)),
    }),
  ),
  limits: shape({ tokens: whole, bytes: whole, bars: (v) => whole(v) && v !== 0 && (v as number) <= 50 }), // prettier-ignore
  examples: list(
    shape({
      ...{ text, shows: text },
      group: optional(text),
      compare: optional(text),
      unit: optional(text),
      follow: optional(text),
    }),
  ),
});

export const isModel = (value: unknown): value is ModelInfo => MODEL(value);

const TOKEN = shape({
  id: whole,
  surface: text,
  word: text,
  known: flag,
  span: maybe(list(whole, 2)),
});

/** A whole answer of a model: every row, every axis of the length that the others say. */
export function isTrace(value: unknown, model: ModelInfo): value is Answer {
  const has = record(value);
  const rows = record(has?.rows);
  if (!has || !rows || !list(TOKEN)(has.tokens) || !list(shape(COLUMN))(has.columns)) return false;
  const [R, C] = [(has.tokens as unknown[]).length, (has.columns as unknown[]).length];
  // Classes of one's own come after the model's.
  const own = has.missing === undefined ? [] : has.missing;
  if (!list(shape({ id: text, name: text, words: list(text) }))(own)) return false;
  const mine = (own as { id: string }[]).map(({ id }) => id);
  if (mine.some((id, i) => id !== ownId(i))) return false;
  const known = [...model.classes.map((c) => c.id), ...mine];
  const K = known.length;
  const first = (rows.top_ids as unknown[][][] | undefined)?.[0]?.[0];
  const B = Array.isArray(first) ? first.length : 0;
  const cells = (check: Check) => list(list(check, C), R);
  const ids = new Set(known);
  return (
    shape({
      model: text,
      fingerprint: text,
      semantic,
      bars: whole,
      top: share,
      top_words: whole,
      from: (v) => v === 0,
      classes: list((v) => ids.has(v as string), K),
      words: table(text),
      word_classes: table((v) => whole(v) && (v as number) < K),
      perplexity: maybe(positive),
      watch: optional(shape({ word: text, id: whole, known: flag })),
    })(has) &&
    shape({
      top_ids: cells(list(whole, B)),
      top_probs: cells(list(share, B)),
      mass: cells(list(share, K)),
      entropy: cells(finite),
      divergence: cells(finite),
      label_ids: list(maybe(whole), R),
      label_ranks: list(maybe(list(whole, C)), R),
      label_probs: list(maybe(list(share, C)), R),
      next_ids: list(maybe(whole), R),
      next_ranks: list(maybe(whole), R),
      next_probs: list(maybe(share), R),
      surprisal: list(maybe(finite), R),
      ...(has.watch === undefined ? {} : { watch_probs: cells(share), watch_ranks: cells(whole) }),
    })(rows)
  );
}

/** A comparison of two answers: each timestep of both at most once, in order, and a row for each step. */
export function isComparison(value: unknown, first: Answer, second: Answer): value is Comparison {
  const has = record(value);
  const steps = has?.alignment;
  if (!has || !Array.isArray(steps) || !list(list(TOKEN), 2)(has.tokens)) return false;
  const step: Check = (v) =>
    Array.isArray(v) &&
    v.length === 3 &&
    v.slice(0, 2).every(maybe(whole)) &&
    (OPS as readonly unknown[]).includes(v[2]);
  if (!steps.every(step)) return false;
  const ordered = [first, second].every(({ tokens }, side) => {
    const told = (steps as unknown[][]).map((s) => s[side]).filter((t) => t !== null);
    return told.length === tokens.length && told.every((t, n) => t === n);
  });
  const row = list(share, first.columns.length);
  return (
    ordered &&
    shape({
      model: text,
      fingerprint: text,
      semantic,
      columns: list(shape(COLUMN), first.columns.length),
      divergence: (v) =>
        list(maybe(row), steps.length)(v) &&
        (steps as unknown[][]).every(
          (s, n) => s.slice(0, 2).includes(null) === ((v as unknown[])[n] === null),
        ),
    })(has)
  );
}
