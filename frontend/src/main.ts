import { createApi, ApiError, traceBody, Unreachable } from "./api";
import { createBanner } from "./banner";
import { recolour } from "./colour/palette";
import { createControls } from "./controls";
import { createEmpty } from "./empty";
import { count } from "./format";
import { createGrid } from "./grid";
import { createHeader } from "./header";
import { createHelp } from "./help";
import { createHover } from "./hover";
import { createLegend } from "./legend";
import { createPins } from "./pins";
import {
  BARS_ASKED,
  DEFAULT_VIEW,
  INITIAL,
  type Problem,
  reconcile,
  sameCell,
  togglePin,
  type View,
} from "./state";
import { createStore } from "./store";
import { createTextbox } from "./textbox";
import { createTokens } from "./tokens";
import { createTooltip } from "./tooltip";
import { createTracer } from "./tracer";
import type { CellId, Query } from "./types";
import { parse, serialise } from "./url";
import { wellFormed } from "./format";
import { createTheme } from "./theme";

/** Ties everything together: typed text → question → answer → state → components. */

const root = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;

const GONE: Problem = {
  message: "Can't reach the server.",
  advice: "What you typed is kept. Trying again…",
  retrying: true,
};

const api = createApi();
const store = createStore(INITIAL);
const theme = createTheme(() => draw());
const hover = createHover<CellId>((cell) => {
  if (!sameCell(cell, store.get().hover)) store.set({ hover: cell });
});

const tracer = createTracer((query, signal) => api.trace(query, signal), {
  answer: (trace) => store.set({ trace, problem: null }),
  busy: (busy) => busy !== store.get().busy && store.set({ busy }),
  failure: (error, retrying) => store.set({ problem: retrying ? GONE : problemOf(error) }),
});

function problemOf(error: unknown): Problem {
  if (!(error instanceof ApiError))
    return {
      message: "The page failed at this text.",
      advice: "Reload to go on.",
      retrying: false,
    };
  const long = error.status === 413 || error.code.startsWith("too_many");
  const advice = long ? "Shorten the text; the grid below shows what fitted last." : "";
  return { message: error.message, advice, retrying: false };
}

/** Asks the server for what the view needs, unless it is known to be too long. */
function question(): void {
  const { view, model } = store.get();
  if (!model) return;
  const { semantic, top } = view;
  const query: Query = {
    text: wellFormed(view.text),
    model: model.id,
    semantic,
    bars: BARS_ASKED,
    top,
  };
  const bytes = new TextEncoder().encode(traceBody({ ...query, from: 0 })).length;
  if (bytes > model.limits.bytes) {
    tracer.cancel();
    const message = `This text is too long: ${count(bytes)} bytes, and the server reads ${count(model.limits.bytes)} at once.`;
    const advice = "Shorten it; the grid below shows what fitted last.";
    store.set({ problem: { message, advice, retrying: false } });
    return;
  }
  tracer.ask(query);
}

let writeTimer: ReturnType<typeof setTimeout> | undefined;
/** Browsers refuse more than some hundred address changes in a short time: typing writes it late. */
function writeUrl(delay = 250): void {
  clearTimeout(writeTimer);
  const write = () => {
    const fragment = `#${serialise(store.get().view)}`;
    if (fragment !== location.hash) history.replaceState(null, "", fragment);
  };
  if (delay) writeTimer = setTimeout(write, delay);
  else write();
}

/** The one way in which a person changes the view. */
function change(patch: Partial<View>): void {
  const before = store.get().view;
  const view = { ...before, ...patch };
  store.set({ view });
  writeUrl();
  const asks = (["text", "model", "semantic", "top"] as const).some((k) => view[k] !== before[k]);
  if (asks) question();
  if ("theme" in patch) draw();
}

function changeColours(choice: Pick<View, "palette" | "colours">): void {
  const { view, undo } = store.get();
  // A drag through the colour picker is one step, not a hundred.
  const last = undo.at(-1);
  const now = { palette: view.palette, colours: view.colours };
  const dragging = Date.now() - coloured < 600 && last !== undefined;
  coloured = Date.now();
  store.set({ undo: dragging ? undo : [...undo, now].slice(-50) });
  change(choice);
}
let coloured = 0;

const pin = (cell: CellId) => change({ pins: togglePin(store.get().view.pins, cell) });

