import { once } from "./once";
import type { View } from "./state/view";
import type { ColumnId, ColumnInfo, ModelInfo, Trace } from "./types";

/** The columns of the grid: which there are, in which order, and what they are called. Pure. */

export interface Column extends ColumnInfo {
  key: string;
  /** Index into the last axes of the answer. */
  index: number;
  group: string;
  /** Of the greatest depth in its layer: what the layer above reads. */
  last: boolean;
  /** A small gap before a column of greater depth, a rule's gap before a new layer. */
  gap: "" | "depth" | "layer";
}

export interface Group {
  name: string;
  span: number;
}

export const columnKey = (c: ColumnId): string =>
  c.layer === null ? c.kind : `${c.kind}.${c.layer}`;

export const layerKey = (c: ColumnId): string => String(c.layer ?? "output");

export const layerName = (key: string): string =>
  key === "0" ? "input" : key === "output" ? "output" : `layer ${key}`;

type Named = Pick<ColumnInfo, "name" | "layer">;

/** Where a column stands, in a sentence; nothing of the input and the output. */
export const ofLayer = ({ layer }: Pick<ColumnInfo, "layer">): string =>
  layer ? ` of layer ${layer}` : "";

/** A column in a sentence: cell state of layer 2. */
export const columnSaid = ({ name, layer }: Named): string =>
  `${name.toLowerCase()}${ofLayer({ layer })}`;

/** A column in a title: Cell state, layer 2. */
export const columnTitle = ({ name, layer }: Named): string =>
  `${name}${layer ? `, layer ${layer}` : ""}`;

/** The kinds that are gates. */
export const gatesOf = ({ columns }: Pick<ModelInfo, "columns">): string[] => [
  ...new Set(columns.filter((c) => c.gate).map((c) => c.kind)),
];

/** The columns in view, in the model's order. */
export function columnsOf(
  model: ModelInfo,
  answered: readonly ColumnId[],
  view: Pick<View, "hide" | "hide_layers">,
): Column[] {
  const index = new Map(answered.map((c, i) => [columnKey(c), i]));
  const deepest = new Map<string, number>();
  for (const c of model.columns)
    deepest.set(layerKey(c), Math.max(c.depth, deepest.get(layerKey(c)) ?? 0));
  const shown = model.columns.flatMap((info): Column[] => {
    const at = index.get(columnKey(info));
    const hidden = view.hide.includes(info.kind) || view.hide_layers.includes(layerKey(info));
    if (at === undefined || hidden) return [];
    const layer = layerName(layerKey(info));
    const group = info.direction ? `${layer}, ${info.direction}` : layer;
    const last = info.depth === deepest.get(layerKey(info));
    return [{ ...info, key: columnKey(info), index: at, group, last, gap: "" }];
  });
  return spaced(shown);
}

/** Columns with the gaps that follow from what stands before them. */
export function spaced(shown: readonly Column[]): Column[] {
  return shown.map((column, i) => {
    const before = shown[i - 1];
    const gap = !before
      ? ""
      : before.group !== column.group
        ? "layer"
        : // What the last two depths hold (c, then h) is one step of the recurrence: together.
          before.depth < column.depth && !column.last
          ? "depth"
          : "";
    return { ...column, gap };
  });
}

export function groupsOf(columns: readonly Column[]): Group[] {
  const groups: Group[] = [];
  for (const { group } of columns) {
    const last = groups.at(-1);
    if (last?.name === group) last.span += 1;
    else groups.push({ name: group, span: 1 });
  }
  return groups;
}

const infos = once(
  (columns: readonly ColumnInfo[]) => new Map(columns.map((c) => [columnKey(c), c])),
);
const indices = once(
  (columns: readonly ColumnId[]) => new Map(columns.map((c, index) => [columnKey(c), index])),
);

export const infoOf = (model: ModelInfo, cell: ColumnId): ColumnInfo | undefined =>
  infos(model.columns).get(columnKey(cell));

export const indexOf = (trace: Trace, cell: ColumnId): number =>
  indices(trace.columns).get(columnKey(cell)) ?? -1;
