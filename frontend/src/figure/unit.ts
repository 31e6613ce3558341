import { type Drawing, LABEL } from "../unitline/drawing";
import { type Shape, shapesOf } from "../unitline/shapes";
import { type Ink, line } from "./ink";
import { type Attributes, type Markup, node } from "./xml";

/** A unit along the text, as on the page: its line over the tokens, at a place of the figure. */
export function drawUnit({ bands }: Drawing, x: number, y: number, ink: Ink): Markup {
  const strokes: Record<"tick" | "zero" | "followed" | "line", Attributes> = {
    tick: { stroke: ink.line },
    zero: { stroke: ink.faint },
    followed: { stroke: ink.warm, "stroke-dasharray": "3 3" },
    line: { stroke: ink.ink, "stroke-width": 1.5 },
  };
  const styles = {
    figure: { size: 10, fill: ink.quiet },
    letter: { size: 10, fill: ink.quiet, weight: 600 },
    label: { size: LABEL, fill: ink.ink },
    quiet: { size: LABEL, fill: ink.quiet },
  };
  const drawn = (shape: Shape): Markup => {
    if ("d" in shape) return node("path", { d: shape.d, fill: "none", ...strokes[shape.is] });
    if (shape.is === "point")
      return node("circle", { cx: shape.x, cy: shape.y, r: 2.2, fill: ink.ink });
    return line(shape.text, shape.x, shape.y, { ...styles[shape.is], anchor: shape.anchor });
  };
  const parts = bands.flatMap(shapesOf).map(drawn);
  return node("g", { transform: `translate(${x} ${y})` }, ...parts);
}
