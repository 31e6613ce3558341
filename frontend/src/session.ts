import { type Api, Refused, Unreachable } from "./api";
import { DELAYS, pause } from "./asker";
import { createComparing } from "./comparing";
import { wellFormed } from "./format";
import { createGivenWay } from "./givenway";
import { ownAtFault, tooLong } from "./limits";
import { createNewest } from "./newest";
import { Another, problemOf, refused, unanswered } from "./problems";
import { isOf, pairOf, queryOf } from "./question";
import { type Problem, type State, TRANSIENT } from "./state";
import { reconcile } from "./state/reconcile";
import type { View } from "./state/view";
import type { Store } from "./store";
import { TOURED } from "./touring";
import { createTracer } from "./tracer";
import type { ModelInfo, Trace } from "./types";
import { createReader, type Fitted, type Texts } from "./unread";
import { parse } from "./url";

/** The talk with the server: which model, what to ask of it, and what to say when it fails. */
export interface Session {
  /** Reads the fragment; without one, the first example is shown. */
  load(fragment: string): Promise<void>;
  /** Asks for what the view needs now. */
  question(): void;
  switchModel(id: string): Promise<void>;
  /** A text is being typed: whether it can be read is not said of half a word. */
  typed(text: string): void;
  /** A person is about to change this: nothing that gave way to a model takes its place any more. */
  chosen(patch: Partial<View>): void;
  /** The two texts are about to change places. */
  swapping(): void;
  /** The texts give way to others, and come back with a model that can read them. */
  setAside(): void;
  retry(): void;
  /** An answer was of another network than is shown: if the server has another now, it is shown. */
  check(): void;
  /** An answer comes from a file, with its model: what was asked for meanwhile is not wanted any more. */
  adopt(trace: Trace, model: ModelInfo): void;
}

/** The server took another network, and does not describe it yet. */
const CHANGING: Problem = {
  message: "The server is changing its model.",
  advice: "What you typed is kept. Trying again…",
  retrying: true,
  ofText: false,
};

const shorten = (shown: boolean) =>
  shown ? "Shorten it; the grid shows the last text that fitted." : "Shorten it.";

const textsOf = ({ text, compare }: View): Texts => ({ text, compare });

/** What an answer is to another network than this: nothing of it can stand under this one's name. */
function foreign({ trace, second, comparison }: State, model: ModelInfo): Partial<State> {
  const all = [trace, second, comparison];
  return all.every((answer) => !answer || isOf(answer, model))
    ? {}
    : { trace: null, second: null, comparison: null, unpaired: null };
}

