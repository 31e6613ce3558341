import { GATES } from "../state";
import { infoOf, readsZeros } from "../layout";
import type { CellId, ColumnInfo, Inside, ModelInfo, Trace } from "../types";

/** The vectors in a cell's equation, one a row: its operands, then the cell itself. */
export interface Row {
  info: ColumnInfo;
  /** Its own cell of the grid; null for the zeros before a sentence. */
  cell: CellId | null;
  /** What stands before it in the equation. */
  sign: string;
  /** The cell itself, not an operand. */
  own: boolean;
  above: boolean;
  /** Unit by unit it is what the cell is computed from: its units stand in the cell's order. */
  aligned: boolean;
  values: readonly number[] | null; // (H); null until they are known
  /** Of its encoding from the cell's, in bits. */
  divergence: number | null;
}

/** How an equation joins its operands. */
export type Form = "sum" | "product" | "weighted" | "looked up" | "output";

const FORMS: ReadonlyMap<string, Form> = new Map([
  ["long_term", "product"],
  ["short_term", "product"],
  ["cell_state", "sum"],
  ["output_state", "product"],
  ["embedding", "looked up"],
  ["output", "output"],
]);

export const formOf = (kind: string): Form => FORMS.get(kind) ?? "weighted";

export const isGate = (kind: string): boolean => (GATES as readonly string[]).includes(kind);

const signOf = (info: ColumnInfo, at: number): string => {
  const form = formOf(info.kind);
  if (at === 0 || form === "weighted") return "";
  return form === "sum" ? "+" : info.kind === "output_state" ? "∘ tanh" : "∘";
};

/** Known from the model alone but for the values: the panel has its size before the answer. */
export function rowsOf(trace: Trace, model: ModelInfo, cell: CellId, answer: Inside | null): Row[] {
  const info = infoOf(model, cell);
  if (!info) return [];
  const form = formOf(cell.kind);
  const zeros = readsZeros(trace, info, cell.t);
  // y_t always predicts the next word: asked for another, its operand answers another question.
  const comparable = form !== "output" || trace.semantic === "next";
  const operands = info.operands.flatMap((operand, at): Row[] => {
    const told = answer?.operands[at];
    const its = infoOf(model, operand);
    if (!its) return [];
    const { kind, layer } = operand;
    return [
      {
        info: its,
        cell: operand.lag && zeros ? null : { t: cell.t - operand.lag, kind, layer },
        sign: signOf(info, at),
        own: false,
        above: operand.lag > 0,
        aligned: form !== "weighted",
        values: told?.values ?? null,
        divergence: comparable ? (told?.divergence ?? null) : null,
      },
    ];
  });
  if (form === "output") return operands;
  return [
    ...operands,
    {
      info,
      cell,
      sign: operands.length ? "=" : "",
      own: true,
      above: false,
      aligned: true,
      values: answer?.values ?? null,
      divergence: null,
    },
  ];
}

/** For each row of a sum, the units in which it has the larger absolute value; null for others. */
export function largerIn(
  margin: readonly number[] | null,
  rows: readonly Row[],
): (boolean[] | null)[] {
  return rows.map(({ own }, at) =>
    !margin || own ? null : margin.map((m) => (at === 0 ? m > 0 : m < 0)),
  );
}
