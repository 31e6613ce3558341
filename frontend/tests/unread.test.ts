// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import { type Api, ApiError, Busy, Unreachable } from "../src/api";
import { createApp } from "../src/app";
import { save } from "../src/files/saved";
import { DEFAULT_VIEW } from "../src/state/view";
import type { ModelInfo, Token, TokensRead } from "../src/types";
import { cannotRead, createReader } from "../src/unread";
import { serialise } from "../src/url";
import { syntheticModel, syntheticRead, syntheticTrace } from "./fixtures/synthetic";

/** A text that the chosen model cannot read: nothing is lost, and there is a way on and a way back. */

const whole = syntheticModel();
const columns = whole.columns.filter((c) => c.layer === null || c.kind === "cell_state");
const words: ModelInfo = {
  ...{ ...whole, columns, semantics: ["next", "this", "previous"] },
  examples: [{ text: "he said .", shows: "" }],
};
const brackets: ModelInfo = {
  ...words,
  ...{
    id: "brackets",
    name: "Brackets",
    unit: "symbol",
    fingerprint: "other",
    semantics: ["next"],
  },
  examples: [
    { text: "0(1)0", shows: "", unit: "cell_state.1.1" },
    { text: "(())", shows: "" },
  ],
};
const few: ModelInfo = { ...words, id: "few", name: "Few", fingerprint: "few", semantics: ["next", "this"] }; // prettier-ignore
const MODELS = [words, brackets, few];
const SENTENCE = "she had lost the keys .";

const symbols = (text: string): TokensRead => {
  const tokens = Array.from(text).map(
    (c, at): Token => ({ id: 0, surface: c, word: c, known: "()01".includes(c), span: [at, at + 1] }), // prettier-ignore
  );
  return { tokens, count: tokens.length };
};
const read: Api["tokens"] = (query) =>
  Promise.resolve(query.model === brackets.id ? symbols(query.text) : syntheticRead(query));

describe("whether a model cannot read a text", () => {
  const ofWords = (text: string, before: ModelInfo | null) =>
    cannotRead(syntheticRead({ text, model: words.id }), words, before);
  it("goes by the tokens that it knows", () => {
    expect(cannotRead(symbols(SENTENCE), brackets, words)).toBe(true);
    expect(cannotRead(symbols("(0)"), brackets, words)).toBe(false);
    expect(ofWords("she zyz was here", words)).toBe(false);
    expect(ofWords("zyz ozy yzz she", words)).toBe(true);
    expect(ofWords("", words)).toBe(false);
  });
  it("and, coming from symbols, by words that have letters", () => {
    expect(ofWords("( 1 ( 2 ( . ; ,", brackets)).toBe(true);
    expect(ofWords("( 1 ( 2 ( . ; ,", words)).toBe(false);
    expect(ofWords("he said ( 1 ;", brackets)).toBe(false);
  });
});

it("a server that does not answer stands in nobody's way, nor does a text over its limit", async () => {
  const texts = { text: SENTENCE, compare: null };
  const gone = createReader({ tokens: () => Promise.reject(new Unreachable("gone")) });
  expect(await gone.fit(texts, brackets, words)).toEqual({ texts, unread: null });
  const tokens = vi.fn(read);
  const long = { text: "x".repeat(20_000), compare: null };
  expect(await createReader({ tokens }).fit(long, brackets, words)).toEqual({
    texts: long,
    unread: null,
  });
  expect(tokens).not.toHaveBeenCalled();
});

it("a text set aside takes nobody's place where nobody knows whether it can be read", async () => {
  let busy = false;
  const tokens: Api["tokens"] = (query) =>
    busy && query.text === "OLD" ? Promise.reject(new Busy(1)) : read(query);
  const reader = createReader({ tokens });
  reader.setAside({ text: "OLD", compare: null });
  busy = true;
  const texts = { text: SENTENCE, compare: null };
  const fitted = await reader.fit(texts, brackets, words);
  expect(fitted.texts).toEqual(texts);
  expect(fitted.unread?.said).toContain("cannot read this text");
});

it("an example that was offered gives way to one's own text, though its words are known", async () => {
  const letters = { ...brackets, examples: [{ text: "a a", shows: "" }] };
  const reader = createReader({ tokens: read });
  const own = { text: SENTENCE, compare: null };
  reader.setAside(own);
  const offered = { text: "a a", compare: null };
  expect(await reader.fit(offered, words, letters)).toEqual({ texts: own, unread: null });
  expect((await reader.fit({ ...offered, text: "a" }, words, letters)).texts.text).toBe("a");
});

