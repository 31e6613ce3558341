import type { ModelInfo } from "../types";
import { type Ink, SANS } from "./ink";
import { escaped, joined, type Markup, node } from "./xml";

/** How a figure names the model that it is of: other weights, other heads have another fingerprint. */
export const namedBy = ({ name, fingerprint }: Pick<ModelInfo, "name" | "fingerprint">): string =>
  `${name} (${fingerprint})`;

/** A finished SVG and its size in pixels. */
export interface Figure {
  svg: Markup;
  width: number;
  height: number;
}

/** The paper that a figure is drawn on, with its title for screen readers, and of which weights it is. */
export function sheet(
  width: number,
  height: number,
  title: string,
  model: Pick<ModelInfo, "id" | "fingerprint">,
  ink: Ink,
  parts: readonly Markup[],
): Figure {
  const svg = node(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      "font-family": SANS,
      "font-size": 11,
    },
    node("title", {}, escaped(title)),
    node("desc", {}, escaped(`Model ${model.id}, fingerprint ${model.fingerprint}`)),
    node("rect", { width, height, fill: ink.paper }),
    joined(parts),
  );
  return { svg, width, height };
}
