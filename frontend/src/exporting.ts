import { type Component, createChanged, el, option } from "./dom";
import { FILES, type FileKind } from "./files";
import { createMenu } from "./menu";
import { type Part, PART_NAMES, PARTS } from "./selection";
import type { State } from "./state";

export interface ExportingCallbacks {
  /** Saves a part of the grid; answers what to tell. */
  save(kind: FileKind, part: Part): Promise<string>;
  open(file: File): void;
}

/** The export menu: what is seen, as a file; and such a file opened again. */
export function createExporting(root: HTMLElement, on: ExportingCallbacks): Component<State> {
  const changed = createChanged();
  const menu = createMenu("Export");
  const told = el("div", { class: "told", role: "status" });
  const picker = el("input", { type: "file", accept: ".json,application/json", hidden: true });
  const saves = FILES.map(({ kind, label, hint }) => menu.add(label, hint, () => void save(kind)));
  menu.add("Open…", "a JSON file that was saved here, or drop it on the page", () =>
    picker.click(),
  );
  const part = el("select", { class: "button" }, ...PARTS.map((p) => option(p, PART_NAMES[p])));
  menu.head(el("label", { class: "part" }, el("span", {}, "save"), part));
  root.append(menu.node, picker, told);

  let timer: ReturnType<typeof setTimeout> | undefined;
  async function save(kind: FileKind): Promise<void> {
    clearTimeout(timer);
    told.textContent = await on.save(kind, part.value as Part);
    timer = setTimeout(() => told.replaceChildren(), 6000);
  }
  picker.addEventListener("change", () => {
    const file = picker.files?.[0];
    if (file) on.open(file);
    // The same file can be chosen again.
    picker.value = "";
  });

  return {
    update({ trace }) {
      if (!changed(trace)) return;
      const nothing = !trace?.tokens.length;
      for (const button of saves) {
        button.disabled = nothing;
        button.title = nothing ? "There is nothing to save yet: type a text." : "";
      }
    },
  };
}
