import { createAbout } from "./about";
import { createAddress } from "./address";
import { createAlong } from "./along";
import type { Api } from "./api";
import { createBanner } from "./banner";
import { createChart } from "./chart";
import { copyView } from "./clipboard";
import { createColouring } from "./colouring";
import { createBeside } from "./compare/beside";
import { createSecond } from "./compare/box";
import { createCompare } from "./compare";
import { createControls } from "./controls";
import { el } from "./dom";
import { createEmpty } from "./empty";
import { createExporting } from "./exporting";
import { createGrid } from "./grid";
import { createGuard } from "./guard";
import { createHeader } from "./header";
import { createHelp } from "./help";
import { createInside } from "./inside";
import * as leaving from "./left";
import { createLegend } from "./legend";
import { createMore } from "./more";
import { createOpening } from "./opening";
import { createPinning } from "./pinning";
import { createPins } from "./pins";
import { createPointing } from "./pointing";
import { createPopup } from "./popup";
import { createPrinted } from "./printed";
import { watchPrinting } from "./printing";
import { saveAs, saveColours, saveFigure, savePerplexities, saveUnit } from "./saving";
import { createSession } from "./session";
import type { ShareKind } from "./share";
import { createSharing } from "./sharing";
import { isSheet } from "./sheet";
import { INITIAL } from "./state";
import { swapped } from "./state/sides";
import { type View, watched } from "./state/view";
import { createStore } from "./store";
import { createTextbox } from "./textbox";
import type { ThemeControl } from "./theme";
import { createTour } from "./tour";
import { createTouring } from "./touring";
import { createTokens } from "./tokens";
import type { Example } from "./types";
import { createUnit } from "./unit";
import { fragmentOf, readUnit } from "./url";
import { createWithin } from "./within";

