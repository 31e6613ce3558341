/** Arrow keys in a grid: which cell comes next. Row and column are indices of what is drawn. */

export interface Place {
  row: number;
  column: number;
}

/** Whether a key is the browser's own: with Alt, or ⌘ on a Mac, the arrows are Back and Forward. */
export const isBrowsers = ({ altKey, metaKey }: { altKey: boolean; metaKey: boolean }): boolean =>
  altKey || metaKey;

const PAGE = 8;

export function move(
  key: string,
  control: boolean,
  from: Place,
  rows: number,
  columns: number,
): Place | null {
  const clamp = (n: number, length: number) => Math.max(0, Math.min(length - 1, n));
  const to = (row: number, column: number): Place => ({
    row: clamp(row, rows),
    column: clamp(column, columns),
  });
  const { row, column } = from;
  switch (key) {
    case "ArrowUp":
      return to(row - 1, column);
    case "ArrowDown":
      return to(row + 1, column);
    case "ArrowLeft":
      return to(row, column - 1);
    case "ArrowRight":
      return to(row, column + 1);
    case "PageUp":
      return to(row - PAGE, column);
    case "PageDown":
      return to(row + PAGE, column);
    case "Home":
      return control ? to(0, 0) : to(row, 0);
    case "End":
      return control ? to(rows - 1, columns - 1) : to(row, columns - 1);
    default:
      return null;
  }
}
