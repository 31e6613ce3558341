import { markOf } from "../alignment";
import { decimal, tokenLabel, valueSaid } from "../format";
import { columnKey, columnSaid, infoOf } from "../columns";
import { isolated } from "../isolate";
import type { AlongText } from "../state";
import type { ColumnInfo, ModelInfo, UnitId } from "../types";
import type { Drawing, Side } from "./drawing";
import { constantSaid } from "./series";

/** What is said of a unit along a text, and what is drawn of it. */

/** Of an axis: no zeros that say nothing. */
export const tickSaid = (value: number): string =>
  `${value < 0 ? "−" : ""}${decimal(Math.abs(value))}`;

export const rSaid = (r: number): string => r.toFixed(3).replace("-", "−");

/** `unit 25 of c¹` in words: unit 25 of the cell state of layer 1. */
const unitName = ({ unit }: UnitId, info: ColumnInfo): string =>
  `unit ${unit + 1} of the ${columnSaid(info)}`;

/** Which unit a line is of: Unit 25 of the cell state of layer 1. */
export function lineName({ unit }: Pick<AlongText, "unit">, model: ModelInfo): string {
  const info = infoOf(model, unit);
  const name = info ? unitName(unit, info) : "";
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The columns that have units: all but the output. */
export const vectorsOf = ({ columns }: Pick<ModelInfo, "columns">): ColumnInfo[] =>
  columns.filter((c) => c.layer !== null);

/** What is shown before one is chosen: of the last cell state, or else of the last vector. */
export function firstUnit(model: ModelInfo): UnitId | null {
  const all = vectorsOf(model);
  const last = all.findLast((c) => c.kind === "cell_state") ?? all.at(-1);
  return last ? { kind: last.kind, layer: last.layer, unit: 0 } : null;
}

export const sameUnit = (a: UnitId | null, b: UnitId | null): boolean =>
  !!a && !!b && a.unit === b.unit && columnKey(a) === columnKey(b);

/** The sides that are drawn, of the texts whose answers there are. */
export const sidesOf = ({ sides }: Pick<AlongText, "sides">): Side[] =>
  sides.map(({ trace, answer, second, series }) => ({
    second,
    trace,
    values: answer.values,
    followed: series.values,
  }));

/** The sentence over the line: which unit, its scale, and how it follows. */
export function lineSaid(
  line: AlongText,
  model: ModelInfo,
  { least, greatest }: Pick<Drawing, "least" | "greatest">,
): string {
  const [first, second] = line.sides;
  const name = lineName(line, model);
  if (!name || !first) return "";
  const scale = `${name}: from ${tickSaid(least)} to ${tickSaid(greatest)}`;
  const { series } = first;
  if (!series.values) return `${scale}.`;
  const constant = constantSaid(series);
  if (constant) return `${scale}. ${constant}`;
  const { r } = first.answer;
  if (r === null)
    return `${scale}. The unit is the same wherever there is a number to follow: Pearson's r is not defined.`;
  const other = second && second.answer.r !== null ? ` in A, ${rSaid(second.answer.r)} in B` : "";
  return `${scale}; r = ${rSaid(r)}${other} with ${series.name} (dashed, on its own scale).`;
}

/** What is read at a timestep; with two texts, of which. */
export function pointSaid(
  { second, trace, answer, series }: AlongText["sides"][number],
  t: number,
  two: boolean,
): string {
  const token = trace.tokens[t];
  const value = answer.values[t];
  if (!token || value === undefined) return "";
  const followed = series.values?.[t];
  const also = followed === null || followed === undefined ? "" : `; ${series.name}: ${followed}`;
  return `${two ? `${markOf(second)}, ` : ""}timestep ${t + 1}, “${isolated(tokenLabel(token))}”: ${valueSaid(value)}${also}`;
}
