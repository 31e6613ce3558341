// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import { aloneLines } from "../src/alignment";
import { selected } from "../src/selection";
import type { Api } from "../src/api";
import { createApp } from "../src/app";
import { createColouring } from "../src/colouring";
import { nameOf, OWN_LIMITS, ownId, readWords, refused, withoutOwn } from "../src/colour/own";
import { coloursOf } from "../src/colour/palette";
import { factLines, factsOf } from "../src/describe";
import { drawFigure } from "../src/figure";
import { csv } from "../src/files/csv";
import { readSaved, save } from "../src/files/saved";
import { columnsOf } from "../src/columns";
import { createLegend } from "../src/legend";
import { createOwnForm } from "../src/legend/own";
import { answers, sameQuestion } from "../src/question";
import { INITIAL } from "../src/state";
import { DEFAULT_VIEW } from "../src/state/view";
import type { ModelInfo, OwnClass } from "../src/types";
import { createStore } from "../src/store";
import { parse, serialise } from "../src/url";
import { answerOf, syntheticModel, syntheticRead, syntheticTrace } from "./fixtures/synthetic";

const styles = join(dirname(fileURLToPath(import.meta.url)), "../styles");
const HE = { name: "he", words: ["he", "his", "hisn"] };
const model = syntheticModel();
const view = { ...DEFAULT_VIEW, text: "he said", model: model.id, classes: [HE] };
const query = { text: view.text, model: model.id, semantic: "next" as const, bars: 10, top: 0.1 };
const trace = syntheticTrace({ ...query, classes: [HE] });
const colours = coloursOf(trace.classes, model.palettes, view);

describe("the words of a class", () => {
  it.each([
    ["he him  his\nhe", ["he", "him", "his"]],
    ["he, him, his;", ["he", "him", "his"]],
    [" , . ; ", [",", ".", ";"]],
    ["", []],
  ])("%j", (typed, words) => expect(readWords(typed)).toEqual(words));

  it("name it when nobody does, in as many characters as a name has", () => {
    expect(nameOf(["he", "him", "his", "himself"])).toBe("he/him/his");
    expect(Array.from(nameOf(["x".repeat(99)]))).toHaveLength(OWN_LIMITS.name);
  });

  it("are refused over the limits, with the limit", () => {
    const many = Array.from({ length: 201 }, (_, i) => `w${i}`);
    expect(refused(HE)).toBeNull();
    expect(refused({ name: "x", words: [] })).toBe("Type at least one word.");
    expect(refused({ name: "x", words: many })).toMatch(/at most 200 words; these are 201/);
    expect(refused({ name: "x", words: ["y".repeat(101)] })).toMatch(/at most 100 characters/);
    expect(refused({ name: "x".repeat(41), words: ["y"] })).toMatch(/at most 40 characters/);
    // Characters, as the server counts them.
    expect(refused({ name: "👩".repeat(40), words: ["👩".repeat(100)] })).toBeNull();
  });

  it("have the server's own limits", () => {
    const here = dirname(fileURLToPath(import.meta.url));
    const schema = readFileSync(join(here, "../../server/schema.py"), "utf8");
    const limits = (names: string) =>
      new RegExp(`^${names} = ([\\d, ]+)`, "m").exec(schema)?.[1]?.trim();
    expect(limits("WORD_LIMIT, NAME_LIMIT")).toBe(`${OWN_LIMITS.word}, ${OWN_LIMITS.name}`);
    expect(limits("CLASSES_LIMIT, CLASS_WORDS_LIMIT")).toBe(
      `${OWN_LIMITS.classes}, ${OWN_LIMITS.words}`,
    );
  });
});

describe("the form", () => {
  const opened = () => {
    const on = { own: vi.fn(), closed: vi.fn() };
    const form = createOwnForm(on);
    document.body.replaceChildren(form.node);
    form.open(0, null, "#111111", model);
    const words = form.node.querySelector("textarea") as HTMLTextAreaElement;
    words.value = "she her";
    return { on, form, words };
  };

  it("throws no draft away for another class", () => {
    const { form, words } = opened();
    form.open(1, HE, "#222222", model);
    expect(words.value).toBe("she her");
    expect(document.activeElement).toBe(words);
    expect(form.node.textContent).toContain("Add or cancel this one first.");
    words.value = "";
    form.open(1, HE, "#222222", model);
    expect(words.value).toBe("he his hisn");
  });

  it("leaves the keys of an input method to it", () => {
    const { on, form, words } = opened();
    const key = (key: string, more: KeyboardEventInit) =>
      words.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more }));
    for (const name of ["Enter", "Escape"]) {
      key(name, { isComposing: true });
      key(name, { keyCode: 229 });
    }
    expect(form.node.hidden).toBe(false);
    expect(on.own).not.toHaveBeenCalled();
    key("Escape", {});
    expect(form.node.hidden).toBe(true);
  });
});

