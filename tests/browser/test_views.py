"""Views of the grid: what rectangles show, rows and columns hidden, density, weak columns."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_surroundings import faults_in_both

TEXT = "we stand in the hall."
ROWS, COLUMNS = 7, 18


@pytest.fixture
def typed(view):
    view.read(TEXT, ROWS)
    return view


def rectangle(view, row, column):
    """Text, background and ink of a rectangle, as the browser computed them."""
    view.drawn()
    script = """node => [node.textContent, getComputedStyle(node).backgroundColor,
        getComputedStyle(node).color]"""
    return view.cell(row, column).locator("i.colour").evaluate(script)


def mixed(colour, part):
    """A colour diluted with white."""
    return [int(255 + part * (channel - 255) + 0.5) for channel in colour]


def channels(css):
    return [int(n) for n in re.findall(r"\d+", css)]


def choose(view, show):
    view.page.get_by_label("rectangles show").select_option(show)
    view.drawn()


def open_panel(view):
    view.page.locator("details.view summary").click()


def fixed(number, digits):
    """So many decimals, and no zero that is not one."""
    least = 10**-digits
    little = 0 < number < least / 2
    return f"<{least:.{digits}f}" if little else f"{number:.{digits}f}"


def test_what_rectangles_show(typed):
    entropy_and_divergence_need_no_request(typed)
    a_watched_word_is_asked_for_and_shown_with_its_rank(typed)


def entropy_and_divergence_need_no_request(typed):
    answer = typed.trace(TEXT)
    asked = typed.asked()
    most = 6  # 52 words: log₂ 52 = 5.7 bits
    choose(typed, "entropy")
    text, ground, _ = rectangle(typed, 3, 6)
    bits = answer["rows"]["entropy"][3][6]
    assert text == fixed(bits, 1)
    assert channels(ground) == pytest.approx(mixed((0x2B, 0x5C, 0x8A), bits / most), abs=1)
    expect(typed.page.locator("#legend h3")).to_have_text("Entropy, in bits", use_inner_text=True)
    choose(typed, "divergence")
    text, ground, _ = rectangle(typed, 3, 6)
    bits = answer["rows"]["divergence"][3][6]
    assert text == fixed(bits, 2)
    assert channels(ground) == pytest.approx(mixed((0xB5, 0x52, 0x1B), bits), abs=1)
    assert channels(rectangle(typed, 3, COLUMNS - 1)[1]) == [255, 255, 255]
    last = typed.page.locator("#legend .figure-2 span").last
    expect(last).to_have_text("1", use_inner_text=True)
    spoken = typed.cell(3, 6).locator("[role=img]").get_attribute("aria-label")
    assert f"divergence from y {bits:.2f} bits" in spoken
    choose(typed, "class")
    nothing, ground, _ = rectangle(typed, 3, 6)
    assert nothing == ""
    choose(typed, "named")
    mass = answer["rows"]["mass"][3][6]
    name = answer["classes"][mass.index(max(mass))]
    assert rectangle(typed, 3, 6)[:2] == [name, ground]
    typed.page.wait_for_function("() => location.hash.includes('show=named')")
    choose(typed, "class")
    assert typed.asked() == asked
    typed.page.wait_for_function("() => !location.hash.includes('show=')")


def a_watched_word_is_asked_for_and_shown_with_its_rank(typed):
    asked = len(typed.traces())
    choose(typed, "watch")
    word = typed.page.get_by_label("Word to watch")
    expect(word).to_be_focused()
    assert len(typed.traces()) == asked
    word.fill("stand")
    word.press("Enter")
    typed.page.get_by_text("Probability of “stand”").wait_for()
    assert typed.traces()[-1]["watch"] == "stand"
    rows = typed.trace(TEXT, watch="stand")["rows"]
    row, column = 2, 4
    rank, p = rows["watch_ranks"][row][column], rows["watch_probs"][row][column]
    text, ground, _ = rectangle(typed, row, column)
    assert text == f"#{rank}"
    part = max(0, 1 + math.log10(p) / 4)
    assert channels(ground) == pytest.approx(mixed((0x6B, 0x4F, 0xA3), part), abs=1)
    typed.cell(row, column).hover()
    typed.page.locator("#popup").wait_for()
    expect(typed.page.locator("#popup dl")).to_contain_text(f"#{rank} ·", use_inner_text=True)
    expect(typed.page.locator("#popup dl")).to_contain_text("watched: “stand”", use_inner_text=True)
    spoken = typed.cell(row, column).locator("[role=img]").get_attribute("aria-label")
    assert f"stand ranks #{rank}" in spoken
    # Typing goes on with the word, from the rows that are there.
    typed.type("we stand in the hall and", 7)
    assert typed.traces()[-1]["watch"] == "stand"
    typed.page.wait_for_function("() => location.hash.includes('watch=stand')")


def test_a_word_that_cannot_be_watched_is_told(view):
    view.read("we stand", 3)
    choose(view, "watch")
    box = view.page.get_by_label("Word to watch")
    for word, told, then in (
        ("zzz", "not in the vocabulary: <unk> is watched", "she"),
        ("can't", "“can't” cannot be watched: this model reads it as several words", "stand"),
        ("new york", "“new york” cannot be watched: this model reads it as several words", "he"),
    ):
        box.fill(word)
        box.press("Enter")
        view.page.get_by_text(told).wait_for()
        # The text is read all the same.
        rows = view.page.locator("#grid tbody tr").count()
        view.type("we stand" if rows > 3 else "we stand in", 7 - rows)
        expect(box).to_have_value(word)
        box.fill(then)
        box.press("Enter")
        view.page.get_by_text(f"Probability of “{then}”").wait_for()
        expect(view.page.get_by_text(told)).to_have_count(0)


def visible(view, rows, cells):
    """So many rows and cells can be seen."""
    expect(view.page.locator("#grid tbody tr:visible")).to_have_count(rows)
    expect(view.page.locator("#grid tbody td.cell:visible")).to_have_count(cells)


def test_what_is_hidden_and_how_dense_it_is(typed):
    a_layer_is_collapsed_and_opened_in_the_head(typed)
    rows_and_columns_are_hidden_and_shown_again(typed)
    density(typed)


def rows_and_columns_are_hidden_and_shown_again(typed):
    asked = typed.asked()
    open_panel(typed)
    spans = typed.page.get_by_role("textbox", name="timesteps")
    spans.fill("2-3, 5")
    spans.press("Enter")
    visible(typed, 3, 3 * COLUMNS)
    spans.fill("nonsense")
    spans.press("Enter")
    typed.page.get_by_text("Numbers and ranges, such as 2-5, 9.").wait_for()
    typed.page.get_by_label("all gates").uncheck()
    visible(typed, 3, 3 * (COLUMNS - 6))
    typed.page.get_by_label("forget gate").check()
    visible(typed, 3, 3 * (COLUMNS - 4))
    expect(typed.page.get_by_label("all gates")).to_be_checked(indeterminate=True)
    assert faults_in_both(typed, "details.view") == []
    typed.page.keyboard.press("Escape")
    typed.page.get_by_role("button", name="4 columns, 4 rows hidden: show all").click()
    visible(typed, ROWS, ROWS * COLUMNS)
    assert typed.asked() == asked


def a_layer_is_collapsed_and_opened_in_the_head(typed):
    typed.page.get_by_role("button", name="Hide layer 1").click()
    visible(typed, ROWS, ROWS * (COLUMNS - 8))
    typed.page.get_by_role("button", name="Show layer 1").click()
    visible(typed, ROWS, ROWS * COLUMNS)


def density(typed):
    height = "document.querySelector('#grid tbody').getBoundingClientRect().height"
    usual = typed.page.evaluate(height)
    open_panel(typed)
    typed.page.get_by_label("density").select_option("rectangles")
    typed.page.wait_for_function(f"usual => {height} < usual * 0.6", arg=usual)
    expect(typed.page.locator("#grid .words")).to_have_count(0)
    expect(typed.page.locator("#grid svg path")).to_have_count(0)
    typed.page.get_by_label("density").select_option("roomy")
    typed.page.wait_for_function(f"usual => {height} > usual * 1.1", arg=usual)
    size = typed.cell(2, 3).locator(".words").evaluate("n => getComputedStyle(n).fontSize")
    assert float(size.removesuffix("px")) > 12


def test_a_weak_column_says_so_in_words(view):
    info = view.api("models/tiny-lstm")
    for column in info["columns"]:
        if (column["kind"], column["layer"]) == ("long_term", 2):
            column["perplexity"]["next"] = 200.0
    view.page.route("**/api/v1/models/tiny-lstm", lambda route: route.fulfill(json=info))
    view.open("#text=we")
    head = view.page.locator("#grid .kinds th", has_text="200")
    expect(head.locator("em")).to_have_text("weak", use_inner_text=True)
    label = head.get_attribute("aria-label")
    assert label.startswith("Long-term memory, layer 2; perplexity 200; weak: it needs")
    # Half of the columns cannot be weak beside the middle one.
    assert view.page.locator("#grid .kinds em", has_text="weak").count() < COLUMNS / 2


def test_views_survive_the_link_and_axe(view):
    view.open("#text=we stand in the hall&show=entropy&density=roomy&rows=1-3&hide_layers=1")
    visible(view, 3, 3 * (COLUMNS - 8))
    expect(view.page.get_by_label("rectangles show")).to_have_value("entropy")
    assert faults_in_both(view, "#grid", "#legend", "#header") == []
