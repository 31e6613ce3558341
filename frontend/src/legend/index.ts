import { select } from "d3";
import { linesOf, rowsIn, sharesOn } from "../alignment";
import { classesOf, freeColour, OWN_LIMITS, ownIndex } from "../colour/own";
import { type Key, legendKey } from "../colour/measure";
import { coloursOf, firstOfColour, groupName, presetOf } from "../colour/palette";
import { groundOf } from "../colour/ground";
import { needsRim, NO_COLOUR } from "../colour/rgb";
import { type Component, createChanged, el, fillSelect, write } from "../dom";
import { handOn } from "../focus";
import { inUnits, percent } from "../format";
import { columnsOf } from "../columns";
import { barsShown } from "../measures";
import { secondOf } from "../paint";
import type { State } from "../state";
import { SCALE_NAMES, type Scale } from "../state/choices";
import { type OwnClass, saysLabels, unitOf, type WordClass } from "../types";
import { createFiles } from "./files";
import { createOwnForm } from "./own";

export interface LegendCallbacks {
  colour(id: string, colour: string): void;
  /** Gives a class the colour of another; with null its own again. */
  merge(id: string, into: string | null): void;
  /** A class of one's own as it is to be, under its number; with null it is removed. */
  own(index: number, own: OwnClass | null, colour: string): void;
  /** Saves the palette as a file; answers what to tell. */
  save(): string;
  open(file: File): void;
  preset(id: string): void;
  undo(): void;
  reset(): void;
  /** How long bars are. */
  scale(scale: Scale): void;
}

/** The children of a class's line; the last two of one's own class alone. */
interface Parts {
  colour: HTMLInputElement;
  name: HTMLElement;
  into: HTMLSelectElement;
  figure: HTMLElement;
  words?: HTMLElement;
  change?: HTMLButtonElement;
}

