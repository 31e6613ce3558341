import { type Component, createChanged, el, option } from "./dom";
import { FILES, type FileKind } from "./files";
import { createMenu } from "./menu";
import { createPicker } from "./picker";
import { type Part, PART_NAMES, PARTS } from "./selection";
import type { State } from "./state";
import { createTold } from "./told";

export interface ExportingCallbacks {
  /** Saves a part of the grid; answers what to tell. */
  save(kind: FileKind, part: Part): Promise<string>;
  open: (file: File) => void;
}

/** The export menu: what is seen, as a file; and such a file opened again. */
export function createExporting(root: HTMLElement, on: ExportingCallbacks): Component<State> {
  const changed = createChanged();
  const menu = createMenu("Export");
  const line = el("div", { class: "told", role: "status" });
  const told = createTold(line);
  const picker = createPicker(on.open);
  const saves = FILES.map(({ kind, label, hint }) => menu.add(label, hint, () => void save(kind)));
  menu.add("Open…", "a JSON file that was saved here, or drop it on the page", () =>
    picker.click(),
  );
  const part = el("select", { class: "button" }, ...PARTS.map((p) => option(p, PART_NAMES[p])));
  menu.head(el("label", { class: "part" }, el("span", {}, "save"), part));
  root.append(menu.node, picker, line);

  async function save(kind: FileKind): Promise<void> {
    told.tell(await on.save(kind, part.value as Part));
  }

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
