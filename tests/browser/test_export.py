"""What leaves the page as a file and comes back: saved by a real browser, looked at there."""

from __future__ import annotations

import csv
import io
import json
import struct
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SIZE, watch
from tests.browser.test_surroundings import faults, faults_in_both

SVG = "{http://www.w3.org/2000/svg}"
TEXT = '"we stand & =1'
ROWS = 6


def save(view, kind, folder):
    """The file that a press on a line of the export menu saves."""
    view.page.locator("#header summary", has_text="Export").click()
    with view.page.expect_download() as download:
        view.page.locator(".exporting button", has_text=kind).first.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    view.page.get_by_text(f"Saved {path.name}.").wait_for()
    return path


def shown(view):
    """What a person sees of the grid: its words and its colours."""
    script = """node => [node.innerText, [...node.querySelectorAll('i.colour')]
        .map(i => getComputedStyle(i).backgroundColor)]"""
    return view.page.locator("#grid tbody").evaluate(script)


@pytest.fixture
def typed(view):
    view.read(TEXT, ROWS)
    return view


def test_drawings_and_a_table_are_what_is_seen(typed, tmp_path):
    drawing = save_svg(typed, tmp_path)
    png_is_twice_as_large(typed, drawing, tmp_path)
    csv_has_the_numbers_of_the_answer(typed, tmp_path)
    the_open_menu_is_for_everyone(typed)


def the_open_menu_is_for_everyone(typed):
    typed.page.locator("#header summary", has_text="Export").click()
    typed.page.locator("details.exporting[open]").wait_for()
    assert faults_in_both(typed, "details.exporting") == []
    typed.page.keyboard.press("Escape")
    expect(typed.page.locator("details.exporting[open]")).to_have_count(0)


def save_svg(typed, tmp_path):
    path = save(typed, "SVG", tmp_path)
    assert path.name == "unrolled-we-stand-1.svg"
    root = ET.parse(path).getroot()
    assert {node.tag for node in root.iter()} <= {
        SVG + tag for tag in ("svg", "g", "title", "desc", "rect", "path", "text", "tspan")
    }
    # Which weights it is of, as the page tells it.
    fingerprint = typed.trace("")["fingerprint"]
    assert root.findtext(SVG + "desc", "").endswith(f", fingerprint {fingerprint}")
    fills = [cell.findall(SVG + "rect")[1].get("fill") for cell in root.iter(SVG + "g")]
    assert fills == shown(typed)[1]
    texts = ["".join(node.itertext()) for node in root.iter(SVG + "text")]
    assert TEXT in texts
    assert "came next" in texts
    return root


def png_is_twice_as_large(typed, root, tmp_path):
    data = save(typed, "PNG", tmp_path).read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    size = struct.unpack(">II", data[16:24])
    assert size == (2 * int(root.get("width")), 2 * int(root.get("height")))


def csv_has_the_numbers_of_the_answer(typed, tmp_path):
    text = save(typed, "CSV", tmp_path).read_bytes().decode()
    lines = list(csv.DictReader(io.StringIO(text, newline="")))
    answer = typed.trace(TEXT, bars=10)
    assert len(lines) == ROWS * len(answer["columns"]) * 10
    at = lines[(3 * len(answer["columns"]) + 5) * 10 + 2]
    column = answer["columns"][5]
    assert (at["timestep"], at["kind"], at["layer"]) == ("4", column["kind"], str(column["layer"]))
    assert float(at["probability"]) == answer["rows"]["top_probs"][3][5][2]
    assert float(at["divergence_bits"]) == answer["rows"]["divergence"][3][5]
    assert "'=1" in {line["token"] for line in lines}


def test_json_opens_again_to_the_identical_view(typed, chromium, tmp_path):
    typed.page.get_by_label("Palette", exact=True).select_option("paper")
    typed.cell(1, 3).click()
    typed.page.mouse.move(1, 1)
    path = save(typed, "JSON", tmp_path)
    typed.page.locator("#popup").wait_for(state="hidden")
    context = chromium.new_context(viewport=SIZE)
    other = watch(context, typed.server)
    other.open()
    asked = len(other.traces())
    other.page.locator("#header input[type=file]").set_input_files(path)
    other.rows(ROWS)
    assert shown(other) == shown(typed)
    expect(other.page.get_by_label("Text that the network reads")).to_have_value(TEXT)
    expect(other.page.locator("#pins li")).to_have_count(1)
    assert len(other.traces()) == asked
    # And it goes on from there.
    other.type("we stand", 3)
    other.check()
    context.close()


def test_a_bad_file_is_told_and_changes_nothing(typed, tmp_path):
    before = shown(typed)
    for at, content in enumerate([b"", b"{}", b"\xff\xfe", b'{"format": "unrolled"}']):
        path = tmp_path / f"bad-{at}.json"
        path.write_bytes(content)
        typed.page.locator("#header input[type=file]").set_input_files(path)
        typed.page.get_by_text(f"“bad-{at}.json” could not be opened: ").wait_for()
        assert shown(typed) == before
    a_damaged_file_is_told(typed, tmp_path)
    assert shown(typed) == before


def a_damaged_file_is_told(typed, tmp_path):
    path = save(typed, "JSON", tmp_path)
    data = json.loads(path.read_text())
    data["trace"]["rows"]["mass"][0][0][0] = "<img src=x>"
    path.write_text(json.dumps(data))
    typed.page.locator("#header input[type=file]").set_input_files(path)
    typed.page.get_by_text("its figures are damaged").wait_for()


def every_column_is_reached_by_keys_where_the_figure_scrolls(page):
    page.set_viewport_size({"width": 420, "height": 800})
    assert page.locator("#figure").evaluate("node => node.scrollWidth > node.clientWidth")
    page.locator("#figure").focus()
    page.keyboard.press("ArrowRight")
    places = []
    for _ in range(17):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(60)  # a scroll is told of in the next frame
        expect(page.locator("#popup")).to_be_visible()
        places.append(int(page.locator("g.on").get_attribute("data-c")))
    assert places == list(range(1, 18))


def test_html_works_from_disk_with_hover_and_keys(typed, chromium, tmp_path):
    path = save(typed, "HTML", tmp_path)
    typed.cell(2, 4).hover()
    typed.page.locator("#popup").wait_for()
    expected = typed.page.locator("#popup .rows q").all_inner_texts()
    context = chromium.new_context(viewport=SIZE, offline=True)
    page = context.new_page()
    complaints, requests = [], []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.locator("g[data-t='2'][data-c='4']").hover()
    popup = page.locator("#popup")
    popup.wait_for()
    expect(popup.locator("q")).to_have_text(expected, use_inner_text=True)
    title = popup.locator("h1").inner_text()
    page.locator("#figure").focus()
    page.keyboard.press("ArrowDown")
    expect(popup.locator("h1")).not_to_have_text(title, use_inner_text=True)
    assert faults(page) == []
    page.keyboard.press("Escape")
    popup.wait_for(state="hidden")
    every_column_is_reached_by_keys_where_the_figure_scrolls(page)
    assert requests == [path.as_uri()]
    assert complaints == []
    context.close()
