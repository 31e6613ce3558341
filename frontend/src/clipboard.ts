import { API } from "./api";
import { pairOf, queryOf } from "./question";
import type { ShareKind } from "./share";
import { markdown } from "./share/markdown";
import { curl, python } from "./share/notebook";
import type { State } from "./state";
import { serialise } from "./url";

/** The view as text, for the clipboard. */
function asText({ view, model }: State, kind: ShareKind): string {
  const link = new URL(`#${serialise(view)}`, location.href).href;
  if (kind === "markdown") return markdown(view.text, link);
  if (kind === "link" || !model) return link;
  const pair = pairOf(view, model.id);
  const url = new URL(`${API}${pair ? "compare" : "trace"}`, document.baseURI).href;
  return (kind === "curl" ? curl : python)(url, pair ?? queryOf(view, model));
}

/** Copies the view as text; answers the text, which is shown where it was not copied. */
export async function copyView(
  state: State,
  kind: ShareKind,
): Promise<{ text: string; copied: boolean }> {
  const text = asText(state, kind);
  try {
    await navigator.clipboard.writeText(text);
    return { text, copied: true };
  } catch {
    // Refused, or absent because the page was not served over https.
    return { text, copied: false };
  }
}
