/** How wide a text is where nothing can be measured: a picture is computed, not laid out. */

/** Thousandths of the font size, a little generous: a text that is cut early is never cut off. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl|'’‘`.,:;!·]/u, 290],
  [/[ftrI()[\]{}\-/\\"“” ⟨⟩]/u, 390],
  [/[mMW@%]/u, 900],
  [/[w—]/u, 790],
  [/\p{M}/u, 0],
  [/[\u2E80-\u9FFF\uAC00-\uD7AF\uFF00-\uFF60]|\p{Extended_Pictographic}/u, 1050],
  [/\p{Lu}/u, 710],
];
const USUAL = 590;

/** How many times as wide letters of weight 600 are: where a font has none of it, as bold ones. */
export const BOLD = 1.2;

const letterWidth = (c: string): number => WIDTHS.find(([kind]) => kind.test(c))?.[1] ?? USUAL;

export function widthOf(text: string, size: number): number {
  let sum = 0;
  for (const c of text) sum += letterWidth(c);
  return (sum * size) / 1000;
}

/** The text, or as much of its beginning as fits with an ellipsis. */
export function cut(text: string, size: number, room: number): string {
  if (widthOf(text, size) <= room) return text;
  let kept = "";
  let sum = letterWidth("…");
  // Letter by letter, once: a word may have thousands.
  for (const c of text) {
    sum += letterWidth(c);
    if (kept && (sum * size) / 1000 > room) break;
    kept += c;
  }
  return `${kept.trimEnd()}…`;
}

/** Lines no wider than the room, broken at spaces; a word that is wider than a line is broken. */
export function wrap(text: string, size: number, room: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split(/\r\n|[\n\r\u2028\u2029]/)) {
    let line = "";
    for (const word of paragraph.split(/\s+/)) {
      const longer = line ? `${line} ${word}` : word;
      if (widthOf(longer, size) <= room) {
        line = longer;
        continue;
      }
      if (line) lines.push(line);
      line = "";
      for (const letter of word) {
        if (line && widthOf(line + letter, size) > room) {
          lines.push(line);
          line = "";
        }
        line += letter;
      }
    }
    lines.push(line);
  }
  return lines;
}

/** Sayings with points between them, in lines no wider than the room, broken between them where that goes. */
export function flow(said: readonly string[], size: number, room: number): string[] {
  const lines: string[] = [];
  for (const one of said) {
    const longer = [...lines.slice(-1), one].join(" · ");
    if (lines.length && widthOf(longer, size) <= room) lines[lines.length - 1] = longer;
    else lines.push(one);
  }
  return lines.flatMap((text) => wrap(text, size, room));
}
