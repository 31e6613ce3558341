import { type Component, el } from "./dom";
import { createMenu } from "./menu";
import { isLocal, LOCAL, type ShareKind, SHARES } from "./share";
import type { State } from "./state";
import { createTold } from "./told";

export interface SharingCallbacks {
  /** Copies the view as text; `copied` is false where the clipboard is refused. */
  share(kind: ShareKind): Promise<{ text: string; copied: boolean }>;
}

/** The share menu: the view as a link, as Markdown, as a program. */
export function createSharing(root: HTMLElement, on: SharingCallbacks): Component<State> {
  const menu = createMenu("Share");
  const line = el("div", { class: "told", role: "status" });
  const { tell, quiet } = createTold(line);
  for (const { kind, label, hint, copied } of SHARES)
    menu.add(label, hint, () => void share(kind, copied));
  root.append(menu.node, line);

  async function share(kind: ShareKind, done: string): Promise<void> {
    const { text, copied } = await on.share(kind);
    if (copied) {
      const leads = kind === "link" || kind === "markdown";
      tell(leads && isLocal(location) ? `${done} ${LOCAL}` : done);
      return;
    }
    quiet();
    const field = el("textarea", { readonly: true, rows: 4, "aria-label": "To be copied" });
    field.value = text;
    line.replaceChildren("Copy this:", field);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        quiet();
        menu.summary.focus();
      }
    });
    field.addEventListener("blur", quiet);
    field.focus();
    field.select();
  }

  return { update: () => undefined };
}
