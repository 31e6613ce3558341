import type { Column } from "./columns";
import { readsAhead } from "./operands";
import { domainOf, massOf } from "./scale";
import { isIn } from "./spans";
import { ofText, type RowId } from "./state/cells";
import type { Scale, Span } from "./state/choices";
import type { Answer, CellId, Comparison, Op, Token, Trace } from "./types";

/** How the rows of two traces stand side by side. Pure. */

/** Timesteps that stand side by side, and how far their cells part: C divergences in bits. */
export interface Step {
  first: number | null;
  second: number | null;
  /** Null while the newest words are not aligned yet. */
  op: Op | null;
  bits: readonly number[] | null;
}

/** What two answers must have in common to be compared. */
type Asked = Pick<Trace, "fingerprint" | "semantic">;

export const comparable = (a: Asked, b: Asked): boolean =>
  a.fingerprint === b.fingerprint && a.semantic === b.semantic;

const same = (a: Token | undefined, b: Token | undefined): boolean =>
  !!a && !!b && a.id === b.id && a.surface === b.surface && !a.span === !b.span;

/** How many tokens two lists share from the start, and from the end of what is left. */
function shared(was: readonly Token[], is: readonly Token[]): { start: number; end: number } {
  const most = Math.min(was.length, is.length);
  let start = 0;
  while (start < most && same(was[start], is[start])) start += 1;
  let end = 0;
  while (end < most - start && same(was.at(-1 - end), is.at(-1 - end))) end += 1;
  return { start, end };
}

/** Whether a comparison is of these two traces. */
export function settled(comparison: Comparison, first: Answer, second: Answer): boolean {
  const of = (tokens: readonly Token[], trace: Answer) =>
    tokens.length === trace.tokens.length && shared(tokens, trace.tokens).start === tokens.length;
  const [a, b] = comparison.tokens;
  return comparable(comparison, first) && of(a, first) && of(b, second);
}

/**
 * The rows of both texts, aligned by the last comparison. Typing is ahead of it by a moment: what it
 * told of tokens before and after the change stays, and what is new stands alone until it is answered.
 * Only what came before a change still has its divergences: the states after it are others; those of
 * a bidirectional network are others everywhere.
 */
export function stepsOf(first: Trace, second: Trace, last: Comparison | null): Step[] {
  const all = (trace: Trace) => trace.tokens.map((_, t) => t);
  const alone = (a: readonly number[], b: readonly number[]): Step[] => [
    ...a.map((t) => ({ first: t, second: null, op: null, bits: null })),
    ...b.map((t) => ({ first: null, second: t, op: null, bits: null })),
  ];
  if (!last || !comparable(last, first)) return alone(all(first), all(second));
  const sides = [first, second].map((trace, side) => {
    const was = last.tokens[side] ?? [];
    const { start, end } = shared(was, trace.tokens);
    const moved = trace.tokens.length - was.length;
    /** Where a token of the comparison is now; undefined if it is not any more. */
    const now = (t: number) => (t < start ? t : t >= was.length - end ? t + moved : undefined);
    return { now, start, whole: moved === 0 && start === was.length };
  });
  const [a, b] = sides;
  if (!a || !b) return [];
  const intact = a.whole && b.whole;
  const steps: Step[] = [];
  const used = [0, 0];
  const upTo = (side: 0 | 1, t: number) => {
    const from = used[side] ?? 0;
    used[side] = t + 1;
    return Array.from({ length: Math.max(0, t - from) }, (_, n) => from + n);
  };
  last.alignment.forEach(([i, j, op], at) => {
    const [x, y] = [i === null ? null : a.now(i), j === null ? null : b.now(j)];
    if (x === undefined || y === undefined) return;
    // What is new stands before the first step that is known again.
    steps.push(...alone(x === null ? [] : upTo(0, x), y === null ? [] : upTo(1, y)));
    const before =
      !readsAhead(last.columns) && (i === null || i < a.start) && (j === null || j < b.start);
    const bits = intact || before ? (last.divergence[at] ?? null) : null;
    steps.push({ first: x, second: y, op, bits });
  });
  const rest = (side: 0 | 1, trace: Trace) => upTo(side, trace.tokens.length);
  return [...steps, ...alone(rest(0, first), rest(1, second))];
}

/** A row of the grid: a timestep of one of the texts. */
export interface GridRow {
  second: boolean;
  t: number;
  /** Null when there is nothing to compare with. */
  step: Step | null;
}

/** The rows of one text alone. */
export const aloneLines = (timesteps: readonly number[]): GridRow[] =>
  timesteps.map((t) => ({ second: false, t, step: null }));

