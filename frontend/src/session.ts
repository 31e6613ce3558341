import { type Api, Busy, Refused, Unreachable } from "./api";
import { DELAYS, pause } from "./asker";
import { createComparing } from "./comparing";
import { belongs } from "./files/saved";
import { wellFormed } from "./format";
import { isLong, ownAtFault, tooLong } from "./limits";
import { askRow } from "./more";
import type { LongRow, Problem } from "./state";
import type { RowId } from "./state/cells";
import { reconcile } from "./state/reconcile";
import { textOf, traceOf } from "./state/sides";
import { BARS_ASKED, type View, watched } from "./state/view";
import type { Store } from "./store";
import { createTracer } from "./tracer";
import type { ModelInfo, Query } from "./types";
import { createReader, type Fitted, type Texts } from "./unread";
import { parse } from "./url";

/** The talk with the server: which model, what to ask of it, and what to say when it fails. */
export interface Session {
  /** Reads the fragment; without one, the first example is shown. */
  load(fragment: string): Promise<void>;
  /** Asks for what the view needs now. */
  question(): void;
  switchModel(id: string): Promise<void>;
  /** The texts give way to others, and come back with a model that can read them. */
  setAside(): void;
  retry(): void;
  /** Asks for more words of a timestep. */
  more(row: RowId): Promise<void>;
  /** An answer comes from a file: what was asked for meanwhile is not wanted any more. */
  adopt(): void;
}

const GONE: Problem = {
  message: "Can't reach the server.",
  advice: "What you typed is kept. Trying again…",
  retrying: true,
  ofText: false,
};

const BUSY: Problem = { ...GONE, message: "The server is busy." };

const unanswered = (error: unknown): Problem => (error instanceof Busy ? BUSY : GONE);

const shorten = (shown: boolean) =>
  shown ? "Shorten it; the grid below shows what fitted last." : "Shorten it.";

function problemOf(error: unknown, shown: boolean): Problem {
  if (!(error instanceof Refused))
    return {
      message: "The page failed at this text.",
      advice: "Reload to go on.",
      retrying: false,
      ofText: true,
    };
  const long = isLong(error);
  return {
    message: error.message,
    advice: long ? shorten(shown) : "",
    retrying: false,
    ofText: long || error.field === "text",
  };
}

const textsOf = ({ text, compare }: View): Texts => ({ text, compare });

/** Classes of one's own, as a question says them. */
const ownOf = ({ classes }: View): Pick<Query, "classes"> =>
  classes.length
    ? { classes: classes.map(({ name, words }) => ({ name: wellFormed(name), words: words.map(wellFormed) })) } // prettier-ignore
    : {};

