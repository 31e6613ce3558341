import { el, svg } from "../dom";
import { count } from "../format";
import { isBrowsers } from "../keys";
import { type RowId, sameRow } from "../state/cells";
import {
  type Drawing,
  drawingOf,
  LABEL,
  PLOT,
  type Point,
  pointAt,
  type Side,
} from "../unitline/drawing";
import { type Shape, shapesOf } from "../unitline/shapes";

/** The line over its tokens, and the timestep that is read: by pointer, or as a slider by keyboard. */
export interface UnitChart {
  node: HTMLElement;
  draw(sides: readonly Side[]): Drawing;
  /** In pixels. */
  width(): number;
  /** Marks a timestep of one of the texts; `said` is what is read there. */
  mark(row: RowId | null, said: string): void;
}

/** Where nothing can be measured. */
const ROOM = 600;

function shown(shape: Shape): SVGElement {
  if ("d" in shape) return svg("path", { class: shape.is, d: shape.d });
  const [x, y] = [shape.x.toFixed(1), shape.y.toFixed(1)];
  if (shape.is === "point") return svg("circle", { cx: x, cy: y, r: 2.2 });
  return svg("text", { class: shape.is, x, y, "text-anchor": shape.anchor }, shape.text);
}

/** `point` is told the timestep that is pointed at, or null when none is; `resized` that it must be drawn. */
export function createUnitChart(
  point: (row: RowId | null) => void,
  resized: () => void,
): UnitChart {
  const node = el("div", {
    class: "line-of",
    role: "slider",
    tabindex: 0,
    "aria-label": "Timestep",
  });
  let drawn: Drawing | null = null;
  let picture: SVGElement | null = null;
  let cursor: SVGElement | null = null;
  let width = 0;

  const points = (): Point[] => (drawn?.bands ?? []).flatMap((band) => band.points);
  const rowOf = ({ t, second }: Point): RowId => (second ? { t, second: true } : { t });
  let at = -1;

  node.addEventListener("pointermove", ({ clientX, clientY }) => {
    if (!drawn || !picture) return;
    const { left, top } = picture.getBoundingClientRect();
    const found = pointAt(drawn, clientX - left, clientY - top);
    point(found && rowOf(found));
  });
  node.addEventListener("pointerleave", () => point(null));
  node.addEventListener("blur", () => point(null));
  node.addEventListener("keydown", (event) => {
    if (isBrowsers(event)) return;
    const all = points();
    const to = {
      ...{ ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1 },
      ...{ Home: 0, End: all.length - 1 },
    }[event.key];
    const next = to === undefined ? undefined : all[Math.max(0, Math.min(all.length - 1, to))];
    if (!next) return;
    event.preventDefault();
    point(rowOf(next));
  });
  if (typeof ResizeObserver !== "undefined")
    new ResizeObserver(() => {
      if (Math.floor(node.clientWidth) !== width) resized();
    }).observe(node);

  return {
    node,
    width: () => width || ROOM,
    draw(sides) {
      width = Math.floor(node.clientWidth);
      drawn = drawingOf(sides, width || ROOM);
      const { width: w, height: h } = drawn;
      const size = { width: w, height: h, viewBox: `0 0 ${w} ${h}` };
      picture = svg("svg", { ...size, "aria-hidden": "true" });
      cursor = svg("rect", { class: "cursor", width: 0, height: PLOT + LABEL + 14 });
      picture.append(cursor, ...drawn.bands.flatMap(shapesOf).map(shown));
      node.replaceChildren(picture);
      node.setAttribute("aria-valuemin", "1");
      node.setAttribute("aria-valuemax", String(Math.max(1, points().length)));
      return drawn;
    },
    mark(row, said) {
      const all = points();
      at = row ? all.findIndex((p) => sameRow(rowOf(p), row)) : -1;
      const found = all[at];
      const band = drawn?.bands.find((b) => found && b.points.includes(found));
      cursor?.setAttribute("x", String(found?.left ?? 0));
      cursor?.setAttribute("width", String(found ? found.right - found.left : 0));
      cursor?.setAttribute("y", String((band?.top ?? 0) - 4));
      node.setAttribute("aria-valuenow", String(Math.max(0, at) + 1));
      node.setAttribute(
        "aria-valuetext",
        found ? said : `none of ${count(all.length)} is read yet`,
      );
    },
  };
}
