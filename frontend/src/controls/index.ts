import { linesOf, shownOf } from "../alignment";
import { ofFew } from "../describe";
import { type Component, createChanged, el, fillSelect } from "../dom";
import { handOn } from "../focus";
import { percent } from "../format";
import { columnsOf } from "../columns";
import { createMenu } from "../menu";
import { firstUnit } from "../unitline/said";
import type { State } from "../state";
import {
  DENSITIES,
  type Density,
  LABELS,
  type Labels,
  type Scale,
  SCALE_NAMES,
  SCALES,
} from "../state/choices";
import { BARS_ASKED, DEFAULT_VIEW, type View } from "../state/view";
import { saysLabels } from "../types";
import { field } from "./fields";
import { createHiding } from "./hiding";
import { createShows } from "./shows";

export interface ControlsCallbacks {
  view(patch: Partial<View>): void;
}

const TOPS = [0.01, 0.05, 0.1, 0.25, 1];
const LABEL_NAMES: Record<Labels, string> = { symbol: "symbols", name: "names" };
const DENSITY_NAMES: Record<Density, string> = {
  rectangles: "rectangles only",
  bars: "with bars",
  roomy: "roomy",
};

/** How the grid is drawn. Quiet: what rectangles show, and one disclosure with a line a choice. */
export function createControls(root: HTMLElement, on: ControlsCallbacks): Component<State> {
  const changed = createChanged();
  const shows = el("div", { class: "shows" });
  const density = el("select");
  const bars = el("input", { type: "range", min: 0, max: BARS_ASKED, step: 1 });
  const barsShown = el("output");
  const top = el("select");
  const scale = el("select");
  const labels = el("select");
  const hiding = el("div");
  const warning = el(
    "p",
    { class: "hint" },
    "Each cell has its own scale: bars of two cells cannot be compared.",
  );
  const over = field("rectangles sum the top", top);
  const menu = createMenu("View", "view");
  menu.list.classList.add("panel");
  menu.list.append(
    field("density", density),
    field("bars in a cell", el("span", { class: "range" }, bars, barsShown)),
    field("full bar", scale),
    warning,
    over,
    field("headers", labels),
    hiding,
  );
  const all = el("button", { type: "button", class: "quiet-button" });
  const unit = el(
    "button",
    { type: "button", class: "button", title: "One unit's value along the text, as a line" },
    "One unit",
  );
  root.replaceChildren(shows, all, unit, menu.node);
  const parts = [createShows(shows, on), createHiding(hiding, on)];

  density.addEventListener("change", () => on.view({ density: density.value as Density }));
  bars.addEventListener("input", () => on.view({ bars: Number(bars.value) }));
  top.addEventListener("change", () => on.view({ top: Number(top.value) }));
  scale.addEventListener("change", () => on.view({ scale: scale.value as Scale }));
  labels.addEventListener("change", () => on.view({ labels: labels.value as Labels }));
  let model: State["model"] = null;
  let drawn = false;
  unit.addEventListener("click", () =>
    on.view({ unit: drawn || !model ? null : firstUnit(model) }),
  );
  all.addEventListener("click", () => {
    const { hide, hide_layers, rows } = DEFAULT_VIEW;
    on.view({ hide, hide_layers, rows });
  });

  /** What is hidden, in words; what is out of sight must not be out of mind. */
  function hidden({ model, trace, second, comparison, view }: State): string {
    if (!model) return "";
    const columns = model.columns.length - columnsOf(model, model.columns, view).length;
    const lines = trace ? linesOf(trace, second, comparison) : [];
    const rows = lines.length - shownOf(lines, view.rows).length;
    const told = (n: number, what: string) => (n ? [`${n} ${what}${n === 1 ? "" : "s"}`] : []);
    const list = [...told(columns, "column"), ...told(rows, "row")];
    return list.length ? `${list.join(", ")} hidden: show all` : "";
  }

  return {
    update(state) {
      const { view: v, trace, second, comparison } = state;
      model = state.model;
      drawn = v.unit !== null;
      unit.setAttribute("aria-pressed", String(drawn));
      root.hidden = !model;
      for (const part of parts) part.update(state);
      if (!model || !changed(v, model, trace, second, comparison)) return;
      all.textContent = hidden(state);
      handOn(
        root,
        () => (all.hidden = !all.textContent),
        () => () => menu.summary,
      );
      fillSelect(
        density,
        DENSITIES.map((d) => [d, DENSITY_NAMES[d]] as const),
        v.density,
      );
      bars.disabled = v.density === "rectangles";
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
      // Of few, all are summed.
      over.hidden = saysLabels(model) || (trace !== null && ofFew(trace, model));
    },
  };
}
