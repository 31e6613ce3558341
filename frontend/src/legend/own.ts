import { nameOf, OWN_LIMITS, readWords, refused, sameClasses } from "../colour/own";
import { el } from "../dom";
import { type ModelInfo, type OwnClass, saysLabels, type Unit, unitOf } from "../types";

/** The form for a class of one's own: its words, its name, its colour. */

export interface OwnForm {
  node: HTMLFormElement;
  /** Opens it for a class of a model, or for a new one; answers false where a draft would be lost. */
  open(index: number, own: OwnClass | null, colour: string, model: ModelInfo | null): boolean;
  /**
   * Stays with its class, whatever number that has now and in any model; is closed where it is gone. With
   * a new class it is out of sight where there can be none.
   */
  follow(classes: readonly OwnClass[], model: ModelInfo): void;
}

export interface OwnCallbacks {
  /** A class as it is to be; with null it is removed. */
  own(index: number, own: OwnClass | null, colour: string): void;
  /** The form was closed: the focus goes where it was opened from. */
  closed(): void;
}

export function createOwnForm(on: OwnCallbacks): OwnForm {
  const words = el("textarea", {
    rows: 2,
    dir: "auto",
    placeholder: "he him his",
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    "aria-describedby": "own-said",
  });
  const name = el("input", { type: "text", autocomplete: "off", placeholder: "by its words" });
  const colour = el("input", { type: "color" });
  const said = el("p", { class: "hint", id: "own-said", role: "status" });
  const button = (label: string, type = "button") =>
    el("button", { type, class: "quiet-button" }, label);
  const [save, remove, cancel] = [button("Add", "submit"), button("Remove"), button("Cancel")];
  const listed = el("span");
  const field = (label: string | HTMLElement, control: HTMLElement) =>
    el("label", {}, typeof label === "string" ? el("span", {}, label) : label, control);
  const node = el(
    "form",
    { class: "own", "aria-label": "A class of your own", hidden: true },
    field(listed, words),
    field("name", name),
    field("colour", colour),
    said,
    el("div", { class: "actions" }, save, remove, cancel),
  );

  let opened = false;
  let index = 0;
  let edited: OwnClass | null = null;
  let unit: Unit = "word";
  /** What is in the form, and what was there when it was opened: a draft is not thrown away. */
  const draft = () => [words.value, name.value, colour.value].join("\n");
  let begun = "";
  const close = () => {
    opened = false;
    node.hidden = true;
    on.closed();
  };
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    const list = readWords(words.value);
    const own = { name: name.value.trim() || nameOf(list), words: list };
    said.textContent = refused(own, unit) ?? "";
    if (said.textContent) {
      words.focus();
      return;
    }
    on.own(index, own, colour.value);
    close();
  });
  remove.addEventListener("click", () => {
    on.own(index, null, "");
    close();
  });
  cancel.addEventListener("click", close);
  node.addEventListener("keydown", (event) => {
    // These keys are the input method's, until it is done (Safari tells it by the code alone).
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
    // A list of words has no lines: Enter is done with it.
    if (event.key === "Enter" && event.target === words) {
      event.preventDefault();
      node.requestSubmit();
    }
  });

  /** Speaks of what a model reads: words, or other symbols. */
  function speak(of: Unit): void {
    unit = of;
    listed.textContent = `${unit}s, with spaces between`;
    words.placeholder = unit === "word" ? "he him his" : "";
    name.placeholder = `by its ${unit}s`;
    said.textContent = edited
      ? ""
      : `At most ${OWN_LIMITS.words} ${unit}s. They leave the classes above.`;
  }

  return {
    node,
    follow(classes, model) {
      if (!opened) return;
      const same = (own: OwnClass | undefined) => !!edited && !!own && sameClasses([own], [edited]);
      // After an undo its number may be another's. A new one comes after all that there are.
      if (!edited) index = classes.length;
      else if (!same(classes[index])) index = classes.findIndex(same);
      const room = index >= 0 && index < OWN_LIMITS.classes;
      if (edited) opened = room;
      if (unitOf(model) !== unit) speak(unitOf(model));
      node.hidden = !opened || (!edited && (!room || saysLabels(model)));
    },
    open(at, own, shown, model) {
      if (opened && !node.hidden && draft() !== begun) {
        words.focus();
        said.textContent = `${save.textContent} or cancel this one first.`;
        return false;
      }
      opened = true;
      index = at;
      edited = own;
      speak(unitOf(model));
      words.value = own?.words.join(" ") ?? "";
      name.value = own?.name ?? "";
      colour.value = shown;
      save.textContent = own ? "Save" : "Add";
      remove.hidden = !own;
      node.hidden = false;
      begun = draft();
      words.focus();
      return true;
    },
  };
}
