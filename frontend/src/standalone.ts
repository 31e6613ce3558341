import type { PopupCell, PopupCells } from "./files/html";

/**
 * The hover of a saved page. Its source travels in the file, so it stands alone: it uses nothing
 * from outside its own body, and what it shows becomes text, never markup.
 */
export function standalone(): void {
  const data = document.getElementById("cells")?.textContent ?? "[]";
  const cells = JSON.parse(data) as PopupCells;
  const figure = document.getElementById("figure");
  const popup = document.getElementById("popup");
  if (!figure || !popup) return;
  const groups = [...figure.querySelectorAll<SVGGElement>("g[data-c]")];
  // Over a cell that has a popup, titles would open a second one of the browser's.
  for (const title of figure.querySelectorAll("svg > title, g[data-c] title")) {
    title.parentElement?.setAttribute("aria-label", title.textContent);
    title.remove();
  }
  const make = (tag: string, text = "") => {
    const node = document.createElement(tag);
    node.textContent = text;
    return node;
  };
  const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
  let on: SVGGElement | null = null;
  /** The cell that a key went to: what scrolls then is on the way to it. */
  let keyed: SVGGElement | null = null;

  function fill(root: HTMLElement, cell: PopupCell): void {
    const equation = make("p");
    equation.className = "math";
    for (const run of cell.equation)
      equation.append(run.level === "base" ? run.text : make(run.level, run.text));
    const bars = make("section");
    for (const [word, percent, length, colour] of cell.bars) {
      const [row, bar] = [make("div"), make("i")];
      bar.style.width = `${100 * length}%`;
      bar.style.backgroundColor = colour;
      row.append(make("span", word), bar, make("q", percent));
      bars.append(row);
    }
    const facts = make("dl");
    for (const [name, value] of cell.facts) facts.append(make("dt", name), make("dd", value));
    root.replaceChildren(make("h1", cell.title), make("p", cell.where), equation, bars, facts);
  }

  function show(group: SVGGElement | null): void {
    on?.classList.remove("on");
    on = group;
    const cell = group && cells[Number(group.dataset.t)]?.[group.dataset.c ?? ""];
    if (!popup || !group || !cell) {
      if (popup) popup.hidden = true;
      return;
    }
    group.classList.add("on");
    fill(popup, cell);
    popup.hidden = false;
    const [c, p] = [group.getBoundingClientRect(), popup.getBoundingClientRect()];
    const below = c.bottom + 9 + p.height <= innerHeight;
    const left = Math.min(c.left + c.width / 2 - p.width / 2, innerWidth - p.width - 9);
    popup.style.left = `${Math.max(9, left)}px`;
    popup.style.top = `${Math.max(9, below ? c.bottom + 9 : c.top - 9 - p.height)}px`;
  }

  const rows = [...new Set(groups.map(({ dataset }) => dataset.t))].map((t) =>
    groups.filter(({ dataset }) => dataset.t === t),
  );
  /** Beside a cell in its row, or the nearest to its column in the row above or below. */
  function beside(from: SVGGElement, key: string): SVGGElement | undefined {
    const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
    const at = rows.findIndex((row) => row.includes(from));
    const row = rows[at] ?? [];
    if (key === "ArrowLeft" || key === "ArrowRight") return row[row.indexOf(from) + step];
    const away = (group: SVGGElement) => Math.abs(Number(group.dataset.c) - Number(from.dataset.c));
    return [...(rows[at + step] ?? [])].sort((a, b) => away(a) - away(b))[0];
  }

  const groupOf = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<SVGGElement>("g[data-c]") : null;
  // Scrolling brings other cells under a pointer that rests: they are not pointed at.
  let rests = "";
  const moved = ({ clientX, clientY }: PointerEvent) => {
    const before = rests;
    rests = `${clientX} ${clientY}`;
    return rests !== before;
  };
  document.addEventListener("pointermove", moved, { passive: true });
  figure.addEventListener("pointerover", (event) => {
    if (!moved(event) && keyed) return;
    keyed = null;
    show(groupOf(event.target));
  });
  figure.addEventListener("pointerleave", (event) => {
    const left = moved(event) || !keyed;
    if (left && event.pointerType !== "touch") show(null);
  });
  figure.addEventListener("blur", () => show(null));
  figure.addEventListener("scroll", () => show(on === keyed ? on : null), { passive: true });
  figure.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(null);
    // With these the arrows are the browser's Back and Forward.
    if (event.altKey || event.metaKey) return;
    const next = ARROWS.includes(event.key) ? (on ? beside(on, event.key) : groups[0]) : null;
    if (next === null) return;
    event.preventDefault();
    if (!next) return;
    keyed = next;
    next.scrollIntoView?.({ block: "nearest", inline: "nearest" });
    show(next);
  });
}