describe("colours", () => {
  it("are a class's own until it is given another", () => {
    expect(colours.get("own:0")).toBe("#d6006c");
    const changed = { ...view, colours: new Map([["own:0", "#123456"]]) };
    expect(coloursOf(trace.classes, model.palettes, changed).get("own:0")).toBe("#123456");
  });

  it("follow their class when one before it is removed", () => {
    const changed = new Map([["NOUN", "#111111"], ["own:0", "#000000"], ["own:2", "#222222"]]); // prettier-ignore
    const inForce = coloursOf(["own:0", "own:1", "own:2"], model.palettes, { ...view, colours: changed }); // prettier-ignore
    expect([...withoutOwn(changed, inForce, 0)]).toEqual([["NOUN", "#111111"], ["own:0", "#000099"], ["own:1", "#222222"]]); // prettier-ignore
    expect([...withoutOwn(changed, inForce, 2)]).toEqual([["NOUN", "#111111"], ["own:0", "#000000"]]); // prettier-ignore
  });
});

describe("in a link", () => {
  it.each([
    "#classes=he", // no words
    "#classes=,he",
    "#classes=a%2520b,he him",
    "#classes=he,%25",
    `#classes=${Array(9).fill("a,b").join(";")}`,
    `#classes=he,${"x".repeat(101)}`,
  ])("what the server would refuse is told and left out: %s", (link) => {
    const parsed = parse(link);
    expect(parsed.view.classes).toEqual([]);
    expect(parsed.notices).toHaveLength(1);
  });

  it("stays readable", () => {
    expect(serialise({ ...DEFAULT_VIEW, classes: [HE] })).toBe("v=1&classes=he%2Che%2Chis%2Chisn");
  });
});

describe("outside the page", () => {
  const columns = columnsOf(model, trace.columns, view);

  it("are told by their name, never by their number", () => {
    const seen = { trace, model, view, dark: false, width: 1100 };
    const { svg } = drawFigure(seen);
    expect(svg).toContain(">he</text>");
    const lines = csv(trace, model, selected(aloneLines([0, 1, 2]), columns), colours).split(
      "\r\n",
    );
    const [header, ...rows] = lines.map((line) => line.split(","));
    const at = header?.indexOf("class") ?? -1;
    expect(new Set(rows.map((row) => row[at]))).toContain("he");
    const facts = trace.columns.map((c) => factsOf(trace, model, colours, { t: 1, ...c }));
    const told = facts.flatMap((f) => (f ? factLines(f, trace) : [])).flat();
    for (const text of [svg, lines.join(), told.join()]) expect(text).not.toContain("own:");
  });

  it("open again with their view, and only with it", () => {
    const saved = { view: serialise(view), model, trace: answerOf(trace) };
    expect(readSaved(save(saved))).toEqual(saved);
    expect(answers(trace, view, model)).toBe(true);
    expect(answers(trace, { ...view, classes: [] }, model)).toBe(false);
    const forged = { ...trace, missing: [{ id: "NOUN", name: "x", words: [] }] };
    expect(readSaved(save({ ...saved, trace: forged }))).toHaveProperty("problem");
  });

  it("old rows are of no use to another class", () => {
    const own = { ...query, classes: [HE] };
    expect(sameQuestion(own, { ...query, classes: [{ ...HE }] })).toBe(true);
    expect(sameQuestion(own, query)).toBe(false);
    expect(sameQuestion(query, { ...query, classes: [] })).toBe(true);
  });
});

