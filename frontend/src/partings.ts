import { bits, inUnits, tokenLabel } from "./format";
import { type Column, columnSaid, indexOf } from "./columns";
import { settled } from "./alignment";
import { isolated } from "./isolate";
import { readsAhead } from "./operands";
import type { State } from "./state";
import { ofText } from "./state/cells";
import { type Distance, DISTANCES } from "./state/choices";
import type { CellId, Comparison, Token, Unit } from "./types";

/** Where two texts part, worked out from their comparison. Pure. */

/** `ahead`: of a network that reads ahead, in which a difference is felt before it too. */
export const distanceName = (distance: Distance, ahead: boolean): string => {
  const from = ahead ? "from" : "after";
  if (!distance) return "all words";
  return `${distance === 1 ? "equal words" : "three or more words"} ${from} a difference`;
};

/** A pair of timesteps, as it is listed. */
export interface PairedStep {
  /** Index into the alignment. */
  at: number;
  label: string;
  first: number;
  second: number;
  /**
   * Words since the last difference in the sentence, or, of a network that reads ahead, from the nearest;
   * 0: these two differ. Null: none came before.
   */
  since: number | null;
  /** The start of a sentence: no word stands there. */
  start: boolean;
}

const tokenAt = (tokens: readonly Token[] | undefined, t: number | null): string => {
  const token = t === null ? undefined : tokens?.[t];
  return token ? tokenLabel(token) : "";
};

/** `keys / key` where they differ, and the word alone where they do not. */
export function stepLabel({ tokens, alignment }: Comparison, at: number): string {
  const [i, j] = alignment[at] ?? [null, null];
  const [a, b] = [tokenAt(tokens[0], i), tokenAt(tokens[1], j)];
  if (a === "" || b === "") return a || b;
  return a.toLowerCase() === b.toLowerCase() ? a : `${isolated(a)} / ${isolated(b)}`;
}

/** The steps that are pairs. */
export function pairsOf(comparison: Comparison): PairedStep[] {
  const { alignment, columns } = comparison;
  const before = sinceOf(comparison);
  const after = readsAhead(columns) ? untilOf(comparison) : before;
  return alignment.flatMap(([first, second], at) => {
    if (first === null || second === null) return [];
    const near = [before[at], after[at]].filter((n) => typeof n === "number");
    const since = near.length ? Math.min(...near) : null;
    const start = startsAt(comparison, at);
    return [{ at, label: stepLabel(comparison, at), first, second, since, start }];
  });
}

/** Whether a sentence starts at a step, in either text. */
const startsAt = ({ alignment, tokens }: Comparison, at: number): boolean =>
  ([0, 1] as const).some((side) => {
    const t = alignment[at]?.[side] ?? null;
    return t !== null && tokens[side][t]?.span === null;
  });

/** Of each step: how many came since the last difference before it in its sentence. */
function sinceOf(comparison: Comparison): (number | null)[] {
  let since: number | null = null;
  return comparison.alignment.map(([, , op], at) => {
    // A sentence is read from nothing: what came before it is forgotten.
    if (startsAt(comparison, at) && op === "same") since = null;
    else since = op === "same" ? (since === null ? null : since + 1) : 0;
    return since;
  });
}

/** Of each step: how many are left until the first difference after it in its sentence. */
function untilOf(comparison: Comparison): (number | null)[] {
  const until: (number | null)[] = [];
  let left: number | null = null;
  for (let at = comparison.alignment.length - 1; at >= 0; at -= 1) {
    left = comparison.alignment[at]?.[2] === "same" ? (left === null ? null : left + 1) : 0;
    until[at] = left;
    if (startsAt(comparison, at)) left = null;
  }
  return until;
}

/** No word stands at the start of a sentence, where nothing was read yet. */
const counts = ({ since, start }: PairedStep, distance: Distance): boolean =>
  !start && (distance === 0 || (since !== null && since >= distance));

/** The steps that stand so far from a difference, or, where there are none, nearer. */
export function chosenSteps(
  pairs: readonly PairedStep[],
  wanted: Distance,
): { distance: Distance; steps: PairedStep[] } {
  const nearer = DISTANCES.filter((d) => d <= wanted).reverse();
  const distance = nearer.find((d) => pairs.some((pair) => counts(pair, d))) ?? 0;
  return { distance, steps: pairs.filter((pair) => counts(pair, distance)) };
}

