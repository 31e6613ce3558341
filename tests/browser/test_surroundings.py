"""Themes, screens, assistive technology, a server that leaves, and the shipped models."""

from __future__ import annotations

from pathlib import Path

import axe_playwright_python
import pytest

from tests.browser.conftest import ROOT, SHIPPED, SIZE, watch
from tests.running import free_port, serving

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
FOUND = """async () => (await axe.run(document)).violations.map(
    (v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" ")}`)"""


def faults(page):
    """What axe-core finds. Evaluated, since the policy forbids an added script element."""
    page.evaluate(AXE)
    return page.evaluate(FOUND)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(view, scheme):
    view.page.emulate_media(color_scheme=scheme)
    view.open()
    assert faults(view.page) == []
    view.cell(2, 4).click()
    view.page.locator("#popup").wait_for()
    assert faults(view.page) == []
    view.page.keyboard.press("Escape")
    view.page.get_by_role("button", name="How to read this").click()
    view.page.locator("#help[open]").wait_for()
    assert faults(view.page) == []


@pytest.mark.parametrize("width", [390, 1024])
def test_a_narrow_screen_scrolls_the_grid_and_not_the_page(view, width):
    view.page.set_viewport_size({"width": width, "height": 800})
    view.open()
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert view.page.evaluate(overflow) <= 0
    box = view.page.get_by_label("Text that the network reads").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    view.cell(1, 0).scroll_into_view_if_needed()
    view.cell(1, 0).click()
    assert view.page.evaluate(overflow) <= 0


def test_the_page_waits_for_a_server_that_left(chromium, tiny_zoo):
    port = free_port()
    context = chromium.new_context(viewport=SIZE)
    with serving(tiny_zoo, port, threads=1, log="off") as server:
        view = watch(context, server)
        view.open()
    view.server_leaves = True
    view.page.get_by_label("Text that the network reads").fill("we stand")
    alert = view.page.get_by_role("alert")
    alert.get_by_text("Can't reach the server.").wait_for()
    with serving(tiny_zoo, port, threads=1, log="off"):
        view.rows(3)
        assert view.page.get_by_label("Text that the network reads").input_value() == "we stand"
        alert.get_by_text("Can't reach the server.").wait_for(state="detached")
    view.check()
    context.close()


def shipped_server(name):
    return serving(ROOT / "models" / "zoo", default_model=name, log="off")


def test_every_shipped_model_draws_its_examples(chromium):
    assert SHIPPED
    for name in SHIPPED:
        context = chromium.new_context(viewport=SIZE)
        with shipped_server(name) as server:
            view = watch(context, server)
            view.open()
            info = view.api(f"models/{name}")
            assert len(info["examples"]) >= 5
            for example in info["examples"]:
                answer = view.trace(example["text"])
                view.type(example["text"], len(answer["tokens"]))
                cells = view.page.locator("#grid tbody td.cell")
                assert cells.count() == len(answer["tokens"]) * len(answer["columns"])
                assert all(token["known"] for token in answer["tokens"][:1])
            view.check()
        context.close()
