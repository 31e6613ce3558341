import { type Api, Refused } from "./api";
import { Another, failureSaid } from "./problems";
import type { AlongText, State } from "./state";
import type { Store } from "./store";
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

/** The sides of a line under the traces that are shown now: what it says of them is the same. */
const under = (line: AlongText, questions: readonly UnitQuestion[]): AlongText["sides"] =>
  line.sides.map((side, i) => ({ ...side, ...questions[i] }));

/** @param another - told when the server has another network than the grid shows. */
export function createAlong(store: Store, ask: Api["unit"], another = () => {}): Along {
  let flight: AbortController | null = null;
  let seen: readonly unknown[] = [];
  let asked = "";
  /** What was asked, with the traces that are shown now. */
  let newest: readonly UnitQuestion[] = [];

  function drop(): void {
    flight?.abort();
    flight = null;
    asked = "";
    if (store.get().line) store.set({ line: null });
  }

  async function send(questions: readonly UnitQuestion[]): Promise<void> {
    const [first] = questions;
    if (!first) return;
    flight?.abort();
    const mine = new AbortController();
    flight = mine;
    asked = questions.map(keyOf).join();
    newest = questions;
    const { kind, layer, unit } = first.query;
    const end = (sides: AlongText["sides"], problem: string | null, again = false) => {
      if (flight !== mine) return;
      flight = null;
      const line = { unit: { kind, layer, unit }, sides, problem, again };
      store.set({ line: { ...line, sides: under(line, newest) } });
    };
    try {
      const told = await Promise.all(questions.map(({ query }) => ask(query, mine.signal)));
      const sides = questions.flatMap((question, i) => {
        const answer = told[i];
        return answer?.fingerprint === question.trace.fingerprint ? [{ ...question, answer }] : [];
      });
      if (sides.length < questions.length) throw new Another();
      end(sides, null);
    } catch (error) {
      if (error instanceof Another && flight === mine) another();
      // Units are counted from 1 here.
      if (error instanceof Refused && error.field === "unit")
        end([], `There is no unit ${unit + 1}: this kind has fewer.`);
      else end([], failureSaid(error), !(error instanceof Refused));
    }
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
      if (!unit || !trace?.tokens.length || !model) return drop();
      // Until the grid shows this text, the line of the last one stays.
      const questions = questionsOf(state);
      if (!questions) return;
      const same = questions.map(keyOf).join() === asked;
      if (!same || line?.problem || !(line || flight)) return void send(questions);
      // The same question about other rows: another semantic, a word that is watched.
      newest = questions;
      if (line && !flight) store.set({ line: { ...line, sides: under(line, questions) } });
    },
    retry() {
      const questions = questionsOf(store.get());
      if (questions) void send(questions);
    },
  };
}