describe("on the page", () => {
  const $ = <T extends Element = HTMLElement>(at: string) => document.querySelector<T>(at) as T;
  const settled = async () => {
    await new Promise((done) => setTimeout(done, 250));
    for (let n = 0; n < 2; n += 1) await new Promise((done) => requestAnimationFrame(done));
  };
  const text = () => $<HTMLTextAreaElement>("#text").value;
  const choose = async (id: string) => {
    const select = $<HTMLSelectElement>("select[aria-label=Model]");
    select.value = id;
    select.dispatchEvent(new Event("change"));
    await settled();
  };
  const type = (typed: string) => {
    $<HTMLTextAreaElement>("#text").value = typed;
    $("#text").dispatchEvent(new Event("input"));
  };
  const offer = () =>
    [...document.querySelectorAll<HTMLButtonElement>("#banner button")].find((b) =>
      b.textContent?.startsWith("Show its own example"),
    );

  let gone = false;
  let removed = "";
  const open = async (fragment: string) => {
    gone = false;
    removed = "";
    document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
    history.replaceState(null, "", `/${fragment}`);
    const never = () => new Promise<never>(() => {});
    const server: Api = {
      models: () => Promise.resolve({ default: words.id, models: MODELS }),
      model: (id) =>
        gone
          ? Promise.reject(new Unreachable("gone"))
          : id === removed
            ? Promise.reject(
                new ApiError(404, "unknown_model", `There is no model ${id}.`, "model"),
              )
            : Promise.resolve(MODELS.find((m) => m.id === id) ?? words),
      tokens: read,
      trace: (query) => {
        const { fingerprint } = MODELS.find((m) => m.id === query.model) ?? words;
        const trace = { ...syntheticTrace(query), fingerprint };
        // It has a row for each word, whatever reads it: known or not is what counts here.
        const known = (surface: string) => symbols(surface).tokens.every((token) => token.known);
        const tokens = trace.tokens.map((t) => (t.span ? { ...t, known: known(t.surface) } : t));
        return Promise.resolve(query.model === brackets.id ? { ...trace, tokens } : trace);
      },
      ...{ cell: never, unit: never, compare: never },
    };
    const app = createApp(server, () => ({ apply: () => false }));
    await app.load();
    await settled();
    return app;
  };
  beforeEach(() => open(`#v=1&text=${encodeURIComponent(SENTENCE)}`));

  it("the text stays, a sentence says why, one click shows an example, and going back restores", async () => {
    await choose("brackets");
    expect(text()).toBe(SENTENCE);
    expect($("#banner .notice").textContent).toContain(
      "Brackets cannot read this text: it reads other symbols. Nothing typed is lost.",
    );
    expect(offer()?.textContent).toBe("Show its own example: (())");
    offer()?.click();
    await settled();
    expect(text()).toBe("(())");
    expect($("#banner .notice")).toBeNull();
    type("((0))");
    await settled();
    await choose(words.id);
    expect(text()).toBe(SENTENCE);
    expect($("#banner .notice")).toBeNull();
    // And the brackets come back where they can be read.
    await choose("brackets");
    expect(text()).toBe("((0))");
  });

  it("a link and a reload say the same, and there is no perplexity of unknown tokens alone", async () => {
    await choose("brackets");
    const said = $("#banner .notice").textContent;
    await open(`#v=1&model=brackets&text=${encodeURIComponent(SENTENCE)}`);
    expect($("#banner .notice").textContent).toBe(said);
    expect($("#tokens .facts").textContent).not.toContain("perplexity");
    offer()?.click();
    await settled();
    expect([text(), offer()]).toEqual(["(())", undefined]);
    expect($("#tokens .facts").textContent).toContain("text perplexity");
    // What it could not read is kept for the model that can.
    await choose(words.id);
    expect(text()).toBe(SENTENCE);
  });

  it("and so does a file", async () => {
    const query = { text: "zyz ozy yzz", model: words.id, semantic: "next" as const, bars: 10, top: 0.1 }; // prettier-ignore
    const view = serialise({ ...DEFAULT_VIEW, text: query.text, model: words.id });
    const saved = save({ view, model: words, trace: syntheticTrace(query) });
    const file = { name: "view.json", size: 9, text: () => Promise.resolve(saved) };
    const event = new Event("drop", { bubbles: true, cancelable: true });
    document.body.dispatchEvent(Object.assign(event, { dataTransfer: { files: [file] } }));
    await settled();
    expect([text(), offer()?.textContent]).toEqual([query.text, "Show its own example: he said ."]);
    offer()?.click();
    await settled();
    expect([text(), offer()]).toEqual(["he said .", undefined]);
  });

  it("and so does Back", async () => {
    const { load } = await open(`#v=1&model=brackets&text=${encodeURIComponent(SENTENCE)}`);
    await choose(words.id);
    expect(offer()).toBeUndefined();
    history.replaceState(null, "", `/#v=1&model=brackets&text=${encodeURIComponent(SENTENCE)}`);
    await load();
    await settled();
    expect(offer()).toBeDefined();
  });

  it("a text that is being typed is not judged by its first letters", async () => {
    await choose("brackets");
    type("xyz");
    await settled();
    expect(offer()).toBeUndefined();
  });

  it("a semantic that gave way is told, and is back with a model that has it", async () => {
    const pressed = () => $("#header .segments button[aria-pressed=true]").textContent;
    $<HTMLButtonElement>("#header .segments button[aria-pressed=false]").click();
    const chosen = (await settled(), pressed());
    await choose("brackets");
    expect($("#banner").textContent).toContain("This model has no encoding for");
    await choose(words.id);
    expect(pressed()).toBe(chosen);
    expect($("#banner .notice")).toBeNull();
  });

  it("a semantic that was chosen after another gave way stays", async () => {
    const press = async (name: string) => {
      const buttons = [...document.querySelectorAll<HTMLButtonElement>("#header .segments button")];
      buttons.find((b) => b.textContent === name)?.click();
      await settled();
    };
    const pressed = () => $("#header .segments button[aria-pressed=true]").textContent;
    await press("previous");
    await choose("few");
    expect(pressed()).toBe("next word");
    await press("this word");
    await press("next word");
    await choose(words.id);
    expect(pressed()).toBe("next word");
  });

  it("a model that the server refuses is told, and what is shown stays, with its way back", async () => {
    const pushed = vi.spyOn(history, "pushState");
    type("she had lost the keys");
    await settled();
    removed = "brackets";
    await choose("brackets");
    expect($("#banner").textContent).toContain("There is no model brackets.");
    expect($("#banner .problem")).toBeNull();
    expect($("#grid").classList.contains("stale")).toBe(false);
    expect($<HTMLSelectElement>("select[aria-label=Model]").value).toBe(words.id);
    const steps = pushed.mock.calls.length;
    // No other model came: what is typed on is no step of its own.
    type("she had lost the keys .");
    await settled();
    expect(pushed.mock.calls.length).toBe(steps);
    [...document.querySelectorAll<HTMLButtonElement>("#banner button")].find((b) => b.textContent === "Dismiss")?.click(); // prettier-ignore
    await settled();
    expect($("#banner .notice")).toBeNull();
  });

  it("the select keeps showing the model that is waited for", async () => {
    gone = true;
    await choose("brackets");
    const other = $<HTMLButtonElement>("#header .segments button[aria-pressed=false]");
    other.click();
    await settled();
    const select = $<HTMLSelectElement>("select[aria-label=Model]");
    expect([other.getAttribute("aria-pressed"), select.value]).toEqual(["true", "brackets"]);
  });

  it("the notice stays while a second text is opened beside it", async () => {
    await choose("brackets");
    $<HTMLButtonElement>(".compare-with").click();
    await settled();
    expect(offer()).toBeDefined();
  });

  it("nothing of the model before can be undone in another", async () => {
    const undo = (at: string) =>
      [...document.querySelectorAll<HTMLButtonElement>(`${at} button`)].find((b) => b.textContent === "Undo"); // prettier-ignore
    const colour = $<HTMLInputElement>("#legend input[type=color]");
    colour.value = "#000000";
    colour.dispatchEvent(new Event("input"));
    document.querySelectorAll<HTMLElement>("td.cell").forEach((td, at) => {
      if (at < 5) td.click();
    });
    await settled();
    expect([undo("#legend")?.disabled, undo("#pins")?.closest("p")?.hidden]).toEqual([
      false,
      false,
    ]);
    await choose("brackets");
    expect([undo("#legend")?.disabled, undo("#pins")?.closest("p")?.hidden]).toEqual([true, true]);
  });

  it("a text of one's own, typed instead, takes the notice away and leaves the way back", async () => {
    await choose("brackets");
    expect(offer()).toBeDefined();
    type("(1)");
    await settled();
    expect(offer()).toBeUndefined();
    expect(text()).toBe("(1)");
    await choose(words.id);
    expect(text()).toBe(SENTENCE);
  });
});
