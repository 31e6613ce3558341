"""Themes, screens, assistive technology, a server that leaves, and the shipped models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SHIPPED, SIZE, watch
from tests.door import Door

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
# Rows and columns of the grid are alike: the first few, and the network's own prediction, stand for
# all, since axe takes a hundredth of a second for each cell.
ALIKE = ["#grid tbody tr:nth-child(n+6)", "#grid td.cell:nth-child(n+6):not(.y)"]
FOUND = """async ([rules, context]) => (await axe.run(context, rules)).violations.map(
    (v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" ")}`)"""


def faults(page, *within):
    """What axe-core finds: of the page, or of the parts that are named where it was asked of the
    page elsewhere. Evaluated, since the policy forbids an added script element.
    """
    return _axe(page, {}, within)


def faults_in_both(view, *within):
    """The same, in light and then in dark, which is light in other colours: only contrast is looked
    at anew.
    """
    found = faults(view.page, *within)
    view.page.emulate_media(color_scheme="dark")
    view.drawn()
    found += _axe(view.page, {"runOnly": ["color-contrast"]}, within)
    view.page.emulate_media(color_scheme="light")
    view.drawn()
    return found


def _axe(page, rules, within):
    context = {"exclude": [[selector] for selector in ALIKE]}
    if within:
        context["include"] = [[selector] for selector in within]
    page.evaluate(f"() => {{ if (!window.axe) {{ {AXE} }} }}")
    return page.evaluate(FOUND, [rules, context])


# Words of every kind that is marked, in few rows: axe looks at each cell for itself.
MARKED = "zebra+24+she+saw"


def test_axe_finds_nothing(view):
    view.open(f"#v=1&text={MARKED}")
    assert faults_in_both(view) == []
    view.cell(2, 4).click()
    view.page.locator("#popup").wait_for()
    assert faults_in_both(view, "#popup", "#grid td.on", "#grid td.operand", "#pins") == []
    view.page.keyboard.press("Escape")
    view.page.get_by_role("button", name="How to read this").click()
    view.page.locator("#help[open]").wait_for()
    assert faults_in_both(view, "#help") == []


def test_axe_finds_nothing_with_everything_open(view):
    """What is asked of a whole page, its landmarks, headings and names; the parts by themselves are
    looked at by their own tests, in dark too.
    """
    opened = "compare=she&unit=cell_state.2.3&follow=depth&inside=2.cell_state.2&pins=2.output"
    view.open(f"#v=1&text=he+saw&{opened}")
    for part in ("#compare", "#unit", "#inside .said", "#pins li", "#chart"):
        view.page.locator(part).first.wait_for()
    view.page.locator("details.view summary").click()
    view.drawn()
    assert faults(view.page) == []
    with_colours_of_ones_own_data_keep_theirs(view)


DATA = [
    *("td.cell .colour", ".matrix .bits i", ".plot i.length", "tbody .came s", ".figure-2 i"),
    *(".says .colour", ".says .word s"),
]
SEEN = """([data, pressed, text]) => { text = document.querySelector(text); text.focus();
    const of = (selector) => getComputedStyle(document.querySelector(selector)).backgroundColor;
    const { outlineStyle, boxShadow } = getComputedStyle(text);
    const line = getComputedStyle(text.parentElement).boxShadow;
    return [data.map(of), pressed.map(of), outlineStyle, boxShadow, line]; }"""


def with_colours_of_ones_own_data_keep_theirs(view):
    """In Windows' high contrast a background or a shadow is dropped, unless it says otherwise."""
    pressed = [f'#header .segments [aria-pressed="{pressed}"]' for pressed in ("true", "false")]
    colours, _, ring, _, line = view.page.evaluate(SEEN, [DATA, pressed, "#text"])
    # One sign of focus: the line under the text.
    assert ring == "none"
    assert line != "none"
    view.page.emulate_media(forced_colors="active")
    forced, chosen, ring, _, _ = view.page.evaluate(SEEN, [DATA, pressed, "#text"])
    view.page.emulate_media(forced_colors="none")
    grey = {".plot i.length", "tbody .came s"}  # theirs are the reader's grey, and no colours
    paper = chosen[1]
    for name, before, after in zip(DATA, colours, forced, strict=True):
        assert after == before or name in grey, name
        assert after != "rgb(255, 255, 255)" or name not in grey, name
    assert chosen[0] != paper
    assert ring == "solid"


def test_a_narrow_screen_scrolls_the_grid_and_not_the_page(view):
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for column, width in enumerate((390, 1024)):
        view.page.set_viewport_size({"width": width, "height": 800})
        if width == 390:
            view.open()
        view.drawn()
        assert view.page.evaluate(overflow) <= 0
        box = view.page.get_by_label("Text that the network reads").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        view.cell(1, column).scroll_into_view_if_needed()
        view.cell(1, column).click()
        view.page.locator("#popup.held").wait_for()
        assert view.page.evaluate(overflow) <= 0
        view.page.keyboard.press("Escape")
        view.page.locator("#popup").wait_for(state="hidden")


def test_the_page_waits_for_a_server_that_left(chromium, tiny_server):
    door = Door(tiny_server.url)
    door.open()
    context = chromium.new_context(viewport=SIZE)
    view = watch(context, replace(tiny_server, url=door.url))
    view.open()
    door.shut()
    view.server_leaves = True
    view.page.get_by_label("Text that the network reads").fill("we stand")
    alert = view.page.get_by_role("alert")
    alert.get_by_text("Can't reach the server.").wait_for()
    door.open()
    view.rows(3)
    expect(view.page.get_by_label("Text that the network reads")).to_have_value("we stand")
    alert.get_by_text("Can't reach the server.").wait_for(state="detached")
    view.check()
    context.close()
    door.shut()


def test_the_page_works_under_a_sub_path_and_asks_nothing_outside_it(chromium, tiny_server):
    door = Door(tiny_server.url, "/tools/unrolled")
    door.open()
    context = chromium.new_context(viewport=SIZE)
    view = watch(context, replace(tiny_server, url=door.url))
    view.open("#v=1&text=we+stand")
    view.rows(3)
    view.type("we", 2)
    assert len(view.asked()) >= 4
    assert all(request.url.startswith(f"{door.url}/") for request in view.requests)
    view.check()
    context.close()
    door.shut()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_model_reads_its_examples_and_draws_them(chromium, shipped_server, name):
    context = chromium.new_context(viewport=SIZE)
    view = watch(context, shipped_server)
    view.open(f"#v=1&model={name}&text=we")
    info = view.api(f"models/{name}")
    assert len(info["examples"]) >= 5
    box = view.page.get_by_label("Text that the network reads")
    texts = [example["text"] for example in info["examples"]]
    for text in texts:
        answer = view.trace(text, model=name)
        assert all(token["known"] for token in answer["tokens"][:1])
    for text in dict.fromkeys((texts[-1], max(texts, key=len))):
        with view.page.expect_response("**/api/v1/trace") as response:
            box.fill(text)
        assert response.value.status == 200
        asked = response.value.request.post_data_json
        assert (asked["model"], asked["text"]) == (name, text)
        answer = response.value.json()
        view.rows(len(answer["tokens"]))
        cells = view.page.locator("#grid tbody td.cell")
        expect(cells).to_have_count(len(answer["tokens"]) * len(answer["columns"]))
    view.check()
    context.close()


def test_the_tour_tells_the_figures_of_the_shipped_model(chromium, shipped_server):
    context = chromium.new_context(viewport=SIZE)
    view = watch(context, shipped_server)
    view.open("#v=1&text=we+stand&bars=5")
    answer = view.trace('"We stand in solidarity," she emphasized.')
    rows, columns = answer["rows"], answer["columns"]
    view.page.get_by_role("button", name="How to read this").click()
    view.page.get_by_role("button", name="Take the tour").click()
    view.rows(len(answer["tokens"]))
    card, next_step = view.page.locator("#tour"), view.page.locator("#tour button").last
    told = {}
    for step in range(1, 8):
        card.get_by_text(f"{step} of 7").wait_for()
        view.drawn()
        cell = view.page.locator("#grid td.cell.on")
        t = cell.evaluate("td => td.closest('tr').rowIndex - 2")
        c = cell.evaluate("td => td.cellIndex - 1")
        told[card.locator("h3").inner_text()] = (t, c)
        word = answer["words"][str(rows["top_ids"][t][c][0])]
        text = card.locator("p").inner_text()
        assert f"“{word}” {100 * rows['top_probs'][t][c][0]:.0f} %" in text
        box, outline = card.bounding_box(), cell.bounding_box()
        assert (
            box["y"] >= outline["y"] + outline["height"] or box["y"] + box["height"] <= outline["y"]
        )
        if step == 1:
            assert faults(view.page, "#tour") == []
        next_step.focus()
        view.page.keyboard.press("ArrowRight")
    card.wait_for(state="hidden")
    expect(view.page.get_by_label("Text that the network reads")).to_have_value("we stand")
    # What is told of them in words.
    first, second = (t for t, token in enumerate(answer["tokens"]) if token["word"] == '"')
    (t, c), (_, y) = told["The same word, twice"], told["Two answers"]
    assert (t, columns[c]["kind"]) == (second, "embedding")
    assert rows["top_probs"][first][c] == rows["top_probs"][second][c]
    assert rows["top_ids"][first][y] != rows["top_ids"][second][y]
    t, c = told["What is kept"]
    assert (t, columns[c]) == (second, {"kind": "long_term", "layer": 2})
    t, c = told["Where it pays"]
    assert (
        answer["classes"][max(range(len(rows["mass"][t][c])), key=rows["mass"][t][c].__getitem__)]
        == "VERB"
    )
    assert rows["next_ranks"][t] > 10
    view.check()
    context.close()


def test_a_model_is_shipped():
    assert SHIPPED


@pytest.mark.parametrize("width", [1440, 1024, 800, 390])
def test_what_a_menu_opens_is_all_on_the_page(view, width):
    view.page.set_viewport_size({"width": width, "height": 900})
    view.read("she said .", 4)
    summaries = view.page.locator("details > summary")
    assert summaries.count() >= 4  # About, Share, Export, Examples
    for summary in summaries.all():
        if not summary.is_visible():
            continue
        summary.click()
        box = summary.locator("xpath=..").locator(".menu, .panel").first.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        view.page.keyboard.press("Escape")
    view.page.set_viewport_size(SIZE)