describe("on the page", () => {
  const $ = <T extends HTMLElement = HTMLElement>(s: string) => document.querySelector<T>(s) as T;
  // Few columns: jsdom is slow at drawing.
  const small = { ...model, columns: model.columns.filter((c) => c.layer === null) };
  const api = {
    models: () => Promise.resolve({ default: model.id, models: [model] }),
    model: () => Promise.resolve(small),
    cell: () => Promise.reject(new Error("no cell is opened here")),
    unit: () => Promise.reject(new Error("no unit is shown here")),
    compare: () => Promise.reject(new Error("nothing is compared here")),
    tokens: vi.fn<Api["tokens"]>((q) => Promise.resolve(syntheticRead(q))),
    trace: vi.fn<Api["trace"]>((q) => Promise.resolve(syntheticTrace(q))),
  };
  const settled = async () => {
    await new Promise((done) => setTimeout(done, 450));
    for (let n = 0; n < 2; n += 1) await new Promise((done) => requestAnimationFrame(done));
  };
  const item = () => [...document.querySelectorAll<HTMLElement>("#legend li[data-own]")];
  const press = (label: string) =>
    [...document.querySelectorAll<HTMLButtonElement>("#legend button")]
      .find((b) => b.textContent === label || b.getAttribute("aria-label") === label)
      ?.click();

  function fill(words: string, name = ""): void {
    $<HTMLTextAreaElement>(".own textarea").value = words;
    $<HTMLInputElement>(".own input[type=text]").value = name;
    $<HTMLFormElement>(".own").requestSubmit();
  }

  beforeEach(() => {
    document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
    api.trace.mockClear();
  });

  it("a class is added, asked for, edited, removed, and each is a step that can be undone", async () => {
    history.replaceState(null, "", "/#v=1&text=he+said");
    const { load, store } = createApp(api, () => ({ apply: () => false }));
    await load();
    await settled();
    press("+ a class of your own");
    fill("  ");
    expect($("#own-said").textContent).toBe("Type at least one word.");
    fill("he, his hisn");
    await settled();
    expect(api.trace.mock.lastCall?.[0].classes).toEqual([
      { name: "he/his/hisn", words: ["he", "his", "hisn"] },
    ]);
    expect(item()[0]?.textContent).toContain("not in the vocabulary: hisn");
    expect(location.hash).toContain("classes=he%252Fhis%252Fhisn%2Che%2Chis%2Chisn");
    press("Edit he/his/hisn");
    expect($<HTMLTextAreaElement>(".own textarea").value).toBe("he his hisn");
    fill("she her", "her");
    await settled();
    expect(item().map((li) => li.querySelector("span")?.textContent)).toEqual(["her"]);
    expect(item()[0]?.querySelector("input")?.getAttribute("aria-label")).toBe("Colour of her");
    press("Edit her");
    press("Remove");
    await settled();
    expect(item()).toEqual([]);
    expect(api.trace.mock.lastCall?.[0].classes).toBeUndefined();
    press("Undo");
    await settled();
    expect(item()[0]?.textContent).toContain("her");
    press("Undo");
    await settled();
    expect(store.get().view.classes[0]?.words).toEqual(["he", "his", "hisn"]);
    press("Undo");
    await settled();
    expect(store.get().view.classes).toEqual([]);
  });

  it("what is followed goes with its class, and comes back with it unless another was chosen", async () => {
    history.replaceState(null, "", "/#v=1&text=he+said&classes=he,he;she,she&follow=class:own:1");
    const { load, store } = createApp(api, () => ({ apply: () => false }));
    await load();
    await settled();
    const follow = () => store.get().view.follow;
    const remove = async () => {
      press("Edit she");
      press("Remove");
      await settled();
    };
    await remove();
    expect(follow()).toBe("");
    press("Undo");
    await settled();
    expect(follow()).toBe("class:own:1");
    await remove();
    store.set({ view: { ...store.get().view, follow: "depth" } });
    press("Undo");
    await settled();
    expect(follow()).toBe("depth");
  });

  it("keeps its colour when another is removed, and the next one is given a colour of its own", async () => {
    history.replaceState(null, "", "/#v=1&text=he+said&classes=he,he;she,she");
    const { load } = createApp(api, () => ({ apply: () => false }));
    await load();
    await settled();
    const colours = () => item().map((li) => li.querySelector("input")?.value);
    expect(colours()).toEqual(["#d6006c", "#000099"]);
    press("Edit he");
    press("Remove");
    await settled();
    expect(colours()).toEqual(["#000099"]);
    for (const word of ["it", "was"]) {
      press("+ a class of your own");
      fill(word);
      await settled();
    }
    expect(colours()).toEqual(["#000099", "#d6006c", "#004400"]);
  });

  it("its form stays with its class, and in any model, and is closed where that is gone", () => {
    const own = vi.fn();
    const on = new Proxy({}, { get: (_, name) => (name === "own" ? own : vi.fn()) }) as never;
    const [he, she, it] = ["he", "she", "it"].map((name) => ({ name, words: [name] }));
    const legend = createLegend($("#legend"), on);
    const show = (classes: (OwnClass | undefined)[], of: ModelInfo = small) =>
      legend.update({ ...INITIAL, model: of, view: { ...view, classes: classes.filter((c) => c !== undefined) } }); // prettier-ignore
    const form = $<HTMLFormElement>("#legend .own");
    const saved = () => {
      own.mockClear();
      form.requestSubmit();
      return own.mock.lastCall?.slice(0, 2);
    };
    show([he, she]);
    press("Edit she");
    show([she && { ...she }]); // as a link has it
    expect(saved()).toEqual([0, she]);
    press("Edit she");
    show([it, he]);
    expect(form.hidden).toBe(true);
    expect(document.activeElement?.textContent).toBe("+ a class of your own");
    press("+ a class of your own");
    $<HTMLTextAreaElement>(".own textarea").value = "you";
    show([it, he, she]);
    expect(saved()).toEqual([3, { name: "you", words: ["you"] }]);
    press("Edit he");
    $<HTMLTextAreaElement>(".own textarea").value = "he his";
    show([it, he, she], { ...small, fingerprint: "other" });
    expect([form.hidden, $<HTMLTextAreaElement>(".own textarea").value]).toEqual([false, "he his"]);
    expect(saved()).toEqual([1, { name: "he", words: ["he", "his"] }]);
  });

  it("its form for a new class keeps what was typed in any model that can have one", () => {
    const own = vi.fn();
    const on = new Proxy({}, { get: (_, name) => (name === "own" ? own : vi.fn()) }) as never;
    const legend = createLegend($("#legend"), on);
    const show = (of: Partial<ModelInfo>) =>
      legend.update({ ...INITIAL, model: { ...small, ...of }, view: { ...view, classes: [] } });
    const form = $<HTMLFormElement>("#legend .own");
    const words = $<HTMLTextAreaElement>("#legend .own textarea");
    show({});
    press("+ a class of your own");
    words.value = "you your";
    show({ fingerprint: "retrained" });
    expect([form.hidden, words.value, document.activeElement]).toEqual([false, "you your", words]);
    show({ fingerprint: "other", unit: "symbol" });
    expect(form.hidden).toBe(false);
    expect(form.textContent).toContain("symbols, with spaces between");
    show({ fingerprint: "tagger", semantics: ["label"] });
    expect(form.hidden).toBe(true);
    show({});
    expect([form.hidden, words.value]).toEqual([false, "you your"]);
    form.requestSubmit();
    expect(own.mock.lastCall?.slice(0, 2)).toEqual([
      0,
      { name: "you/your", words: ["you", "your"] },
    ]);
    show({ fingerprint: "retrained" });
    expect(form.hidden).toBe(true);
  });

  it("no more are offered than the server reads", async () => {
    history.replaceState(null, "", `/#v=1&text=he&classes=${Array(8).fill("a,b").join(";")}`);
    const { load } = createApp(api, () => ({ apply: () => false }));
    await load();
    await settled();
    expect(item()).toHaveLength(8);
    const add = $<HTMLButtonElement>("#legend .add");
    const sheet = document.createElement("style");
    for (const name of ["controls", "side"])
      sheet.append(readFileSync(join(styles, `${name}.css`), "utf8"));
    document.head.append(sheet);
    // That no more can be asked for is seen, though a button without use is not.
    expect(getComputedStyle(add).visibility).toBe("visible");
    expect(getComputedStyle($("#legend .palette button:disabled")).visibility).toBe("hidden");
    sheet.remove();
    expect([add.disabled, add.textContent]).toEqual([true, expect.stringMatching(/^8 classes/)]);
  });
});

describe("a unit that follows a class of one's own", () => {
  const SHE = { name: "she", words: ["she", "her"] };
  it.each<[string, OwnClass[], OwnClass[], string]>([
    ["while its words are changed", [HE, SHE], [HE, { ...SHE, words: ["her"] }], "class:own:1"],
    ["while its name is changed", [HE, SHE], [HE, { ...SHE, name: "her" }], "class:own:1"],
    ["under another number", [HE, SHE], [SHE], "class:own:0"],
    ["under another number where one comes back", [SHE], [HE, SHE], "class:own:1"],
    ["as it is read from a file", [HE, SHE], [{ ...SHE }, HE], "class:own:0"],
    ["no more where it is gone", [HE, SHE], [HE], ""],
  ])("follows it %s", (_, before, after, follow) => {
    const now = `class:${ownId(before.indexOf(SHE))}`;
    const store = createStore({
      ...INITIAL,
      model,
      view: { ...view, classes: before, follow: now },
    });
    const change = vi.fn();
    createColouring(store, change).open({ palette: "", colours: new Map(), classes: after });
    const patch = change.mock.calls[0]?.[0] as Partial<typeof view>;
    expect(patch.follow ?? now).toBe(follow);
  });
});
