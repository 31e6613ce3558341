import { type Api, Refused } from "./api";
import { belongs } from "./files/saved";
import { wellFormed } from "./format";
import type { Line, State } from "./state";
import type { Store } from "./store";
import type { Trace, UnitQuery } from "./types";
import { seriesOf } from "./unitline/series";

/**
 * The unit that the view names, along the text, and along the second where there is one: asked for
 * when the grid shows the texts, and again when what the answer depends on changes.
 */
export interface Along {
  /** Told of every state; asks if it has to. */
  follow(state: State): void;
  retry(): void;
}

interface Question {
  second: boolean;
  trace: Trace;
  query: UnitQuery;
}

/** What to ask; null while the grid does not show the text. */
function questionsOf({ view, trace, second, model }: State): Question[] | null {
  const { unit } = view;
  if (!unit || !model || !trace?.tokens.length || !belongs(view, trace)) return null;
  const question = (text: string, of: Trace, isSecond: boolean): Question => ({
    second: isSecond,
    trace: of,
    query: {
      ...unit,
      text: wellFormed(text),
      model: model.id,
      follow: seriesOf(of, model, view).values,
      all_kinds: view.search === "all",
    },
  });
  const other = view.compare ?? "";
  const both = second?.tokens.length && belongs({ ...view, text: other }, second);
  return [question(view.text, trace, false), ...(both ? [question(other, second, true)] : [])];
}

export function createAlong(store: Store, ask: Api["unit"]): Along {
  let flight: AbortController | null = null;
  let seen: readonly unknown[] = [];
  let asked = "";

  function drop(): void {
    flight?.abort();
    flight = null;
    asked = "";
    if (store.get().line) store.set({ line: null });
  }

  async function send(questions: readonly Question[], key: string): Promise<void> {
    const [first] = questions;
    if (!first) return;
    flight?.abort();
    const mine = new AbortController();
    flight = mine;
    asked = key;
    const { kind, layer, unit } = first.query;
    const end = (sides: Line["sides"], problem: string | null, again = false) => {
      if (flight !== mine) return;
      flight = null;
      store.set({ line: { unit: { kind, layer, unit }, sides, problem, again } });
    };
    try {
      const answers = await Promise.all(questions.map(({ query }) => ask(query, mine.signal)));
      const sides = questions.flatMap(({ trace, second }, i) => {
        const answer = answers[i];
        return answer?.fingerprint === trace.fingerprint ? [{ trace, second, answer }] : [];
      });
      const other = "The server has another network than the grid shows.";
      if (sides.length < questions.length) end([], other);
      else end(sides, null);
    } catch (error) {
      if (!(error instanceof Refused)) end([], "The server did not answer.", true);
      // Units are counted from 1 here.
      else if (error.field !== "unit") end([], error.message);
      else end([], `There is no unit ${unit + 1}: this kind has fewer.`);
    }
  }

  return {
    follow(state) {
      const { view, trace, second, model } = state;
      const { unit, text, compare, follow, series, search } = view;
      const now = [unit, trace, second, model, text, compare, follow, series, search];
      if (now.every((value, i) => value === seen[i])) return;
      seen = now;
      if (!unit || !trace?.tokens.length || !model) return drop();
      // Until the grid shows this text, the line of the last one stays.
      const questions = questionsOf(state);
      if (!questions) return;
      const key = JSON.stringify([trace.fingerprint, questions.map(({ query }) => query)]);
      if (key !== asked || state.line?.problem) void send(questions, key);
    },
    retry() {
      const questions = questionsOf(store.get());
      if (questions) void send(questions, asked);
    },
  };
}
