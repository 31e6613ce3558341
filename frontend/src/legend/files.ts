import { el } from "../dom";

/** The palette as a file, saved and opened again. */
export function createFiles(on: { save(): string; open(file: File): void }): HTMLElement {
  const button = (label: string, title: string, act: () => void) => {
    const node = el("button", { type: "button", class: "quiet-button", title }, label);
    node.addEventListener("click", act);
    return node;
  };
  const picker = el("input", { type: "file", accept: ".json,application/json", hidden: true });
  const said = el("small", { role: "status" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = button("Save palette", "Colours and classes as a JSON file", () => {
    clearTimeout(timer);
    said.textContent = on.save();
    timer = setTimeout(() => said.replaceChildren(), 6000);
  });
  const open = button("Open palette", "A palette that was saved here; or drop it on the page", () =>
    picker.click(),
  );
  picker.addEventListener("change", () => {
    const file = picker.files?.[0];
    if (file) on.open(file);
    // The same file can be chosen again.
    picker.value = "";
  });
  return el("div", { class: "palette-files" }, save, open, picker, said);
}
