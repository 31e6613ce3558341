import { type Box, wire } from "../geometry";

/** From a cell's operands to the cell: the equation, seen in place. Drawn over the grid. */

const SVG = "http://www.w3.org/2000/svg";

export interface Wires {
  draw(operands: readonly Element[], cell: Element | null): void;
}

type Line = [name: string, path: string];

/** Draws lines with the paths that are there: new ones would be laid out as such. */
function write(svg: SVGSVGElement, lines: readonly Line[]): void {
  for (const [at, [name, path]] of lines.entries()) {
    const shape = svg.children[at] ?? svg.appendChild(document.createElementNS(SVG, "path"));
    if (shape.getAttribute("class") !== name) shape.setAttribute("class", name);
    shape.setAttribute("d", path);
  }
  while (svg.children.length > lines.length) svg.lastElementChild?.remove();
}

export function createWires(table: HTMLTableElement): Wires {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "wires");
  svg.setAttribute("aria-hidden", "true");
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
      for (const side of ["width", "height"] as const) {
        const length = String(Math.round(origin[side]));
        if (svg.getAttribute(side) !== length) svg.setAttribute(side, length);
      }
      write(svg, [
        ...wires.map(({ path }): Line => ["halo", path]),
        ...wires.map(({ path }): Line => ["line", path]),
        ...wires.map(({ tip }): Line => ["tip", tip]),
      ]);
    },
  };
}
