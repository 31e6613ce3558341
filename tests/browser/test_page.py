"""What a person does on the page, and that what it shows is what the API says."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from server.colour import dilute, rectangle
from tests.browser.conftest import SIZE, watch

COLUMNS = 18


def drawn_colour(view, row, column):
    """The background of a cell's rectangle, as the browser computed it."""
    view.drawn()
    rectangle = view.cell(row, column).locator("i.colour")
    css = rectangle.evaluate("node => getComputedStyle(node).backgroundColor")
    return tuple(int(n) for n in re.findall(r"\d+", css))


def expected_colour(answer, palette, row, column):
    won = rectangle(answer["rows"]["mass"][row][column], answer["classes"], palette)
    return tuple(int(channel + 0.5) for channel in dilute(won.colour, won.p))


def set_colour(view, name, colour):
    """What the browser's own colour picker does, which no test can click."""
    picker = view.page.get_by_label(f"Colour of {name}", exact=True)
    script = "(node, c) => { node.value = c; node.dispatchEvent(new Event('input')); }"
    picker.evaluate(script, colour)


def test_an_example_then_markup_then_no_text(view):
    view.open()
    the_first_example_is_drawn(view)
    rectangles_have_the_colours_that_follow_from_the_numbers(view)
    typed_markup_stays_text(view)
    no_text_gives_the_examples(view)


def the_first_example_is_drawn(view):
    example = view.api("models/tiny-lstm")["examples"][0]["text"]
    expect(view.page.get_by_label("Text that the network reads")).to_have_value(example)
    answer = view.trace(example)
    view.rows(len(answer["tokens"]))
    expect(view.page.locator("#grid tbody td.cell")).to_have_count(len(answer["tokens"]) * COLUMNS)
    heads = view.page.locator("#grid tbody th b").all_inner_texts()
    assert heads[1:] == [token["surface"] for token in answer["tokens"][1:]]


def rectangles_have_the_colours_that_follow_from_the_numbers(view):
    example = view.page.get_by_label("Text that the network reads").input_value()
    answer = view.trace(example)
    palette = view.api("models/tiny-lstm")["palettes"][0]["colours"]
    for row in range(0, len(answer["tokens"]), 3):
        for column in (0, 5, 12, 17):
            assert drawn_colour(view, row, column) == expected_colour(answer, palette, row, column)


def test_the_popup_has_the_numbers_and_typing_asks_only_for_the_new_rows(view):
    view.read("we stand in the hall", 6)
    the_popup_shows_the_numbers_of_the_answer(view)
    typing_redraws_and_asks_only_for_the_new_rows(view)


def typing_redraws_and_asks_only_for_the_new_rows(view):
    view.type("we stand in the hall and", 7)
    assert view.traces()[-1]["from"] > 0
    answer = view.trace("we stand in the hall and")
    for row in (0, 3, 6):
        words = view.cell(row, 4).locator(".words").inner_text().split("\n")
        ids = answer["rows"]["top_ids"][row][4][: len(words)]
        assert words == [answer["words"][str(id)] for id in ids]


def test_bars_stand_behind_their_words(view):
    # The second sentence begins lower in its row.
    view.read("we stand . he sat .", 8)
    for width in (1440, 390):
        view.page.set_viewport_size({"width": width, "height": 900})
        view.page.locator("#grid").evaluate("node => { node.scrollLeft = 60; }")
        view.drawn()
        view.bars_are_behind_their_words()