/** @param replaces - told when another model, or other weights, are to take the place of what is shown. */
export function createSession(
  store: Store,
  api: Api,
  replaces: () => void,
  delays = DELAYS,
): Session {
  const shown = () => !!store.get().trace?.tokens.length;
  const tracer = createTracer(
    (query, signal) => api.trace(query, signal),
    {
      answer: take,
      busy: (busy) => busy !== store.get().busy && store.set({ busy }),
      failure(error, retrying) {
        if (error instanceof Refused && error.field === "watch") return leaveOut(error.message);
        if (error instanceof Another) return renew(store.get().model?.id ?? "");
        store.set({ problem: retrying ? unanswered(error) : problemOf(error, shorten(shown())) });
      },
    },
    delays,
  );
  const comparing = createComparing(store, api, renew, delays);
  const reader = createReader(api);
  const newest = createNewest(delays);
  // The shown model is as a file has it; the server's own may be on its way.
  let ofFile = false;
  let fetching = -1;
  /** The text that is being typed: it is not judged until it is shown anew. */
  let typing: string | null = null;
  /** The model that was shown before this one. */
  let previous: ModelInfo | null = null;
  const givenWay = createGivenWay();
  /** How often the model was described anew, one time soon after the other, and when that was last. */
  let renewed = { id: "", count: 0, at: -Infinity };

  function take(trace: Trace): void {
    const { model } = store.get();
    if (!model || !isOf(trace, model)) return renew(trace.model);
    // What else is asked beside this text may be of another network still.
    const changing = store.get().problem === CHANGING && newest.is(fetching);
    store.set({ trace, ...unreadOf(trace, model), ...(changing ? {} : { problem: null }) });
    // Drawn while the next frame is waited for, once what was typed meanwhile is sent.
    setTimeout(() => store.flush());
  }

  /** What an answer says of a text that was put there: by a link, by Back, by the end of the tour. */
  function unreadOf(trace: Trace, model: ModelInfo): Pick<State, "unread"> | null {
    const { view, unread, tour } = store.get();
    const whole = trace.asked.text === wellFormed(view.text) && view.text !== typing;
    return whole && !unread && tour === null
      ? { unread: reader.judge(trace, model, previous) }
      : null;
  }

  /** Fits a view to a model that takes the place of another; the tour brings back what it changed itself. */
  const refit = (view: View, model: ModelInfo, last: ModelInfo | null) =>
    givenWay.fit(view, model, last, store.get().tour === null ? [] : TOURED);

  /** The server took another network since it described the model: it is to describe it again. */
  function renew(id: string): void {
    if (store.get().model?.id !== id || newest.is(fetching)) return;
    const mine = newest.begin();
    fetching = mine;
    tracer.forget();
    comparing.forget();
    // By the clock: an answer of the network that is shown says nothing of the next one's.
    const soon = renewed.id === id && Date.now() - renewed.at < pause(Infinity, delays);
    const count = soon ? renewed.count + 1 : 1;
    if (count > 1) store.set({ problem: CHANGING });
    const wait = count > 1 ? newest.rest(pause(count - 2, delays)) : Promise.resolve();
    void wait.then(() => {
      if (!newest.is(mine)) return;
      renewed = { id, count, at: Date.now() };
      void switchModel(id);
    });
  }

  /** A word that cannot be watched is told, and the text is read without it. */
  function leaveOut(why: string): void {
    store.set({ view: { ...store.get().view, watch: "" }, unwatched: why });
    queueMicrotask(question);
  }

  /** Says why a model is not there; answers how to take that back. */
  function tell(error: unknown): () => void {
    const gone = error instanceof Unreachable;
    const problem = gone ? unanswered(error) : problemOf(error, shorten(shown()));
    store.set({ problem });
    return () => {
      if (store.get().problem === problem) store.set({ problem: null });
    };
  }

  /** Tells it beside what was told and not dismissed; it stays. */
  function note(said: string): () => void {
    store.set({ notices: [...new Set([...store.get().notices, said])] });
    return () => {};
  }

  /** The models to choose from, where they have not come: a file was opened before. */
  async function list(): Promise<void> {
    if (store.get().models.length) return;
    try {
      store.set({ models: (await api.models()).models });
    } catch (error) {
      // It is told of what is asked of the model itself.
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    }
  }

  /** The models there are, and of them the wanted one or the server's own. */
  async function fetchModels(mine: number, id: string) {
    let models: Awaited<ReturnType<typeof api.models>> | null = null;
    try {
      models = await newest.persist(mine, () => api.models(), tell);
      // Whatever is shown meanwhile, these are the models to choose from.
      if (models && !newest.is(mine)) store.set({ models: models.models });
      if (!models || !newest.is(mine)) return null;
      const wanted = models.models.find((m) => m.id === id);
      const one = wanted?.id ?? models.default;
      const model = await newest.persist(mine, () => api.model(one), tell);
      if (!model || !newest.is(mine)) store.set({ models: models.models });
      return model && { models, model, wanted };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // It has been told; another of them may be had.
      if (models) store.set({ models: models.models });
      return null;
    } finally {
      if (fetching === mine) fetching = -1;
    }
  }

  async function check(): Promise<void> {
    const { model } = store.get();
    if (!model || ofFile || newest.is(fetching)) return;
    try {
      const now = await api.model(model.id);
      if (store.get().model === model && now.fingerprint !== model.fingerprint) renew(model.id);
    } catch (error) {
      // Whoever had the answer tells of it.
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    }
  }

  async function switchModel(id: string): Promise<void> {
    const mine = newest.begin();
    fetching = mine;
    const here = store.get().model;
    store.set({ coming: id });
    void list();
    let model: ModelInfo | null;
    let now: View;
    let fitted: Fitted;
    try {
      // What is shown stays right without another model: that is told, and is no trouble of it.
      const other = here !== null && here.id !== id;
      const say = (error: unknown) =>
        other && error instanceof Refused && !store.get().problem
          ? note(error.message)
          : tell(error);
      model = await newest.persist(mine, () => api.model(id), say);
      if (!model || !newest.is(mine)) return;
      const { view, model: before } = store.get();
      now = view;
      fitted = await reader.fit(textsOf(now), model, before);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return; // it has been told
    } finally {
      if (fetching === mine) fetching = -1;
      if (newest.is(mine)) store.set({ coming: null });
    }
    if (!newest.is(mine)) return;
    ofFile = false;
    const typed = store.get().view;
    // What was typed meanwhile is newer.
    const stays = typed.text !== now.text || typed.compare !== now.compare;
    const shows = stays ? typed : { ...typed, ...fitted.texts };
    const { model: last, notices: unseen } = store.get();
    const { view, notices } = refit(shows, model, last);
    if (last && last.id !== id) previous = last;
    if (!stays) typing = null;
    const told = {
      // Of the same model, described anew, what was told and not dismissed is still to be read.
      notices: last?.id === id ? [...new Set([...unseen, ...notices])] : notices,
      unread: typed.text === now.text ? fitted.unread : null,
      unwatched: null,
    };
    const gone = foreign(store.get(), model);
    // What can be undone is of a model's classes and kinds.
    const { undo, dropped } = store.get();
    const kept = last?.fingerprint === model.fingerprint ? { undo, dropped } : {};
    replaces();
    store.set({ ...TRANSIENT, model, view, ...told, ...gone, ...kept });
    question();
  }

  function question(): void {
    const { view, model } = store.get();
    if (!model) return;
    const pair = pairOf(view, model.id);
    // It is gone, whatever can be asked of the first.
    if (!pair) comparing.close();
    if (ofFile) {
      if (!newest.is(fetching)) void switchModel(model.id);
      return;
    }
    const query = queryOf(view, model);
    if (query.watch && store.get().unwatched !== null) store.set({ unwatched: null });
    const long = tooLong(query, model.limits);
    if (!long) {
      tracer.ask(query);
      if (pair) comparing.question(query, pair);
      return;
    }
    // Known before it is sent: nothing is sent.
    tracer.cancel();
    comparing.adopt();
    const ofText = !ownAtFault(query);
    store.set({ problem: refused(long, ofText ? shorten(shown()) : "", ofText) });
  }

  return {
    question,
    async load(fragment) {
      const mine = newest.begin();
      fetching = mine;
      ofFile = false;
      typing = null;
      givenWay.forget();
      const { view, notices } = parse(fragment);
      store.set({ ...TRANSIENT, coming: null, view, notices, unwatched: null, unread: null });
      const found = await fetchModels(mine, view.model);
      if (!found || !newest.is(mine)) return;
      const { models, model, wanted } = found;
      if (view.model && !wanted)
        notices.push(
          `The link asks for the model “${view.model}”, which this server does not have; ${model.name} is shown instead.`,
        );
      // What a person did while the models were on their way is newer than the link.
      // The view names its model even when it is the default: a link outlives a server's settings.
      const fitted = reconcile(store.get().view, model);
      if (fragment.length < 2 && !fitted.view.text)
        fitted.view.text = model.examples[0]?.text ?? "";
      const { model: last } = store.get();
      if (last && last.id !== model.id) previous = last;
      store.set({
        models: models.models,
        model,
        problem: null,
        ...foreign(store.get(), model),
        view: fitted.view,
        notices: [...notices, ...fitted.notices],
      });
      question();
    },
    switchModel,
    check: () => void check(),
    typed: (text) => (typing = text),
    chosen: (patch) => givenWay.chosen(store.get().view, patch),
    swapping: () => givenWay.swap(),
    setAside: () => reader.setAside(textsOf(store.get().view)),
    adopt(trace, model) {
      newest.begin();
      givenWay.forget();
      ofFile = true;
      // By its tokens alone: which model it was typed for is not known.
      const unread = reader.judge(trace, model, null);
      store.set({ unwatched: null, unread, coming: null });
      tracer.cancel();
      comparing.adopt();
    },
    retry() {
      newest.wake();
      tracer.retry();
      comparing.retry();
    },
  };
}
