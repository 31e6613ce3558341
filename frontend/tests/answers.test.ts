// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from "vitest";
import page from "../index.html?raw";
import { type Api, Unreachable } from "../src/api";
import { createApp } from "../src/app";
import { DELAYS } from "../src/asker";
import { save } from "../src/files/saved";
import { DEFAULT_VIEW } from "../src/state/view";
import type { ModelInfo } from "../src/types";
import { serialise } from "../src/url";
import { syntheticInside } from "./fixtures/inside";
import {
  syntheticComparison,
  syntheticModel,
  syntheticRead,
  syntheticTrace,
} from "./fixtures/synthetic";
import { syntheticLine } from "./fixtures/unit";

/** An answer stands only under the question and the network that it is of. The whole page in jsdom. */

const whole = syntheticModel();
const few = whole.columns.filter((c) => c.layer === null || c.kind === "cell_state");
const lstm: ModelInfo = { ...whole, columns: few };
const gru: ModelInfo = { ...lstm, id: "gru", name: "Synthetic · GRU", fingerprint: "gru" };

/** A server with both models; what it has under a name may be replaced. */
function serve() {
  const has = new Map([lstm, gru].map((m) => [m.id, m]));
  const of = (id: string) => has.get(id) ?? lstm;
  const stamp = <A extends object>(model: string, answer: A) => ({
    ...answer,
    fingerprint: of(model).fingerprint,
  });
  const api = {
    models: vi.fn<Api["models"]>(() =>
      Promise.resolve({ default: lstm.id, models: [...has.values()] }),
    ),
    model: vi.fn<Api["model"]>((id) => Promise.resolve(of(id))),
    tokens: vi.fn<Api["tokens"]>((q) => Promise.resolve(syntheticRead(q))),
    trace: vi.fn<Api["trace"]>((q) => Promise.resolve(stamp(q.model, syntheticTrace(q)))),
    cell: vi.fn<Api["cell"]>((q) => Promise.resolve(stamp(q.model, syntheticInside(q)))),
    unit: vi.fn<Api["unit"]>((q) => Promise.resolve(stamp(q.model, syntheticLine(q)))),
    compare: vi.fn<Api["compare"]>((q) => Promise.resolve(stamp(q.model, syntheticComparison(q)))),
  };
  return { api, has };
}

const frames = async () => {
  for (let n = 0; n < 3; n += 1) await new Promise((done) => requestAnimationFrame(done));
};
/** Longer than the pace of questions. */
const settled = async () => {
  await new Promise((done) => setTimeout(done, 330));
  await frames();
};
const $ = <T extends Element = HTMLElement>(selector: string) =>
  document.querySelector<T>(selector) as T;

async function open(view: Record<string, string> = {}, { api, has } = serve()) {
  const hash = new URLSearchParams({ v: "1", text: "he said .", ...view }).toString();
  history.replaceState(null, "", `/#${hash}`);
  const { load, store } = createApp(api, () => ({ apply: () => false }));
  await load();
  await settled();
  return { api, has, store };
}

function choose(id: string): void {
  const select = $<HTMLSelectElement>("select[aria-label=Model]");
  select.value = id;
  select.dispatchEvent(new Event("change"));
}

function type(text: string): void {
  const box = $<HTMLTextAreaElement>("textarea");
  box.value = text;
  box.dispatchEvent(new Event("input"));
}

const exports = () =>
  [...document.querySelectorAll<HTMLButtonElement>("#header button")].filter((b) =>
    /^(SVG|PNG|HTML|CSV|JSON)/.test(b.textContent),
  );
const heads = () => $("#grid thead").textContent;

beforeEach(() => {
  document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
});