def the_popup_shows_the_numbers_of_the_answer(view):
    answer = view.trace("we stand in the hall")
    row, column = 3, 6
    view.cell(row, column).hover()
    popup = view.page.locator("#popup")
    popup.wait_for()
    shown = [text.removesuffix(" %") for text in popup.locator(".rows q").all_inner_texts()]
    probabilities = answer["rows"]["top_probs"][row][column]
    assert len(shown) == 10
    for text, p in zip(shown, probabilities, strict=True):
        if p < 1e-4:
            assert text == "<0.01"
        elif 0.9995 <= p < 1:
            assert text == ">99.9"
        else:  # to a tenth, and of less than 1 % to a hundredth
            near = 0.00051 if p >= 0.01 else 0.000051
            assert float(text) / 100 == pytest.approx(p, abs=near)
    facts = dict(
        zip(
            popup.locator("dt").all_inner_texts(),
            popup.locator("dd").all_inner_texts(),
            strict=True,
        )
    )
    assert facts["entropy"] == f"{answer['rows']['entropy'][row][column]:.2f} bits"
    assert facts["divergence from y"] == f"{answer['rows']['divergence'][row][column]:.2f} bits"
    label = answer["words"][str(answer["rows"]["label_ids"][row])]
    rank = answer["rows"]["label_ranks"][row][column]
    assert facts[f"“{label}” ranks"].startswith(f"#{rank} ·")
    # Its operands light up: s = i ∘ c̃ of the same row.
    lit = view.page.locator("#grid td.operand")
    expect(lit).to_have_count(2)
    view.page.keyboard.press("Escape")
    popup.wait_for(state="hidden")


def test_the_keyboard_pins_and_a_palette_repaints(view):
    view.read("we stand", 3)
    the_keyboard_moves_pins_and_clears(view)
    a_change_of_palette_repaints_without_a_request(view)


def a_change_of_palette_repaints_without_a_request(view):
    answer = view.trace("we stand")
    palette = view.api("models/tiny-lstm")["palettes"][0]["colours"]
    before, asked = drawn_colour(view, 1, 17), view.asked()
    won = rectangle(answer["rows"]["mass"][1][17], answer["classes"], palette)
    winner = next(id for id in answer["classes"] if palette[id] == won.colour)
    name = next(c["name"] for c in view.api("models/tiny-lstm")["classes"] if c["id"] == winner)
    set_colour(view, name, "#ff0000")
    assert drawn_colour(view, 1, 17) != before
    expected = expected_colour(answer, palette | {winner: "#ff0000"}, 1, 17)
    assert drawn_colour(view, 1, 17) == expected
    view.page.locator("#legend").get_by_role("button", name="Undo").click()
    assert drawn_colour(view, 1, 17) == before
    view.page.get_by_label("Palette", exact=True).select_option("paper")
    paper = view.api("models/tiny-lstm")["palettes"][1]["colours"]
    assert drawn_colour(view, 1, 17) == expected_colour(answer, paper, 1, 17)
    assert view.asked() == asked


def test_a_link_shows_the_same_view_to_somebody_else(view, chromium):
    view.read("she did not stand & “wait”", 9)
    set_colour(view, "noun", "#00aa00")
    view.page.get_by_role("button", name="this word").click()
    view.cell(2, 3).click()
    view.page.keyboard.press("Escape")
    view.page.mouse.move(1, 1)
    view.page.wait_for_function(
        "() => location.hash.includes('pins=') && location.hash.includes('this')"
    )
    view.page.locator("#popup").wait_for(state="hidden")
    context = chromium.new_context(viewport=SIZE)
    other = watch(context, view.server)
    other.page.goto(view.page.url)
    other.rows(9)
    for part in ("#tokens", "#grid tbody", "#legend ul", "#pins"):
        script = "node => node.innerText"
        theirs = other.page.locator(part).evaluate(script)
        assert theirs == view.page.locator(part).evaluate(script)
    colours = "node => [...node.querySelectorAll('i.colour')].map(i => i.style.backgroundColor)"
    grid = "#grid tbody"
    assert other.page.locator(grid).evaluate(colours) == view.page.locator(grid).evaluate(colours)
    expect(other.page.locator("#grid td.pin")).to_have_count(1)
    other.check()
    context.close()


BAD = [
    "v=1&text=we%20stand&bars=99&top=x&pins=%00&palette=none&colours=__proto__:ff0000",
    "v=7&text=we%20stand&__proto__=1&constructor=2",
    "text=we%20stand&model=..%2Fx&semantic=previous",
    "text=we%20stand&hide=nope,forget_gate&hide_layers=7",
]


