import { el, write } from "../dom";

/** Names and values, a pair a line: the lines of the last cell are written over. */
export function createFacts(): {
  node: HTMLElement;
  /** `outside` is the name that stands for what is hatched. */
  draw(lines: readonly (readonly [string, string])[], outside: string): void;
} {
  const node = el("dl");
  const pairs: [HTMLElement, HTMLElement][] = [];
  return {
    node,
    draw(lines, outside) {
      lines.forEach(([name, value], at) => {
        const pair = pairs[at] ?? [el("dt"), el("dd")];
        if (!pairs[at]) {
          pairs.push(pair);
          node.append(...pair);
        }
        const [term, said] = pair;
        write(term, name);
        term.classList.toggle("outside", name === outside);
        write(said, value);
      });
      for (const pair of pairs.splice(lines.length)) for (const part of pair) part.remove();
    },
  };
}