/** What a view asks of a model. */
export function queryOf(view: View, model: ModelInfo): Query {
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

export function createSession(store: Store, api: Api, delays = DELAYS): Session {
  const shown = () => !!store.get().trace?.tokens.length;
  const tracer = createTracer(
    (query, signal) => api.trace(query, signal),
    {
      answer: (trace) => store.set({ trace, problem: null }),
      busy: (busy) => busy !== store.get().busy && store.set({ busy }),
      failure(error, retrying) {
        if (error instanceof Refused && error.field === "watch") return leaveOut(error.message);
        store.set({ problem: retrying ? unanswered(error) : problemOf(error, shown()) });
      },
    },
    delays,
  );
  const comparing = createComparing(store, api, delays);
  const reader = createReader(api);
  let loads = 0;
  // The shown model is as a file has it; the server's own may be on its way.
  let ofFile = false;
  let fetching = -1;
  let wake: (() => void) | null = null;

  /** A word that cannot be watched is told, and the text is read without it. */
  function leaveOut(why: string): void {
    store.set({ view: { ...store.get().view, watch: "" }, unwatched: why });
    queueMicrotask(question);
  }

  /** Asks until there is an answer: the server may still be starting. */
  async function persist<T>(ask: () => Promise<T>): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await ask();
      } catch (error) {
        const gone = error instanceof Unreachable;
        store.set({ problem: gone ? unanswered(error) : problemOf(error, shown()) });
        if (!gone) throw error;
        const wait = error instanceof Busy ? error.wait : pause(failures, delays);
        await new Promise<void>((done) => {
          wake = done;
          setTimeout(done, wait);
        });
      }
    }
  }

  async function switchModel(id: string): Promise<void> {
    loads += 1;
    const mine = loads;
    fetching = mine;
    let model: ModelInfo;
    let now: View;
    let fitted: Fitted;
    try {
      model = await persist(() => api.model(id));
      if (mine !== loads) return;
      const { view, model: before } = store.get();
      now = view;
      fitted = await reader.fit(textsOf(now), model, before);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return; // it has been told
    } finally {
      if (fetching === mine) fetching = -1;
    }
    if (mine !== loads) return;
    ofFile = false;
    const typed = store.get().view;
    // What was typed meanwhile is newer.
    const stays = typed.text !== now.text || typed.compare !== now.compare;
    const shows = stays ? typed : { ...typed, ...fitted.texts };
    const { view, notices } = reconcile({ ...shows, model: id }, model);
    const told = {
      notices,
      unread: typed.text === now.text ? fitted.unread : null,
      unwatched: null,
    };
    store.set({ model, view, ...told, hover: null, held: false, more: null });
    question();
  }

  function question(): void {
    const { view, model } = store.get();
    if (!model) return;
    if (ofFile) {
      if (fetching !== loads) void switchModel(model.id);
      return;
    }
    const query = queryOf(view, model);
    if (query.watch && store.get().unwatched !== null) store.set({ unwatched: null });
    const long = tooLong(query, model.limits);
    if (!long) {
      tracer.ask(query);
      comparing.question(query);
      return;
    }
    // Known before it is sent: nothing is sent.
    tracer.cancel();
    comparing.adopt();
    const ofText = !ownAtFault(query);
    store.set({
      problem: { message: long, advice: ofText ? shorten(shown()) : "", retrying: false, ofText },
    });
  }

  return {
    question,
    async load(fragment) {
      loads += 1;
      const mine = loads;
      ofFile = false;
      const { view, notices } = parse(fragment);
      store.set({
        view,
        notices,
        unwatched: null,
        unread: null,
        hover: null,
        held: false,
        more: null,
        undo: [],
      });
      const models = await persist(() => api.models());
      const wanted = models.models.find((m) => m.id === view.model);
      const model = await persist(() => api.model(wanted?.id ?? models.default));
      if (mine !== loads) return;
      if (view.model && !wanted)
        notices.push(
          `The link asks for the model “${view.model}”, which this server does not have; ${model.name} is shown instead.`,
        );
      // What a person did while the models were on their way is newer than the link.
      // The view names its model even when it is the default: a link outlives a server's settings.
      const fitted = reconcile({ ...store.get().view, model: model.id }, model);
      if (fragment.length < 2 && !fitted.view.text)
        fitted.view.text = model.examples[0]?.text ?? "";
      store.set({
        models: models.models,
        model,
        problem: null,
        view: fitted.view,
        notices: [...notices, ...fitted.notices],
      });
      question();
    },
    switchModel,
    setAside: () => reader.setAside(textsOf(store.get().view)),
    async more(row) {
      const { view, model } = store.get();
      const { t } = row;
      const trace = traceOf(store.get(), row);
      if (!trace || !model) return;
      const tell = (found: LongRow | null, problem: string | null) =>
        store.set({ more: { of: trace, t, row: found, problem } });
      if (!belongs({ ...view, text: textOf(view, row) }, trace)) {
        tell(null, "The grid does not show this text yet.");
        return;
      }
      tell(null, null);
      const current = () => {
        const { more } = store.get();
        return more?.of === trace && more.t === t && !more.row;
      };
      const { semantic, top } = trace;
      const text = wellFormed(textOf(view, row));
      const query = { text, model: model.id, semantic, top, ...ownOf(view) };
      try {
        const bars = model.limits.bars;
        const found = await askRow((q) => api.trace(q), { ...query, bars }, trace, t);
        if (current()) tell(found, null);
      } catch (error) {
        const why = error instanceof Refused ? error.message : "The server did not answer.";
        if (current()) tell(null, why);
      }
    },
    adopt() {
      loads += 1;
      ofFile = true;
      store.set({ unwatched: null, unread: null });
      tracer.cancel();
      comparing.adopt();
    },
    retry() {
      if (wake) wake();
      tracer.retry();
      comparing.retry();
    },
  };
}