/** Both texts' rows, a step's two one under the other; those of the first alone without a second. */
export function linesOf(first: Trace, second: Trace | null, last: Comparison | null): GridRow[] {
  if (!second || !comparable(first, second)) return aloneLines(first.tokens.map((_, t) => t));
  return stepsOf(first, second, last).flatMap((step) => [
    ...(step.first === null ? [] : [{ second: false, t: step.first, step }]),
    ...(step.second === null ? [] : [{ second: true, t: step.second, step }]),
  ]);
}

export const rowOf = ({ t, second }: GridRow): RowId => ({ t, ...ofText(second) });

/** Names a row among those of both texts. */
export const lineKey = ({ t, second }: { t: number; second?: boolean }): string =>
  `${second ? "b" : "a"}${t}`;

/** The timestep by which a line is shown or hidden: the first text's; what only the second has has its own. */
export const numberOf = ({ t, step }: GridRow): number => step?.first ?? t;

/** Whether the spans are of none of these lines: then all are in view. */
export const meetNone = (lines: readonly GridRow[], spans: readonly Span[]): boolean =>
  !lines.some((line) => isIn(spans, numberOf(line)));

/** Which lines are in view, by index. */
export function shownOf(lines: readonly GridRow[], spans: readonly Span[]): number[] {
  const all = meetNone(lines, spans);
  return lines.flatMap((line, at) => (all || isIn(spans, numberOf(line)) ? [at] : []));
}

/** The rows that are shown, of some: all, where no spans are given. */
export const rowsIn = (lines: readonly GridRow[], spans: readonly Span[]): GridRow[] =>
  shownOf(lines, spans).flatMap((at) => lines[at] ?? []);

/** The texts are A and B, wherever there is no room to say first and second. */
export const markOf = (second: boolean | undefined): "A" | "B" => (second ? "B" : "A");

/** What became of a word, in words; nothing where it is the same. */
export function opSaid({ second, step }: GridRow): string {
  if (step?.op === "changed") return "changed";
  return step?.op === "inserted" || step?.op === "deleted" ? `only in ${markOf(second)}` : "";
}

/** Whether it stands right under the row of the other text. */
export const isUnder = ({ second, step }: GridRow): boolean =>
  second && step !== null && step.first !== null;

/** Whether a row is that of a cell. */
export const isRowOf =
  (cell: CellId) =>
  ({ t, second }: GridRow): boolean =>
    t === cell.t && second === (cell.second ?? false);

/** The cell of the other text that a cell stands beside. */
export function partnerOf(lines: readonly GridRow[], cell: CellId): CellId | null {
  const { kind, layer } = cell;
  const line = lines.find(isRowOf(cell));
  const t = line ? otherOf(line) : null;
  return t !== null ? { t, kind, layer, ...ofText(!cell.second) } : null;
}

/** A second text beside the first. */
export interface Compared {
  second: Trace;
  comparison: Comparison;
}

/** The timestep of the other text that a row stands beside. */
export const otherOf = ({ second, step }: GridRow): number | null =>
  (second ? step?.first : step?.second) ?? null;

const timestepsOf = (lines: readonly GridRow[], second: boolean): number[] =>
  lines.filter((line) => line.second === second).map(({ t }) => t);

/** The mass of each class, on average over the cells of these rows, of both texts. */
export function sharesOn(
  first: Trace,
  lines: readonly GridRow[],
  columns: readonly Column[],
  second: Trace | null = null,
): Map<string, number> {
  const mass = massOf(first, timestepsOf(lines, false), columns);
  const other = second && massOf(second, timestepsOf(lines, true), columns);
  const cells = lines.length * columns.length || 1;
  return new Map([...mass].map(([id, m]) => [id, (m + (other?.get(id) ?? 0)) / cells]));
}

/**
 * The probability of a full bar: one for all cells in view, of both texts; null when each cell has its own.
 *
 * @param has - which cells of these rows and columns are drawn.
 */
export function domainOn(
  first: Trace,
  lines: readonly GridRow[],
  columns: readonly Column[],
  scale: Scale,
  second: Trace | null = null,
  has: (cell: CellId) => boolean = () => true,
): number | null {
  const of = (trace: Trace, side: boolean) =>
    domainOf(trace, timestepsOf(lines, side), columns, scale, (t, { kind, layer }) =>
      has({ t, kind, layer, ...ofText(side) }),
    );
  const domain = of(first, false);
  const other = second && of(second, true);
  return domain === null || !other ? domain : Math.max(domain, other);
}
