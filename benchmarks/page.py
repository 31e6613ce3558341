"""The page in a real browser, on the real server: from answer to paint, moving from cell to cell,
another colour, scrolling. Chromium is the one that the tests use: named by CHROMIUM.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from benchmarks.inputs import Inputs
from benchmarks.timing import Spread
from tests.running import serving

STEPS, LONG = 20, 512
_FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")

# When the grid changed, and when that was painted. The page draws in a callback of a frame; a timer
# set there runs once the frame is painted, where a callback asked for there is of the next one.
_WATCH = """() => {
  window.paints = [];
  let changed = null;
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (draw) => frame((now) => {
    setTimeout(() => {  // before any that the page sets
      if (changed !== null) window.paints.push({ changed, painted: performance.now() });
      changed = null;
    });
    draw(now);
  });
  new MutationObserver(() => { changed ??= performance.now(); }).observe(
    document.querySelector("#grid table"),
    { childList: true, subtree: true, characterData: true, attributes: true });
}"""
# How often the grid was asked for, and when the latest answer had come.
_ANSWERS = """() => {
  const traces = performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/trace"));
  return [traces.length, traces.at(-1)?.responseEnd ?? 0];
}"""
# Work of a move to the next cell: the handler, and what the frame that draws it does. Its first
# callback says when that begins: its timestamp is when the screen was ready for it.
_MOVE = """async (key) => {
  const turn = new Promise((begun) => requestAnimationFrame(() => begun(performance.now())));
  const began = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  document.body.offsetHeight;
  const handled = performance.now() - began;
  const drawn = await new Promise((done) => requestAnimationFrame(() => {
    document.body.offsetHeight;
    done(performance.now());
  }));
  return handled + drawn - (await turn);
}"""
# Work of another colour: the handler, and its frame until that is painted. Nothing is asked for.
_COLOUR = """async (colour) => {
  const turn = new Promise((begun) => requestAnimationFrame(() => begun(performance.now())));
  const began = performance.now();
  const input = document.querySelector("#legend input[type=color]");
  input.value = colour;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  const handled = performance.now() - began;
  const painted = await new Promise((done) => requestAnimationFrame(
    () => setTimeout(() => done(performance.now()))));
  return handled + painted - (await turn);
}"""
_SCROLL = """async () => {
  const scrolls = (e) => e.scrollHeight > e.clientHeight + 50
    && /auto|scroll/.test(getComputedStyle(e).overflowY);
  let box = document.querySelector("#grid");
  while (box && !scrolls(box)) box = box.parentElement;
  box ??= document.scrollingElement;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const gaps = [];
  let last = await frame();
  for (let i = 0; i < 120; i += 1) {
    box.scrollTop += 60;
    const now = await frame();
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}"""


def why_absent() -> str | None:
    """Why the page cannot be measured here, None where it can."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed (`make test` brings it)"
    if not Path(os.environ.get("CHROMIUM", "")).is_file():
        return "there is no Chromium (`make test` brings one, or name it with CHROMIUM=…)"
    return None


def page(folder: Path, inputs: Inputs, rounds: int) -> dict[str, Spread]:
    """Milliseconds. What moves is measured with the popup open."""
    from playwright.sync_api import sync_playwright

    with serving(folder, log="off") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=list(_FLAGS)
        )
        view = browser.new_page(viewport={"width": 1440, "height": 1000})
        view.set_default_timeout(120_000)
        view.goto(server.url)
        view.locator("#grid td.cell").first.wait_for()
        view.evaluate(_WATCH)
        painted = []
        for counted in [False] + [True] * rounds:
            gap = _read(view, inputs.text(STEPS))
            if counted:
                painted.append(gap)
        grown = []
        for _ in range(rounds):
            text, shorter = inputs.grown(STEPS)
            _read(view, shorter)
            grown.append(_read(view, text))
        colours = [view.evaluate(_COLOUR, f"#{10 + i % 90}4a7c") for i in range(rounds + 1)]
        view.locator("#grid td.cell").first.focus()
        moves = [view.evaluate(_MOVE, key) for key in ["ArrowRight", "ArrowDown"] * rounds]
        _read(view, inputs.text(LONG))
        gaps = view.evaluate(_SCROLL)
        browser.close()
    return {
        f"answer to painted, {STEPS} timesteps": Spread.of(painted),
        f"the same, one word more than {STEPS - 1}": Spread.of(grown),
        "to the next cell, popup drawn": Spread.of(moves[1:]),
        "another colour, to painted": Spread.of(colours[1:]),
        f"frame while {LONG} timesteps scroll": Spread.of(gaps),
    }


def _read(view: Any, text: str) -> float:
    """Type a text, wait until its grid is drawn and still; milliseconds from answer to paint."""
    asked, _ = view.evaluate(_ANSWERS)
    view.get_by_label("Text that the network reads").fill(text)
    view.wait_for_function(f"n => ({_ANSWERS})()[0] > n", arg=asked)
    view.wait_for_timeout(500)
    view.wait_for_function(f"() => window.paints.at(-1)?.changed > ({_ANSWERS})()[1]")
    _, answered = view.evaluate(_ANSWERS)
    # What changed before the answer, as the sign that it is awaited, may be painted after it.
    first = "t => window.paints.find(({ changed }) => changed > t).painted"
    return float(view.evaluate(first, answered) - answered)
