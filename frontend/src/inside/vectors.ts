import { el } from "../dom";
import type { Paint } from "../drawn";
import type { CellId, UnitId } from "../types";
import { type Figures, layOut } from "./lay";
import { orderSaid, readUnit, stripsSaid } from "./reading";
import { createRow, type VectorRow } from "./row";
import type { Row } from "./rows";
import { placeAt, type Slot } from "./strips";
import { createUnits } from "./units";

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

/** `into` goes into an operand, `along` draws a unit along the text. */
export function createVectors(
  into: (cell: CellId) => void,
  along: (unit: UnitId) => void,
): Vectors {
  const list = el("div", { class: "vectors" });
  const hint = el("p", { class: "hint" });
  let drawn: VectorRow[] = [];
  let slots: Slot[] = [];
  let units: number[] = [];
  let latest: Figures | null = null;

  const unit = createUnits(
    (place) => {
      const slot = slots.find(({ from, to }) => place !== null && from <= place && place < to);
      for (const row of drawn) row.point(row.row.aligned ? (slot ?? null) : null);
    },
    (unit) => {
      // Its own vector; of the output, the one that it reads.
      const { info } = latest?.rows.find(({ own }) => own) ?? latest?.rows[0] ?? {};
      if (info) along({ kind: info.kind, layer: info.layer, unit });
    },
  );
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
    const laid = layOut(latest, width);
    ({ units, slots } = laid);
    drawn.forEach((shown, i) =>
      shown.draw(rows[i] ?? shown.row, laid.strips[i] ?? null, width, laid.more[i] ?? ""),
    );
    unit.set(units, (u) => readUnit(u, rows, answer?.bias ?? null));
    hint.textContent = answer
      ? `${stripsSaid(units.length, width, laid.scale, form, laid.added)} ${orderSaid(order, form, laid.added)}`
      : "";
  }

  if (typeof ResizeObserver !== "undefined") new ResizeObserver(drawStrips).observe(list);

  const show = (rows: VectorRow[]) => {
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
