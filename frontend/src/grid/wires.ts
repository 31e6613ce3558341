import { svg } from "../dom";
import { type Box, wire } from "../geometry";

/** From a cell's operands to the cell: the equation, seen in place. Drawn over the grid. */

export interface Wires {
  draw(operands: readonly Element[], cell: Element | null): void;
}

type Stroke = [name: string, path: string];

/** Draws lines with the paths that are there: new ones would be laid out as such. */
function write(picture: SVGSVGElement, lines: readonly Stroke[]): void {
  for (const [at, [name, path]] of lines.entries()) {
    const shape = picture.children[at] ?? picture.appendChild(svg("path"));
    if (shape.getAttribute("class") !== name) shape.setAttribute("class", name);
    shape.setAttribute("d", path);
  }
  while (picture.children.length > lines.length) picture.lastElementChild?.remove();
}

export function createWires(table: HTMLTableElement): Wires {
  const picture = svg("svg", { class: "wires", "aria-hidden": "true" });
  table.after(picture);

  return {
    draw(operands, cell) {
      if (!operands.length || !cell) {
        picture.replaceChildren();
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
        if (picture.getAttribute(side) !== length) picture.setAttribute(side, length);
      }
      write(picture, [
        ...wires.map(({ path }): Stroke => ["halo", path]),
        ...wires.map(({ path }): Stroke => ["line", path]),
        ...wires.map(({ tip }): Stroke => ["tip", tip]),
      ]);
    },
  };
}
