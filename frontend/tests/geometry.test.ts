import { describe, expect, it } from "vitest";
import { placePopup, wire, type Box } from "../src/geometry";

const box = (left: number, top: number, width = 50, height = 40): Box => ({
  left,
  top,
  width,
  height,
});
const numbers = (path: string) => [...path.matchAll(/-?[\d.]+/g)].map(Number);

describe("a wire", () => {
  it("is an arc over its row, from the middle of the operand to that of the cell", () => {
    const [x1, y1, , up, , , x2, y2] = numbers(wire(box(0, 100), box(300, 100), false).path);
    expect([x1, y1, x2, y2]).toEqual([25, 100, 325, 100]);
    expect(up).toBeLessThan(100);
  });

  it("runs under its row where nothing can be seen over it", () => {
    const [, y1, , down, , , , y2] = numbers(wire(box(0, 100), box(300, 100), true).path);
    expect([y1, y2]).toEqual([140, 140]);
    expect(down).toBeGreaterThan(140);
  });

  it("from the row above ends on top of the cell, with its arrow pointing down", () => {
    const { path, tip } = wire(box(200, 50), box(0, 100), false);
    const [x1, y1, , , , , x2, y2] = numbers(path);
    expect([x1, y1, x2, y2]).toEqual([225, 90, 25, 100]);
    expect(numbers(tip).slice(0, 4)).toEqual([25, 100, 21.5, 94]);
  });
});

describe("the popup's place", () => {
  const screen = { width: 1000, height: 800 };
  const size = { width: 276, height: 330 };
  const free = (at: { left: number; top: number }, boxes: Box[]) =>
    boxes.every(
      (b) =>
        at.left + size.width <= b.left ||
        b.left + b.width <= at.left ||
        at.top + size.height <= b.top ||
        b.top + b.height <= at.top,
    );

  it("is below the cell where there is room", () => {
    expect(placePopup(box(500, 100), size, [], screen)).toEqual({ left: 387, top: 149 });
  });

  it("stays on the screen at its edges", () => {
    expect(placePopup(box(0, 100), size, [], screen).left).toBe(9);
    expect(placePopup(box(950, 100), size, [], screen).left).toBe(1000 - 276 - 9);
  });

  it("hides neither the cell nor its operands where that can be avoided", () => {
    const cell = box(500, 600);
    // One in the row, one in the row above to the right: as those of l.
    const operands = [box(300, 600), box(600, 555)];
    const at = placePopup(cell, size, operands, { width: 1200, height: 1000 });
    expect(free(at, [cell, ...operands])).toBe(true);
    const low = placePopup(cell, size, operands, { width: 1200, height: 960 });
    expect(free(low, [cell, ...operands])).toBe(true);
  });

  it("hides nothing of the row either where there is room over or under it", () => {
    const row = { left: 20, top: 600, width: 960, height: 44 };
    const cell = { ...box(500, 600), height: 44 };
    const operands = [box(300, 600), box(600, 555)];
    for (const height of [1000, 960, 740]) {
      const at = placePopup(cell, size, operands, { width: 1000, height }, row);
      expect(free(at, [cell, row, ...operands])).toBe(true);
    }
  });

  it("on a low screen leaves its cell and operands in sight, and as much of the row as it can", () => {
    const low = { width: 1000, height: 400 };
    const row = { left: 20, top: 180, width: 960, height: 44 };
    const cell = { ...box(500, 180), height: 44 };
    const operands = [box(440, 180), box(600, 136)];
    const at = placePopup(cell, size, operands, low, row);
    expect(free(at, [cell, ...operands])).toBe(true);
    expect(at.top).toBeGreaterThanOrEqual(0);
    expect(at.top + size.height).toBeLessThanOrEqual(low.height);
  });

  it("takes boxes that only touch, but for rounding, as apart", () => {
    const cell = box(500, 600.3);
    const above = { ...box(600, 560.3), height: 40.0000001 };
    const at = placePopup(cell, size, [above], { width: 1200, height: 1000 });
    expect(at).toEqual({ left: 387, top: 649.3 });
    // As the browser measures: a size whose fields are its prototype's.
    const measured = Object.create(size) as typeof size;
    expect(placePopup(cell, measured, [above], { width: 1200, height: 1000 })).toEqual(at);
  });

  it("is still somewhere when nothing fits", () => {
    const at = placePopup(box(50, 50), size, [], { width: 200, height: 200 });
    expect(at).toEqual({ left: 9, top: 9 });
  });
});
