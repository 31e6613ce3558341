import { createAbout } from "./about";
import { createAddress } from "./address";
import { createAlong } from "./along";
import { API, type Api } from "./api";
import { createBanner } from "./banner";
import { createChart } from "./chart";
import { createBeside } from "./compare/beside";
import { createSecond } from "./compare/box";
import { createCompare } from "./compare";
import { pairOf } from "./comparing";
import { ownId, withoutOwn } from "./colour/own";
import { coloursOf, recolour, separate } from "./colour/palette";
import { createControls } from "./controls";
import { el } from "./dom";
import { createEmpty } from "./empty";
import { createExporting } from "./exporting";
import { createGrid } from "./grid";
import { createGuard } from "./guard";
import { createHeader } from "./header";
import { createHelp } from "./help";
import { createHover } from "./hover";
import { createInside } from "./inside";
import { createLegend } from "./legend";
import { createPins } from "./pins";
import { createPopup, SHEET } from "./popup";
import { watchPrinting } from "./printing";
import { openFile, saveAs, saveColours, saveFigure, savePerplexities } from "./saving";
import { createSession, queryOf } from "./session";
import type { ShareKind } from "./share";
import { markdown } from "./share/markdown";
import { curl, python } from "./share/notebook";
import { createSharing } from "./sharing";
import { INITIAL } from "./state";
import { type RowId, sameCell, sameRow, togglePin } from "./state/cells";
import { swapped } from "./state/sides";
import { type Colouring, DEFAULT_VIEW, type View, watched } from "./state/view";
import { createStore } from "./store";
import { createTextbox } from "./textbox";
import type { ThemeControl } from "./theme";
import { createTour } from "./tour";
import { createTouring } from "./touring";
import { createTokens } from "./tokens";
import type { CellId, Example } from "./types";
import { createUnit } from "./unit";
import { readUnit, serialise } from "./url";
import { createWithin } from "./within";

