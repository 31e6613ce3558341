// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import { type Api, ApiError, Busy, Unreachable } from "../src/api";
import { createApp } from "../src/app";
import { save } from "../src/files/saved";
import { DEFAULT_VIEW } from "../src/state/view";
import type { ModelInfo } from "../src/types";
import { parse, serialise } from "../src/url";
import { syntheticInside } from "./fixtures/inside";
import { syntheticLine } from "./fixtures/unit";
import {
  syntheticComparison,
  syntheticModel,
  syntheticRead,
  syntheticTrace,
} from "./fixtures/synthetic";

/** The whole page in jsdom, with the synthetic server. */

// Few columns and short texts: jsdom is slow at drawing, and nothing here depends on their number.
const whole = syntheticModel();
const FIRST = "he said .";
const model = {
  ...whole,
  columns: whole.columns.filter((c) => c.layer === null || c.kind === "cell_state"),
  examples: [{ text: FIRST, shows: "something short" }],
};
const CELLS = 4 * 3;

function serve(): { [K in keyof Api]: ReturnType<typeof vi.fn<Api[K]>> } {
  return {
    models: vi.fn<Api["models"]>(() => Promise.resolve({ default: model.id, models: [model] })),
    model: vi.fn<Api["model"]>(() => Promise.resolve(model)),
    tokens: vi.fn<Api["tokens"]>((query) => Promise.resolve(syntheticRead(query))),
    trace: vi.fn<Api["trace"]>((query) => Promise.resolve(syntheticTrace(query))),
    cell: vi.fn<Api["cell"]>((query) => Promise.resolve(syntheticInside(query))),
    unit: vi.fn<Api["unit"]>((query) => Promise.resolve(syntheticLine(query))),
    compare: vi.fn<Api["compare"]>((pair) => Promise.resolve(syntheticComparison(pair))),
  };
}

/** Past the next drawing: the store draws in an animation frame that was asked for earlier. */
const frame = async () => {
  await new Promise((done) => setTimeout(done, 20));
  for (let n = 0; n < 2; n += 1) await new Promise((done) => requestAnimationFrame(done));
};
/** Longer than the pace of questions and the delay of the link. */
const settled = async () => {
  await new Promise((done) => setTimeout(done, 400));
  await frame();
};
const $ = <T extends Element = HTMLElement>(selector: string) =>
  document.querySelector<T>(selector) as T;

async function open(hash = "", api = serve()) {
  history.replaceState(null, "", `/${hash}`);
  const { load } = createApp(api, () => ({ apply: (choice) => choice === "dark" }));
  await load();
  await frame();
  await frame();
  return api;
}

function type(text: string): void {
  const box = $<HTMLTextAreaElement>("textarea");
  box.value = text;
  box.dispatchEvent(new Event("input"));
}

beforeEach(() => {
  document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
});

it("shows the first example, traced, on a first visit", async () => {
  const api = await open();
  expect($<HTMLTextAreaElement>("textarea").value).toBe(FIRST);
  expect(api.trace).toHaveBeenCalledTimes(1);
  expect(document.querySelectorAll("td.cell")).toHaveLength(CELLS);
  expect($(".facts").textContent).toMatch(
    /^4 timesteps · 2 kinds of hidden state · text perplexity/,
  );
});

it("shows what a link says, and what it could not", async () => {
  await open("#v=1&text=he+said&model=nope&semantic=this&theme=dark&colours=NOUN%3A000000");
  expect($<HTMLTextAreaElement>("textarea").value).toBe("he said");
  expect($(".notice").textContent).toContain("nope");
  expect($(".segments [aria-pressed=true]").textContent).toBe("this word");
  expect($<HTMLInputElement>(".legend input").value).toBe("#000000");
});

it("says of a link that its model has no such encoding", async () => {
  await open("#v=1&text=he+said&semantic=label&bars=3");
  expect($(".notice").textContent).toContain("no encoding for “label”; “next” is shown");
});

it("repaints after a palette edit without asking the server", async () => {
  const api = await open("#v=1&text=he+said");
  const fills = () =>
    [...document.querySelectorAll<HTMLElement>("i.colour")].map((c) => c.style.backgroundColor);
  const before = fills();
  const inputs = document.querySelectorAll<HTMLInputElement>(".legend input");
  for (const input of inputs) {
    input.value = "#000000";
    input.dispatchEvent(new Event("input"));
  }
  await frame();
  expect(fills().every((f, i) => f !== before[i])).toBe(true);
  expect(api.trace).toHaveBeenCalledTimes(1);
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(".palette button")];
  const undo = buttons.find((b) => b.textContent === "Undo");
  // Each class is a step of its own.
  inputs.forEach(() => undo?.click());
  await frame();
  expect(fills()).toEqual(before);
});

