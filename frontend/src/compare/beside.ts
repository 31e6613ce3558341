import { markOf } from "../alignment";
import { coloursOf } from "../colour/palette";
import { factLines, factsOf } from "../describe";
import { type Component, createChanged, el, symbol } from "../dom";
import { probability } from "../format";
import { columnSaid } from "../columns";
import { lengthOf } from "../scale";
import { partingAt } from "../partings";
import type { State } from "../state";
import { traceOf } from "../state/sides";

/** Pinned cells side by side, of either text: their words on one scale, and their figures. */
export function createBeside(root: HTMLElement): Component<State> {
  const changed = createChanged();
  const cards = el("div", { class: "cards" });
  root.replaceChildren(el("h2", { id: "beside-title" }, "Pinned cells side by side"), cards);

  return {
    update(state) {
      const { model, trace, second, comparison, view } = state;
      const { pins, palette, colours: own, scale } = view;
      if (!changed(model, trace, second, comparison, pins, palette, own, scale)) return;
      const found = pins.flatMap((cell) => {
        const of = traceOf(state, cell);
        const colours = of && model && coloursOf(of.classes, model.palettes, view);
        const parting = partingAt(state, cell);
        const facts = colours && factsOf(of, model, colours, cell, null, parting);
        return facts ? [{ facts, of }] : [];
      });
      root.hidden = found.length < 2;
      // One scale for all of them: a bar is the same probability in each.
      const most = Math.max(0, ...found.flatMap(({ facts }) => facts.bars.map(({ p }) => p)));
      const domain = scale === "root" || scale === "fixed" ? 1 : most || 1;
      cards.replaceChildren(
        ...found.map(({ facts, of }) => {
          const { cell } = facts;
          return el(
            "article",
            {},
            el(
              "h3",
              {},
              second || cell.second ? `${markOf(cell.second)} ` : null,
              el("b", {}, facts.token),
              " · ",
              symbol(facts.symbol, cell.layer),
              ` ${columnSaid({ name: facts.name, layer: cell.layer })}`,
            ),
            el(
              "ul",
              {},
              ...facts.bars.map((bar) => {
                const length = el("s", {});
                length.style.width = `${(100 * lengthOf(bar.p, domain, scale)).toFixed(2)}%`;
                length.style.backgroundColor = bar.colour;
                const said = el("q", {}, probability(bar.p));
                return el(
                  "li",
                  {},
                  el("span", { title: bar.word }, bar.word),
                  el("i", {}, length),
                  said,
                );
              }),
            ),
            el(
              "dl",
              {},
              ...factLines(facts, of).flatMap(([name, value]) => [
                el("dt", {}, name),
                el("dd", {}, value),
              ]),
            ),
          );
        }),
      );
    },
  };
}
