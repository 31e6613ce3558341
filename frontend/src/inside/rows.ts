import { infoOf } from "../columns";
import { readsZeros } from "../operands";
import {
  type CellId,
  type ColumnInfo,
  type Inside,
  type ModelInfo,
  saysItself,
  type Trace,
} from "../types";
import { marginOf } from "./order";

/** The vectors in a cell's equation, one a row: its operands, then the cell itself. */
export interface Row {
  info: ColumnInfo;
  /** Its own cell of the grid; null for the zeros before a sentence. */
  cell: CellId | null;
  /** What stands before it in the equation. */
  sign: string;
  /** The cell itself, not an operand. */
  own: boolean;
  /** The row that it is of, where that is another. */
  beside: "above" | "below" | null;
  /** Unit by unit it is what the cell is computed from: its units stand in the cell's order. */
  aligned: boolean;
  /** The function through which its values enter the equation. */
  through: "" | "tanh";
  /** As they enter the equation. */
  values: readonly number[] | null; // (H); null until they are known
  term: readonly number[] | null; // (H), of an operand of a weighted sum
  /** Of its encoding from the cell's, in bits. */
  divergence: number | null;
}

/** How an equation joins its operands. */
export type Form = "sum" | "product" | "unit by unit" | "weighted" | "looked up" | "output";

/** Whatever the cell: the model's own equation says it. */
export function formOf({ kind, equation }: Pick<ColumnInfo, "kind" | "equation">): Form {
  if (kind === "embedding") return "looked up";
  if (kind === "output") return "output";
  const right = equation.slice(equation.indexOf("=") + 1);
  if (/[WVP][⃗⃖]?[_^]/u.test(right)) return "weighted";
  const [sums, products] = [" + ", " ∘ "].map((sign) => right.split(sign).length - 1);
  if (sums === 1 && products === 0) return "sum";
  return sums === 0 && products === 1 ? "product" : "unit by unit";
}

const signOf = (info: ColumnInfo, at: number): string => {
  const form = formOf(info);
  if (at === 0 || !(form === "sum" || form === "product")) return "";
  return form === "sum" ? "+" : "∘";
};

/** Known from the model alone but for the values: the panel has its size before the answer. */
export function rowsOf(trace: Trace, model: ModelInfo, cell: CellId, answer: Inside | null): Row[] {
  const info = infoOf(model, cell);
  if (!info) return [];
  const form = formOf(info);
  const zeros = readsZeros(trace, info, cell.t);
  // y_t says what the network says: asked for another word, its operand answers another question.
  const comparable = form !== "output" || saysItself(trace.semantic);
  const operands = info.operands.flatMap((operand, at): Row[] => {
    const told = answer?.operands[at];
    const its = infoOf(model, operand);
    if (!its) return [];
    const { kind, layer } = operand;
    const through =
      form !== "weighted" && info.equation.includes(`tanh(${its.symbol}_t`) ? "tanh" : "";
    return [
      {
        info: its,
        cell: operand.lag && zeros ? null : { ...cell, t: cell.t - operand.lag, kind, layer },
        sign: signOf(info, at),
        own: false,
        beside: operand.lag > 0 ? "above" : operand.lag < 0 ? "below" : null,
        // Of what y reads side by side the first gives the order.
        aligned: form !== "weighted" && (form !== "output" || at === 0),
        through,
        values: (through ? told?.values.map(Math.tanh) : told?.values) ?? null,
        term: told?.term ?? null,
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
      beside: null,
      aligned: true,
      through: "",
      values: answer?.values ?? null,
      term: null,
      divergence: null,
    },
  ];
}

/** Of each row, the units whose bars stand out, and in how many it contributes more than any other. */
export interface Larger {
  marks: boolean[] | null;
  units: number | null;
}

/**
 * Who contributes more, unit by unit. Of a sum it stands out in the strips that are added; of a
 * weighted sum, whose operands have no units of their own in it, in the cell's: where the first does.
 */
export function largerIn(inside: Inside | null, rows: readonly Row[]): Larger[] {
  return rows.map(({ own, aligned }, at) => {
    const more = inside && marginOf(inside, own ? 0 : at)?.map((margin) => margin > 0);
    if (!more) return { marks: null, units: null };
    const weighted = rows.some((row) => !row.aligned);
    // Of a cell state as it was counted before the values were rounded: near ties are told apart.
    const { won } = inside;
    const units = won ? [won.long_term, won.short_term][at] : more.filter(Boolean).length;
    return {
      marks: own === weighted && aligned ? more : null,
      units: own ? null : (units ?? null),
    };
  });
}