it("merges two classes into one colour", async () => {
  await open("#v=1&text=he+said");
  const select = $<HTMLSelectElement>(".legend li:nth-child(2) select");
  const noun = [...select.options].find((o) => o.textContent === "noun");
  select.value = noun?.value ?? "";
  select.dispatchEvent(new Event("change"));
  await frame();
  const name = () => $(".legend li:nth-child(2) span").textContent;
  expect(name()).toBe("pronoun with noun");
  // Past what is one step: a drag through the colour picker.
  let now = Date.now();
  const later = vi.spyOn(Date, "now").mockImplementation(() => (now += 1000));
  const undo = [...document.querySelectorAll<HTMLButtonElement>(".palette button")].find((b) => b.textContent === "Undo"); // prettier-ignore
  // The one that gave its colour: what changes nothing is no step, and is not left standing there.
  const other = $<HTMLSelectElement>(".legend li:nth-child(1) select");
  other.value = [...other.options].find((o) => o.textContent === "pronoun")?.value ?? "";
  other.dispatchEvent(new Event("change"));
  await frame();
  expect(other.value).toBe("");
  select.value = "";
  select.dispatchEvent(new Event("change"));
  await frame();
  expect(name()).toBe("pronoun");
  undo?.click();
  await frame();
  expect([name(), undo?.disabled]).toEqual(["pronoun with noun", false]);
  undo?.click();
  await frame();
  expect([name(), undo?.disabled]).toEqual(["pronoun", true]);
  later.mockRestore();
});

it("keeps the link in step with the view", async () => {
  await open();
  type("salt & pepper");
  await settled();
  const link = "#v=1&text=salt+%26+pepper&model=synthetic&fingerprint=0123456789abcdef";
  expect(location.hash).toBe(link);
});

it("what was typed is a step of its own, however soon an example follows", async () => {
  await open();
  const pushed = vi.spyOn(history, "pushState");
  type("she");
  await settled();
  type("she said");
  $("#textbox .examples button").click();
  await settled();
  const texts = pushed.mock.calls.map(([, , url]) => parse(new URL(String(url), location.href).hash).view.text); // prettier-ignore
  expect(texts).toEqual(["she", FIRST]);
  pushed.mockRestore();
  history.back();
  await settled();
  expect($<HTMLTextAreaElement>("textarea").value).toBe("she said");
});

it("opens a link with its own model, whatever the server's default has become", async () => {
  const other = { id: "newer", name: "Newer" };
  const api = serve();
  api.models.mockResolvedValue({ default: other.id, models: [other, model] });
  await open("#v=1&text=he+said&model=synthetic", api);
  expect(api.model.mock.calls.map(([id]) => id)).toEqual(["synthetic"]);
  expect(api.trace.mock.lastCall?.[0].model).toBe("synthetic");
});

it("looks inside a cell by the key I, says it in the link, and comes back on Escape", async () => {
  const api = await open();
  const cell = $("tbody tr:nth-child(3) td.cell");
  cell.focus();
  cell.dispatchEvent(new KeyboardEvent("keydown", { key: "i", bubbles: true }));
  await settled();
  expect(api.cell.mock.lastCall?.[0]).toMatchObject({ timestep: 2, kind: "cell_state", layer: 1 });
  expect(document.activeElement?.id).toBe("inside-title");
  expect($("#inside .said").textContent).toContain("larger in");
  expect(location.hash).toContain("inside=3.cell_state.1");
  (document.activeElement as HTMLElement).blur();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  await settled();
  expect($("#inside").hidden).toBe(true);
  expect(document.activeElement).toBe(cell);
  expect(location.hash).not.toContain("inside");
});

it("invites when the text is empty", async () => {
  await open();
  type("");
  await settled();
  expect($("#empty").hidden).toBe(false);
  expect($("#grid").hidden).toBe(true);
  $("#empty button").click();
  await frame();
  expect($<HTMLTextAreaElement>("textarea").value).toBe(FIRST);
});

it("does not send a text that is known to be too long", async () => {
  const api = await open();
  type("ж".repeat(9000));
  await settled();
  expect(api.trace).toHaveBeenCalledTimes(1);
  expect($(".problem").textContent).toMatch(/too long: 18,1\d\d bytes.*16,384/);
  expect($("#grid").classList.contains("stale")).toBe(true);
  type("he said");
  await settled();
  expect(document.querySelector(".problem")).toBeNull();
  expect($("#grid").classList.contains("stale")).toBe(false);
});

