import type { Order } from "../state/choices";
import type { Inside } from "../types";
import { addedIn, unitsIn, vectorOf } from "./order";
import { largerSaid } from "./reading";
import { type Form, largerIn, type Row } from "./rows";
import { scaleOf, type Slot, slotsOf, type VectorStrip, stripOf } from "./strips";

/** What the strips are drawn from; the answer is null until it is there. */
export interface Figures {
  answer: Inside | null;
  rows: readonly Row[];
  order: Order;
  form: Form;
}

/** The strips of all vectors for the room there is, on one scale. */
export interface Laid {
  strips: (VectorStrip | null)[];
  /** Of each vector, in how many units it contributes more; "" where none is added. */
  more: string[];
  /** The units of the cell in the order in which they stand, and where. */
  units: number[];
  slots: Slot[];
  /** The absolute value at the edge of a strip. */
  scale: number;
  /** How many of the vectors are added, so that they can be weighed; 0 where none is. */
  added: number;
}

export const HEIGHT = 50;

/** A vector by itself, to be sorted by nothing else. */
const alone = (values: readonly number[]) => ({ values: [...values], operands: [], won: null });

export function layOut({ answer, rows, order, form }: Figures, width: number): Laid {
  const count = answer ? vectorOf(answer).length : 0;
  const units = answer ? unitsIn(order, answer) : [];
  const slots = count ? slotsOf(count, width) : [];
  const scale = scaleOf(rows.flatMap((row) => (row.values ? [row.values] : [])));
  const larger = largerIn(answer, rows);
  const strips = rows.map((row, i) => {
    const { values } = row;
    const marks = larger[i]?.marks ?? null;
    if (!values || !answer) return null;
    // What is not unit by unit the cell's stands in an order of its own.
    const by = order === "unit" || form === "output" ? order : "value";
    const own = row.aligned ? units : unitsIn(by, { ...answer, ...alone(values) });
    return stripOf(row.aligned ? slots : slotsOf(values.length, width), {
      values: own.map((u) => values[u] ?? 0),
      marks: marks ? own.map((u) => marks[u] ?? false) : null,
      height: HEIGHT,
      scale,
    });
  });
  const added = answer ? addedIn(answer).length : 0;
  const more = rows.map((row, i) => largerSaid(row, larger[i]?.units ?? null, added));
  return { strips, more, units, slots, scale, added };
}
