import { type Box, wire } from "../geometry";

/** From a cell's operands to the cell: the equation, seen in place. Drawn over the grid. */

const SVG = "http://www.w3.org/2000/svg";

export interface Wires {
  draw(operands: readonly Element[], cell: Element | null): void;
}

const make = <K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

export function createWires(table: HTMLTableElement): Wires {
  const svg = make("svg", { class: "wires", "aria-hidden": "true" });
  table.after(svg);

  return {
    draw(operands, cell) {
      if (!operands.length || !cell) {
        svg.replaceChildren();
        return;
      }
      const origin = table.getBoundingClientRect();
      const head = table.tHead?.getBoundingClientRect();
      // What is drawn of a cell, without the gaps that belong to its table cell.
      const box = (td: Element): Box => {
        const colour = td.querySelector(".colour")?.getBoundingClientRect();
        const { left, top, width, height } = td.getBoundingClientRect();
        const foot = td.lastElementChild?.getBoundingClientRect().bottom ?? top + height;
        return {
          left: (colour?.left ?? left) - origin.left,
          top: (colour?.top ?? top) - origin.top,
          width: colour?.width ?? width,
          height: foot - (colour?.top ?? top),
        };
      };
      const to = box(cell);
      const under = to.top + origin.top - (head?.bottom ?? origin.top) < 26;
      const wires = operands.map((td) => wire(box(td), to, under));
      svg.setAttribute("width", String(Math.round(origin.width)));
      svg.setAttribute("height", String(Math.round(origin.height)));
      svg.replaceChildren(
        ...wires.map(({ path }) => make("path", { class: "halo", d: path })),
        ...wires.map(({ path }) => make("path", { class: "line", d: path })),
        ...wires.map(({ tip }) => make("path", { class: "tip", d: tip })),
      );
    },
  };
}
