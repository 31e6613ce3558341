// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import type { Api } from "../src/api";
import { createApp } from "../src/app";
import { coloursOf } from "../src/colour/palette";
import { factsOf } from "../src/describe";
import { percent } from "../src/format";
import { createHelp } from "../src/help";
import { INITIAL } from "../src/state";
import { SENTENCE, tourSteps } from "../src/steps";
import { createStore } from "../src/store";
import { createTouring } from "../src/touring";
import type { Token } from "../src/types";
import { parse } from "../src/url";
import { syntheticModel, syntheticRead, syntheticTrace } from "./fixtures/synthetic";

const model = syntheticModel();
const query = { text: SENTENCE, model: model.id, semantic: "next" as const, bars: 10, top: 0.1 };
const trace = syntheticTrace(query);
const plain = { palette: "", colours: new Map<string, string>() };
const colours = coloursOf(trace.classes, model.palettes, plain);

describe("the steps", () => {
  const steps = tourSteps(trace, model, colours);

  it("are five to seven, each on a cell of the sentence, told by that cell's own figures", () => {
    expect(steps.length).toBeGreaterThanOrEqual(5);
    expect(steps.length).toBeLessThanOrEqual(7);
    for (const { cell, text } of steps) {
      const [first] = factsOf(trace, model, colours, cell)?.bars ?? [];
      expect(text).toContain(`“${first?.word}” ${percent(first?.p ?? 0)}`);
    }
  });

  it("say that the two marks are one input only where they are", () => {
    const twice = steps.find((s) => s.title === "The same word, twice");
    const marks = trace.tokens.flatMap((t, i) => (t.word === '"' ? [i] : []));
    expect(marks).toHaveLength(2);
    expect(twice?.cell.t).toBe(marks[1]);
  });

  it("say that the answers differ only where they do", () => {
    const same = structuredClone(trace);
    const marks = trace.tokens.flatMap((t, i) => (t.word === '"' ? [i] : []));
    const [a, b] = [marks[0] ?? 0, marks[1] ?? 0];
    for (const rows of [same.rows.top_ids, same.rows.top_probs]) rows[b] = rows[a] ?? [];
    const titles = (of: typeof trace) => tourSteps(of, model, colours).map((s) => s.title);
    expect(titles(trace)).toContain("Two answers");
    expect(titles(same)).not.toContain("Two answers");
  });

  it("are fewer where the model has no such kinds, and none of another text", () => {
    const columns = model.columns.filter((c) => c.kind !== "long_term");
    const titles = tourSteps(trace, { ...model, columns }, colours).map((s) => s.title);
    expect(titles).not.toContain("What is kept");
    expect(titles).not.toContain("Kept and new");
    expect(tourSteps(syntheticTrace({ ...query, text: "he said" }), model, colours)).toEqual([]);
  });
});

