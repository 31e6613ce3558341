"""What each cell predicts: the switch between the semantics that a model has."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZE, watch

NAMES = {
    "previous": "previous",
    "this": "this word",
    "next": "next word",
    "after_next": "after next",
}
TEXT = "we stand in the hall."
EDGE = "no word asked for here"


@pytest.fixture
def page(chromium, shipped_server):
    context = chromium.new_context(viewport=SIZE)
    view = watch(context, shipped_server)
    view.read(TEXT, 7)
    yield view
    view.check()
    context.close()


def test_four_semantics(page, chromium):
    four_fit_a_phone(page)
    for semantic in NAMES:
        cells_columns_and_ranks_are_those_of_the_semantic(page, semantic)
    the_link_keeps_the_semantic(page, chromium)
    typing_keeps_rows_right_when_the_word_after_next_is_asked(page)


def choose(view, semantic):
    button = view.page.get_by_role("button", name=NAMES[semantic], exact=True)
    if button.get_attribute("aria-pressed") == "false":
        with view.page.expect_response("**/api/v1/trace"):
            button.click()
        view.page.wait_for_function(
            "name => document.querySelector('.segments [aria-pressed=true]').textContent === name",
            arg=NAMES[semantic],
        )
    view.drawn()


def facts(view, row, column, ranks):
    """Pointed at, a cell says the rank of its word, or that it has none."""
    view.point(row, column)
    told = EDGE if ranks is None else f"#{ranks[column]:,} ·"
    expect(view.page.locator("#popup dl")).to_contain_text(told, use_inner_text=True)


def cells_columns_and_ranks_are_those_of_the_semantic(page, semantic):
    choose(page, semantic)
    answer = page.trace(TEXT, semantic=semantic)
    columns = page.api("models/brown-lstm-300x2")["columns"]
    heads = page.page.locator("#grid thead .kinds th:not(.corner):not(.came) small")
    told = [column["perplexity"].get(semantic) for column in columns]
    shown = ["–" if p is None else f"{p:.{(p < 10) + (p < 2)}f}" for p in told]
    expect(heads).to_have_text(shown, use_inner_text=True)
    for row in range(len(answer["tokens"])):
        best = answer["words"][str(answer["rows"]["top_ids"][row][3][0])]
        shown = page.cell(row, 3).locator(".words").inner_text().split("\n")[0]
        assert shown == best
        ranks = answer["rows"]["label_ranks"][row]
        spoken = page.cell(row, 3).locator("[role=img]").get_attribute("aria-label")
        assert (EDGE in spoken) == (ranks is None)
        if row in (0, 2, len(answer["tokens"]) - 1):  # both edges, and a row that has its label
            facts(page, row, 3, ranks)


def the_link_keeps_the_semantic(page, chromium):
    choose(page, "after_next")
    page.page.wait_for_function("() => location.hash.includes('semantic=after_next')")
    context = chromium.new_context(viewport=SIZE)
    other = watch(context, page.server)
    other.page.goto(page.page.url)
    other.rows(7)
    pressed = other.page.locator(".segments [aria-pressed=true]")
    expect(pressed).to_have_text(NAMES["after_next"], use_inner_text=True)
    assert {body["semantic"] for body in other.traces()} == {"after_next"}
    other.check()
    context.close()


def typing_keeps_rows_right_when_the_word_after_next_is_asked(page):
    choose(page, "after_next")
    page.type("we stand in the hall and", 7)
    page.type("we stand in the hall and in", 8)
    answer = page.trace("we stand in the hall and in", semantic="after_next")
    for row in range(8):
        facts(page, row, 5, answer["rows"]["label_ranks"][row])


def test_only_what_the_model_has_is_offered(view):
    view.open()
    shown = view.page.locator("#header .segments button").all_inner_texts()
    assert shown == ["this word", "next word"]


def four_fit_a_phone(page):
    page.page.set_viewport_size({"width": 390, "height": 800})
    page.drawn()
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.page.evaluate(overflow) <= 0
    tops = page.page.locator("#header .segments button").evaluate_all(
        "nodes => nodes.map(n => n.getBoundingClientRect().top)"
    )
    assert len(tops) == 4
    assert len(set(tops)) == 1
    page.page.set_viewport_size(SIZE)
    page.drawn()
