import { isBlank } from "../blank";
import { wellFormed } from "../format";
import { settled } from "../alignment";
import type { View } from "../state/view";
import { isOf } from "../question";
import type { Answer, Comparison, ModelInfo } from "../types";
import { isComparison, isModel, isTrace, record } from "./shape";

/** A view with its answer, as a file: what the page needs to show it again, with or without a server. */

export const FORMAT = "unrolled";
export const VERSION = 1;

export interface Saved {
  /** The permalink's fragment: one table reads and writes the view, here as there. */
  view: string;
  model: ModelInfo;
  trace: Answer;
  /** Of two texts that are compared. */
  second?: Answer;
  comparison?: Comparison;
}

/** What was asked follows from the view: it is not written again. */
const told = (answer: Answer): object => ({ ...answer, asked: undefined });

export function save({ trace, second, ...rest }: Saved): string {
  const answers = { trace: told(trace), ...(second && { second: told(second) }) };
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...rest, ...answers })}\n`;
}

/**
 * Whether an answer can be the view's own, as far as it tells: its tokens are the text's. A file is not
 * trusted to say what was asked.
 */
function belongs(view: View, trace: Answer): boolean {
  if (trace.semantic !== view.semantic || trace.top !== view.top) return false;
  // What is watched is told as the vocabulary spells it: whether there is a word is all that shows.
  if (view.show === "watch" && (view.watch !== "") !== (trace.watch !== undefined)) return false;
  const own = (list: readonly { name: string }[]) => JSON.stringify(list.map((c) => c.name));
  if (own(view.classes) !== own(trace.missing ?? [])) return false;
  const text = Array.from(wellFormed(view.text));
  let end = 0;
  for (const { span, surface } of trace.tokens) {
    if (!span) continue;
    if (text.slice(span[0], span[1]).join("") !== surface) return false;
    end = span[1];
  }
  return isBlank(text.slice(end).join(""));
}

export const fits = (view: View, saved: Saved): boolean => {
  const { trace, model, second, comparison } = saved;
  const other = { ...view, text: view.compare ?? "" };
  return (
    isOf(trace, model) &&
    belongs(view, trace) &&
    (!second || !comparison
      ? isBlank(view.compare)
      : isOf(second, model) && belongs(other, second) && settled(comparison, trace, second))
  );
};

/** Nothing of the file is trusted: what is not as the page itself writes it is refused, in words. */
export function readSaved(text: string): Saved | { problem: string } {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { problem: "it is not JSON" };
  }
  const file = record(data);
  if (file?.format !== FORMAT) return { problem: "it was not saved by this page" };
  if (file.version !== VERSION) return { problem: "it was saved by another version of the page" };
  const { view, model, trace, second, comparison } = file;
  if (typeof view !== "string") return { problem: "its view is missing" };
  if (!isModel(model)) return { problem: "its model is damaged" };
  if (!isTrace(trace, model)) return { problem: "its figures are damaged" };
  if (second === undefined && comparison === undefined) return { view, model, trace };
  if (!isTrace(second, model)) return { problem: "the second text's figures are damaged" };
  if (!isComparison(comparison, trace, second)) return { problem: "its comparison is damaged" };
  return { view, model, trace, second, comparison };
}
