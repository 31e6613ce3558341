"""What a view is copied as: read from the clipboard, opened again, and run as it was pasted."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from markdown_it import MarkdownIt
from playwright.sync_api import expect

from tests.browser.conftest import SIZE, watch

# A family is one sign of several code points; the quotes end strings in a shell, JSON and Python.
TEXTS = [
    "salt & pepper *and* [more](x) <b>: issue #1 is = 2, 50% off $HOME `id` \\n !x",
    "it's \"so\".\nThe second 'line'. 👩‍👩‍👧",
]


@pytest.fixture(scope="module")
def copying(chromium, tiny_server):
    context = chromium.new_context(viewport=SIZE, permissions=["clipboard-read", "clipboard-write"])
    view = watch(context, tiny_server)
    view.open()
    yield view
    view.check()
    context.close()


def copied(view, line: str) -> str:
    """What a line of the share menu puts on the clipboard."""
    view.page.locator("#header summary", has_text="Share").click()
    view.page.get_by_role("button", name=line).click()
    view.page.locator(".sharing .told", has_text="copied").first.wait_for()
    return str(view.page.evaluate("navigator.clipboard.readText()"))


def typed(view, text: str) -> dict:
    """Type it, and answer what the server says of it."""
    answer = view.trace(text, bars=10, classes=[{"name": "it's", "words": ["she", "'s"]}])
    classes = "classes=it%2527s,she,%2527s"
    view.page.evaluate("hash => { location.hash = hash; }", f"v=1&{classes}")
    view.type(text, len(answer["tokens"]))
    return answer


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_copied_opens_and_runs_as_it_is_pasted(copying, text, tmp_path):
    answer = typed(copying, text)

    link = copied(copying, "Copy link")
    [line] = MarkdownIt().parseInline(copied(copying, "Copy as Markdown"))
    opening, *inside, closing = line.children
    assert (opening.type, closing.type) == ("link_open", "link_close")
    assert opening.attrs == {"href": link}
    assert {token.type for token in inside} <= {"text", "text_special"}
    assert "".join(token.content for token in inside) == " ".join(text.split())

    command = copied(copying, "Copy as curl")
    ran = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, cwd=tmp_path)
    assert json.loads(ran.stdout) == answer, ran.stderr
    assert list(tmp_path.iterdir()) == []

    program = tmp_path / "pasted.py"
    program.write_text(copied(copying, "Copy as Python") + "\nprint(json.dumps(trace))\n", "utf-8")
    ran = subprocess.run([sys.executable, program], capture_output=True, timeout=60)
    *told, trace = ran.stdout.decode().splitlines()
    assert json.loads(trace) == answer, ran.stderr
    assert len(told) == len(answer["tokens"])

    copying.page.goto("about:blank")
    copying.page.goto(link)
    copying.rows(len(answer["tokens"]))
    expect(copying.page.get_by_label("Text that the network reads")).to_have_value(text)
    expect(copying.page.locator("#legend li[data-own] span")).to_have_text(
        "it's", use_inner_text=True
    )


def test_two_texts_are_copied_as_their_comparison(copying, tmp_path):
    copying.page.evaluate("location.hash = 'v=1&text=he+said&compare=she+said+so'")
    copying.rows(7)
    command = copied(copying, "Copy as curl")
    ran = subprocess.run(["sh", "-c", command], capture_output=True, timeout=60, cwd=tmp_path)
    answer = json.loads(ran.stdout)
    assert [len(tokens) for tokens in answer["tokens"]] == [3, 4], ran.stderr

    program = tmp_path / "pasted.py"
    text = copied(copying, "Copy as Python") + "\nprint(json.dumps(comparison))\n"
    program.write_text(text, "utf-8")
    ran = subprocess.run([sys.executable, program], capture_output=True, timeout=60)
    *told, comparison = ran.stdout.decode().splitlines()
    assert json.loads(comparison) == answer, ran.stderr
    assert len(told) == sum(row is not None for row in answer["divergence"])


def test_a_refused_clipboard_gives_the_text_to_copy(view):
    view.open("#v=1&text=we+stand")
    view.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    view.page.locator("#header summary", has_text="Share").click()
    view.page.get_by_role("button", name="Copy as curl").click()
    field = view.page.get_by_label("To be copied")
    assert field.input_value().startswith(f"curl -sS '{view.server.url}/api/v1/trace'")
    assert field.evaluate("f => f.selectionEnd - f.selectionStart === f.value.length")
    view.page.keyboard.press("Escape")
    field.wait_for(state="detached")


def test_back_brings_the_text_before_and_forward_the_one_after(view):
    view.open("#v=1&text=we+stand")
    box = view.page.get_by_label("Text that the network reads")
    box.press_sequentially(" in the hall")
    view.rows(6)
    view.page.wait_for_function("() => location.hash.includes('hall')")
    view.page.get_by_label("Palette", exact=True).select_option("paper")
    view.page.wait_for_function("() => location.hash.includes('paper')")
    view.page.go_back()
    view.rows(3)
    expect(box).to_have_value("we stand")
    view.page.go_forward()
    view.rows(6)
    expect(box).to_have_value("we stand in the hall")
    expect(view.page.get_by_label("Palette", exact=True)).to_have_value("paper")
