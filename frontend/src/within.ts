import type { Api } from "./api";
import { createAsker, DELAYS } from "./asker";
import { wellFormed } from "./format";
import { columnKey, indexOf } from "./columns";
import { readUpTo } from "./operands";
import { Another, failureSaid } from "./problems";
import { answers } from "./question";
import type { Look, State } from "./state";
import { sameCell } from "./state/cells";
import { sideOf } from "./state/sides";
import type { Store } from "./store";
import type { CellId, CellQuery, Inside, Trace } from "./types";

/**
 * The inside of the cell that the view names: asked for when the grid shows the view's text, again
 * when words that take part in it change, and not for what changes nothing in it.
 */
export interface Within {
  /** Told of every state; asks if it has to. */
  follow(state: State): void;
  retry(): void;
}

/** What the inside of a cell depends on. */
export function lookKey(trace: Trace, cell: CellId): string {
  const read = trace.tokens.slice(0, readUpTo(trace, cell.t)).map(({ id }) => id);
  const { fingerprint, semantic } = trace;
  return [fingerprint, semantic, cell.t, columnKey(cell), read.join(" ")].join("|");
}

/** Whether a grid has a cell. */
const hasCell = (trace: Trace, cell: CellId): boolean =>
  cell.t < trace.tokens.length && indexOf(trace, cell) >= 0;

interface Question {
  key: string;
  trace: Trace;
  query: CellQuery;
}

/** @param another - told when the server has another network than the grid shows. */
export function createWithin(
  store: Store,
  ask: Api["cell"],
  another = () => {},
  delays = DELAYS,
): Within {
  let seen: readonly unknown[] = [];
  const asker = createAsker<Question, Inside>(
    {
      async send({ query, trace }, _, signal) {
        const answer = await ask(query, signal);
        if (answer.fingerprint !== trace.fingerprint) throw new Another();
        return answer;
      },
      equal: (a, b) => a.key === b.key,
      akin: () => false,
    },
    {
      busy() {},
      answer: (answer) => put({ answer, problem: null }),
      failure(error, retrying) {
        if (error instanceof Another) another();
        put({ problem: `${failureSaid(error)}${retrying ? " Trying again…" : ""}` });
      },
    },
    delays,
  );

  /** The cell may have become that of the other text meanwhile. */
  function put(patch: Partial<Look>): void {
    const { look } = store.get();
    if (look) store.set({ look: { ...look, ...patch } });
  }

  function drop(): void {
    asker.cancel();
    if (store.get().look) store.set({ look: null });
  }

  function send({ view, trace, model }: State, cell: CellId): void {
    if (!trace || !model) return;
    const key = lookKey(trace, cell);
    const query = {
      text: wellFormed(view.text),
      model: model.id,
      semantic: trace.semantic,
      top: trace.top,
      // Its words are in the grid's own answer.
      bars: 1,
      timestep: cell.t,
      kind: cell.kind,
      layer: cell.layer,
    };
    store.set({ look: { cell, key, of: trace, answer: null, problem: null } });
    asker.ask({ key, trace, query });
  }

  return {
    follow(newest) {
      const state = sideOf(newest, newest.view.inside);
      const { view, trace, model, look } = state;
      const cell = view.inside;
      const { text, semantic, top, show, watch, classes } = view;
      const now = [cell, trace, model, text, semantic, top, show, watch, classes];
      if (now.every((value, i) => value === seen[i])) return;
      seen = now;
      if (!cell || !trace || !model) drop();
      // Until the grid shows this text, what is shown of the last one stays.
      else if (answers(trace, view, model)) {
        if (!hasCell(trace, cell)) drop();
        else if (look?.key !== lookKey(trace, cell) || (look.problem && look.of !== trace))
          send(state, cell);
        // The same words in the other text: the same inside.
        else if (!sameCell(look.cell, cell)) store.set({ look: { ...look, cell } });
      }
    },
    retry() {
      put({ problem: null });
      asker.retry();
    },
  };
}
