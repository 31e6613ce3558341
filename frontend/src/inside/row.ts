import { factsOf } from "../describe";
import { el, svg, symbol } from "../dom";
import { drawnCell, type Paint } from "../drawn";
import { bits, percent, tokenLabel } from "../format";
import { columnKey } from "../columns";
import type { CellId } from "../types";
import { HEIGHT } from "./lay";
import type { Row } from "./rows";
import type { Slot, VectorStrip } from "./strips";

/** One vector of the equation: its name, its strip, and what its encoding says. */

/** What the encoding says: the rectangle and the likeliest words, as the grid draws them. */
function says(row: Row, paint: Paint): HTMLElement {
  const { trace, model, colours } = paint;
  const node = el("div", { class: "says" });
  const column = paint.columns.find((c) => columnKey(c) === columnKey(row.info));
  if (!row.cell || !column) {
    node.append(el("small", {}, "zeros: no cell of the grid, so nothing is said"));
    return node;
  }
  const drawn = drawnCell(paint, row.cell.t, column);
  const facts = factsOf(trace, model, colours, row.cell);
  if (!drawn || !facts) return node;
  const colour = el("i", { class: drawn.rim ? "colour rim" : "colour" });
  colour.style.backgroundColor = drawn.fill;
  colour.title = `${facts.strongest} ${percent(facts.rectangle.p)}`;
  const words = drawn.bars.map((bar, i) => {
    const p = facts.bars[i]?.p ?? 0;
    const length = el("s", { class: bar.rim ? "rim" : null });
    length.style.width = `${(100 * bar.length).toFixed(2)}%`;
    length.style.backgroundColor = bar.colour;
    const text = el("span", {}, bar.word);
    text.style.color = bar.ink ?? "";
    const word = el("div", { class: "word" }, length, text, el("q", {}, bar.word && percent(p)));
    return word;
  });
  node.append(colour, ...words);
  return node;
}

export interface VectorRow {
  node: HTMLElement;
  row: Row;
  /** `more`: in how many units it contributes more than the other operands. */
  draw(row: Row, strip: VectorStrip | null, width: number, more: string): void;
  /** Marks the pixels of a unit. */
  point(slot: Slot | null): void;
}

/** `owner` is the symbol of the cell whose equation it is; `into` goes into an operand. */
export function createRow(
  row: Row,
  paint: Paint,
  owner: string,
  into: (cell: CellId) => void,
): VectorRow {
  const { info, cell } = row;
  const label = [symbol(info.symbol, info.layer), ` ${info.name}`];
  const sign = `${row.sign} ${row.through}`.trim();
  const name = el("div", { class: "name" }, el("span", { class: "sign" }, sign));
  if (row.own || !cell) name.append(el("b", {}, ...label));
  else {
    const button = el("button", { type: "button", class: "into", title: "Look inside it" });
    button.append(...label);
    button.addEventListener("click", () => into(cell));
    name.append(button);
  }
  const token = row.beside && cell ? paint.trace.tokens[cell.t] : undefined;
  if (row.beside)
    name.append(el("small", {}, token ? `of the row ${row.beside}, “${tokenLabel(token)}”` : `0 ${row.beside === "above" ? "before" : "after"} the sentence`)); // prettier-ignore
  const larger = el("small");
  name.append(larger);
  const divergence = el("small", { class: "divergence" });
  const right = says(row, paint);
  right.append(divergence);

  const picture = svg("svg", {
    height: HEIGHT,
    // Paper is narrower than the window, and nothing is measured again for it: there the strip is stretched.
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const zero = svg("line", { class: "zero", x1: 0, y1: HEIGHT / 2, y2: HEIGHT / 2 });
  const paths = ["stems", "bars", "marked"].map((name) => svg("path", { class: name }));
  const cursor = svg("rect", { class: "cursor", y: 0, height: HEIGHT, width: 0 });
  picture.append(cursor, zero, ...paths);
  const plot = el("div", { class: "plot-of" });
  plot.append(picture);

  const self: VectorRow = {
    node: el("div", { class: "vector" }, name, plot, right),
    row,
    draw(now, strip, width, more) {
      self.row = now;
      picture.setAttribute("width", String(width));
      picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      zero.setAttribute("x2", String(width));
      [strip?.stems, strip?.bars, strip?.marked].forEach((d, i) =>
        paths[i]?.setAttribute("d", d ?? ""),
      );
      larger.textContent = more;
      divergence.textContent =
        now.divergence === null ? "" : `${bits(now.divergence, 2)} from ${owner}`;
    },
    point(slot) {
      cursor.setAttribute("x", String((slot?.x ?? 0) - 1));
      cursor.setAttribute("width", String(slot ? Math.max(slot.width, 1) + 2 : 0));
    },
  };
  return self;
}