/** The legend is the palette editor: a colour a class, classes merged by giving them one colour. */
export function createLegend(root: HTMLElement, on: LegendCallbacks): Component<State> {
  const changed = createChanged();
  const edit = el(
    "button",
    { type: "button", class: "quiet-button", "aria-pressed": "false" },
    "merge",
  );
  edit.title = "Give two classes one colour: they then count as one";
  const list = el("ul", { class: "legend" });
  const add = el("button", { type: "button", class: "quiet-button add" });
  const form = createOwnForm({
    own: (index, own, colour) => on.own(index, own, colour),
    closed: () => (opener.isConnected ? opener : add).focus(),
  });
  let state: State | null = null;
  /** Opens the form for a class of one's own, or for a new one. */
  let opener: HTMLElement = add;
  function edited(index: number, from: HTMLElement): void {
    const own = state?.view.classes[index] ?? null;
    const shown = list.querySelector<HTMLInputElement>(`li[data-own="${index}"] input`);
    const used = [...list.querySelectorAll("input")].map(({ value }) => value);
    const colour = shown?.value ?? freeColour(index, used);
    if (form.open(index, own, colour, state?.model ?? null)) opener = from;
  }
  add.addEventListener("click", () => edited(state?.view.classes.length ?? 0, add));
  const title = el("span");
  const preset = el("select", { "aria-label": "Palette", class: "button" });
  const undo = el("button", { type: "button", class: "quiet-button" }, "Undo");
  const reset = el("button", { type: "button", class: "quiet-button" }, "Reset");
  const scale = el("h3");
  const swatches = el("div", { class: "figure-2" });
  const barsSaid = el("span");
  const stretch = el("button", { type: "button", class: "quiet-button" });
  const bars = el("p", { class: "hint" }, barsSaid, " ", stretch);
  stretch.addEventListener("click", () => on.scale(stretch.value as Scale));
  root.replaceChildren(
    el("h2", {}, title, edit),
    list,
    form.node,
    add,
    el("div", { class: "palette" }, preset, undo, reset),
    createFiles(on),
    scale,
    swatches,
    bars,
  );
  edit.addEventListener("click", () => {
    const merging = root.classList.toggle("merging");
    edit.setAttribute("aria-pressed", String(merging));
    edit.textContent = merging ? "done" : "merge";
  });
  preset.addEventListener("change", () => on.preset(preset.value));
  undo.addEventListener("click", () => on.undo());
  reset.addEventListener("click", () => on.reset());

  function enter(c: WordClass): HTMLLIElement {
    const colour = el("input", { type: "color", "aria-label": `Colour of ${c.name}` });
    colour.addEventListener("input", () => on.colour(c.id, colour.value));
    const into = el("select", { "aria-label": `Merge ${c.name} into` });
    into.addEventListener("change", () => {
      const chosen = into.value || null;
      // What is chosen shows when it is in force; where nothing changes, nothing is drawn anew.
      into.value = into.dataset.value ?? "";
      on.merge(c.id, chosen);
    });
    const index = ownIndex(c.id);
    const item = el("li", {}, colour, el("span"), into, el("q"));
    if (index === null) return item;
    item.dataset.own = String(index);
    const change = el("button", { type: "button", class: "quiet-button" }, "edit");
    change.addEventListener("click", () => edited(index, change));
    item.append(el("small", { class: "words" }), change);
    return item;
  }

  /** What `enter` made, in its order. */
  function partsOf(item: HTMLLIElement) {
    const [colour, name, into, figure, words, change] = item.children;
    return { colour, name, into, figure, words, change } as unknown as Parts;
  }

  return {
    update(now) {
      state = now;
      const { model, trace, view, dark, comparison, undo: history } = now;
      const second = secondOf(now);
      root.hidden = !model;
      // Its shares are of the text before, as the grid is.
      root.classList.toggle("stale", now.problem !== null || now.busy);
      const { palette, colours: changes, classes: own, hide, hide_layers, rows, show } = view;
      const shown = [hide, hide_layers, rows, show, view.scale, barsShown(view)];
      if (!model || !changed(model, trace, second, comparison, palette, changes, own, ...shown, dark, history)) return; // prettier-ignore
      handOn(
        form.node,
        () => form.follow(own, model),
        () => () => add,
      );
      const classes = classesOf(model, own);
      const colours = coloursOf(
        classes.map((c) => c.id),
        model.palettes,
        view,
      );
      const lines = trace ? linesOf(trace, second, comparison) : [];
      const inView = rowsIn(lines, rows);
      const shares =
        trace && inView.length
          ? sharesOn(trace, inView, columnsOf(model, trace.columns, view), second)
          : new Map<string, number>();
      const names = new Map(classes.map((c) => [c.id, c.name]));
      const { ground } = groundOf(dark);
      /** What a class is counted with: the name of its group, or the first of its colour. */
      const groupOf = (c: WordClass): string => {
        const colour = colours.get(c.id) ?? "";
        const members = classes.map((o) => o.id).filter((o) => colours.get(o) === colour);
        const first = members[0] ?? c.id;
        const name = groupName(model.palettes, colour, members);
        if (name) return name === c.name ? "" : ` in “${name}”`;
        return first === c.id ? "" : ` with ${names.get(first) ?? first}`;
      };
      const drawList = () => {
        select(list)
          .selectAll<HTMLLIElement, WordClass>("li")
          .data(classes, (c) => c.id)
          .join((entered) => entered.append((c) => enter(c)))
          .each(function (c) {
            const { colour, name, into, figure, words, change } = partsOf(this);
            const value = colours.get(c.id) ?? NO_COLOUR;
            if (colour.value !== value) colour.value = value;
            colour.classList.toggle("rim", needsRim(value, ground));
            const first = firstOfColour(c.id, colours);
            name.replaceChildren(c.name, el("small", {}, groupOf(c)));
            fillSelect(
              into,
              [
                ["", first === c.id ? "merge into…" : "on its own"],
                ...classes.filter((o) => o.id !== c.id).map((o) => [o.id, o.name] as const),
              ],
              first === c.id ? "" : first,
            );
            const share = shares.get(c.id);
            write(figure, share === undefined ? "" : percent(share));
            const lacking = trace?.missing?.find((m) => m.id === c.id && m.name === c.name)?.words;
            words?.replaceChildren(
              (own[ownIndex(c.id) ?? -1]?.words ?? []).join(" "),
              lacking?.length ? el("em", {}, `not in the vocabulary: ${lacking.join(", ")}`) : "",
            );
            // The names of the controls follow a class that is renamed.
            colour.setAttribute("aria-label", `Colour of ${c.name}`);
            into.setAttribute("aria-label", `Merge ${c.name} into`);
            change?.setAttribute("aria-label", `Edit ${c.name}`);
          });
      };
      // A class of one's own that is removed takes its button along.
      handOn(list, drawList, () => () => add);
      fillSelect(
        preset,
        model.palettes.map((p) => [p.id, p.name] as const),
        presetOf(model.palettes, palette)?.id ?? "",
      );
      // Each label is a class already; two are made one by their colour.
      add.hidden = saysLabels(model);
      title.textContent = add.hidden ? "Labels" : inUnits("Word classes", unitOf(model));
      const room = own.length < OWN_LIMITS.classes;
      add.textContent = room
        ? "+ a class of your own"
        : `${OWN_LIMITS.classes} classes of your own: no more can be asked for`;
      handOn(
        root,
        () => {
          add.disabled = !room;
          undo.disabled = history.length === 0;
          reset.disabled = view.colours.size === 0;
        },
        () => () => preset,
      );
      bars.hidden = !barsShown(view);
      // One click from bars too short to see to bars that still compare across cells.
      stretch.value = view.scale === "fixed" ? "root" : "fixed";
      stretch.textContent = view.scale === "fixed" ? "stretch small bars" : "back to linear";
      barsSaid.textContent = `Full bar: ${SCALE_NAMES[view.scale]}.${
        view.scale === "root" ? " A bar half as long is a quarter of the probability." : ""
      }`;
      const key = legendKey(show, trace, model, colours, ground);
      scale.textContent = key.title;
      const steps = select(swatches)
        .selectAll<HTMLDivElement, Key["steps"][number]>("div")
        .data(key.steps)
        .join((entered) => {
          const div = entered.append("div");
          div.append("i");
          div.append("span");
          return div;
        });
      steps.select("i").style("background-color", (d) => d.colour);
      steps.select("span").text((d) => d.label);
    },
  };
}
