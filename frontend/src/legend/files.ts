import { el } from "../dom";
import { createPicker } from "../picker";
import { createTold } from "../told";

/** The palette as a file, saved and opened again. */
export function createFiles(on: { save: () => string; open: (file: File) => void }): HTMLElement {
  const button = (label: string, title: string, act: () => void) => {
    const node = el("button", { type: "button", class: "quiet-button", title }, label);
    node.addEventListener("click", act);
    return node;
  };
  const picker = createPicker(on.open);
  const said = el("small", { role: "status" });
  const told = createTold(said);
  const save = button("Save palette", "Colours and classes as a JSON file", () =>
    told.tell(on.save()),
  );
  const open = button("Open palette", "A palette that was saved here; or drop it on the page", () =>
    picker.click(),
  );
  return el("div", { class: "palette-files" }, save, open, picker, said);
}
