"""A page on paper, as Chromium prints it."""

from __future__ import annotations

import re
import zlib
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

# Pieces of text in the head: a letter of a layer's name, a symbol, a perplexity.
HEAD = 60
WORDS = "we stand in solidarity she said that he was in the hall . "


def shown(pdf):
    """What each page shows, in order: the glyphs of every piece of text, as the PDF names them."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    texts = []
    for stream in streams:
        try:
            content = zlib.decompress(stream)
        except zlib.error:
            continue
        if b" Tj" in content or b" TJ" in content:
            texts.append(re.findall(rb"(<[0-9A-F]+>|\[.*?\]) T[jJ]", content))
    return texts


def test_every_page_has_the_head_of_the_grid_and_paper_is_light(view):
    view.open(f"#text={quote(WORDS * 6)}&theme=dark")
    first = view.page.locator("#grid i.colour").first
    dark = first.evaluate("i => i.style.backgroundColor")
    view.page.evaluate("""() => addEventListener("beforeprint", () => {
        window.printed = document.querySelector("#grid i.colour").style.backgroundColor;
    })""")
    pages = shown(view.page.pdf(format="A4"))
    printed = view.page.evaluate("window.printed")
    assert len(pages) >= 3
    head = pages[1][:HEAD]
    assert pages[2][:HEAD] == head
    assert pages[2] != pages[1]
    assert any(pages[0][at : at + HEAD] == head for at in range(len(pages[0])))
    # The screen is dark again; a light one has the rectangles of the paper.
    expect(first).to_have_css("background-color", dark)
    view.page.locator("#header .icon", has_text="☀").click()
    expect(first).to_have_css("background-color", printed)
    assert printed != dark


# How far each column's cells are from their head, at the left.
UNDER = """() => {
  const lefts = (nodes) => [...nodes].map((node) => node.getBoundingClientRect().left);
  const heads = lefts(document.querySelectorAll("#grid .kinds th"));
  return lefts(document.querySelector("#grid tbody tr").querySelectorAll("th, td"))
    .map((left, at) => left - heads[at]);
}"""


WRITTEN = """() => getComputedStyle(document.querySelector("#textbox"), "::after").content"""


def test_paper_has_all_in_its_place_and_fades_at_no_edge(view):
    view.read("we stand . he sat .", 8)
    # Upright and across: on the screen, columns stick to the edges.
    for width in (390, 1024):
        view.page.set_viewport_size({"width": width, "height": 800})
        expect(view.page.locator("#grid")).to_have_class(re.compile("beyond"))
        view.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        view.page.emulate_media(media="print")
        view.bars_are_behind_their_words()
        # The text is whole, in a paragraph in place of its box.
        expect(view.page.locator("#text")).to_be_hidden()
        written = view.page.evaluate(WRITTEN)
        assert written == '"we stand . he sat ."'
        offsets = view.page.evaluate(UNDER)
        assert len(offsets) == 20
        assert offsets == pytest.approx([0] * 20, abs=0.6)
        expect(view.page.locator("#grid")).to_have_css("mask-image", "none")
        told = view.page.locator("#printed")
        expect(told).to_be_visible()
        said = r"\([0-9a-f]{16}\) · decoded: next word · .* · bars: "
        expect(told).to_have_text(re.compile(said))
        view.page.emulate_media(media="null")
        view.page.evaluate("dispatchEvent(new Event('afterprint'))")
        expect(told).to_be_hidden()
    view.drawn()
    view.bars_are_behind_their_words()


def scale(pdf):
    """How large the first page is drawn: less where something on it is wider than the paper."""
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            content = zlib.decompress(stream)
        except zlib.error:
            continue
        if b" Tj" in content or b" TJ" in content:
            # The first matrix is that of all pages, the second that of the page's content.
            return float(re.findall(rb"([\d.]+) 0 0 -?[\d.]+ \S+ \S+ cm", content)[1])
    raise AssertionError("no page has text")


def test_the_inside_of_a_cell_is_no_wider_than_the_paper(view):
    text = f"text={quote('we stand in the')}"
    view.open(f"#{text}")
    without = scale(view.page.pdf(format="A4"))
    view.page.goto(f"{view.server.url}/healthz")
    view.open(f"#{text}&inside=3.cell_state.2")
    view.page.locator("#inside .said").get_by_text("is larger in").wait_for()
    view.drawn()
    assert scale(view.page.pdf(format="A4")) == without


def test_what_is_pointed_at_leaves_no_mark_on_paper(view):
    view.read("she said it .", 5)
    row = view.page.locator("#grid tbody tr").nth(1)
    row.locator("td.cell").nth(2).hover()
    view.page.locator("#grid tr.row").wait_for()
    shadow = "th => getComputedStyle(th).boxShadow"
    head = row.locator("th")
    assert head.evaluate(shadow) != "none"
    view.page.emulate_media(media="print")
    assert head.evaluate(shadow) == "none"
    view.page.emulate_media(media="screen")
