"""Faults that a person found on the page: where things stand, in the browser's own pixels."""

from __future__ import annotations

import re
from base64 import b64encode

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZE, watch

TEXT = "Nobody stands. we zyzzogeton in the hall."
ROWS = 11  # two sentence starts, "Nobody stands ." and "we zyzzogeton in the hall ."
BOX = """node => { const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
    return { left, right, top, bottom, width, height }; }"""
# The box of a cell's outline, from its pseudo-element's own measures.
OUTLINE = """td => {
    const style = getComputedStyle(td, "::before"), cell = td.getBoundingClientRect();
    const left = cell.left + parseFloat(style.left) + parseFloat(style.marginLeft);
    const top = cell.top + parseFloat(style.top);
    return { left, top, right: left + parseFloat(style.width), sizing: style.boxSizing,
        bottom: top + parseFloat(style.height) }; }"""
PHONE = {"width": 390, "height": 800}


def box(locator):
    return locator.evaluate(BOX)


@pytest.fixture
def typed(view):
    view.read(TEXT, ROWS)
    return view


@pytest.fixture
def phone(chromium, tiny_server):
    context = chromium.new_context(viewport=PHONE, has_touch=True)
    seen = watch(context, tiny_server)
    seen.read(TEXT, ROWS)
    yield seen
    seen.check()
    context.close()


def test_where_things_stand(typed):
    for row, column in [(1, 0), (1, 3), (1, 17), (4, 0), (4, 5)]:
        an_outline_holds_what_is_drawn_of_its_cell_and_nothing_lies_over_it(typed, row, column)
    typed.point_at_nothing()
    a_token_is_cut_only_where_there_is_no_room(typed)
    y_and_what_came_next_stay_in_sight_and_the_edge_says_that_more_lies_beyond(typed)
    typed.point_at_nothing()
    for width in (1440, 1600, 1920):
        surprisals_are_not_cut_off(typed, width)
    # The last: it takes the bars away.
    without_bars_what_came_next_does_not_touch(typed)


def test_a_phone(phone):
    a_phone_fades_what_lies_beyond_the_edge(phone)
    a_phone_shows_the_whole_of_menus_and_messages(phone)
    on_a_phone_a_tap_opens_and_scrolling_in_the_sheet_leaves_it_open(phone)
    a_sheet_leaves_its_cell_in_sight_in_the_last_row_too(phone)
    # The last: it types another text.
    chips_that_scroll_can_be_scrolled_by_keys(phone)


def test_while_a_new_text_is_read(typed):
    a_long_unknown_word_keeps_what_is_read_in_its_place(typed)
    the_old_answer_is_dimmed_while_a_new_one_is_read(typed)


def test_in_a_low_window_all_of_the_popup_can_be_reached(view):
    view.page.set_viewport_size({"width": 844, "height": 340})
    view.read(TEXT, ROWS)
    view.cell(1, 3).click()
    popup = view.page.locator("#popup")
    popup.wait_for()
    where = box(popup)
    assert where["top"] >= 0
    assert where["bottom"] <= 340
    last = popup.locator("button:visible").last
    last.scroll_into_view_if_needed()
    assert box(last)["bottom"] <= 340


def test_what_has_the_focus_stands_above_the_open_inside(view):
    view.page.set_viewport_size({"width": 1280, "height": 700})
    view.read(TEXT, ROWS)
    view.cell(1, 3).focus()
    view.page.keyboard.press("i")
    view.page.locator("#inside").wait_for()
    view.cell(1, 3).focus()
    for row in range(2, ROWS):
        view.page.keyboard.press("ArrowDown")
        cell = box(view.cell(row, 3))
        assert cell["bottom"] <= box(view.page.locator("#inside"))["top"] + 1


def test_a_long_word_breaks_wherever_it_is_told(view):
    word = "z" * 90
    view.page.set_viewport_size({"width": 1280, "height": 900})
    view.read(f"we {word} stand", 4)
    view.cell(2, 3).click()
    view.cell(2, 5).click()
    expect(view.page.locator("#pins li")).to_have_count(2)
    view.page.keyboard.press("i")
    view.page.locator("#inside").wait_for()
    wide = "() => document.documentElement.scrollWidth <= window.innerWidth"
    assert view.page.evaluate(wide)
    for card in view.page.locator("#pins li, .cards article").all():
        assert card.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_pins(typed):
    paper_has_no_heading_without_pins(typed)
    typed.page.emulate_media(media="null")
    typed.cell(1, 1).click()
    expect(typed.page.locator("#pins li")).to_have_count(0)
    a_fifth_pin_says_what_gave_way_and_undo_brings_it_back(typed)


