"""Inside a cell: its equation with the vectors in it, from the cell, the keyboard and a link."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import watch
from tests.browser.test_reading import column_of
from tests.browser.test_surroundings import faults

TEXT = "we stand in the"
ROW = 3


def panel(view):
    return view.page.locator("#inside")


def api_cell(view, **fields):
    url = f"{view.server.url}/api/v1/cell"
    return view.page.request.post(url, data={"text": TEXT} | fields).json()


def figure(value):
    """As the page writes the value of a unit."""
    if abs(value) < 0.0005:
        return "≈ 0" if value else "0"
    return f"{value:.3f}".replace("-", "\N{MINUS SIGN}")


def test_from_a_cell_to_its_inside_and_back(view):
    view.open(f"#v=1&text={TEXT.replace(' ', '+')}")
    column = column_of(view, "cell_state", 2)
    view.cell(ROW, column).click()
    view.page.locator("#popup").get_by_role("button", name="Inside").click()
    panel(view).locator(".said").get_by_text("is larger in").wait_for()
    expect(view.page.locator("#inside-title")).to_be_focused()
    expect(view.page.locator("#popup")).to_be_hidden()

    answer = api_cell(view, timestep=ROW, kind="cell_state", layer=2)
    said = panel(view).locator(".said").inner_text()
    won = answer["won"]
    assert f"l is larger in {won['long_term']} of 8 units, s in {won['short_term']}" in said or (
        f"s is larger in {won['short_term']} of 8 units, l in {won['long_term']}" in said
    )
    told = panel(view).locator(".divergence").all_inner_texts()[:2]
    assert told == [f"{o['divergence']:.2f} bits from c" for o in answer["operands"]]

    # Pointed at in the network's own order, the last strip's third unit is the third.
    panel(view).get_by_role("button", name="unit").click()
    strip = panel(view).locator("svg").last
    box = strip.bounding_box()
    strip.hover(position={"x": box["width"] * 2.5 / 8, "y": 10})
    long, short = (o["values"][2] for o in answer["operands"])
    slider = panel(view).get_by_role("slider")
    reading = f"l {figure(long)} + s {figure(short)} = c {figure(answer['values'][2])}"
    expect(slider).to_have_attribute("aria-valuetext", f"unit 3, place 3: {reading}")
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^unit 4, place 4:"))
    assert faults(view.page, "#inside") == []

    view.page.wait_for_function("() => location.hash.includes('order=unit')")
    view.page.reload()
    panel(view).get_by_text(said).wait_for()
    pressed = panel(view).locator(".segments [aria-pressed=true]")
    expect(pressed).to_have_text("unit", use_inner_text=True)
    # A link takes no focus away from the page.
    expect(view.page.locator("body")).to_be_focused()

    # Into an operand, and back to its cell.
    panel(view).get_by_role("button", name="Long-term memory").click()
    panel(view).get_by_text("f is open").wait_for()
    view.page.keyboard.press("Escape")
    panel(view).wait_for(state="hidden")
    focused = view.page.evaluate("document.activeElement.cellIndex")
    assert focused == column_of(view, "long_term", 2) + 1
    view.page.wait_for_function("() => !location.hash.includes('inside=')")


def test_by_keyboard_in_the_dark_on_a_phone_whatever_is_typed(chromium, tiny_server):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, color_scheme="dark")
    view = watch(context, tiny_server)
    view.open(f"#v=1&text={TEXT.replace(' ', '+')}")
    view.cell(ROW, 1).focus()
    view.page.keyboard.press("ArrowDown")
    view.page.keyboard.press("i")
    title = panel(view).locator("h2")
    panel(view).get_by_text("f is open").wait_for()
    expect(title).to_have_text("the · Forget gate, layer 1", use_inner_text=True)
    # The cell stays in sight above the dock, and nothing is wider than the screen.
    view.drawn()
    assert view.cell(ROW + 1, 1).bounding_box()["y"] < panel(view).bounding_box()["y"] - 13
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert view.page.evaluate(overflow) <= 0
    assert faults(view.page, "#inside") == []

    view.type("we stand in his hall", 6)
    panel(view).get_by_text("his · Forget gate").wait_for()
    view.server_leaves = True
    view.page.route("**/api/v1/cell", lambda route: route.abort())
    view.type("he stood in his hall", 6)
    panel(view).get_by_role("alert").get_by_text("The server did not answer.").wait_for()
    panel(view).get_by_role("button", name="Try again").click()
    view.page.unroute("**/api/v1/cell")
    panel(view).get_by_text("f is open").wait_for()
    view.type("we", 2)
    panel(view).get_by_text("This text has no timestep 5: it has 2.").wait_for()
    panel(view).get_by_role("button", name="Close").click()
    panel(view).wait_for(state="hidden")
    view.check()
    context.close()
