import { type Api, Refused } from "./api";
import { createAsker, DELAYS } from "./asker";
import { columnKey, infoOf } from "./columns";
import { Another, failureSaid } from "./problems";
import type { AlongText, State } from "./state";
import type { Store } from "./store";
import type { UnitLine } from "./types";
import { keyOf, questionsOf, type UnitQuestion } from "./unitline/asked";

/**
 * The unit that the view names, along the text, and along the second where there is one: asked for
 * when the grid shows the texts, and again when what the answer depends on changes.
 */
export interface Along {
  /** Told of every state; asks if it has to. */
  follow(state: State): void;
  retry(): void;
}

/** Of each text. */
type Questions = readonly [UnitQuestion, ...UnitQuestion[]];

const equal = (a: readonly UnitQuestion[], b: readonly UnitQuestion[]): boolean =>
  a.map(keyOf).join() === b.map(keyOf).join();

/** The sides of a line under the traces that are shown now: what it says of them is the same. */
const under = (line: AlongText, questions: Questions): AlongText["sides"] =>
  line.sides.map((side, i) => ({ ...side, ...questions[i] }));

/** @param another - told when the server has another network than the grid shows. */
export function createAlong(
  store: Store,
  ask: Api["unit"],
  another = () => {},
  delays = DELAYS,
): Along {
  let seen: readonly unknown[] = [];
  /** What was asked last, with the traces that are shown now. */
  let newest: Questions | null = null;

  const asker = createAsker<Questions, UnitLine[]>(
    {
      async send(questions, _, signal) {
        const told = await Promise.all(questions.map(({ query }) => ask(query, signal)));
        if (questions.some(({ trace }, i) => told[i]?.fingerprint !== trace.fingerprint))
          throw new Another();
        return told;
      },
      equal,
      // A number that is held down runs through the units of one vector.
      akin: ([a], [b]) =>
        a.query.model === b.query.model && columnKey(a.query) === columnKey(b.query),
    },
    {
      busy() {},
      answer(told, asked) {
        const questions = newest && equal(newest, asked) ? newest : asked;
        const sides = questions.flatMap((question, i) => {
          const answer = told[i];
          return answer ? [{ ...question, answer }] : [];
        });
        put(asked, sides, null);
      },
      failure(error, retrying) {
        if (!newest) return;
        if (error instanceof Another) another();
        if (retrying) return wait(newest, `${failureSaid(error)} Trying again…`);
        // Units are counted from 1 here.
        const { query } = newest[0];
        const { model } = store.get();
        const units = model && infoOf(model, query)?.units;
        const none = error instanceof Refused && error.field === "unit";
        const said = none
          ? `There is no unit ${query.unit + 1}: this kind has ${units ?? "fewer"}.`
          : failureSaid(error);
        put(newest, [], said, !(error instanceof Refused));
      },
    },
    delays,
  );

  function put(
    [first]: Questions,
    sides: AlongText["sides"],
    problem: string | null,
    again = false,
  ): void {
    const { kind, layer, unit } = first.query;
    store.set({ line: { unit: { kind, layer, unit }, sides, problem, again } });
  }

  /** What was there stays, under its own name and dimmed, while the server is asked again. */
  function wait(questions: Questions, problem: string): void {
    const { line } = store.get();
    if (line?.sides.length) store.set({ line: { ...line, problem, again: true } });
    else put(questions, [], problem, true);
  }

  return {
    follow(state) {
      const { view, trace, second, model, line } = state;
      const { unit, text, compare, follow, series, search } = view;
      const { semantic, top, show, watch, classes } = view;
      const asks = [semantic, top, show, watch, classes];
      const now = [unit, trace, second, model, text, compare, follow, series, search, ...asks];
      if (now.every((value, i) => value === seen[i])) return;
      seen = now;
      if (!unit || !trace?.tokens.length || !model) {
        asker.cancel();
        newest = null;
        if (line) store.set({ line: null });
        return;
      }
      // Until the grid shows this text, the line of the last one stays.
      const questions = questionsOf(state);
      if (!questions) return;
      newest = questions;
      // The same question about other rows: another semantic, a word that is watched.
      if (line && !line.problem && equal(line.sides, questions))
        store.set({ line: { ...line, sides: under(line, questions) } });
      asker.ask(questions);
    },
    retry: () => asker.retry(),
  };
}
