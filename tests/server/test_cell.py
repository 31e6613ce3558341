"""POST /api/v1/cell: the inside of a cell."""

from __future__ import annotations

import numpy as np
import pytest

from server.serialise import significant
from tests.server.conftest import SENTENCE

URL = "/api/v1/cell"
UNITS = 8


@pytest.fixture
def cell(client, conforms):
    def post(**fields):
        response = client.post(URL, json=fields)
        assert response.status_code == 200, response.json
        return conforms(response, URL, "post")

    return post


def test_a_cell_state_and_who_won(cell, trace):
    answer = cell(text=SENTENCE, timestep=8, kind="cell_state", layer=2)
    assert {k: answer[k] for k in ("model", "semantic", "top", "top_words", "timestep")} == {
        "model": "tiny-lstm",
        "semantic": "next",
        "top": 0.1,
        "top_words": 5,
        "timestep": 8,
    }
    column = answer["column"]
    assert (column["kind"], column["layer"], column["symbol"]) == ("cell_state", 2, "c")
    assert column["name"] == "Cell state"
    assert "l_t^u + s_t^u" in column["equation"]
    long_term, short_term = answer["operands"]
    assert [o["symbol"] for o in answer["operands"]] == ["l", "s"]
    assert (long_term["timestep"], long_term["lag"], long_term["zero"]) == (8, 0, False)
    values = np.array([answer["values"], long_term["values"], short_term["values"]])
    assert values.shape == (3, UNITS)
    np.testing.assert_allclose(values[0], values[1] + values[2], atol=1e-3)
    larger = int((abs(values[1]) > abs(values[2])).sum())
    assert answer["won"] == {"long_term": larger, "short_term": UNITS - larger, "equal": 0}
    grid = trace(text=SENTENCE, bars=50)
    assert answer["bars"]["ids"] == grid["rows"]["top_ids"][8][-3]
    assert answer["classes"] == grid["classes"]
    words = dict(zip(answer["bars"]["words"], answer["bars"]["classes"], strict=True))
    assert words == {
        grid["words"][str(i)]: grid["word_classes"][str(i)] for i in answer["bars"]["ids"]
    }
    for name, cell_s in (("mass", answer["mass"]), ("divergence", answer["divergence"])):
        np.testing.assert_allclose(cell_s, grid["rows"][name][8][-3], atol=3e-6)
    assert answer["entropy"] == pytest.approx(grid["rows"]["entropy"][8][-3], abs=2e-5)


def test_a_gate_is_the_sigmoid_of_what_its_operands_and_its_bias_add(cell):
    answer = cell(text=SENTENCE, timestep=8, kind="input_gate", layer=2)
    terms = [operand["term"] for operand in answer["operands"]]
    total = np.sum([*terms, answer["bias"]], axis=0)
    np.testing.assert_allclose(answer["values"], 1 / (1 + np.exp(-total)), atol=2e-3)
    other = cell(text=SENTENCE, timestep=8, kind="long_term", layer=2)
    assert (other["bias"], other["operands"][0]["term"]) == (None, None)


def test_the_row_above_and_the_zeros_before_a_sentence(cell):
    asked = {"text": "we stand. she said", "kind": "long_term", "layer": 1}
    later = cell(timestep=2, **asked)["operands"][1]
    assert (later["kind"], later["layer"]) == ("cell_state", 1)
    assert (later["lag"], later["timestep"], later["zero"]) == (1, 1, False)
    start = cell(timestep=4, **asked)["operands"][1]
    assert (start["lag"], start["timestep"], start["zero"]) == (1, None, True)
    assert start["values"] == [0] * UNITS
    assert start["divergence"] is None


def test_the_output_has_no_vector_but_its_operand_has(cell):
    answer = cell(text="we", timestep=1, kind="output", bars=3)
    assert (answer["values"], answer["won"], answer["divergence"]) == (None, None, 0)
    [h] = answer["operands"]
    assert (h["kind"], h["layer"], len(h["values"])) == ("output_state", 2, UNITS)
    assert {len(listed) for listed in answer["bars"].values()} == {3}


def test_own_classes_and_semantic(cell):
    own = [{"name": "his", "words": ["his", "zebra"]}]
    answer = cell(
        text="we", timestep=0, kind="embedding", layer=0, semantic="next", top=1, classes=own
    )
    assert answer["operands"] == []
    assert (answer["semantic"], answer["top_words"]) == ("next", 52)
    assert answer["classes"][-1] == "own:0"
    assert answer["missing"] == [{"id": "own:0", "name": "his", "words": ["zebra"]}]
    his = answer["bars"]["words"].index("his")
    assert answer["bars"]["classes"][his] == len(answer["classes"]) - 1
    assert answer["mass"][-1] == pytest.approx(answer["bars"]["probs"][his], abs=1e-6)


def test_the_smallest_numbers_stay_numbers():
    """Of a double, which a cell's probabilities are: a scale of 10³⁰⁹ would be infinite."""
    tiny = np.array([5e-324, 1e-306, -1e-306, 1.2345678e-200, 0.0])
    assert significant(tiny).tolist() == [0.0, 0.0, 0.0, 1.2346e-200, 0.0]
    assert not np.signbit(significant(tiny)).any()


def test_values_have_four_significant_digits(cell):
    for value in cell(text="we", timestep=1, kind="output_state", layer=2)["values"]:
        assert len(f"{value:.12e}".split("e")[0].rstrip("0").lstrip("-").replace(".", "")) <= 4
