"""One unit along the text, on the real page and server."""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import expect

from tests.browser.test_surroundings import faults_in_both

TEXT = "we ( she said ) stand."
LINK = {"v": 1, "text": TEXT, "unit": "cell_state.2.3", "follow": "depth"}


def test_the_line_its_r_and_axe(view):
    view.open(f"#{urlencode(LINK)}")
    said = view.page.locator("#unit .said")
    url = f"{view.server.url}/api/v1/unit"
    asked = {"text": TEXT, "kind": "cell_state", "layer": 2, "unit": 2}
    values = view.page.request.post(url, data=asked).json()["values"]
    r = np.corrcoef(values, [0, 0, 1, 1, 1, 0, 0, 0])[0, 1]
    expect(said).to_contain_text(f"r = {r:.3f}".replace("-", "\N{MINUS SIGN}"))
    expect(view.page.locator("#unit .line-of circle")).to_have_count(len(values))
    assert faults_in_both(view, "#unit") == []


def test_it_fits_a_phone_and_back_brings_the_text_before(view):
    view.page.set_viewport_size({"width": 390, "height": 900})
    view.open(f"#{urlencode(LINK | {'text': TEXT + ' ' + TEXT * 4})}")
    expect(view.page.locator("#unit .said")).to_contain_text("r = ")
    across = """() => [document.documentElement, document.querySelector('.line-of')]
        .map((e) => e.scrollWidth - e.clientWidth)"""
    assert max(view.page.evaluate(across)) <= 0
    view.page.evaluate("location.hash = '#v=1&text=we'")
    view.rows(2)
    expect(view.page.locator("#unit")).to_be_hidden()
    view.page.go_back()
    expect(view.page.locator("#unit .said")).to_contain_text("r = ")
