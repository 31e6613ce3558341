/** The files that a view can be saved as. */
export const FILES = [
  { kind: "svg", label: "SVG", hint: "a drawing, for papers" },
  { kind: "png", label: "PNG", hint: "a picture at twice its size" },
  {
    kind: "html",
    label: "HTML",
    hint: "a page with hover that needs no server",
  },
  {
    kind: "csv",
    label: "CSV",
    hint: "the figures, a line for each bar of each cell",
  },
  {
    kind: "json",
    label: "JSON",
    hint: "all of this view with its answer: opens here again",
  },
] as const;

export type FileKind = (typeof FILES)[number]["kind"];

/** The files that the line of a unit can be saved as. */
export const UNIT_FILES = ["svg", "png", "csv"] as const;

export type UnitFileKind = (typeof UNIT_FILES)[number];