def an_outline_holds_what_is_drawn_of_its_cell_and_nothing_lies_over_it(typed, row, column):
    cell = typed.cell(row, column)
    typed.point(row, column)
    expect(cell).to_contain_class("on")
    typed.drawn()
    outline, colour = cell.evaluate(OUTLINE), box(cell.locator(".colour"))
    assert outline["sizing"] == "border-box"
    assert outline["top"] == pytest.approx(colour["top"] - 2, abs=0.6)
    last = box(cell.locator(".words"))
    assert outline["bottom"] == pytest.approx(last["bottom"] + 2, abs=0.6)
    assert outline["right"] == pytest.approx(colour["right"] + 2, abs=0.6)
    token = box(typed.page.locator("#grid tbody tr").nth(row).locator("th"))
    assert outline["left"] >= token["right"] - 0.1
    order = "td => Number(getComputedStyle(td).zIndex) || 0"
    if column < 17:
        assert cell.evaluate(order) > typed.cell(row, column + 1).evaluate(order) or column == 16


def a_token_is_cut_only_where_there_is_no_room(typed):
    cut = "nodes => nodes.filter(n => n.scrollWidth > n.clientWidth + 1).map(n => n.textContent)"
    assert typed.page.locator("#grid tbody th b").evaluate_all(cut) == []


def surprisals_are_not_cut_off(typed, width):
    typed.page.set_viewport_size({"width": width, "height": 1000})
    typed.drawn()
    cut = """nodes => nodes.filter(n => {
        const range = document.createRange(); range.selectNodeContents(n);
        return range.getBoundingClientRect().right > n.closest("td").getBoundingClientRect().right;
    }).length"""
    assert typed.page.locator("#grid td.came div").evaluate_all(cut) == 0
    # The longest that a surprisal can be: a full bar with its figure.
    typed.page.locator("#grid td.came s").first.evaluate(
        "s => { s.style.width = '58px'; s.nextSibling.textContent = '22.5 bits'; }"
    )
    assert typed.page.locator("#grid td.came div").evaluate_all(cut) == 0
    grid = box(typed.page.locator("#grid"))
    assert box(typed.page.locator("#grid td.came").nth(2))["right"] <= grid["right"]


def a_phone_shows_the_whole_of_menus_and_messages(phone):
    def whole(node):
        node.wait_for()
        place = box(node)
        assert place["left"] >= 0
        assert place["right"] <= PHONE["width"]
        assert place["top"] >= 0

    for name in ("Examples", "View", "Export"):
        phone.page.locator("summary", has_text=name).tap()
        menu = phone.page.locator("details[open] .menu")
        whole(menu)
        phone.page.locator("summary", has_text=name).tap()
        menu.wait_for(state="hidden")
    phone.page.locator("summary", has_text="Share").tap()
    phone.page.get_by_text("Copy link").tap()
    whole(phone.page.locator(".told:not(:empty)"))
    field = phone.page.get_by_label("To be copied")
    whole(field)
    field.press("Escape")


def a_sheet_leaves_its_cell_in_sight_in_the_last_row_too(phone):
    phone.page.locator("#grid tbody tr").last.scroll_into_view_if_needed()
    phone.cell(ROWS - 1, 1).tap()
    phone.page.locator("#popup.held").wait_for()
    phone.drawn()
    cell, sheet = box(phone.cell(ROWS - 1, 1)), box(phone.page.locator("#popup"))
    assert cell["top"] >= 0
    assert cell["bottom"] <= sheet["top"]
    phone.page.get_by_role("button", name="Close").tap()
    phone.drawn()
    expect(phone.page.locator("body")).not_to_have_attribute("style", re.compile("padding"))