export interface Parting {
  step: PairedStep;
  column: Column;
  bits: number;
}

/** Of a divergence to which six decimals are told. */
const bitsAt = ({ divergence }: Comparison, at: number, column: Column): number =>
  divergence[at]?.[column.index] ?? 0;

/** The cells of these steps that part most, by falling divergence; none that does not part. */
export function partingsOf(
  comparison: Comparison,
  steps: readonly PairedStep[],
  columns: readonly Column[],
  most: number,
): Parting[] {
  return steps
    .flatMap((step) =>
      columns.map((column) => ({ step, column, bits: bitsAt(comparison, step.at, column) })),
    )
    .filter(({ bits }) => bits > 0)
    .sort((a, b) => b.bits - a.bits)
    .slice(0, most);
}

/** A column's divergence down the timesteps. */
export interface Strip {
  column: Column;
  bits: number[];
  mean: number;
}

/** Every column's divergences at these steps, the column that still tells the texts apart best first. */
export function stripsOf(
  comparison: Comparison,
  steps: readonly PairedStep[],
  columns: readonly Column[],
): Strip[] {
  return columns
    .map((column) => {
      const bits = steps.map(({ at }) => bitsAt(comparison, at, column));
      const mean = bits.reduce((a, b) => a + b, 0) / (bits.length || 1);
      return { column, bits, mean };
    })
    .sort((a, b) => b.mean - a.mean);
}

/** How many of these cells are outlined in the grid, and listed. */
export const OUTLINED = 10;

export const cellsOf = ({ step, column }: Parting): [CellId, CellId] => {
  const { kind, layer } = column;
  return [
    { t: step.first, kind, layer, ...ofText(false) },
    { t: step.second, kind, layer, ...ofText(true) },
  ];
};

/** The cells that are outlined, of both texts. */
export function outlinedOf(
  comparison: Comparison,
  columns: readonly Column[],
  distance: Distance,
): CellId[] {
  const { steps } = chosenSteps(pairsOf(comparison), distance);
  return partingsOf(comparison, steps, columns, OUTLINED).flatMap(cellsOf);
}

/** Below this a divergence is told by its title only. */
const LEAST = 0.0005;

/** Without the zero before the point: bits from 0 to 1. */
export const figure = (bits: number): string =>
  bits < LEAST ? "" : bits.toFixed(3).replace(/^0/, "");

/** The largest divergence in these columns: the shade of the others is told by it. */
export const mostIn = ({ divergence }: Comparison, columns: readonly Column[]): number =>
  Math.max(...divergence.flatMap((row) => columns.map((c) => row?.[c.index] ?? 0)), 1e-6);

/** How dark a divergence is drawn, 0 to 1, by its square root: a tenth of the most is still seen. */
export const inkShare = (bits: number, most: number): number => Math.sqrt(bits / most);

/** What stands in place of a step that is no pair. */
export const aloneSaid = (first: number | null): string =>
  first === null ? "only in B, the second text" : "only in A, the first text";

/** Words that the network reads as the same one, and that were typed as two: `zorgle / blarft`. */
interface ReadAlike {
  label: string;
  /** What the network reads in place of both. */
  word: string;
}

/** Case apart: as a step's label has it. */
function readAlikeOf(comparison: Comparison): ReadAlike[] {
  return comparison.alignment.flatMap(([i, j, op], at) => {
    const [a, b] = [tokenAt(comparison.tokens[0], i), tokenAt(comparison.tokens[1], j)];
    if (op !== "same" || a.toLowerCase() === b.toLowerCase()) return [];
    const word = i === null ? "" : (comparison.tokens[0][i]?.word ?? "");
    return [{ label: stepLabel(comparison, at), word }];
  });
}

/** What stands in place of words: `<unk>`, or `<unk> or <num>`. */
const readAsSaid = (pairs: readonly ReadAlike[]): string =>
  [...new Set(pairs.map(({ word }) => word))].join(" or ");

