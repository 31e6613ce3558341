import { write } from "../dom";
import type { DrawnBar } from "../drawn";

/** The words of a cell: one element with a line for each, over the bars of its row. */

/** Letters that are set alike: a word that is bold or in an ink of its own, or all between such words. */
export interface Run {
  text: string;
  /** None where nothing is set: then it is a text and no element. */
  set: Pick<DrawnBar, "asked" | "ink"> | null;
}

const isSet = ({ asked, ink }: DrawnBar): boolean => asked || ink !== null;

export function runsOf(bars: readonly DrawnBar[]): Run[] {
  const runs: Run[] = [];
  let plain = "";
  const end = () => {
    if (plain) runs.push({ text: plain, set: null });
    plain = "";
  };
  bars.forEach((bar, at) => {
    if (at) plain += "\n";
    if (isSet(bar)) {
      end();
      runs.push({ text: bar.word, set: bar });
    } else plain += bar.word;
  });
  end();
  return runs;
}

const inks = new WeakMap<HTMLElement, string | null>();
/** Bold, or in an ink that reads well on its bar. */
function writeSet(word: HTMLElement, text: string, { asked, ink }: NonNullable<Run["set"]>): void {
  write(word, text);
  const name = asked ? "asked" : "";
  if (word.className !== name) word.className = name;
  if ((inks.get(word) ?? null) === ink) return;
  inks.set(word, ink);
  word.style.color = ink ?? "";
}

/** Writes the runs into what is there: what is new would be styled and laid out as such. */
function writeRuns(node: HTMLElement, runs: readonly Run[]): void {
  let next = node.firstChild;
  /** The next child if it is of this kind, else a new one before it. */
  function place<K extends ChildNode>(kind: new () => K, made: () => K): K {
    if (!(next instanceof kind)) return node.insertBefore(made(), next);
    const found: K = next;
    next = found.nextSibling;
    return found;
  }
  for (const { text, set } of runs) {
    if (set) {
      const made = () => {
        const word = document.createElement("span");
        writeSet(word, text, set);
        return word;
      };
      writeSet(place(HTMLElement, made), text, set);
      continue;
    }
    const plain = place(Text, () => document.createTextNode(text));
    if (plain.data !== text) plain.data = text;
  }
  while (next) {
    const gone: ChildNode = next;
    next = gone.nextSibling;
    gone.remove();
  }
}

/** Writes the words into the cell's last element, which is there only where there are some. */
export function drawWords(td: HTMLElement, bars: readonly DrawnBar[]): void {
  let node = td.getElementsByClassName("words")[0] as HTMLElement | undefined;
  if (!bars.length) return node?.remove();
  if (!node) {
    node = document.createElement("span");
    node.className = "words";
    // What is drawn is named by the cell's sentence.
    node.setAttribute("aria-hidden", "true");
    td.append(node);
  }
  // Only words that may not fit are clipped: each clip costs as much as a cell.
  node.classList.toggle(
    "long",
    bars.some(({ long }) => long),
  );
  const percents = bars.map(({ percent }) => percent ?? "").join("\n");
  if ((percents.trim() || node.dataset.p) && node.dataset.p !== percents) node.dataset.p = percents;
  writeRuns(node, runsOf(bars));
}