def test_a_bad_link_is_told_and_falls_back(view):
    notice = view.page.locator("#banner [role=status] .notice")
    # The first opens the page; the others come to one that is open, from a link without a fault.
    view.page.goto(f"{view.server.url}/#{BAD[0]}")
    for fragment in BAD:
        if fragment != BAD[0]:
            view.page.evaluate("location.hash = 'v=1&text=we'")
            view.rows(2)
            expect(notice).to_have_count(0)
            view.page.evaluate("f => void (location.hash = f)", fragment)
        view.rows(3)
        expect(notice).to_have_text(re.compile(r"\w+"), use_inner_text=True)
        assert view.page.evaluate("Object.keys(Object.prototype).length") == 0


HOSTILE = [
    "bars=0&top=1e-300",
    "top=1&semantic=previous&model=..%2Fx",
    "show=watch&watch=" + "%F0%9F%A7%AA" * 50,
    "show=watch&watch=%00%1b%E2%80%AE",
    "text=%ED%A0%80%00%1b%7f&compare=%ED%BF%BF",
    "inside=9999.cell_state.2&pins=9999.output,1.nothing.9&rows=9999",
    "classes=" + ";".join(f"{n}%F0%9F%A7%AA,a%2Cb,%00,{n}{'y' * 98}" for n in range(8)),
    "hide=__proto__,constructor&colours=__proto__:ff0000&classes=__proto__,toString",
]


def test_whatever_a_link_says_or_is_typed_the_page_sends_nothing_that_is_refused(view):
    """A 4xx would be logged by the browser too, which fails every test."""
    view.open()

    def status(do, *arguments):
        answers = "/api/v1/trace"
        with view.page.expect_response(lambda response: answers in response.url) as answer:
            do(*arguments)
        return answer.value.status

    for number, fragment in enumerate(HOSTILE):
        # Of two, the later counts.
        link = fragment if "text=" in fragment else f"text=we%20{number}&{fragment}"
        assert status(view.page.evaluate, "f => void (location.hash = f)", link) == 200
    view.page.evaluate("location.hash = 'text=we'")
    box = view.page.get_by_label("Text that the network reads")
    script = (
        "(box) => { box.value = 'he \ud800 \udc00\ud83d'; box.dispatchEvent(new Event('input')) }"
    )
    assert status(box.evaluate, script) == 200
    # As many letters as the page will send; the inside of a cell is asked for with them too.
    for letters in range(16_280, 16_200, -16):
        box.fill("x" * letters)
        view.drawn()
        if not view.page.get_by_role("alert").inner_text():
            break
    view.rows(2)
    view.cell(1, 3).focus()
    with view.page.expect_response("**/api/v1/cell") as answer:
        view.page.keyboard.press("i")
    assert answer.value.status == 200
    assert answer.value.request.post_data_buffer
    assert 16_250 < len(answer.value.request.post_data_buffer) <= 16_384


def typed_markup_stays_text(view):
    text = '<img src=x onerror=alert(1)> <b>x</b> "><script>alert(2)</script>'
    view.type(text, len(view.trace(text)["tokens"]))
    expect(view.page.locator("#grid img, #tokens img, #grid script, #tokens script")).to_have_count(
        0
    )
    assert "<b>" in "".join(view.page.locator("#tokens").inner_text().split())


def the_keyboard_moves_pins_and_clears(view):
    view.cell(0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "Enter"):
        view.page.keyboard.press(key)
    view.drawn()
    expect(view.cell(1, 2)).to_contain_class("pin")
    expect(view.page.locator("#pins li")).to_have_count(1)
    view.page.keyboard.press("Escape")
    view.page.keyboard.press("Escape")
    view.drawn()
    expect(view.page.locator("#pins li")).to_have_count(0)


def no_text_gives_the_examples(view):
    view.page.get_by_label("Text that the network reads").fill(" ")
    view.page.locator("#empty").wait_for()
    view.page.locator("#empty li button").nth(1).click()
    text = view.api("models/tiny-lstm")["examples"][1]["text"]
    view.rows(len(view.trace(text)["tokens"]))