/** Ties everything together: typed text → question → answer → state → components. */
export function createApp(server: Api, themeOf: (systemChanged: () => void) => ThemeControl) {
  const store = createStore(INITIAL);
  const api = createGuard(server, () => store.get());
  const session = createSession(store, api);
  const within = createWithin(store, (query, signal) => api.cell(query, signal));
  const along = createAlong(store, (query, signal) => api.unit(query, signal));
  const theme = themeOf(() => paint());
  /** Opens the popup on a cell, or closes it; held, it stays until it is dismissed. */
  function show(cell: CellId | null, held = false): void {
    const now = store.get();
    const same = sameCell(cell, now.hover);
    if (!same || held !== now.held) store.set({ hover: cell, held, more: same ? now.more : null });
  }
  const hover = createHover<CellId>((cell) => show(cell));
  const root = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
  const paint = () => {
    const dark = theme.apply(store.get().view.theme);
    store.set({ dark: dark && !store.get().printing });
  };

  const address = createAddress(() => store.get().view);
  const writeUrl = (delay?: number) => address.write(delay);

  /** The one way in which a person changes the view. */
  function change(patch: Partial<View>): void {
    const before = store.get().view;
    const view = { ...before, ...patch };
    store.set({ view });
    writeUrl();
    if ("theme" in patch) paint();
    // Only these need the server. Colours never do: it sends numbers.
    const asked = (v: View) => [v.text, v.compare, v.semantic, v.top, watched(v), v.classes];
    const was = asked(before);
    if (asked(view).some((value, i) => value !== was[i])) session.question();
  }

  let coloured = 0;
  function changeColours(choice: Partial<Colouring>): void {
    const { view, undo } = store.get();
    // A drag through the colour picker is one step, not a hundred.
    const dragging = Date.now() - coloured < 600 && undo.length > 0;
    coloured = Date.now();
    const now = { palette: view.palette, colours: view.colours, classes: view.classes };
    if (!dragging) store.set({ undo: [...undo, now].slice(-50) });
    change(choice);
  }

  function undo(): void {
    const { undo: steps } = store.get();
    const last = steps.at(-1);
    store.set({ undo: steps.slice(0, -1) });
    coloured = 0;
    if (last) change(last);
  }

  /** The view as text, for the clipboard. */
  function shared(kind: ShareKind): string {
    const { view, model } = store.get();
    const link = new URL(`#${serialise(view)}`, location.href).href;
    if (kind === "markdown") return markdown(view.text, link);
    if (kind === "link" || !model) return link;
    const pair = pairOf(view, model.id);
    const url = new URL(`${API}${pair ? "compare" : "trace"}`, document.baseURI).href;
    return (kind === "curl" ? curl : python)(url, pair ?? queryOf(view, model));
  }
  async function share(kind: ShareKind): Promise<{ text: string; copied: boolean }> {
    writeUrl(0);
    const text = shared(kind);
    try {
      await navigator.clipboard.writeText(text);
      return { text, copied: true };
    } catch {
      // Refused, or absent because the page was not served over https.
      return { text, copied: false };
    }
  }

  async function openSaved(file: File): Promise<void> {
    const { colouring, ...restored } = await openFile(file, store.get().model);
    if (colouring) {
      coloured = 0;
      changeColours(colouring);
    }
    if (restored.trace) session.adopt();
    store.set(restored);
    if (!restored.trace) return;
    paint();
    writeUrl();
  }

  const isPinned = (cell: CellId) => store.get().view.pins.some((p) => sameCell(p, cell));
  function pin(cell: CellId): void {
    const { pins } = store.get().view;
    const now = togglePin(pins, cell);
    const gone = pins.find((p) => !now.some((q) => sameCell(p, q)) && !sameCell(p, cell));
    store.set({ dropped: gone ?? null });
    change({ pins: now });
  }
  /** Brings back the pin that gave way, in place of the one it gave way to. */
  function restore(): void {
    const { dropped, view } = store.get();
    store.set({ dropped: null });
    if (dropped) change({ pins: [dropped, ...view.pins.slice(0, -1)] });
  }
  /** Opens a cell and brings it into sight. */
  function find(cell: CellId): void {
    hold(cell);
    // It is marked when the state is drawn: a frame later.
    requestAnimationFrame(() =>
      document
        .querySelector("td.cell.on")
        // Over a sheet it must stand higher than at the edge.
        ?.scrollIntoView?.({ block: isSheet() ? "center" : "nearest", inline: "center" }),
    );
  }
  const row = (now: RowId | null) => {
    if (!sameRow(now, store.get().row)) store.set({ row: now });
  };
  const text = (typed: string) => change({ text: typed });
  const example = ({ text, compare, unit, follow }: Example) =>
    change({
      text,
      compare: compare ?? null,
      ...(unit ? { unit: readUnit(unit) ?? null, follow: follow ?? "" } : {}),
    });
  const open = (cell: CellId | null) => hover.now(cell);
  function hold(cell: CellId): void {
    hover.now(cell);
    show(cell, true);
  }
  /** Opens the inside of a cell, and puts the focus there. */
  function look(cell: CellId): void {
    open(null);
    inside.focus();
    change({ inside: cell });
  }
  /** Back to the cell that was looked into; the focus there must not open its popup. */
  function leave(): void {
    const cell = document.querySelector<HTMLElement>("td.cell.looked");
    (cell ?? document.querySelector<HTMLElement>("td.cell[tabindex='0']"))?.focus();
    open(null);
    change({ inside: null });
  }
  /** While the popup is held, the pointer does not move it. */
  function point(cell: CellId | null): void {
    if (store.get().held) return;
    if (cell) hover.over(cell);
    else hover.out();
  }

  const tour = createTouring(store, change, (cell) => open(cell));
  const help = createHelp(root<HTMLDialogElement>("help"), { tour: () => tour.step(0) });
  const aside = () => el("div", { class: "sharing" });
  const [about, sharing, exporting] = [aside(), aside(), aside()] as const;
  const header = {
    model: (id: string) => void session.switchModel(id).then(() => writeUrl()),
    semantic: (semantic: View["semantic"]) => change({ semantic }),
    theme: () => change({ theme: store.get().dark ? "light" : "dark" }),
    help: () => help.open(),
  };
  const popup = createPopup(root("popup"), {
    close: () => open(null),
    pin,
    look,
    more: (cell, more) => {
      if (more) void session.more(cell);
      else store.set({ more: null });
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
    compare: (compare) => change({ compare }),
    swap: () => change(swapped(store.get().view)),
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
      open: (file) => void openSaved(file),
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
    }),
    createTokens(root("tokens"), { row }),
    createTokens(root("tokens-second"), { row }, true),
    createCompare(root("compare"), { distance: (distance) => change({ distance }), find }),
    createControls(root("controls"), { view: change }),
    createUnit(root("unit"), {
      view: change,
      row,
      retry: () => along.retry(),
      close: () => {
        change({ unit: null });
        document.querySelector<HTMLElement>("#controls > .button")?.focus();
      },
    }),
    createGrid(root("grid"), {
      point,
      open,
      hold,
      enter: () => popup.focus(),
      layer: (key) => {
        const { hide_layers: hidden } = store.get().view;
        const rest = hidden.filter((k) => k !== key);
        change({ hide_layers: rest.length < hidden.length ? rest : [...hidden, key] });
      },
      pin: (cell) => {
        pin(cell);
        if (isPinned(cell)) hold(cell);
        else open(cell);
      },
      look,
      row,
      escape: () => {
        if (store.get().hover) open(null);
        else if (store.get().view.inside) leave();
        else if (store.get().view.pins.length) {
          store.set({ dropped: null });
          change({ pins: [] });
        }
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
      colour: (id, colour) => {
        const { view, model } = store.get();
        if (model) changeColours(recolour(model.palettes, view, id, colour));
      },
      merge: (id, into) => {
        const { view, model } = store.get();
        if (!model) return;
        const colour = into && coloursOf([into], model.palettes, view).get(into);
        const { palettes } = model;
        changeColours(colour ? recolour(palettes, view, id, colour) : separate(palettes, view, id));
      },
      scale: (scale) => change({ scale }),
      own: (index, edited, colour) => {
        const { view, model } = store.get();
        if (!model) return;
        coloured = 0;
        if (!edited)
          changeColours({
            classes: view.classes.filter((_, i) => i !== index),
            colours: withoutOwn(view.colours, index),
          });
        else {
          const at = Math.min(index, view.classes.length);
          const classes = [...view.classes.slice(0, at), edited, ...view.classes.slice(at + 1)];
          changeColours({ classes, ...recolour(model.palettes, view, ownId(at), colour) });
        }
      },
      save: () => saveColours(store.get()),
      open: (file) => void openSaved(file),
      preset: (palette) => changeColours({ palette, colours: new Map() }),
      undo,
      reset: () =>
        changeColours({ palette: store.get().view.palette, colours: DEFAULT_VIEW.colours }),
    }),
    createPins(root("pins"), { remove: pin, open: point, find, restore }),
    createBeside(root("beside")),
    help,
    createTour(root("tour"), root("offer"), {
      step: tour.step,
      answer: tour.answer,
      show: (cell) => find(cell),
    }),
  ];
  store.subscribe((state) => components.forEach((c) => c.update(state)));
  store.subscribe((state) => within.follow(state));
  store.subscribe((state) => along.follow(state));

  // A press outside or a scroll dismisses only what is transient.
  document.addEventListener("pointerdown", ({ target }) => {
    if (!(target instanceof Element && target.closest("td.cell, #popup, #tour, .pins"))) open(null);
  });
  document.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape") return;
    const { hover: shown, view } = store.get();
    open(null);
    if (!shown && view.inside && target === document.body) leave();
  });
  document.addEventListener(
    "scroll",
    ({ target }) => {
      if (target instanceof Element && target.closest("#popup")) return;
      // The keyboard scrolls by itself, and a sheet is out of the way: there the popup only follows.
      const stays =
        store.get().held || document.activeElement?.matches("td.cell:focus-visible") || isSheet();
      if (!stays) hover.out();
      else if (store.get().hover) store.set({});
    },
    { capture: true, passive: true },
  );
  window.addEventListener("online", () => store.get().problem?.retrying && session.retry());

  watchPrinting(store, paint);

  // A saved view may be dropped anywhere; without this the browser would leave the page for it.
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void openSaved(file);
  });

  const isSheet = () => window.matchMedia?.(SHEET).matches ?? false;
  const load = async () => {
    store.set({ dropped: null });
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
