"""Two texts on the page: aligned, their divergences those of the API, in the link, for everyone."""

from __future__ import annotations

from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.browser.test_surroundings import faults_in_both

FIRST = "the keys to the cabinet were lost."
SECOND = "the key to the cabinet was not lost."
LINK = "#" + urlencode({"v": 1, "text": FIRST, "compare": SECOND})
BOX = "Second text, to compare with the first"


def answer(view, *texts):
    url = f"{view.server.url}/api/v1/compare"
    return view.page.request.post(url, data={"texts": texts}).json()


def test_two_texts_are_lined_up_ranked_and_one_that_is_too_long_is_told(view):
    view.open(LINK)
    view.page.locator("#compare:visible").wait_for()
    view.drawn()
    pairs_have_their_divergence_and_rows_are_lined_up(view)
    ranked_cells_are_the_answer_s_and_a_click_opens_the_cell(view)
    view.page.keyboard.press("Escape")
    a_second_text_that_is_too_long_is_told_and_kept(view)


def pairs_have_their_divergence_and_rows_are_lined_up(compared):
    told = answer(compared, FIRST, SECOND)
    matrix = compared.page.locator(".matrix tbody tr")
    assert len(told["alignment"]) == 10
    expect(matrix).to_have_count(10)
    for at, row in enumerate(told["divergence"]):
        shown = matrix.nth(at).locator("td").all_inner_texts()
        assert shown == (
            ["only in B, the second text"]
            if row is None
            else [f"{bits:.3f}".removeprefix("0") if bits >= 0.0005 else "" for bits in row]
        )
    parts = "heads => heads.map(head => [...head.children].map(part => part.textContent).join(' '))"
    heads = compared.page.locator("#grid tbody th").evaluate_all(parts)
    # Each step's rows one under the other: the first text's, then the second's.
    assert heads[4:8] == [
        "A 3 keys changed",
        "B 3 key changed",
        "A 4 to",
        "B 4 to",
    ]
    assert "B 8 not only in B" in heads
    said = compared.page.locator("#compare .said").inner_text()
    assert said == ("6 of 9 words are the same · changed: keys → key, were → was · only in B: not")


def ranked_cells_are_the_answer_s_and_a_click_opens_the_cell(compared):
    told = answer(compared, FIRST, SECOND)
    compared.page.get_by_label("ranked:").select_option("0")
    compared.drawn()
    listed = compared.page.locator("ol.parted q").all_inner_texts()
    assert listed == [f"{cell['divergence']:.3f}" for cell in told["ranked"][:10]]
    expect(compared.page.locator("#grid td.parted")).to_have_count(20)
    best = told["ranked"][0]
    first, second, _ = told["alignment"][best["pair"]]
    compared.page.locator("ol.parted button").first.click()
    popup = compared.page.locator("#popup.held")
    popup.wait_for()
    expect(popup).to_contain_text(f"{best['divergence']:.3f} bits", use_inner_text=True)
    on = compared.page.locator("#grid td.cell.on [role=img]").get_attribute("aria-label")
    assert f"timestep {first + 1}," in on
    assert f"{best['divergence']:.3f} bits from the other text" in on
    partner = compared.page.locator("#grid td.cell.partner [role=img]").get_attribute("aria-label")
    assert f"timestep {second + 1} of the second text," in partner


def test_typed_pinned_swapped_reloaded_and_closed(view):
    view.open("#" + urlencode({"v": 1, "text": FIRST}))
    page = view.page
    page.get_by_role("button", name="Compare with…").click()
    box = page.get_by_label(BOX)
    expect(box).to_have_value(FIRST)
    box.fill(SECOND)
    page.locator("#compare .said", has_text="only in B: not").wait_for()
    view.drawn()
    # A pin in each text: rows 5 and 6 are "keys" and "key".
    view.cell(4, 14).click()
    view.cell(5, 14).click()
    page.keyboard.press("Escape")
    page.wait_for_function("() => location.hash.includes('b3.short_term.2')")
    cards = page.locator("#beside article")
    expect(cards.locator("h3")).to_contain_text(
        ["A keys · s2 short-term memory of layer 2", "B key · s2 short-term memory of layer 2"],
        use_inner_text=True,
    )
    rows = answer(view, FIRST, SECOND)["divergence"]
    expect(cards.first).to_contain_text(f"{rows[2][14]:.3f} bits", use_inner_text=True)
    page.get_by_role("button", name="Swap the two texts").click()
    page.locator("#compare .said", has_text="only in A: not").wait_for()
    expect(page.get_by_label("Text that the network reads")).to_have_value(SECOND)
    page.wait_for_function("() => location.hash.includes('pins=b3.short_term.2')")
    page.reload()
    page.locator("#compare .said", has_text="only in A: not").wait_for()
    expect(box).to_have_value(FIRST)
    expect(page.locator("#beside article")).to_have_count(2)
    page.get_by_role("button", name="Close the comparison").click()
    view.rows(10)
    expect(page.locator("#compare")).to_be_hidden()
    page.get_by_role("button", name="Compare with…").click()
    page.locator("#compare:visible").wait_for()
    expect(box).to_have_value(FIRST)  # nothing typed is lost


def a_second_text_that_is_too_long_is_told_and_kept(compared):
    long = "he " * 510
    asked = len(compared.asked())
    compared.page.get_by_label(BOX).fill(long)
    alert = compared.page.locator("#second-problem")
    alert.get_by_text("The second text is too long: both together have at least 517").wait_for()
    expect(compared.page.get_by_label(BOX)).to_have_value(long)
    assert len(compared.asked()) == asked
    compared.page.get_by_label(BOX).fill(SECOND)
    alert.get_by_text("too long").wait_for(state="detached")


def test_axe_finds_nothing_in_a_comparison(view):
    view.open("#v=1&text=the+keys&compare=the+key+not&distance=0&pins=3.output,b3.output")
    view.page.locator("#compare:visible").wait_for()
    view.drawn()
    assert faults_in_both(view, "#compare", "#grid", "#pins", "#tokens") == []
