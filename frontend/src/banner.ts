import { type Component, createChanged, el, write } from "./dom";
import { handOn } from "./focus";
import type { Problem, State, Unread } from "./state";
import type { Example } from "./types";

export interface BannerCallbacks {
  retry(): void;
  dismiss(): void;
  /** An example of the model's own in place of a text that it cannot read. */
  instead(example: Example): void;
}

/** Trouble and notices, in words, next to the text box: calm, and never in the way of the text. */
export function createBanner(root: HTMLElement, on: BannerCallbacks): Component<State> {
  const problemChanged = createChanged();
  const noticesChanged = createChanged();
  const problem = el("div", { role: "alert" });
  const notices = el("div", { role: "status" });
  const busy = el("div", { class: "busy", role: "status" });
  root.append(problem, notices, busy);

  const button = (label: string, act: () => void) => {
    const node = el("button", { type: "button", class: "quiet-button" }, label);
    node.addEventListener("click", act);
    return node;
  };

  const strange = ({ said, example }: Unread) =>
    el(
      "div",
      { class: "notice" },
      el("span", {}, said),
      " ",
      example
        ? button(`Show its own example: ${example.text.split("\n")[0] ?? ""}`, () =>
            on.instead(example),
          )
        : null,
    );

  const drawProblem = (p: Problem | null) =>
    problem.replaceChildren(
      ...(p
        ? [
            el(
              "div",
              { class: "notice problem" },
              el("b", {}, p.message),
              " ",
              p.advice,
              " ",
              p.retrying ? button("Try now", () => on.retry()) : null,
            ),
          ]
        : []),
    );
  const drawNotices = (n: readonly string[], unread: Unread | null) =>
    notices.replaceChildren(
      ...(unread ? [strange(unread)] : []),
      ...(n.length
        ? [
            el(
              "div",
              { class: "notice" },
              el("span", {}, n.join(" ")),
              " ",
              button("Dismiss", () => on.dismiss()),
            ),
          ]
        : []),
    );

  return {
    update({ problem: p, notices: n, unread, busy: b }) {
      // Each for itself: what is drawn anew is read out anew, and loses the focus.
      const draw = () => {
        if (problemChanged(p)) drawProblem(p);
        if (noticesChanged(n, unread)) drawNotices(n, unread);
      };
      handOn(root, draw, () => () => root);
      busy.classList.toggle("shown", b && !p);
      write(busy, b && !p ? "Reading…" : "");
    },
  };
}