describe("an answer", () => {
  it("is drawn without waiting for a frame, once what was typed meanwhile is sent", async () => {
    const { api } = await open();
    const frame = vi.spyOn(window, "requestAnimationFrame").mockReturnValue(0);
    const drawn = () => $("#grid tbody").textContent;
    /** What was drawn when each text was asked for. */
    const asked: Record<string, string> = {};
    let answer = () => {};
    api.trace.mockImplementation(async (query) => {
      asked[query.text] = drawn();
      await new Promise<void>((done) => (answer = done));
      return { ...syntheticTrace(query), fingerprint: lstm.fingerprint };
    });
    type("she went");
    await new Promise((done) => setTimeout(done, DELAYS.pace));
    type("she went home");
    await new Promise((done) => setTimeout(done, DELAYS.pace));
    answer();
    await vi.waitFor(() => expect(drawn()).toContain("went"));
    expect(asked["she went home"]).toBe(asked["she went"]);
    expect(drawn()).not.toContain("home");
    answer();
    await vi.waitFor(() => expect(drawn()).toContain("home"));
    frame.mockRestore();
  });
});

describe("a second text that is closed", () => {
  const close = () => $<HTMLButtonElement>("#second button[aria-label*=lose]").click();

  it("is gone, also where the first is too long to be asked about", async () => {
    const { store } = await open({ compare: "she said ." });
    expect(store.get().second).not.toBeNull();
    type("a ".repeat(600));
    await settled();
    expect(store.get().problem?.message).toContain("This text is too long");
    expect(store.get().second).not.toBeNull();
    close();
    await settled();
    const { view, second, comparison } = store.get();
    expect([view.compare, second, comparison]).toEqual([null, null, null]);
    expect(view.text).toBe("a ".repeat(600));
  });
});

describe("a model that is chosen", () => {
  it("never has the rows of the one before: they stay dimmed under their own heads, and are not saved", async () => {
    const perplexity = { next: 9876.5 };
    const { api, has, store } = await open();
    has.set("gru", { ...gru, columns: few.map((c) => ({ ...c, perplexity })) });
    const before = heads();
    expect(exports().map((b) => b.disabled)).toEqual(Array(5).fill(false));
    let answer = () => {};
    const slow = api.trace.getMockImplementation();
    api.trace.mockImplementationOnce(async (query) => {
      await new Promise<void>((done) => (answer = done));
      return slow?.(query) ?? Promise.reject(new Error());
    });
    choose("gru");
    await settled();
    expect(store.get().model?.id).toBe("gru");
    expect(store.get().trace).toBeNull();
    expect([$("#grid").inert, $("#grid").hidden]).toEqual([true, false]);
    expect($("#grid").classList.contains("stale")).toBe(true);
    expect(heads()).toBe(before);
    expect(exports().map((b) => b.disabled)).toEqual(Array(5).fill(true));
    answer();
    await settled();
    expect([$("#grid").inert, $("#grid").classList.contains("stale")]).toEqual([false, false]);
    expect(heads()).not.toBe(before);
    expect(store.get().trace?.fingerprint).toBe("gru");
  });

  it("shows nothing while the server is gone, and says why", async () => {
    const { api } = await open();
    api.trace.mockRejectedValueOnce(new Unreachable("gone"));
    choose("gru");
    await settled();
    expect($("#grid").hidden).toBe(true);
    expect($(".problem").textContent).toContain("Can't reach the server.");
    $(".problem button").click();
    await settled();
    expect($("#grid").hidden).toBe(false);
  });

  it("is not asked about the cell and the unit of the one before", async () => {
    const { api } = await open({ inside: "2.cell_state.1", unit: "cell_state.1.2" });
    api.trace.mockImplementationOnce(() => new Promise(() => {}));
    const [cells, units] = [api.cell.mock.calls.length, api.unit.mock.calls.length];
    choose("gru");
    await settled();
    expect([api.cell.mock.calls.length, api.unit.mock.calls.length]).toEqual([cells, units]);
    expect(document.body.textContent).not.toContain("another model");
  });
});