def on_a_phone_a_tap_opens_and_scrolling_in_the_sheet_leaves_it_open(phone):
    phone.cell(2, 1).scroll_into_view_if_needed()
    phone.cell(2, 1).tap()
    sheet = phone.page.locator("#popup.held")
    sheet.wait_for()
    phone.drawn()
    phone.drawn()
    place = box(phone.cell(2, 1))
    assert place["top"] >= 0
    assert place["bottom"] <= box(sheet)["top"] + 6
    sheet.get_by_role("button", name="50 words").tap()
    rows = sheet.locator(".rows.long")
    rows.wait_for()
    assert rows.evaluate("n => { n.scrollTop = 80; return n.scrollTop; }") > 0
    phone.drawn()
    phone.page.wait_for_timeout(200)
    expect(sheet).to_be_visible()
    token = phone.page.locator("#grid tbody th").nth(7)
    token.locator("b").dispatch_event("click")
    whole = "b => b.scrollWidth <= b.clientWidth + 1"
    phone.page.wait_for_function(whole, arg=token.locator("b").element_handle())
    sheet.get_by_role("button", name="Close").tap()
    sheet.wait_for(state="hidden")


def y_and_what_came_next_stay_in_sight_and_the_edge_says_that_more_lies_beyond(typed):
    typed.page.set_viewport_size({"width": 1024, "height": 800})
    typed.drawn()
    grid = typed.page.locator("#grid")
    expect(grid).to_contain_class("beyond")
    edges = box(grid)
    for cell in (
        typed.cell(2, 17),
        grid.locator("td.came").nth(3),
        grid.locator("thead .kinds .y"),
    ):
        assert box(cell)["right"] <= edges["right"] + 0.5
    typed.cell(2, 17).hover()
    typed.page.locator("td.cell.y.on").wait_for()
    assert box(typed.cell(2, 17))["right"] <= edges["right"] + 0.5
    grid.evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    typed.page.locator("#grid:not(.beyond)").wait_for()


def chips_that_scroll_can_be_scrolled_by_keys(phone):
    chips = phone.page.locator("#tokens .chips")
    expect(chips).not_to_have_attribute("tabindex", "0")
    # Line by line, as one types: the list grows to the height that it may have, and then within it.
    for more, rows in (("we", ROWS + 2), ("we stand in the", ROWS + 5), (TEXT, 2 * ROWS)):
        phone.type(f"{TEXT} {more}", rows)
    assert chips.evaluate("list => list.scrollHeight > list.clientHeight + 1")
    expect(chips).to_have_attribute("tabindex", "0")


def a_phone_fades_what_lies_beyond_the_edge(phone):
    mask = phone.page.locator("#grid").evaluate("node => getComputedStyle(node).maskImage")
    assert "linear-gradient" in mask


def test_names_of_kinds_fit_their_columns(chromium, tiny_server):
    context = chromium.new_context(viewport={"width": 1024, "height": 800})
    view = watch(context, tiny_server)
    view.open("#v=1&text=we+stand&labels=name")
    wide = (
        """nodes => nodes.filter(n => n.scrollWidth > n.clientWidth + 1).map(n => n.textContent)"""
    )
    assert view.page.locator("#grid .kinds .name").evaluate_all(wide) == []
    view.check()
    context.close()


def without_bars_what_came_next_does_not_touch(typed):
    typed.page.locator("details.view summary").click()
    typed.page.get_by_label("bars in a cell").fill("0")
    typed.drawn()
    came = typed.page.locator("#grid td.came")
    feet = typed.page.locator("#grid td.came > div:last-child").evaluate_all(
        "nodes => nodes.map(n => n.getBoundingClientRect().bottom)"
    )
    assert len(feet) > 4
    heads = came.locator("b").evaluate_all("nodes => nodes.map(n => n.getBoundingClientRect().top)")
    assert all(head - foot >= 3 for foot, head in zip(feet, heads[1:], strict=False))


def a_long_unknown_word_keeps_what_is_read_in_its_place(typed):
    typed.type("we " + "z" * 90 + " stand", 4)
    chip = typed.page.locator(".chips li").nth(2)
    assert box(chip.locator("small"))["right"] <= box(chip)["right"]
    assert chip.locator("small").inner_text().strip() == "<unk>"


def the_old_answer_is_dimmed_while_a_new_one_is_read(typed):
    held = []
    typed.page.route("**/api/v1/trace", lambda route: held.append(route))
    typed.page.get_by_label("Text that the network reads").fill("we stand in the hall")
    typed.page.locator("#grid.stale").wait_for()
    expect(typed.page.locator("#tokens")).to_contain_class("reading")
    held.pop().continue_()
    typed.page.unroute("**/api/v1/trace")
    typed.rows(6)
    typed.page.locator("#grid:not(.stale)").wait_for()


