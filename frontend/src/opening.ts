import type { ColourEditor } from "./colouring";
import { openFile } from "./saving";
import type { Session } from "./session";
import type { Store } from "./store";

/** Opening what was saved before: chosen as a file, or dropped anywhere on the page. */
export interface Opening {
  open: (file: File) => void;
  watch: () => void;
}

/** What is told of a whole view: that it is about to take the place of another, and that it has. */
interface Restoring {
  restores: () => void;
  restored: () => void;
}

export function createOpening(
  store: Store,
  session: Session,
  colours: ColourEditor,
  on: Restoring,
): Opening {
  async function put(file: File): Promise<void> {
    const { colouring, ...opened } = await openFile(file, store.get().model);
    if (colouring) colours.open(colouring);
    const { trace, model } = opened;
    if (trace && model) {
      on.restores();
      session.adopt(trace, model);
    }
    store.set(opened);
    if (trace) on.restored();
  }
  const open = (file: File) => void put(file);
  return {
    open,
    watch() {
      // Without this the browser would leave the page for the file.
      document.addEventListener("dragover", (event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
      });
      document.addEventListener("drop", (event) => {
        const file = event.dataTransfer?.files[0];
        if (!file) return;
        event.preventDefault();
        open(file);
      });
    },
  };
}
