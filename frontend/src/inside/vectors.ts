import { el } from "../dom";
import type { Paint } from "../drawn";
import type { Order } from "../state";
import type { CellId, Inside } from "../types";
import { marginOf, unitsIn, vectorOf } from "./order";
import { orderSaid, readUnit, stripsSaid } from "./reading";
import { createRow, type DrawnRow, HEIGHT } from "./row";
import { type Form, largerIn, type Row } from "./rows";
import { placeAt, scaleOf, type Slot, slotsOf, stripOf } from "./strips";
import { createUnits } from "./units";

/** What the strips are drawn from; the answer is null until it is there. */
export interface Figures {
  answer: Inside | null;
  rows: readonly Row[];
  order: Order;
  form: Form;
}

/** The vectors of an equation, one under the other on one scale, and the unit that is read in them. */
export interface Vectors {
  nodes: HTMLElement[];
  /** Other rows: names and words, and no strips yet. */
  set(rows: readonly Row[], paint: Paint, owner: string): void;
  clear(): void;
  draw(figures: Figures): void;
}

/** Where nothing can be measured. */
const ROOM = 600;

/** A vector by itself, to be sorted by nothing else. */
const alone = (values: readonly number[]) => ({ values: [...values], operands: [], won: null });

/** `into` goes into an operand. */
export function createVectors(into: (cell: CellId) => void): Vectors {
  const list = el("div", { class: "vectors" });
  const hint = el("p", { class: "hint" });
  let drawn: DrawnRow[] = [];
  let slots: Slot[] = [];
  let units: number[] = [];
  let latest: Figures | null = null;

  const unit = createUnits((place) => {
    const slot = slots.find(({ from, to }) => place !== null && from <= place && place < to);
    for (const row of drawn) row.point(row.row.aligned ? (slot ?? null) : null);
  });
  const point = (event: PointerEvent) => {
    const plot = event.target instanceof Element ? event.target.closest(".plot-of") : null;
    if (!plot || !units.length) return;
    const { left, width } = plot.getBoundingClientRect();
    unit.at(placeAt(event.clientX - left, units.length, width));
  };
  list.addEventListener("pointermove", point);
  list.addEventListener("pointerdown", point);

  /** The strips, for the room there is. */
  function drawStrips(): void {
    if (!latest) return;
    const { answer, rows, order, form } = latest;
    const width = Math.floor(list.querySelector(".plot-of")?.clientWidth || ROOM);
    const count = answer ? vectorOf(answer).length : 0;
    units = answer ? unitsIn(order, answer) : [];
    slots = count ? slotsOf(count, width) : [];
    const scale = scaleOf(rows.flatMap((row) => (row.values ? [row.values] : [])));
    const margin = answer && marginOf(answer);
    const larger = largerIn(margin, rows);
    drawn.forEach((shown, i) => {
      const row = rows[i] ?? shown.row;
      const { values } = row;
      const { marks = null, units: more = null } = larger[i] ?? {};
      if (!values || !answer) return shown.draw(row, null, width, null);
      // What is not unit by unit the cell's stands in an order of its own.
      const by = order === "unit" ? order : "value";
      const own = row.aligned ? units : unitsIn(by, { ...answer, ...alone(values) });
      const strip = stripOf(row.aligned ? slots : slotsOf(values.length, width), {
        values: own.map((u) => values[u] ?? 0),
        marks: marks ? own.map((u) => marks[u] ?? false) : null,
        height: HEIGHT,
        scale,
      });
      shown.draw(row, strip, width, more);
    });
    unit.set(units, (u) => readUnit(u, rows, answer?.bias ?? null));
    hint.textContent = answer
      ? `${stripsSaid(count, width, scale, form, !!margin)} ${orderSaid(order, form, !!margin)}`
      : "";
  }

  if (typeof ResizeObserver !== "undefined") new ResizeObserver(drawStrips).observe(list);

  const show = (rows: DrawnRow[]) => {
    drawn = rows;
    list.replaceChildren(...drawn.map(({ node }) => node));
  };
  const under = el("div", { class: "vector under-strips" }, el("div"), unit.slider, el("div"));
  return {
    nodes: [list, under, unit.reading, hint],
    set: (rows, paint, owner) => show(rows.map((row) => createRow(row, paint, owner, into))),
    clear: () => show([]),
    draw(figures) {
      latest = figures;
      drawStrips();
    },
  };
}