def a_fifth_pin_says_what_gave_way_and_undo_brings_it_back(typed):
    for column in range(5):
        typed.cell(1, column + 2).click()
    pins = typed.page.locator("#pins")
    pins.get_by_text("At most 4 are kept: Nobody · input gate of layer 1 gave way.").wait_for()
    pins.get_by_role("button", name="Undo").click()
    typed.page.wait_for_function("() => location.hash.includes('2.input_gate.1')")
    expect(pins.locator("li")).to_have_count(4)
    expect(pins.get_by_role("button", name="Undo")).to_have_count(0)
    pins.locator(".find").nth(1).click()
    typed.page.locator("#popup.held").wait_for()


def paper_has_no_heading_without_pins(typed):
    typed.page.emulate_media(media="print")
    expect(typed.page.locator("#pins")).to_be_hidden()
    typed.page.emulate_media(media="screen")
    typed.cell(1, 1).click()
    typed.page.emulate_media(media="print")
    expect(typed.page.locator("#pins h2")).to_be_visible()


def test_the_help_opens_at_its_beginning(view):
    view.open()
    view.page.set_viewport_size({"width": SIZE["width"], "height": 500})
    view.page.get_by_role("button", name="How to read this").click()
    assert view.page.locator("#help").evaluate("node => node.scrollTop") == 0
    expect(view.page.get_by_role("heading", name="How to read this")).to_be_visible()


def test_a_cell_reached_by_keys_is_not_under_what_stays_in_sight(view):
    view.page.emulate_media(reduced_motion="no-preference")  # it is moved to smoothly
    view.page.set_viewport_size({"width": 1024, "height": 800})
    view.read("we stand", 3)
    view.cell(1, 0).focus()
    sides = """() => {
      const [cell, token, y] = [document.activeElement, ...["th", "td.y"].map((name) =>
        document.activeElement.parentElement.querySelector(name))];
      const [at, left, right] = [cell, token, y].map((node) => node.getBoundingClientRect());
      return [at.left + 12 - left.right, right.left - at.right];
    }"""
    for key in ["ArrowRight"] * 16 + ["ArrowLeft"] * 16:
        view.page.keyboard.press(key)
        assert min(view.page.evaluate(sides)) >= -0.6


# The colours of a picture, each as often as it likes.
COLOURS = """async (png) => {
    const image = new Image(); image.src = `data:image/png;base64,${png}`; await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d"); context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    const seen = new Set();
    for (let i = 0; i < data.length; i += 4) seen.add(data.slice(i, i + 3).join());
    return [...seen]; }"""


def test_nothing_shows_through_between_what_sticks(chromium, tiny_server):
    """At 1.25 pixels of the screen a pixel, rows end within one: a hairline showed there."""
    size = {"width": 950, "height": 640}
    context = chromium.new_context(viewport=size, device_scale_factor=1.25)
    seen = watch(context, tiny_server)
    seen.read(f"{TEXT} {TEXT}", 2 * ROWS)
    page = seen.page
    page.evaluate("""() => { const bare = new CSSStyleSheet();
        bare.replaceSync("#grid :is(tbody th, .came) * { visibility: hidden }");
        document.adoptedStyleSheets.push(bare);
        const grid = document.querySelector("#grid"); grid.style.maxHeight = "433px";
        grid.scrollIntoView(); grid.scrollLeft = 77.7; }""")
    seen.drawn()
    grid, token = box(page.locator("#grid")), box(page.locator("#grid tbody th").first)
    head = box(page.locator("#grid thead"))
    strips = [(token["left"] + 1, token["width"] - 2), (grid["right"] - 12, 12)]
    # Whether a row ends on a pixel of the screen depends on how far it is scrolled.
    for down in (101.3, 233.3):
        page.evaluate("y => { document.querySelector('#grid').scrollTop = y; }", down)
        seen.drawn()
        for left, width in strips:
            clip = {"x": left, "width": width, "y": head["bottom"] + 2}
            clip["height"] = grid["bottom"] - clip["y"] - 18
            png = page.screenshot(clip=clip)  # type: ignore[arg-type]
            assert len(page.evaluate(COLOURS, b64encode(png).decode())) == 1
    seen.check()
    context.close()
