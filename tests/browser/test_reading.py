"""Reading a cell: one popup, held by a click; more words on demand; operands and their wires."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_surroundings import faults

TEXT = "we stand in the hall. she said"
POPUP = "#popup"


@pytest.fixture
def typed(view):
    view.read(TEXT, 10)
    return view


def column_of(view, kind, layer):
    columns = view.api("models/tiny-lstm")["columns"]
    return next(i for i, c in enumerate(columns) if (c["kind"], c["layer"]) == (kind, layer))


def popup(view):
    return view.page.locator(POPUP)


def title(view):
    return popup(view).locator("h3").inner_text().split("\n")[0]


def test_a_click_holds_and_the_keyboard_goes_in_and_back(typed):
    hover_is_transient_and_a_click_holds(typed)
    the_keyboard_goes_into_the_popup_and_back(typed)


def test_more_words_and_a_server_that_is_gone(typed):
    as_many_words_as_there_are_on_demand(typed)
    a_server_that_is_gone_is_told_in_the_popup(typed)


def test_what_is_told_and_lit_up_of_a_cell(typed):
    the_stack_holds_the_masses_and_names_what_is_outside(typed)
    a_sentence_starts_from_zeros(typed)
    for height in (1000, 740):
        operands_light_up_and_their_wires_reach_the_cell(typed, height)


def hover_is_transient_and_a_click_holds(typed):
    typed.point(2, 4)
    typed.page.mouse.move(2, 2)
    popup(typed).wait_for(state="hidden")
    typed.cell(2, 4).click()
    popup(typed).get_by_role("button", name="Unpin").wait_for()
    held = title(typed)
    typed.cell(5, 9).hover()
    typed.page.wait_for_timeout(400)
    assert title(typed) == held
    expect(typed.page.locator("#pins li")).to_have_count(1)
    # The first press outside only dismisses.
    typed.page.locator("#tokens .facts").click()
    popup(typed).wait_for(state="hidden")
    expect(typed.page.locator("#pins li")).to_have_count(1)
    typed.cell(2, 4).click()
    typed.page.wait_for_function("() => !document.querySelector('#pins li')")


def as_many_words_as_there_are_on_demand(typed):
    row, column = 3, 6
    asked = len(typed.traces())
    typed.cell(row, column).click()
    popup(typed).get_by_role("button", name="50 words").click()
    typed.page.wait_for_function("() => document.querySelectorAll('#popup .r').length === 50")
    body = typed.traces()[-1]
    assert len(typed.traces()) == asked + 1
    # The states of a row depend on no later word: none is sent.
    assert (body["bars"], body["from"], body["text"]) == (50, row, "we stand in")
    answer = typed.trace(TEXT, bars=50)
    words = popup(typed).locator(".r span").all_text_contents()
    ids = answer["rows"]["top_ids"][row][column]
    assert words == [answer["words"][str(id)] for id in ids]
    # Scrolling inside does not close it.
    popup(typed).locator(".rows").hover()
    typed.page.mouse.wheel(0, 300)
    typed.page.wait_for_function("() => document.querySelector('#popup .rows').scrollTop > 0")
    typed.page.wait_for_timeout(200)
    expect(popup(typed)).to_be_visible()
    assert faults(typed.page, "#popup") == []
    popup(typed).get_by_role("button", name="10 words").click()
    typed.page.wait_for_function("() => document.querySelectorAll('#popup .r').length === 10")


def a_server_that_is_gone_is_told_in_the_popup(typed):
    # Of a row whose words nobody asked for yet.
    typed.page.keyboard.press("Escape")
    popup(typed).wait_for(state="hidden")
    typed.cell(4, 6).click()
    typed.server_leaves = True
    typed.page.route("**/api/v1/trace", lambda route: route.abort())
    popup(typed).get_by_role("button", name="50 words").click()
    popup(typed).get_by_text("The server did not answer.").wait_for()
    expect(popup(typed).locator(".r")).to_have_count(10)


def the_stack_holds_the_masses_and_names_what_is_outside(typed):
    row, column = 2, 5
    answer = typed.trace(TEXT)
    typed.point(row, column)
    mass = answer["rows"]["mass"][row][column]
    widths = (
        popup(typed)
        .locator(".stack i")
        .evaluate_all("nodes => nodes.map(n => parseFloat(n.style.width))")
    )
    assert widths == pytest.approx(sorted((100 * m for m in mass if m > 0), reverse=True), abs=0.01)
    label = popup(typed).locator(".stack").get_attribute("aria-label")
    assert re.search(r"outside the top 10 % of words [<\d.]+ %$", label)
    names = {c["id"]: c["name"] for c in typed.api("models/tiny-lstm")["classes"]}
    best = max(range(len(mass)), key=mass.__getitem__)
    assert label.startswith(names[answer["classes"][best]])
    expect(popup(typed).locator("dt.outside")).to_have_text(
        "outside the top 10 %", use_inner_text=True
    )


def operands_light_up_and_their_wires_reach_the_cell(typed, height):
    typed.page.set_viewport_size({"width": 1440, "height": height})
    typed.drawn()
    long_term = column_of(typed, "long_term", 2)
    typed.point(4, long_term)
    lit = typed.page.locator("#grid td.operand")
    expect(lit).to_have_count(2)
    labels = lit.locator("[role=img]").evaluate_all(
        "nodes => nodes.map(n => n.getAttribute('aria-label'))"
    )
    assert any("timestep 5, Forget gate of layer 2" in label for label in labels)
    assert any("timestep 4, Cell state of layer 2" in label for label in labels)
    wires = typed.page.locator("#grid .wires .line")
    expect(wires).to_have_count(2)
    # Each ends at the cell: its box holds the last point of the path.
    cell = typed.cell(4, long_term).bounding_box()
    table = typed.page.locator("#grid table").bounding_box()
    for path in wires.evaluate_all("nodes => nodes.map(n => n.getAttribute('d'))"):
        x, y = [float(n) for n in path.split()[-2:]]
        assert cell["x"] <= table["x"] + x <= cell["x"] + cell["width"]
        assert table["y"] + y == pytest.approx(cell["y"], abs=3)
    # Neither the cell, nor an operand, nor anything else of the row is under the popup.
    box = popup(typed).bounding_box()
    row = typed.page.locator("#grid tbody tr").nth(4)
    for node in (*lit.all(), typed.cell(4, long_term), row):
        seen = node.bounding_box()
        apart = (
            seen["x"] + seen["width"] <= box["x"] + 4
            or box["x"] + box["width"] <= seen["x"]
            or seen["y"] + seen["height"] <= box["y"] + 6
            or box["y"] + box["height"] <= seen["y"]
        )
        assert apart
    typed.page.mouse.move(2, 2)
    popup(typed).wait_for(state="hidden")
    expect(wires).to_have_count(0)


def a_sentence_starts_from_zeros(typed):
    start = 7
    expect(typed.page.locator("#grid tbody th b").nth(start)).to_have_text(
        "<bos>", use_inner_text=True
    )
    typed.point(start, column_of(typed, "long_term", 2))
    expect(typed.page.locator("#grid td.operand")).to_have_count(1)
    expect(popup(typed).locator("dl")).to_contain_text(
        "state before the sentence", use_inner_text=True
    )


def the_keyboard_goes_into_the_popup_and_back(typed):
    typed.cell(2, 3).focus()
    typed.page.keyboard.press("ArrowDown")
    typed.page.keyboard.press("Enter")
    popup(typed).get_by_role("button", name="Unpin").wait_for()
    typed.page.keyboard.press("Tab")
    expect(typed.page.get_by_role("button", name="50 words")).to_be_focused()
    typed.page.keyboard.press("Enter")
    typed.page.wait_for_function("() => document.querySelectorAll('#popup .r').length === 50")
    typed.page.keyboard.press("Escape")
    popup(typed).wait_for(state="hidden")
    focused = typed.page.evaluate("document.activeElement.closest('td.cell').cellIndex")
    assert focused == 4
    # Unpinned and pinned again, its popup is held: past either of its ends Tab is back on the cell.
    cell = typed.page.locator("#grid td.cell:focus")
    typed.page.keyboard.press("Enter")
    expect(cell).not_to_contain_class("pin")
    typed.page.keyboard.press("Enter")
    popup(typed).get_by_role("button", name="Unpin").wait_for()
    typed.page.keyboard.press("Tab")
    expect(typed.page.get_by_role("button", name="50 words")).to_be_focused()
    typed.page.keyboard.press("Shift+Tab")
    expect(typed.page.locator("#grid td.cell.on")).to_be_focused()
    expect(popup(typed)).not_to_contain_class("held")
    typed.page.keyboard.press("Tab")
    expect(typed.page.locator("#grid td.cell:focus, #popup :focus")).to_have_count(0)