describe("on the page", () => {
  // Few columns: jsdom is slow at drawing.
  const small = {
    ...model,
    columns: model.columns.filter((c) => c.layer !== 1 && !c.kind.endsWith("_gate")),
  };
  const api: Api = {
    models: () => Promise.resolve({ default: model.id, models: [model] }),
    model: () => Promise.resolve(small),
    tokens: (q) => Promise.resolve(syntheticRead(q)),
    trace: (q) => Promise.resolve(syntheticTrace(q)),
    cell: () => Promise.reject(new Error("no cell is opened here")),
    unit: () => Promise.reject(new Error("no unit is shown here")),
    compare: () => Promise.reject(new Error("nothing is compared here")),
  };
  const $ = <T extends HTMLElement = HTMLElement>(s: string) => document.querySelector<T>(s) as T;
  const settled = async (ms = 30) => {
    await new Promise((done) => setTimeout(done, ms));
    for (let n = 0; n < 3; n += 1) await new Promise((done) => requestAnimationFrame(done));
  };
  const press = (label: string) =>
    [...document.querySelectorAll<HTMLButtonElement>("button")]
      .find((b) => b.textContent === label && !b.closest("[hidden]"))
      ?.click();
  async function open(hash: string) {
    history.replaceState(null, "", `/${hash}`);
    const { load, store } = createApp(api, () => ({ apply: () => false }));
    await load();
    await settled();
    return store;
  }

  beforeEach(() => {
    document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
    localStorage.clear();
  });

  it("is offered to who comes without a link, once", async () => {
    await open("#v=1&text=he");
    expect($("#offer").hidden).toBe(true);
    await open("");
    expect($("#offer").hidden).toBe(false);
    press("No, thanks");
    await settled();
    expect($("#offer").hidden).toBe(true);
    await open("");
    expect($("#offer").hidden).toBe(true);
  });

  it("goes from cell to cell, and gives back what was there", async () => {
    const store = await open("#v=1&text=he+said&show=entropy&rows=1-2&hide=long_term");
    const before = store.get().view;
    press("Take the tour");
    await settled(400);
    const told: string[] = [];
    for (let n = 0; n < 9 && !$("#tour").hidden; n += 1) {
      await settled();
      told.push($("#tour h3").textContent);
      const { t, kind } = store.get().hover ?? { t: -1, kind: "" };
      const step = tourSteps(store.get().trace ?? trace, small, colours)[n];
      expect([t, kind]).toEqual([step?.cell.t, step?.cell.kind]);
      press(told.length < 7 ? "Next" : "Done");
      await settled();
    }
    expect(told).toHaveLength(7);
    expect(store.get().view).toEqual(before);
    expect(store.get().hover).toBeNull();
    await settled(400);
    expect(parse(location.hash).view.text).toBe("he said");
  });

  it("leaves Escape to the help that is open over it", async () => {
    const store = await open("#v=1&text=he+said");
    press("Take the tour");
    await settled(400);
    const escape = () =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    $("#help").setAttribute("open", "");
    escape();
    expect(store.get().tour).toBe(0);
    $("#help").removeAttribute("open");
    escape();
    expect(store.get().tour).toBeNull();
  });

  it("is not offered by the help before a model is there, and gives back what was typed", () => {
    createHelp($<HTMLDialogElement>("#help"), { tour: vi.fn() }).update(INITIAL);
    expect($("#help .guided").hidden).toBe(true);
    const store = createStore(INITIAL, () => {});
    const change = (patch: object) => store.set({ view: { ...store.get().view, ...patch } });
    change({ text: "he said", compare: "she said", bars: 5 });
    const before = store.get().view;
    const tour = createTouring(store, change, () => {});
    tour.step(0);
    expect(store.get().view.text).toBe(SENTENCE);
    tour.step(null);
    expect(store.get().view).toEqual(before);
  });

  it("says so where the sentence is not read word by word, and can be left", async () => {
    const of = { ...api };
    // A model of symbols: a token for each character, none of them a word of the sentence.
    api.trace = async (q) => {
      const read = await of.trace(q);
      const spell = (t: Token): Token => ({ ...t, word: t.span ? `${t.word}#` : t.word });
      return { ...read, tokens: read.tokens.map(spell) };
    };
    const store = await open("#v=1&text=he+said");
    press("Take the tour");
    await settled(400);
    Object.assign(api, of);
    expect($("#tour h3").textContent).toBe("Nothing to show here");
    expect($("#tour p").textContent).toMatch(/^The tour goes through a sentence of English/);
    press("Done");
    await settled();
    expect($("#tour").hidden).toBe(true);
    expect(store.get().view.text).toBe("he said");
  });

  it("says so where the cells are asked for something else, and goes on when it is the next word", async () => {
    await open("#v=1&text=he+said");
    press("Take the tour");
    await settled(400);
    const first = $("#tour p").textContent;
    press("this word");
    await settled(400);
    expect($("#tour h3").textContent).toBe("Nothing to show here");
    expect($("#tour p").textContent).toMatch(/asked for something else/);
    press("next word");
    await settled(400);
    expect($("#tour p").textContent).toBe(first);
  });

  const type = (text: string) => {
    const box = $<HTMLTextAreaElement>("#text");
    box.value = text;
    box.dispatchEvent(new Event("input"));
  };

  it("left by typing, gives back all but the text, and not what was chosen meanwhile", async () => {
    const link = "#v=1&text=he+said&compare=she+said&semantic=this&show=entropy&density=roomy&bars=5&hide=long_term&hide_layers=0&rows=1-2"; // prettier-ignore
    const store = await open(link);
    const before = store.get().view;
    press("Take the tour");
    await settled(400);
    expect(store.get().view).toMatchObject({ compare: null, density: "bars", rows: [] });
    const density = [...document.querySelectorAll<HTMLSelectElement>("#controls select")].find((s) => s.value === "bars"); // prettier-ignore
    if (density) density.value = "rectangles";
    density?.dispatchEvent(new Event("change"));
    type("he was");
    await settled();
    expect(store.get().tour).toBeNull();
    expect(store.get().view).toEqual({ ...before, text: "he was", density: "rectangles" });
  });

  it("left in another model, gives back what that can show, and says what it cannot", async () => {
    const [of, other] = [{ ...api }, { ...small, id: "other", fingerprint: "other", semantics: ["next" as const], columns: small.columns.filter((c) => c.kind !== "long_term") }]; // prettier-ignore
    api.models = () => Promise.resolve({ default: small.id, models: [small, other] });
    api.model = (id) => Promise.resolve(id === other.id ? other : small);
    const store = await open("#v=1&text=he+said&semantic=this&hide=long_term&bars=5");
    press("Take the tour");
    await settled(400);
    const models = $<HTMLSelectElement>("select[aria-label=Model]");
    models.value = other.id;
    models.dispatchEvent(new Event("change"));
    await settled(400);
    press("Leave");
    await settled();
    Object.assign(api, of);
    expect(store.get().view).toMatchObject({
      text: "he said",
      semantic: "next",
      hide: [],
      bars: 5,
    });
    expect(store.get().notices.join(" ")).toMatch(/no encoding for “this”.* no kind “long_term”/);
  });

  it("an example takes its place with everything as it was before", async () => {
    const store = await open("#v=1&text=he+said&show=entropy");
    press("Take the tour");
    await settled(400);
    $("#textbox .examples button").click();
    await settled(400);
    const { text, show } = store.get().view;
    expect([store.get().tour, text, show]).toEqual([null, model.examples[0]?.text, "entropy"]);
  });

  it("is left by Escape, and by typing, which is kept", async () => {
    const store = await open("#v=1&text=he+said");
    press("Take the tour");
    await settled(300);
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    await settled();
    expect([$("#tour").hidden, store.get().view.text]).toEqual([true, "he said"]);
    press("Take the tour");
    await settled(300);
    type("she was");
    await settled();
    expect([$("#tour").hidden, store.get().view.text]).toEqual([true, "she was"]);
  });

  it.each(["mouse", "ArrowRight"])("gone through to its end (%s), asks for a text", async (by) => {
    await open("#v=1&text=he+said");
    press("Take the tour");
    await settled(400);
    const key = () =>
      $("#tour").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    for (let n = 0; n < 9 && !$("#tour").hidden; n += 1) {
      if (by === "mouse") press(n < 6 ? "Next" : "Done");
      else key();
      await settled();
    }
    const box = $<HTMLTextAreaElement>("#text");
    expect(document.activeElement).toBe(box);
    expect([box.value, box.selectionStart, box.selectionEnd]).toEqual(["he said", 0, 7]);
  });

  const textbox = () => $("#text");
  it.each<[string, () => void, () => void, () => Element]>([
    ["the offer, that is gone: to the text's part of the page", () => $("#offer button").focus(), () => press("Leave"), () => $(".ask")],
    ["the text box: back to it", () => textbox().focus(), () => press("Leave"), textbox],
    ["nothing: not to the page's start", () => {}, () => press("Leave"), () => $(".ask")],
    ["the offer: not from the text box, in which it is typed", () => $("#offer button").focus(), () => (textbox().focus(), type("he was")), textbox],
  ])("gives the focus back. From %s", async (_, from, leave, to) => {
    await open("");
    from();
    $("#offer button").click();
    await settled(400);
    expect(document.activeElement).toBe($("#tour"));
    leave();
    await settled();
    expect($("#tour").hidden).toBe(true);
    expect(document.activeElement === to()).toBe(true);
    expect(document.body.hasAttribute("tabindex")).toBe(false);
  }); // prettier-ignore
});