/** Reads the fragment; without one, the first example is shown. */
async function load(): Promise<void> {
  const { view, notices } = parse(location.hash);
  const first = location.hash.length < 2;
  store.set({ view, notices, hover: null, undo: [] });
  draw();
  const models = await persist(() => api.models());
  const wanted = models.models.find((m) => m.id === view.model);
  const model = await persist(() => api.model(wanted?.id ?? models.default));
  if (view.model && !wanted)
    notices.push(
      `The link asks for the model “${view.model}”, which this server does not have; ${model.name} is shown instead.`,
    );
  // What was typed while the models were on their way is newer than the link.
  const typed = store.get().view.text;
  const fitted = reconcile({ ...view, text: typed, model: wanted?.id ?? "" }, model);
  if (first && !typed) fitted.view.text = model.examples[0]?.text ?? "";
  store.set({
    models: models.models,
    model,
    problem: null,
    view: fitted.view,
    notices: [...notices, ...fitted.notices],
  });
  question();
}

/** Asks until there is an answer: the server may still be starting. */
async function persist<T>(ask: () => Promise<T>): Promise<T> {
  for (let wait = 500; ; wait = Math.min(8000, wait * 2)) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unreachable)) {
        store.set({ problem: problemOf(error) });
        throw error;
      }
      store.set({ problem: GONE });
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

async function switchModel(id: string): Promise<void> {
  const model = await persist(() => api.model(id));
  const { view, notices } = reconcile({ ...store.get().view, model: id }, model);
  store.set({ model, notices, view, hover: null });
  writeUrl();
  question();
}

async function share(): Promise<{ link: string; copied: boolean }> {
  writeUrl(0);
  const link = new URL(`#${serialise(store.get().view)}`, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    return { link, copied: true };
  } catch {
    return { link, copied: false };
  }
}

function draw(): void {
  store.set({ dark: theme.apply(store.get().view.theme) });
}

function escape(): void {
  if (store.get().hover) hover.now(null);
  else if (store.get().view.pins.length) change({ pins: [] });
}

const help = createHelp(root<HTMLDialogElement>("help"));
const row = (t: number | null) => t !== store.get().row && store.set({ row: t });
const components = [
  createHeader(root("header"), {
    model: (id) => void switchModel(id),
    semantic: (semantic) => change({ semantic }),
    share,
    theme: () => change({ theme: store.get().dark ? "light" : "dark" }),
    help: () => help.open(),
  }),
  createTextbox(root("textbox"), { text: (text) => change({ text }) }),
  createBanner(root("banner"), {
    retry: () => tracer.retry(),
    dismiss: () => store.set({ notices: [] }),
  }),
  createTokens(root("tokens"), { row }),
  createControls(root("controls"), { view: change }),
  createGrid(root("grid"), {
    point: (cell) => (cell ? hover.over(cell) : hover.out()),
    open: (cell) => hover.now(cell),
    pin,
    escape,
    row,
  }),
  createTooltip(root("popup"), { close: () => hover.now(null), pin }),
  createEmpty(root("empty"), { text: (text) => change({ text }) }),
  createLegend(root("legend"), {
    colour: (id, colour) => {
      const { view, model } = store.get();
      if (model) changeColours(recolour(model.palettes, view, id, colour));
    },
    preset: (palette) => changeColours({ palette, colours: new Map() }),
    undo: () => {
      const { undo } = store.get();
      const last = undo.at(-1);
      store.set({ undo: undo.slice(0, -1) });
      if (last) change(last);
    },
    reset: () =>
      changeColours({ palette: store.get().view.palette, colours: DEFAULT_VIEW.colours }),
  }),
  createPins(root("pins"), { remove: pin, open: (cell) => hover.now(cell) }),
  help,
];
store.subscribe((state) => components.forEach((c) => c.update(state)));

// An outside press or a scroll only dismisses what is transient.
document.addEventListener("pointerdown", (event) => {
  const target = event.target as Element | null;
  if (!target?.closest?.("td.cell, #popup, .pins")) hover.now(null);
});
document.addEventListener("keydown", (event) => event.key === "Escape" && hover.now(null));
document.addEventListener(
  "scroll",
  (event) => {
    if (!(event.target instanceof Element && event.target.id === "popup")) hover.out();
  },
  true,
);
window.addEventListener("hashchange", () => void load());
window.addEventListener("online", () => store.get().problem?.retrying && tracer.retry());

void load();
