"""Typing: what the server is asked while a person writes, and texts that it refuses."""

from __future__ import annotations

import re
import time

from playwright.sync_api import expect

TEXT = "Text that the network reads"


def hold(view):
    """Keep every trace request from the server until it is let go."""
    held = []
    view.page.route("**/api/v1/trace", lambda route: held.append(route))
    return held


def wait_until(view, true, seconds=20):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        view.page.wait_for_timeout(50)


def test_a_burst_of_keys_queues_no_more_than_the_newest(view):
    view.read("we stand", 3)
    held = hold(view)
    burst = " in the hall and he said that it"
    assert len(burst) >= 30
    view.page.get_by_label(TEXT).press("End")
    view.page.keyboard.type(burst, delay=40)
    view.page.wait_for_timeout(500)
    assert len(held) == 1
    held[0].continue_()
    wait_until(view, lambda: len(held) == 2)
    assert held[1].request.post_data_json["text"] == "we stand" + burst
    assert len(held) == 2
    held[1].continue_()
    view.rows(11)
    view.page.wait_for_timeout(500)
    assert len(held) == 2


def test_the_newest_wins_over_an_answer_to_another_question(view):
    view.read("we stand", 3)
    held = hold(view)
    for name in ("this word", "next word", "this word"):
        view.page.get_by_role("button", name=name).click()
    wait_until(view, lambda: held)
    view.page.get_by_role("button", name="next word").click()
    held[0].continue_()
    wait_until(view, lambda: len(held) == 2)
    held[1].continue_()
    view.page.unroute("**/api/v1/trace")
    answer = view.trace("we stand", semantic="next")
    first = answer["words"][str(answer["rows"]["top_ids"][1][0][0])]
    words = view.cell(1, 0).locator(".words")
    view.page.wait_for_timeout(500)
    expect(words).to_have_text(re.compile(rf"^{re.escape(first)}\n"), use_inner_text=True)


def test_a_text_that_is_too_long_is_told_and_kept(view):
    view.read("we stand", 3)
    a_text_that_only_the_server_finds_too_long_is_told_and_kept(view)
    a_text_that_is_certainly_too_long_is_not_sent(view)


def a_text_that_only_the_server_finds_too_long_is_told_and_kept(view):
    # 300 pieces, but "ca" and "n't" are two tokens: the page asks, and does not send it.
    text = "can't " * 300
    view.page.get_by_label(TEXT).fill(text)
    alert = view.page.get_by_role("alert")
    alert.get_by_text("600 tokens, and the server reads 512 at once.").wait_for()
    assert view.traces()[-1]["text"] == "we stand"
    box = view.page.get_by_label(TEXT)
    expect(box).to_have_value(text)
    expect(box).to_have_attribute("aria-invalid", "true")
    expect(view.page.locator("#grid tbody tr")).to_have_count(3)
    below = alert.bounding_box()["y"] - (box.bounding_box()["y"] + box.bounding_box()["height"])
    assert 0 <= below < 60
    box.fill("can't")
    # As many rows as before: what they say tells when the answer is drawn.
    view.page.locator("#grid tbody th b", has_text="n't").wait_for()
    shown = ["<bos>", "ca", "n't"]
    expect(view.page.locator("#grid tbody th b")).to_have_text(shown, use_inner_text=True)
    view.page.wait_for_function("() => !document.querySelector('[role=alert]').textContent")
    expect(box).to_have_attribute("aria-invalid", "false")


def a_text_that_is_certainly_too_long_is_not_sent(view):
    rows = view.page.locator("#grid tbody tr")
    shown, asked = rows.count(), len(view.traces())
    alert = view.page.get_by_role("alert")
    view.page.get_by_label(TEXT).fill("we " * 6000)
    alert.get_by_text("too long").wait_for()
    expect(rows).to_have_count(shown)
    view.page.get_by_label(TEXT).fill("we " * 513)
    alert.get_by_text("at least 513 tokens, and the server reads 512 at once").wait_for()
    view.page.wait_for_timeout(300)
    assert len(view.traces()) == asked
    view.type("we " * 3, 4)
    expect(alert).to_have_text("", use_inner_text=True)


def test_nothing_that_is_typed_is_refused(view):
    """Nothing that the page asked: that is checked when the test ends, as in all."""
    view.read("do n", 3)
    view.type("do n't", 3)
    assert not any(url.endswith("/tokens") for url in view.asked())
    # 512 pieces, of which some are two tokens.
    view.page.get_by_label(TEXT).fill("we " * 505 + "it's " * 7)
    view.page.get_by_role("alert").get_by_text("519 tokens").wait_for()
    view.type("new york", 3)
    view.page.get_by_label("rectangles show").select_option("watch")
    for word, told in (("can't", "“can't” cannot"), ("new york", "“new york” cannot")):
        view.page.get_by_label("Word to watch").fill(word)
        view.page.get_by_label("Word to watch").press("Enter")
        view.page.get_by_text(told).wait_for()
    view.page.get_by_role("button", name="One unit").click()
    view.page.locator("#unit input[type=number]").fill("9")
    view.page.get_by_text("There is no unit 9: this kind has 8.").wait_for()


def test_what_was_typed_is_there_after_a_reload_however_soon(view):
    view.read("we stand", 3)
    box = view.page.get_by_label(TEXT)
    box.press("End")
    view.page.keyboard.type(" in the hall and he said", delay=20)
    view.page.reload()
    view.page.locator("#grid td.cell").first.wait_for()
    expect(box).to_have_value("we stand in the hall and he said")
    # Only a reload brings it back: another link is another text.
    view.page.keyboard.type(" it", delay=20)
    view.page.goto("about:blank")
    view.read("she said", 3)
    expect(box).to_have_value("she said")


def test_a_link_with_its_view_after_a_question_mark_is_read(view):
    view.open("?text=we+stand+in&rows=0-1&from=mail")
    view.rows(4)
    expect(view.page.get_by_label(TEXT)).to_have_value("we stand in")
    assert re.search(r"/#text=we\+stand\+in&rows=0-1$|/#v=1&text=", view.page.url)