/** Whether the network reads the same in both texts: then no cell can part. */
export const isAlike = ({ alignment }: Comparison): boolean =>
  alignment.every(([, , op]) => op === "same");

/** What became of the words, in words. Counted is what the network reads. */
export function changesSaid(comparison: Comparison, unit: Unit = "word"): string {
  const { alignment, tokens } = comparison;
  const alike = readAlikeOf(comparison);
  const read = alike.length ? "read the same" : "the same";
  const steps = alignment.map(([i, j, op]) => ({
    op,
    a: isolated(tokenAt(tokens[0], i)),
    b: isolated(tokenAt(tokens[1], j)),
    word:
      (i === null || tokens[0][i]?.span !== null) && (j === null || tokens[1][j]?.span !== null),
  }));
  const of = (op: string) => steps.filter((step) => step.op === op && step.word);
  const listed = (list: readonly string[]) =>
    [...list.slice(0, 8), ...(list.length > 8 ? [`${list.length - 8} more`] : [])].join(", ");
  const [same, changed, deleted, inserted] = ["same", "changed", "deleted", "inserted"].map(of);
  const part = (what: string, list: readonly string[] | undefined) =>
    list?.length ? `${what} ${listed(list)}` : "";
  const words = steps.filter(({ word }) => word).length;
  const all = same?.length === words;
  return [
    all ? `every ${unit} is ${read}` : `${same?.length ?? 0} of ${words} ${unit}s are ${read}`,
    alike.length
      ? `${alike.length} of them ${alike.length === 1 ? "differs only in how it is" : "differ only in how they are"} written: ${listed(alike.map(({ label }) => label))} (read as ${readAsSaid(alike)})`
      : "",
    part(
      "changed:",
      changed?.map(({ a, b }) => `${a} → ${b}`),
    ),
    part(
      "only in A:",
      deleted?.map(({ a }) => a),
    ),
    part(
      "only in B:",
      inserted?.map(({ b }) => b),
    ),
  ]
    .filter(Boolean)
    .join(" · ");
}

const averagedOver = (distance: Distance, ahead: boolean): string =>
  `on average ${distance === 3 ? "" : "over "}${distanceName(distance, ahead)}`;

/** Why nothing parts, in a sentence, of two texts that the network reads alike; else "". */
export function alikeSaid(comparison: Comparison, unit: Unit = "word"): string {
  if (!isAlike(comparison)) return "";
  const pairs = readAlikeOf(comparison);
  const [first] = pairs;
  if (!first) return "The network reads the same in both texts: nothing tells them apart.";
  const which =
    pairs.length === 1
      ? `The ${unit} that differs, ${first.label}, is`
      : `The ${unit}s that differ, ${first.label} the first, are all`;
  return `${which} read as ${readAsSaid(pairs)} in both texts: the network sees no difference.`;
}

/** The finding, in a sentence: which of the columns in view still tells the two apart. None: nothing. */
export function findingOf(
  { columns }: Comparison,
  strips: readonly Strip[],
  distance: Distance,
  unit: Unit = "word",
): string {
  const [best, next] = strips;
  if (!best) return "";
  if (!best.mean)
    return `No cell ${strips.length < columns.length ? "in view " : ""}tells the two apart.`;
  const than = next?.mean ? `, then ${columnSaid(next.column)} with ${bits(next.mean, 3)}` : "";
  const name = columnSaid(best.column);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} tells the two apart most: ${bits(best.mean, 3)} ${inUnits(averagedOver(distance, readsAhead(columns)), unit)}${than}.`;
}

/** The comparison of the two traces at hand; null while it is on its way, or there is no second. */
export const comparisonOf = ({
  trace,
  second,
  comparison,
}: Pick<State, "trace" | "second" | "comparison">): Comparison | null =>
  trace && second && comparison && settled(comparison, trace, second) ? comparison : null;

/** How far a cell parts from the one that it stands beside, in bits; null when there is none. */
export function partingAt(state: State, cell: CellId): number | null {
  const comparison = comparisonOf(state);
  if (!comparison || !state.trace) return null;
  const side = cell.second ? 1 : 0;
  const at = comparison.alignment.findIndex((step) => step[side] === cell.t);
  return comparison.divergence[at]?.[indexOf(state.trace, cell)] ?? null;
}
