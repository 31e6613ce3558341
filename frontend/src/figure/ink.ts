import { CELL, groundOf, INK } from "../colour/ground";
import type { Rgb } from "../colour/rgb";
import { hasArrow } from "../format";
import { escaped, type Markup, node } from "./xml";

/** The page's colours and fonts, named for a picture that leaves the page. The stylesheet's values. */
export interface Ink {
  paper: string;
  ink: string;
  quiet: string;
  faint: string;
  line: string;
  cell: string;
  /** The outline of what parts most. */
  warm: string;
  /** What masses dilute toward. */
  ground: Rgb;
}

// A picture goes on the white of a page of paper.
const LIGHT: Ink = {
  paper: "#ffffff",
  ink: INK.light,
  quiet: "#6a6964",
  faint: "#8a8984",
  line: "#e4e3de",
  cell: CELL.light,
  warm: "#8a4b00",
  ground: groundOf(false).ground,
};

const DARK: Ink = {
  paper: "#161615",
  ink: INK.dark,
  quiet: "#a3a29b",
  faint: "#777670",
  line: "#31302d",
  cell: CELL.dark,
  warm: "#e3b072",
  ground: groundOf(true).ground,
};

export const inkOf = (dark: boolean): Ink => (dark ? DARK : LIGHT);

export const SANS = "Inter, 'Helvetica Neue', Helvetica, Arial, sans-serif";
export const MATH =
  "'STIX Two Math', 'Cambria Math', 'Latin Modern Math', Georgia, 'Times New Roman', serif";

interface Style {
  size: number;
  fill: string;
  weight?: number;
  anchor?: "start" | "middle" | "end";
}

/** The outline of what hardly stands out from its ground: the stylesheet's --rim. */
export const rimOf = (ink: Ink, rim: boolean) =>
  rim ? { stroke: ink.ink, "stroke-opacity": 0.3 } : {};

/** A line of text from its baseline. */
export const line = (text: string, x: number, y: number, style: Style): Markup =>
  node(
    "text",
    {
      x,
      y,
      "font-size": style.size,
      "font-weight": style.weight ?? null,
      "text-anchor": style.anchor ?? null,
      fill: style.fill,
      // Leading spaces of a word are part of it.
      "xml:space": /^\s|\s$|\s\s/.test(text) ? "preserve" : null,
    },
    escaped(text),
  );

/** An italic symbol with its layer as superscript: l². */
export const symbol = (text: string, layer: number | null, x: number, y: number, fill: string) =>
  node(
    "text",
    { x, y, fill, "font-family": MATH, "font-size": 16, "font-style": "italic" },
    escaped(text),
    ...(layer
      ? [
          node(
            "tspan",
            { dy: -5, dx: hasArrow(text) ? 5 : 1, "font-size": 11, "font-style": "normal" },
            escaped(String(layer)),
          ),
        ]
      : []),
  );
