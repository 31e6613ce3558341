import { type Component, createChanged, el, fillSelect } from "./dom";
import { percent } from "./format";
import { layerKey, layerName } from "./layout";
import {
  GATES,
  LABELS,
  SCALE_NAMES,
  SCALES,
  type Labels,
  type Scale,
  type State,
  type View,
} from "./state";

export interface ControlsCallbacks {
  view(patch: Partial<View>): void;
}

const TOPS = [0.01, 0.05, 0.1, 0.25, 1];

const LABEL_NAMES: Record<Labels, string> = { symbol: "symbols", name: "names" };

const field = (label: string, control: HTMLElement) =>
  el("label", {}, el("span", {}, label), control);

const check = (label: string) => {
  const box = el("input", { type: "checkbox" });
  return { box, node: el("label", { class: "check" }, box, el("span", {}, label)) };
};

/** How the grid is drawn. Quiet: one disclosure, a line a choice. */
export function createControls(root: HTMLElement, on: ControlsCallbacks): Component<State> {
  const changed = createChanged();
  const bars = el("input", { type: "range", min: 0, max: 10, step: 1 });
  const barsShown = el("output");
  const top = el("select");
  const scale = el("select");
  const labels = el("select");
  const gates = check("hide gates");
  const layers = el("fieldset", {}, el("legend", {}, "layers"));
  const warning = el(
    "p",
    { class: "hint" },
    "Each cell has its own scale: bars of two cells cannot be compared.",
  );
  const summary = el("summary", { class: "button" }, "View");
  const panel = el(
    "div",
    { class: "menu panel" },
    field("bars in a cell", el("span", { class: "range" }, bars, barsShown)),
    field("full bar", scale),
    warning,
    field("class mass over the top", top),
    field("headers", labels),
    gates.node,
    layers,
  );
  const details = el("details", { class: "view" }, summary, panel);
  root.replaceChildren(details);

  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    details.open = false;
    summary.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !details.contains(event.target)) details.open = false;
  });
  bars.addEventListener("input", () => on.view({ bars: Number(bars.value) }));
  top.addEventListener("change", () => on.view({ top: Number(top.value) }));
  scale.addEventListener("change", () => on.view({ scale: scale.value as Scale }));
  labels.addEventListener("change", () => on.view({ labels: labels.value as Labels }));
  let view: View | null = null;
  gates.box.addEventListener("change", () => {
    const others = (view?.hide ?? []).filter((k) => !(GATES as readonly string[]).includes(k));
    on.view({ hide: gates.box.checked ? [...others, ...GATES] : others });
  });
  layers.addEventListener("change", () => {
    const boxes = [...layers.querySelectorAll<HTMLInputElement>("input")];
    on.view({ hide_layers: boxes.filter((b) => !b.checked).map((b) => b.value) });
  });

  return {
    update({ view: v, model }) {
      root.hidden = !model;
      if (!model || !changed(v, model)) return;
      view = v;
      bars.value = String(v.bars);
      barsShown.textContent = String(v.bars);
      const tops = [...new Set([...TOPS, v.top])].sort((a, b) => a - b);
      fillSelect(
        top,
        tops.map((t) => [String(t), percent(t)] as const),
        String(v.top),
      );
      fillSelect(
        scale,
        SCALES.map((s) => [s, SCALE_NAMES[s]] as const),
        v.scale,
      );
      fillSelect(
        labels,
        LABELS.map((l) => [l, LABEL_NAMES[l]] as const),
        v.labels,
      );
      warning.hidden = v.scale !== "cell";
      gates.box.checked = GATES.every((k) => v.hide.includes(k));
      const keys = [...new Set(model.columns.map(layerKey))];
      if (layers.dataset.keys !== keys.join()) {
        layers.dataset.keys = keys.join();
        layers.replaceChildren(
          el("legend", {}, "layers"),
          ...keys.map((key) => {
            const { box, node } = check(layerName(key));
            box.value = key;
            return node;
          }),
        );
      }
      for (const box of layers.querySelectorAll("input"))
        box.checked = !v.hide_layers.includes(box.value);
    },
  };
}
