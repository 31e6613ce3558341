// @vitest-environment jsdom
import { expect, it } from "vitest";
import { aloneLines } from "../src/alignment";
import { selected, selectionOf } from "../src/selection";
import { coloursOf } from "../src/colour/palette";
import { drawFigure } from "../src/figure";
import { html, popupCells } from "../src/files/html";
import { columnsOf } from "../src/columns";
import { standalone } from "../src/standalone";
import { DEFAULT_VIEW } from "../src/state/view";
import { syntheticComparison, syntheticModel, syntheticTrace } from "./fixtures/synthetic";

/** Opens a saved page here, and answers a press on its figure. */
function opened(page: string) {
  document.body.innerHTML = /<body>([\s\S]*)<\/body>/.exec(page)?.[1] ?? "";
  standalone();
  return (key: string) =>
    document.getElementById("figure")?.dispatchEvent(new KeyboardEvent("keydown", { key }));
}

it("a saved page shows a cell's figures on hover and by keyboard", () => {
  const model = syntheticModel();
  const text = "he <b> said";
  const trace = syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1 });
  const view = { ...DEFAULT_VIEW, text, hide_layers: ["1", "2"] };
  const columns = columnsOf(model, trace.columns, view);
  const cells = popupCells(trace, model, selected(aloneLines([0, 1, 2, 3, 4, 5, 6, 7]), columns), coloursOf(trace.classes, model.palettes, view), "fixed"); // prettier-ignore
  const { svg } = drawFigure({ trace, model, view, dark: false, width: 900 });
  const colours = { paper: "#fff", ink: "#000", cell: "#fff" };
  const page = html({ svg, title: text, cells, script: standalone.toString(), colours });
  const press = opened(page);

  const popup = document.getElementById("popup") as HTMLElement;
  const groups = [...document.querySelectorAll("g[data-c]")];
  expect(popup.hidden).toBe(true);
  groups[1]?.firstElementChild?.dispatchEvent(new Event("pointerover", { bubbles: true }));
  expect(popup.hidden).toBe(false);
  expect(popup.querySelector("h1")?.textContent).toBe(`<bos> · ${columns[1]?.name ?? ""}`);
  expect(popup.querySelectorAll("section div")).toHaveLength(10);
  expect(popup.querySelector("dl")?.textContent).toContain("entropy");

  press("ArrowDown");
  press("ArrowLeft");
  expect(popup.querySelector("h1")?.textContent).toBe(`he · ${columns[0]?.name ?? ""}`);
  expect(document.querySelectorAll("g.on")).toHaveLength(1);
  press("Escape");
  expect(popup.hidden).toBe(true);
  expect(document.querySelector("title, b")).toBeNull();
});

it("the exact divergences of two texts are still told where no popup tells them", () => {
  const model = syntheticModel();
  const of = (text: string) => syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1 }); // prettier-ignore
  const texts = ["he said", "she said"] as [string, string];
  const comparison = syntheticComparison({ texts, model: model.id, semantic: "next" });
  const view = { ...DEFAULT_VIEW, text: texts[0], compare: texts[1], hide_layers: ["0", "1"] };
  const compared = { second: of(texts[1]), comparison };
  const figure = { trace: of(texts[0]), compared, model, view, dark: false, width: 900 };
  const colours = { paper: "#fff", ink: "#000", cell: "#fff" };
  const script = standalone.toString();
  opened(html({ svg: drawFigure(figure).svg, title: "", cells: [], script, colours }));
  const titles = [...document.querySelectorAll("#figure title")].map((t) => t.textContent);
  expect(titles.filter((said) => / \d\.\d{6} bits$/.test(said)).length).toBeGreaterThan(20);
  expect(document.querySelector("svg > title, g[data-c] title")).toBeNull();
});

it("every pinned cell of a saved page is reached, in whatever columns they stand", () => {
  const model = syntheticModel();
  const text = "he said .";
  const trace = syntheticTrace({ text, model: model.id, semantic: "next", bars: 10, top: 0.1 });
  const pins = [
    { t: 0, kind: "embedding", layer: 0 },
    { t: 1, kind: "cell_state", layer: 1 },
    { t: 1, kind: "cell_state", layer: 2 },
    { t: 3, kind: "output", layer: null },
  ];
  const view = { ...DEFAULT_VIEW, text, pins };
  const selection = selectionOf(trace, model, view, "pinned");
  const colours = coloursOf(trace.classes, model.palettes, view);
  const cells = popupCells(trace, model, selection, colours, "fixed");
  const { svg } = drawFigure({ trace, model, view, dark: false, width: 900, part: "pinned" });
  const inks = { paper: "#fff", ink: "#000", cell: "#fff" };
  const press = opened(html({ svg, title: text, cells, script: standalone.toString(), colours: inks })); // prettier-ignore
  const told = ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown"].map((key) => {
    press(key);
    return document.querySelector("#popup h1")?.textContent;
  });
  const [, first, second] = ["", "he · Cell state", ". · Output"];
  expect(told).toEqual(["<bos> · Embedding", first, first, second, second]);
});
