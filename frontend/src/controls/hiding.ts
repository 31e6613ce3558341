import { linesOf, meetNone } from "../alignment";
import { type Component, createChanged, el } from "../dom";
import { gatesOf, layerKey, layerName } from "../columns";
import { readSpans, spansRefused, writeSpans } from "../spans";
import type { State } from "../state";
import type { View } from "../state/view";
import { check, field } from "./fields";

/** Which rows and columns are shown: timesteps, kinds, gates at once, layers. */
export function createHiding(
  root: HTMLElement,
  on: { view(patch: Partial<View>): void },
): Component<State> {
  const changed = createChanged();
  const rows = el("input", {
    type: "text",
    placeholder: "all, or 2-5, 9",
    autocomplete: "off",
    "aria-describedby": "rows-said",
  });
  const said = el("p", { class: "hint", id: "rows-said", role: "status" });
  const gates = check("all gates");
  const kinds = el("fieldset", { class: "kinds-shown" });
  const layers = el("fieldset");
  root.append(field("timesteps", rows), said, kinds, layers);

  let view: View | null = null;
  let gateKinds: string[] = [];
  const rowsChanged = createChanged();
  /** Why what was typed is not in force: it stays there, to be mended, until other rows are shown. */
  let refused = "";
  rows.addEventListener("change", () => {
    const spans = readSpans(rows.value);
    refused = spansRefused(rows.value);
    said.textContent = refused;
    if (spans) on.view({ rows: spans });
  });
  gates.box.addEventListener("change", () => {
    const others = (view?.hide ?? []).filter((kind) => !gateKinds.includes(kind));
    on.view({ hide: gates.box.checked ? others : [...others, ...gateKinds] });
  });
  const unticked = (fieldset: HTMLElement) =>
    [...fieldset.querySelectorAll<HTMLInputElement>("input")]
      .filter((box) => box.value && !box.checked)
      .map((box) => box.value);
  kinds.addEventListener("change", ({ target }) => {
    if (target !== gates.box) on.view({ hide: unticked(kinds) });
  });
  layers.addEventListener("change", () => on.view({ hide_layers: unticked(layers) }));

  return {
    update({ view: v, model, trace, second, comparison }) {
      const { hide, hide_layers } = v;
      if (!model || !changed(hide, hide_layers, v.rows, model, trace, second, comparison)) return;
      view = v;
      if (rowsChanged(writeSpans(v.rows))) refused = "";
      if (document.activeElement !== rows && !refused)
        rows.value = writeSpans(v.rows).replaceAll(",", ", ");
      const none = v.rows.length && trace && meetNone(linesOf(trace, second, comparison), v.rows);
      const texts = v.compare === null ? "This text has" : "The texts have";
      said.textContent = refused || (none ? `${texts} none of these: all are shown.` : "");
      const names = new Map(
        model.columns.filter((c) => c.layer !== null).map((c) => [c.kind, c] as const),
      );
      const keys = [...new Set(model.columns.map(layerKey))];
      // A model may be trained or saved anew under its name, with other kinds.
      const offered = JSON.stringify([...names.values()].map(({ kind, name }) => [kind, name]).concat(keys)); // prettier-ignore
      if (kinds.dataset.offered !== offered) {
        kinds.dataset.offered = offered;
        kinds.replaceChildren(
          el("legend", {}, "kinds"),
          gates.node,
          ...[...names].map(([kind, { name }]) => check(name.toLowerCase(), kind).node),
        );
        layers.replaceChildren(
          el("legend", {}, "layers"),
          ...keys.map((key) => check(layerName(key), key).node),
        );
      }
      for (const box of kinds.querySelectorAll("input")) box.checked = !v.hide.includes(box.value);
      gateKinds = gatesOf(model);
      const shown = gateKinds.filter((kind) => !v.hide.includes(kind)).length;
      gates.box.checked = shown > 0;
      gates.box.indeterminate = shown > 0 && shown < gateKinds.length;
      gates.node.hidden = !gateKinds.length;
      for (const box of layers.querySelectorAll("input"))
        box.checked = !v.hide_layers.includes(box.value);
    },
  };
}