/** Ties everything together: typed text → question → answer → state → components. */
export function createApp(server: Api, themeOf: (systemChanged: () => void) => ThemeControl) {
  // Once: a page that is left and comes back as it was has not been reloaded.
  const before = leaving.left();
  if (before) history.replaceState(null, "", before);
  const store = createStore(INITIAL);
  const api = createGuard(server, () => store.get());
  const session = createSession(store, api, () => {
    address.jump();
    writeUrl();
  });
  const another = () => session.check();
  const within = createWithin(store, (query, signal) => api.cell(query, signal), another);
  const longer = createMore(store, (query) => api.trace(query), another);
  const along = createAlong(store, (query, signal) => api.unit(query, signal), another);
  const theme = themeOf(() => paint());
  const root = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
  const paint = () => {
    const dark = theme.apply(store.get().view.theme);
    store.set({ dark: dark && !store.get().printing });
  };

  const address = createAddress(() => store.get().view);
  const writeUrl = (delay?: number) => address.write(delay);

  /** The one way in which a person changes the view; `typed`: in a text box. */
  function change(patch: Partial<View>, typed = false): void {
    session.chosen(patch);
    put(patch, typed);
  }
  function put(patch: Partial<View>, typed = false): void {
    const before = store.get().view;
    const view = { ...before, ...patch };
    const other = view.text !== before.text;
    if (!typed && (other || view.compare !== before.compare)) address.jump();
    // What the model could not read gives way, and is to come back with one that can.
    if (other && store.get().unread) session.setAside();
    if (other && typed) session.typed(view.text);
    // A word that could not be watched was told: it is gone as soon as another is, or none.
    const anew = "watch" in patch || "show" in patch;
    store.set({ view, ...(other ? { unread: null } : {}), ...(anew ? { unwatched: null } : {}) });
    writeUrl();
    if ("theme" in patch) paint();
    // Only these need the server. Colours never do: it sends numbers.
    const asked = (v: View) => [v.text, v.compare, v.semantic, v.top, watched(v), v.classes];
    const was = asked(before);
    if (asked(view).some((value, i) => value !== was[i])) session.question();
  }

  const pointing = createPointing(store, change, {
    isSheet,
    focusInside: () => inside.focus(),
  });
  const { open, hold, find, look, leave, row } = pointing;
  const pins = createPinning(store, change);
  const colours = createColouring(store, change);
  const opening = createOpening(store, session, colours, {
    restores() {
      address.jump();
      tour.leave();
    },
    restored() {
      paint();
      writeUrl();
    },
  });
  function share(kind: ShareKind) {
    writeUrl(0);
    return copyView(store.get(), kind);
  }
  const text = (typed: string) => change({ text: typed }, true);
  const tour = createTouring(store, put, (cell) => open(cell));
  const example = ({ text, compare, unit, follow }: Example) =>
    change({
      ...tour.leave(),
      text,
      compare: compare ?? null,
      ...(unit ? { unit: readUnit(unit) ?? null, follow: follow ?? "" } : {}),
    });

  const help = createHelp(root<HTMLDialogElement>("help"), { tour: () => tour.step(0) });
  const aside = () => el("div", { class: "sharing" });
  const [about, sharing, exporting] = [aside(), aside(), aside()] as const;
  const header = {
    model: (id: string) => void session.switchModel(id),
    semantic: (semantic: View["semantic"]) => change({ semantic }),
    theme: () => change({ theme: store.get().dark ? "light" : "dark" }),
    help: () => help.open(),
  };
  const popup = createPopup(root("popup"), {
    close: () => open(null),
    pin: pins.toggle,
    look,
    more: (cell, more) => {
      if (more) void longer.ask(cell);
      else longer.drop();
    },
  });
  const inside = createInside(root("inside"), {
    close: leave,
    look,
    order: (order) => change({ order }),
    along: (unit) => {
      change({ unit });
      // It is shown when the state is drawn: a frame later.
      requestAnimationFrame(() => root("unit").scrollIntoView?.({ block: "nearest" }));
    },
    retry: () => within.retry(),
    save: saveFigure,
  });
  const second = createSecond(root("second"), {
    text: (compare) => change({ compare }, true),
    compare: (compare) => change({ compare }),
    swap() {
      const { view, ...answered } = swapped(store.get());
      session.swapping();
      store.set(answered);
      put(view);
    },
    retry: () => session.retry(),
    closed: () =>
      // It is shown again when the state is drawn: a frame later.
      requestAnimationFrame(() => document.querySelector<HTMLElement>(".compare-with")?.focus()),
  });
  const components = [
    createHeader(root("header"), header, about, [sharing, exporting]),
    createAbout(about),
    createSharing(sharing, { share }),
    createExporting(exporting, {
      save: (kind, part) => saveAs(kind, store.get(), root("grid").clientWidth || 1100, part),
      open: opening.open,
    }),
    createTextbox(root("textbox"), {
      text,
      example,
      compare: () => second.open(store.get().view.text),
    }),
    second,
    createBanner(root("banner"), {
      retry: () => session.retry(),
      dismiss: () => store.set({ notices: [] }),
      instead: example,
    }),
    createPrinted(root("printed")),
    createTokens(root("tokens"), { row }),
    createTokens(root("tokens-second"), { row }, true),
    createCompare(root("compare"), { distance: (distance) => change({ distance }), find }),
    createControls(root("controls"), { view: change }),
    createUnit(root("unit"), {
      view: change,
      row,
      retry: () => along.retry(),
      save: (kind, room) => saveUnit(kind, store.get(), room),
      close: () => {
        change({ unit: null });
        document.querySelector<HTMLElement>("#controls > .button")?.focus();
      },
    }),
    createGrid(root("grid"), {
      point: pointing.point,
      open,
      hold,
      enter: () => popup.focus(),
      layer: (key) => {
        const { hide_layers: hidden } = store.get().view;
        const rest = hidden.filter((k) => k !== key);
        change({ hide_layers: rest.length < hidden.length ? rest : [...hidden, key] });
      },
      pin: (cell) => {
        pins.toggle(cell);
        if (pins.has(cell)) hold(cell);
        else open(cell);
      },
      look,
      row,
      escape: () => {
        if (store.get().hover) open(null);
        else if (store.get().view.inside) leave();
        else if (store.get().view.pins.length) pins.clear();
      },
    }),
    createChart(root("chart"), {
      axis: (axis) => change({ axis }),
      column: (key) => store.set({ column: key === store.get().column ? null : key }),
      save: () => savePerplexities(store.get()),
    }),
    popup,
    inside,
    createEmpty(root("empty"), { example }),
    createLegend(root("legend"), {
      colour: colours.colour,
      merge: colours.merge,
      scale: (scale) => change({ scale }),
      own: colours.own,
      save: () => saveColours(store.get()),
      open: opening.open,
      preset: colours.preset,
      undo: colours.undo,
      reset: colours.reset,
    }),
    createPins(root("pins"), {
      remove: pins.toggle,
      open: pointing.point,
      find,
      restore: pins.restore,
    }),
    createBeside(root("beside")),
    help,
    createTour(root("tour"), root("offer"), {
      step: tour.step,
      answer: tour.answer,
      show: (cell) => find(cell),
    }),
  ];
  store.subscribe((state) => {
    for (const component of components) component.update(state);
    for (const component of components) component.settle?.();
  });
  store.subscribe((state) => pointing.follow(state));
  store.subscribe((state) => within.follow(state));
  store.subscribe((state) => along.follow(state));

  pointing.watch();
  window.addEventListener("pagehide", () => {
    address.flush();
    leaving.leave();
  });
  window.addEventListener("online", () => store.get().problem?.retrying && session.retry());

  watchPrinting(store, paint);

  opening.watch();

  const load = async () => {
    const written = location.hash.length < 2 ? fragmentOf(location.search) : "";
    if (written) history.replaceState(null, "", location.pathname + written);
    tour.arrive(location.hash);
    const loading = session.load(location.hash);
    address.leave();
    paint();
    await loading;
    address.read();
  };
  window.addEventListener("hashchange", () => void load());
  return { load, store };
}
