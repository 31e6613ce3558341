import { type Component, createChanged, el } from "./dom";
import { FILES, type FileKind } from "./files";
import type { State } from "./state";

export interface ExportingCallbacks {
  /** Saves what is seen; answers what to tell. */
  save(kind: FileKind): Promise<string>;
  open(file: File): void;
}

/** The export menu: what is seen, as a file; and such a file opened again. */
export function createExporting(root: HTMLElement, on: ExportingCallbacks): Component<State> {
  const changed = createChanged();
  const summary = el("summary", { class: "button" }, "Export");
  const told = el("div", { class: "told", role: "status" });
  const picker = el("input", { type: "file", accept: ".json,application/json", hidden: true });
  const item = (label: string, hint: string, act: () => void) => {
    const button = el("button", { type: "button" }, el("span", {}, label), el("small", {}, hint));
    button.addEventListener("click", act);
    return button;
  };
  const saves = FILES.map(({ kind, label, hint }) => item(label, hint, () => void save(kind)));
  const menu = el(
    "div",
    { class: "menu" },
    ...saves,
    item("Open…", "a JSON file that was saved here, or drop it on the page", () => picker.click()),
  );
  const details = el("details", { class: "examples exporting" }, summary, menu);
  root.append(details, picker, told);

  let timer: ReturnType<typeof setTimeout> | undefined;
  async function save(kind: FileKind): Promise<void> {
    shut(true);
    clearTimeout(timer);
    told.textContent = await on.save(kind);
    timer = setTimeout(() => told.replaceChildren(), 6000);
  }
  function shut(focus: boolean): void {
    details.open = false;
    if (focus) summary.focus();
  }
  details.addEventListener("keydown", (event) => event.key === "Escape" && shut(true));
  document.addEventListener("pointerdown", (event) => {
    if (event.target instanceof Node && !details.contains(event.target)) shut(false);
  });
  picker.addEventListener("change", () => {
    const file = picker.files?.[0];
    shut(true);
    if (file) on.open(file);
    // The same file can be chosen again.
    picker.value = "";
  });

  return {
    update({ trace }) {
      if (!changed(trace)) return;
      for (const button of saves) button.disabled = !trace?.tokens.length;
    },
  };
}
