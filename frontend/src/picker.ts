import { el } from "./dom";

/** What opens the browser's choice of a file, of those that the page has saved. It is not seen. */
export function createPicker(open: (file: File) => void): HTMLInputElement {
  const picker = el("input", { type: "file", accept: ".json,application/json", hidden: true });
  picker.addEventListener("change", () => {
    const file = picker.files?.[0];
    if (file) open(file);
    // The same file can be chosen again.
    picker.value = "";
  });
  return picker;
}
