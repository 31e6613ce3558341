"""The chart of held-out perplexities: the paper's Figure 3 on the page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.browser.test_surroundings import faults_in_both


def bars(view):
    return view.page.locator("#chart .bars button")


def told(view):
    """Perplexities by the API, of the kinds: without the network's own."""
    columns = view.api("models/tiny-lstm")["columns"]
    return [column["perplexity"]["next"] for column in columns if column["layer"] is not None]


def test_bars_are_the_perplexities_in_column_order_and_are_saved_as_a_drawing(view, tmp_path):
    view.open()
    figures = bars(view).locator("i span").all_inner_texts()
    assert figures == [f"{p:.0f}" for p in told(view)]
    heights = (
        bars(view)
        .locator("i.length")
        .evaluate_all(
            "nodes => nodes.map(n => n.getBoundingClientRect().height / n.parentNode.clientHeight)"
        )
    )
    assert heights == pytest.approx([p / 50 for p in told(view)], abs=0.01)
    line = view.page.locator("#chart .network")
    expect(line).to_have_text(re.compile(r"^\s*y\s+22\s*$"), use_inner_text=True)
    box, plot = line.bounding_box(), view.page.locator("#chart .bars").bounding_box()
    height = (plot["y"] + plot["height"] - box["y"]) / plot["height"]
    assert height == pytest.approx(22 / 50, abs=0.02)

    with view.page.expect_download() as download:
        view.page.get_by_role("button", name="Save SVG").click()
    path = tmp_path / download.value.suggested_filename
    assert path.name == "unrolled-perplexity-tiny-lstm-next.svg"
    download.value.save_as(path)
    texts = ["".join(node.itertext()) for node in ET.parse(path).getroot().iter()]
    for p in told(view):
        assert f"{p:.0f}" in texts
    expect(view.page.get_by_text(f"Saved {path.name}.")).to_be_visible()


def test_the_axis_is_in_the_link(view):
    view.open("#text=we&axis=log")
    expect(view.page.get_by_label("axis")).to_have_value("log")
    ticks = view.page.locator("#chart .tick span")
    expect(ticks).to_have_text(["1", "10", "100"], use_inner_text=True)
    view.page.get_by_label("axis").select_option("cut")
    view.page.wait_for_function("() => !location.hash.includes('axis')")


def test_a_click_and_the_keyboard_find_the_column(view):
    view.page.set_viewport_size({"width": 700, "height": 900})
    view.open()
    last = bars(view).last
    last.click()
    view.drawn()
    chosen = view.page.locator("#grid .chosen")
    rows = view.page.locator("#grid tbody tr").count()
    expect(chosen).to_have_count(rows + 1)
    expect(chosen.first).to_have_attribute("aria-label", re.compile("^Output state, layer 2"))
    seen = "node => { const x = node.getBoundingClientRect().x; return 0 <= x && x < 700; }"
    view.page.wait_for_function(seen, arg=chosen.first.element_handle())  # the scroll is smooth
    expect(last).to_have_attribute("aria-pressed", "true")
    last.press("Home")
    view.page.keyboard.press("ArrowRight")
    view.page.keyboard.press("Enter")
    view.drawn()
    expect(chosen.first).to_have_attribute("aria-label", re.compile("^Forget gate, layer 1"))
    view.page.keyboard.press("Enter")
    view.drawn()
    expect(chosen).to_have_count(0)
    bars(view).nth(5).click()
    expect(chosen).to_have_count(rows + 1)
    assert faults_in_both(view, "#chart", "#grid .chosen") == []