describe("a server that takes another network under the same name", () => {
  it("describes it again as soon as an answer is of it", async () => {
    const { api, has, store } = await open();
    has.set(lstm.id, { ...lstm, fingerprint: "retrained", name: "Retrained" });
    const described = api.model.mock.calls.length;
    type("he said that");
    await settled();
    await settled();
    expect(api.model).toHaveBeenCalledTimes(described + 1);
    expect(store.get().model?.name).toBe("Retrained");
    expect(store.get().trace?.fingerprint).toBe("retrained");
    expect(store.get().trace?.asked.text).toBe("he said that");
    expect(document.querySelector(".problem")).toBeNull();
    // A link that is copied from the address is of what is seen.
    await vi.waitFor(() => expect(location.hash).toContain("fingerprint=retrained"));
  });

  it("describes it again when the inside of a cell is of it", async () => {
    const { has, store } = await open();
    has.set(lstm.id, { ...lstm, fingerprint: "retrained" });
    const cell = $("#grid tbody tr:nth-child(2) td.cell");
    cell.dispatchEvent(new KeyboardEvent("keydown", { key: "i", bubbles: true }));
    await settled();
    await settled();
    expect(store.get().trace?.fingerprint).toBe("retrained");
    expect(store.get().look?.answer?.fingerprint).toBe("retrained");
    expect(store.get().look?.problem).toBeNull();
  });

  it("does not stand in the way of a link that is opened meanwhile", async () => {
    const { api, has, store } = await open();
    has.set(lstm.id, { ...lstm, fingerprint: "retrained" });
    const [list, trace] = [api.models.getMockImplementation(), api.trace.getMockImplementation()];
    let [answer, listed] = [() => {}, () => {}];
    api.trace.mockImplementationOnce(async (query) => {
      await new Promise<void>((done) => (answer = done));
      return trace?.(query) ?? Promise.reject(new Error());
    });
    api.models.mockImplementationOnce(async () => {
      await new Promise<void>((done) => (listed = done));
      return list?.() ?? Promise.reject(new Error());
    });
    type("he said that");
    await settled();
    history.replaceState(null, "", "/#v=1&text=she+said&model=gru");
    window.dispatchEvent(new Event("hashchange"));
    answer();
    await settled();
    listed();
    await settled();
    expect(store.get().model?.id).toBe("gru");
    expect(store.get().trace?.asked).toMatchObject({ text: "she said", model: "gru" });
  });

  it("is not asked without a pause while it goes on describing the one before", async () => {
    const { api, store } = await open();
    const old = lstm;
    api.trace.mockImplementation((q) =>
      Promise.resolve({ ...syntheticTrace(q), fingerprint: "b" }),
    );
    api.model.mockImplementation(() => Promise.resolve(old));
    const [traced, began] = [api.trace.mock.calls.length, Date.now()];
    type("he said that");
    for (let n = 0; n < 3; n += 1) await settled();
    // The first two are one answer that does not go on from the old rows; then a second between two.
    const most = 4 + (Date.now() - began) / 1000;
    expect(api.trace.mock.calls.length - traced).toBeLessThanOrEqual(most);
    expect($(".problem").textContent).toContain("The server is changing its model.");
    api.model.mockImplementation(() => Promise.resolve({ ...old, fingerprint: "b" }));
    $(".problem button").click();
    await settled();
    expect(store.get().trace?.fingerprint).toBe("b");
    expect(document.querySelector(".problem")).toBeNull();
  });
});

describe("a server of two networks under one name", () => {
  it.each(["a second text", "a comparison"])("is not asked without a pause: %s", async (what) => {
    const served = serve();
    const { api } = served;
    const [trace, compare] = [api.trace.getMockImplementation(), api.compare.getMockImplementation()]; // prettier-ignore
    const foreign = { fingerprint: "b" };
    if (what === "a comparison")
      api.compare.mockImplementation(async (q) => ({ ...(await compare?.(q) ?? syntheticComparison(q)), ...foreign })); // prettier-ignore
    else
      api.trace.mockImplementation(async (q) => {
        const answer = (await trace?.(q)) ?? syntheticTrace(q);
        return q.text === "she said ." ? { ...answer, ...foreign } : answer;
      });
    const began = Date.now();
    await open({ compare: "she said ." }, served);
    for (let n = 0; n < 3; n += 1) await settled();
    // When it is opened, at once when it was another, and then with a pause.
    const most = 2 + (Date.now() - began) / 1000;
    expect(api.model.mock.calls.length).toBeLessThanOrEqual(most);
    expect($(".problem").textContent).toContain("The server is changing its model.");
    api.compare.mockImplementation(compare ?? (() => Promise.reject(new Error())));
    api.trace.mockImplementation(trace ?? (() => Promise.reject(new Error())));
    $(".problem button").click();
    await settled();
    await settled();
    expect(document.querySelector(".problem")).toBeNull();
    expect($("#compare").hidden).toBe(false);
  });

  it("takes no notice away that was not dismissed", async () => {
    const { has, store } = await open({ hide: "no_such_kind" });
    const notices = store.get().notices;
    expect(notices.join(" ")).toContain("no kind “no_such_kind”");
    has.set(lstm.id, { ...lstm, fingerprint: "retrained" });
    type("he said that");
    await settled();
    await settled();
    expect(store.get().model?.fingerprint).toBe("retrained");
    expect(store.get().notices).toEqual(notices);
  });
});