it("asks how long a text is only where that is open, and does not send what is too long", async () => {
  const api = await open();
  for (const text of ["he said that", "that he"]) {
    type(text);
    await settled();
  }
  expect(api.tokens).not.toHaveBeenCalled();
  const traced = api.trace.mock.calls.length;
  type("he!".repeat(300));
  await settled();
  expect(api.tokens.mock.calls.map(([{ text }]) => text)).toEqual(["he!".repeat(300)]);
  expect(api.trace).toHaveBeenCalledTimes(traced);
  expect($(".problem").textContent).toBe(
    "This text is too long: 600 tokens, and the server reads 512 at once. Shorten it; the grid shows the last text that fitted. ",
  );
  expect($("textarea").getAttribute("aria-invalid")).toBe("true");
  type("he said");
  await settled();
  expect(document.querySelector(".problem")).toBeNull();
});

it("says of a second text that both together are too long, and what they have", async () => {
  const api = serve();
  api.model.mockResolvedValue({ ...model, limits: { ...model.limits, tokens: 10 } });
  await open("#v=1&text=a,b,c,d,&compare=a,b,c,d,", api);
  await settled();
  expect($("#second .problem").textContent).toContain(
    "The second text is too long: both together have 16 tokens, and the server compares 10 at once.",
  );
  // Each is short enough to be read, and by then it is known how.
  expect(api.trace).toHaveBeenCalledTimes(2);
  expect(api.tokens).not.toHaveBeenCalled();
  expect(api.compare).not.toHaveBeenCalled();
});

/** Drops a file of a view on the page, as another server saved it. */
async function drop(saved: ModelInfo, text: string): Promise<void> {
  const query = { text, model: saved.id, semantic: "next" as const, bars: 10, top: 0.1 };
  const trace = { ...syntheticTrace(query), fingerprint: saved.fingerprint };
  const view = serialise({ ...DEFAULT_VIEW, text, model: saved.id });
  const file = { name: "view.json", size: 9, text: () => Promise.resolve(save({ view, model: saved, trace })) }; // prettier-ignore
  const event = new Event("drop", { bubbles: true, cancelable: true });
  document.body.dispatchEvent(Object.assign(event, { dataTransfer: { files: [file] } }));
  await settled();
}

it("asks the server what a file's model is here, before it goes on from the file", async () => {
  const api = await open();
  const elsewhere = { ...whole, fingerprint: "other", limits: { ...model.limits, tokens: 1 } };
  await drop(elsewhere, "she said .");
  expect($<HTMLTextAreaElement>("textarea").value).toBe("she said .");
  const [models, traces] = [api.model.mock.calls.length, api.trace.mock.calls.length];
  type("she said");
  type("she said that");
  await settled();
  expect(api.model).toHaveBeenCalledTimes(models + 1);
  expect(api.trace).toHaveBeenCalledTimes(traces + 1);
  expect(api.trace.mock.lastCall?.[0].text).toBe("she said that");
  expect(document.querySelector(".problem")).toBeNull();
  expect(document.querySelectorAll("#grid tbody tr")).toHaveLength(4);
});

it("goes on to the model that was chosen after a file, whatever is typed while its text is read", async () => {
  const third = { ...model, id: "third", name: "Third", fingerprint: "third" };
  const api = serve();
  api.models.mockResolvedValue({ default: model.id, models: [model, third] });
  api.model.mockImplementation((id) => Promise.resolve(id === "third" ? third : model));
  await open("", api);
  await drop({ ...whole, fingerprint: "other" }, "she said .");
  let answer = () => {};
  api.tokens.mockImplementationOnce(async (query) => {
    await new Promise<void>((done) => (answer = done));
    return syntheticRead(query);
  });
  const choice = $<HTMLSelectElement>("select[aria-label=Model]");
  choice.value = "third";
  choice.dispatchEvent(new Event("change"));
  await settled();
  type("she said that");
  await settled();
  answer();
  await settled();
  expect(choice.value).toBe("third");
  const { model: asked, text } = api.trace.mock.lastCall?.[0] ?? {};
  expect([asked, text]).toEqual(["third", "she said that"]);
});

it("asks nothing of a model that only a file has, and says so", async () => {
  const api = await open();
  await drop({ ...whole, id: "elsewhere" }, "she said .");
  const asked = [api.model, api.trace].map((kind) => kind.mock.calls.length);
  for (const text of ["she said", "she said that"]) {
    type(text);
    await settled();
    expect($(".problem").textContent).toContain("This server has no model “elsewhere”.");
  }
  expect([api.model, api.trace].map((kind) => kind.mock.calls.length)).toEqual(asked);
  expect(document.querySelectorAll("#grid tbody tr")).toHaveLength(4);
});

