import { type Component, createChanged, el, fillSelect } from "./dom";
import { inUnits } from "./format";
import type { State } from "./state";
import { SEMANTIC_MEANINGS, SEMANTIC_NAMES } from "./state/choices";
import { SEMANTICS, type Semantic, unitOf } from "./types";

export interface HeaderCallbacks {
  model(id: string): void;
  semantic(semantic: Semantic): void;
  theme(): void;
  help(): void;
}

/** The brand, what is asked of the states, and what concerns the whole page. */
export function createHeader(
  root: HTMLElement,
  on: HeaderCallbacks,
  about: HTMLElement,
  menus: readonly HTMLElement[] = [],
): Component<State> {
  const changed = createChanged();
  const model = el("select", { "aria-label": "Model", class: "button" });
  const only = el("span", { class: "model" });
  const semantic = el("div", {
    class: "segments",
    role: "group",
    "aria-label": "What each cell predicts",
  });
  const theme = el("button", { type: "button", class: "button icon" });
  const help = el(
    "button",
    {
      type: "button",
      class: "button icon",
      "aria-label": "How to read this",
      title: "How to read this",
    },
    "?",
  );
  root.append(model, only, about, semantic, ...menus, theme, help);

  model.addEventListener("change", () => {
    const chosen = model.value;
    // It shows when it is on its way: it may be refused before the next drawing.
    model.value = model.dataset.value ?? "";
    on.model(chosen);
  });
  theme.addEventListener("click", () => on.theme());
  help.addEventListener("click", () => on.help());

  return {
    update({ models, model: info, coming, view, dark }) {
      if (!changed(models, info, coming, view.semantic, dark)) return;
      // A file brings its model along: the server need not have it.
      const listed = models.map((m) => [m.id, m.name] as const);
      if (info && !models.some(({ id }) => id === info.id)) listed.push([info.id, info.name]);
      model.hidden = listed.length < 2;
      only.hidden = !model.hidden || !info;
      only.textContent = info?.name ?? "";
      model.title = only.title = info?.description ?? "";
      if (!model.hidden) fillSelect(model, listed, coming ?? info?.id ?? "");
      const offered = SEMANTICS.filter((s) => info?.semantics.includes(s));
      semantic.hidden = offered.length < 2;
      const unit = unitOf(info);
      const named = [unit, ...offered].join();
      if (semantic.dataset.offered !== named) {
        semantic.dataset.offered = named;
        semantic.replaceChildren(
          ...offered.map((s) => {
            const title = inUnits(`Each cell predicts ${SEMANTIC_MEANINGS[s]}`, unit);
            const name = inUnits(SEMANTIC_NAMES[s], unit);
            const button = el("button", { type: "button", value: s, title }, name);
            button.addEventListener("click", () => on.semantic(s));
            return button;
          }),
        );
      }
      for (const button of semantic.querySelectorAll("button"))
        button.setAttribute("aria-pressed", String(button.value === view.semantic));
      theme.textContent = dark ? "☀" : "☾";
      theme.title = dark ? "Light theme" : "Dark theme";
      theme.setAttribute("aria-label", theme.title);
    },
  };
}