describe("the line of a unit", () => {
  it.each([
    ["semantic", () => $<HTMLButtonElement>("#header .segments button[value=this]").click()],
    [
      "class of one's own",
      () => {
        $<HTMLButtonElement>("#legend .add").click();
        $<HTMLTextAreaElement>(".own textarea").value = "he his";
        $<HTMLFormElement>(".own").requestSubmit();
      },
    ],
  ])("stays that of the text after another %s, and is asked for once", async (_, act) => {
    const { api, store } = await open({ unit: "cell_state.1.2" });
    const before = store.get().trace;
    act();
    await settled();
    const { trace, line } = store.get();
    expect(trace).not.toBe(before);
    expect(line?.sides.map((side) => side.trace)).toEqual([trace]);
    expect($("#unit").classList.contains("stale")).toBe(false);
    expect(api.unit).toHaveBeenCalledTimes(1);
  });
});

describe("a file that is opened while the page waits for the server", () => {
  const text = "she said .";
  async function drop(): Promise<void> {
    const query = { text, model: lstm.id, semantic: "next" as const, bars: 10, top: 0.1 };
    const view = serialise({ ...DEFAULT_VIEW, text, model: lstm.id });
    const data = save({ view, model: lstm, trace: syntheticTrace(query) });
    const file = { name: "view.json", size: 9, text: () => Promise.resolve(data) };
    const event = new Event("drop", { bubbles: true, cancelable: true });
    document.body.dispatchEvent(Object.assign(event, { dataTransfer: { files: [file] } }));
    await settled();
  }

  it("ends the waiting: nothing is asked and nothing told any more; later the models are listed", async () => {
    const served = serve();
    const { api } = served;
    api.models.mockRejectedValue(new Unreachable("gone"));
    history.replaceState(null, "", "/");
    const { load, store } = createApp(api, () => ({ apply: () => false }));
    void load();
    await frames();
    expect($(".problem").textContent).toContain("Can't reach the server");
    await drop();
    expect(document.querySelector(".problem")).toBeNull();
    const asked = api.models.mock.calls.length;
    await new Promise((done) => setTimeout(done, 1100));
    await frames();
    expect(api.models).toHaveBeenCalledTimes(asked);
    expect(document.querySelector(".problem")).toBeNull();
    expect($<HTMLTextAreaElement>("textarea").value).toBe(text);
    const list = serve().api.models;
    api.models.mockImplementation(list);
    type("she said that");
    await settled();
    expect(store.get().models.map(({ id }) => id)).toEqual([lstm.id, gru.id]);
    expect(store.get().trace?.asked.text).toBe("she said that");
  });

  it("does not lose the list of models that comes after it", async () => {
    const { api } = serve();
    let answer = () => {};
    api.models.mockImplementation(async () => {
      await new Promise<void>((done) => (answer = done));
      return { default: lstm.id, models: [lstm, gru] };
    });
    history.replaceState(null, "", "/");
    const { load, store } = createApp(api, () => ({ apply: () => false }));
    void load();
    await drop();
    answer();
    await settled();
    expect(store.get().models.map(({ id }) => id)).toEqual([lstm.id, gru.id]);
    expect(store.get().view.text).toBe(text);
  });
});
