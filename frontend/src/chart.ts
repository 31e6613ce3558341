import { type Component, createChanged, el, fillSelect, symbol } from "./dom";
import { isBrowsers } from "./keys";
import { columnsOf } from "./columns";
import { perplexity } from "./format";
import { explained, perplexitiesOf, type Perplexities, spokenBar } from "./perplexities";
import type { State } from "./state";
import { AXES, type Axis } from "./state/choices";
import { createTold } from "./told";

export interface ChartCallbacks {
  axis(axis: Axis): void;
  /** A bar was chosen: its column is meant. */
  column(key: string): void;
  /** Saves the chart, and answers what to tell. */
  save(): string;
}

const AXIS_NAMES: Record<Axis, string> = { cut: "linear, cut at 400", log: "logarithmic" };

const percentOf = (part: number) => `${(100 * part).toFixed(2)}%`;

/** How far each column can be trusted: held-out perplexity in column order, the paper's Figure 3. */
export function createChart(root: HTMLElement, on: ChartCallbacks): Component<State> {
  const changed = createChanged();
  const axis = el("select");
  const save = el("button", { type: "button", class: "quiet-button" }, "Save SVG");
  const line = el("small", { role: "status" });
  const told = createTold(line);
  const title = el("span", { id: "chart-title" }, "Perplexity of each kind");
  const ticks = el("div", { "aria-hidden": "true" });
  const bars = el("div", {
    class: "bars",
    role: "toolbar",
    "aria-label": "Kinds of hidden state: press one to find its column",
  });
  const hint = el("p", { class: "hint" });
  root.replaceChildren(
    el("h2", {}, title, line, el("label", {}, "axis ", axis), save),
    el("div", { class: "plot" }, ticks, bars),
    hint,
  );
  let key: string | null = null;

  axis.addEventListener("change", () => on.axis(axis.value as Axis));
  save.addEventListener("click", () => told.tell(on.save()));

  const buttons = () => [...bars.querySelectorAll("button")];
  /** One bar can be reached with Tab; the arrows do the rest. */
  function setTabStop(stop: HTMLElement | undefined): void {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1;
  }
  bars.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (!button) return;
    setTabStop(button);
    on.column(button.value);
  });
  bars.addEventListener("keydown", (event) => {
    if (isBrowsers(event)) return;
    const all = buttons();
    const at = all.findIndex((button) => button === document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1 }[event.key];
    const next = to === undefined ? undefined : all[Math.max(0, Math.min(all.length - 1, to))];
    if (!next) return;
    event.preventDefault();
    setTabStop(next);
    next.focus();
  });

  function draw(drawn: Perplexities): void {
    ticks.replaceChildren(
      ...drawn.ticks.map(({ at, label }) => {
        const tick = el("div", { class: "tick" }, el("span", {}, label));
        tick.style.bottom = percentOf(at);
        return tick;
      }),
    );
    bars.replaceChildren(
      ...drawn.bars.map((bar) => {
        const length = el("i", { class: "length" }, el("span", {}, bar.figure));
        length.style.height = percentOf(bar.length);
        const { column } = bar;
        return el(
          "button",
          {
            type: "button",
            value: column.key,
            class: [column.gap && `after-${column.gap}`, bar.cut && "cut"]
              .filter(Boolean)
              .join(" "),
            "aria-label": spokenBar(bar),
            title: spokenBar(bar),
          },
          length,
          symbol(column.symbol, column.layer),
        );
      }),
    );
    if (drawn.network) {
      const figure = perplexity(drawn.network.value);
      const label = el("span", {}, symbol("y", null), ` ${figure}`);
      const rule = el("div", { class: "network", title: `the network itself: ${figure}` }, label);
      rule.style.bottom = percentOf(drawn.network.at);
      bars.after(rule);
    }
  }

  return {
    update({ model, trace, view, column }) {
      const drawn = model && trace?.tokens.length ? columnsOf(model, model.columns, view) : [];
      root.hidden = !drawn.length;
      if (!model || root.hidden) return;
      const { semantic, hide, hide_layers } = view;
      if (changed(model, semantic, view.axis, hide, hide_layers)) {
        const focused = bars.contains(document.activeElement);
        root.querySelector(".network")?.remove();
        const told = perplexitiesOf(drawn, semantic, view.axis);
        draw(told);
        hint.textContent = explained(semantic, !!told.network, model);
        fillSelect(
          axis,
          AXES.map((a) => [a, AXIS_NAMES[a]] as const),
          view.axis,
        );
        key = null;
        const stop = buttons().find((button) => button.value === column) ?? buttons()[0];
        setTabStop(stop);
        if (focused) stop?.focus();
      }
      if (key === (column ?? "")) return;
      key = column ?? "";
      for (const button of buttons())
        button.setAttribute("aria-pressed", String(button.value === column));
    },
  };
}
