import { isBlank } from "./blank";
import { sameClasses } from "./colour/own";
import { wellFormed } from "./format";
import { BARS_ASKED, type View, watched } from "./state/view";
import type { ModelInfo, Pair, Query, Trace } from "./types";

/** What a view asks of a model, and whether an answer is one to that. Said here and nowhere else. Pure. */

/** Classes of one's own, as a question says them. */
export const ownOf = ({ classes }: View): Pick<Query, "classes"> =>
  classes.length
    ? { classes: classes.map(({ name, words }) => ({ name: wellFormed(name), words: words.map(wellFormed) })) } // prettier-ignore
    : {};

export function queryOf(view: View, model: Pick<ModelInfo, "id" | "limits">): Query {
  const watch = wellFormed(watched(view));
  return {
    text: wellFormed(view.text),
    model: model.id,
    semantic: view.semantic,
    bars: Math.min(BARS_ASKED, model.limits.bars),
    top: view.top,
    ...(watch ? { watch } : {}),
    ...ownOf(view),
  };
}

/** What is asked of two texts; null where there is no second. */
export function pairOf({ text, compare, semantic }: View, model: string): Pair | null {
  const second = wellFormed(compare ?? "");
  const first = wellFormed(text);
  return isBlank(first) || isBlank(second) ? null : { texts: [first, second], model, semantic };
}

/** Whether two questions differ in the text alone: only then old rows are of use for new ones. */
export const sameQuestion = (a: Query, b: Query): boolean =>
  a.model === b.model &&
  a.semantic === b.semantic &&
  a.bars === b.bars &&
  a.top === b.top &&
  a.watch === b.watch &&
  sameClasses(a.classes, b.classes);

/** Whether an answer is a model's own, and of the network that this describes: a server may take another. */
export const isOf = (
  answer: Pick<Trace, "model" | "fingerprint">,
  model: Pick<ModelInfo, "id" | "fingerprint">,
): boolean => answer.model === model.id && answer.fingerprint === model.fingerprint;

/**
 * Whether a trace is the answer to what the view asks of the model at hand. One that also tells of a
 * watched word is an answer to the question without it.
 */
export function answers(trace: Trace, view: View, model: ModelInfo): boolean {
  const query = queryOf(view, model);
  const { text, watch } = trace.asked;
  const asked = query.watch === undefined && watch !== undefined ? { ...query, watch } : query;
  return isOf(trace, model) && text === query.text && sameQuestion(trace.asked, asked);
}
