import { wellFormed } from "../format";
import { answers } from "../question";
import type { AlongText, State } from "../state";
import type { Trace, UnitQuery } from "../types";
import { type Series, seriesOf } from "./series";

/** What a view asks of its unit, and whether a line is the answer to that. Said here and nowhere else. Pure. */

/** Of one text. */
export interface UnitQuestion {
  second: boolean;
  trace: Trace;
  /** What the unit is to follow there. */
  series: Series;
  query: UnitQuery;
}

type Asking = Pick<State, "view" | "trace" | "second" | "model">;

/** One for each text; null while the grid does not show the first. */
export function questionsOf({
  view,
  trace,
  second,
  model,
}: Asking): [UnitQuestion, ...UnitQuestion[]] | null {
  const { unit } = view;
  if (!unit || !model || !trace?.tokens.length || !answers(trace, view, model)) return null;
  const question = (text: string, of: Trace, isSecond: boolean): UnitQuestion => {
    const series = seriesOf(of, model, view);
    const all_kinds = view.search === "all";
    const typed = wellFormed(text);
    const query = { ...unit, text: typed, model: model.id, follow: series.values, all_kinds };
    return { second: isSecond, trace: of, series, query };
  };
  const other = view.compare ?? "";
  const both = second?.tokens.length && answers(second, { ...view, text: other }, model);
  return [question(view.text, trace, false), ...(both ? [question(other, second, true)] : [])];
}

/** Two questions with the same key have the same answer. */
export const keyOf = ({ second, trace, query }: Omit<UnitQuestion, "series">): string =>
  JSON.stringify([second, trace.fingerprint, query]);

/** The sides of a line that answer what the view asks; null where one of them is not there. */
export function sidesNow(line: AlongText | null, state: Asking): AlongText["sides"] | null {
  const questions = questionsOf(state);
  const found = (questions ?? []).map((question) => {
    const key = keyOf(question);
    return line?.sides.find((side) => keyOf(side) === key);
  });
  return questions && found.every((side) => side !== undefined) ? found : null;
}