it("says a refusal in the server's words", async () => {
  const api = await open();
  const message = "The text has 600 tokens; the limit is 512.";
  api.trace.mockRejectedValueOnce(new ApiError(422, "too_many_tokens", message, "text"));
  type("a <b>b</b>");
  await settled();
  expect($(".problem").textContent).toContain(message);
  expect(document.querySelectorAll("td.cell")).toHaveLength(CELLS);
});

it("waits for a server that is gone, and recovers", async () => {
  const api = serve();
  api.models.mockRejectedValueOnce(new Unreachable("gone"));
  history.replaceState(null, "", "/");
  const { load } = createApp(api, () => ({ apply: () => false }));
  const loading = load();
  await frame();
  expect($(".problem").textContent).toContain("Can't reach the server");
  $(".problem button").click();
  await loading;
  await frame();
  await frame();
  expect(document.querySelector(".problem")).toBeNull();
  expect(document.querySelectorAll("td.cell")).toHaveLength(CELLS);
});

it("tells that the models are refused, and is not at a loss", async () => {
  const api = serve();
  api.models.mockRejectedValueOnce(new ApiError(500, "internal", "The server failed.", null));
  await open("#v=1&text=he+said", api);
  expect($(".problem").textContent).toContain("The server failed.");
  expect(api.trace).not.toHaveBeenCalled();
});

it("what is told of a word that cannot be watched goes with the word", async () => {
  const api = await open("#v=1&text=he+said&show=watch");
  api.trace.mockImplementation((query) =>
    query.watch?.includes(" ")
      ? Promise.reject(new ApiError(422, "invalid_field", "“foo bar” cannot be watched.", "watch"))
      : Promise.resolve(syntheticTrace(query)),
  );
  const field = $<HTMLInputElement>("#controls .shows input");
  const watch = async (word: string) => {
    field.value = word;
    field.dispatchEvent(new Event("change"));
    await settled();
    return $("#controls .shows small").textContent;
  };
  expect(await watch("foo bar")).toContain("cannot be watched");
  expect(await watch("")).toBe("type a word, then Enter");
  await watch("foo bar");
  const show = $<HTMLSelectElement>("#controls .shows select");
  for (const value of ["entropy", "watch"]) {
    show.value = value;
    show.dispatchEvent(new Event("change"));
    await settled();
  }
  expect($("#controls .shows small").textContent).toBe("type a word, then Enter");
});

it("says that a server is busy, and keeps what was typed", async () => {
  const api = await open();
  api.trace.mockRejectedValueOnce(new Busy(1));
  type("he said it .");
  await settled();
  expect($(".problem").textContent).toContain("The server is busy.");
  expect($<HTMLTextAreaElement>("textarea").value).toBe("he said it .");
  // All that is told of the text before is dimmed, and not the grid alone.
  const dimmed = () => document.querySelectorAll("#grid.stale, #tokens.reading, #legend.stale");
  expect(dimmed()).toHaveLength(3);
  $(".problem button").click();
  await settled();
  expect(document.querySelector(".problem")).toBeNull();
  expect(dimmed()).toHaveLength(0);
});

it("does not take half a character of an input method for a text", async () => {
  const api = await open();
  const box = $<HTMLTextAreaElement>("textarea");
  box.dispatchEvent(new Event("compositionstart"));
  type("にほ");
  await frame();
  expect(box.value).toBe("にほ");
  expect(api.trace).toHaveBeenCalledTimes(1);
  box.value = "日本";
  box.dispatchEvent(new Event("compositionend"));
  await settled();
  expect(api.trace.mock.lastCall?.[0].text).toBe("日本");
});

it("prints light what is dark on the screen, with what is marked, and comes back", async () => {
  await open("#text=he+said&theme=dark&pins=1.output");
  const fills = () =>
    [...document.querySelectorAll<HTMLElement>("i.colour")].map((i) => i.style.backgroundColor);
  const dark = fills();
  window.dispatchEvent(new Event("beforeprint"));
  const paper = fills();
  expect(document.querySelectorAll("td.cell.pin")).toHaveLength(1);
  window.dispatchEvent(new Event("afterprint"));
  await frame();
  expect(fills()).toEqual(dark);
  $("#header [title='Light theme']").click();
  await frame();
  expect(fills()).toEqual(paper);
  expect(paper).not.toEqual(dark);
});
