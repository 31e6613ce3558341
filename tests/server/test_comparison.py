"""POST /api/v1/compare: two texts aligned, and where their cells part."""

from __future__ import annotations

import numpy as np
import pytest

URL = "/api/v1/compare"
TEXTS = ["the keys to the cabinet were lost.", "the key to the cabinet was not lost."]


@pytest.fixture
def compare(client, conforms):
    def post(*texts, **fields):
        response = client.post(URL, json={"texts": texts, **fields})
        assert response.status_code == 200, response.json
        return conforms(response, URL, "post")

    return post


def test_the_alignment_indexes_the_rows_of_a_trace_of_each_text(compare, trace):
    answer = compare(*TEXTS)
    assert answer["alignment"] == [
        [0, 0, "same"],
        [1, 1, "same"],
        [2, 2, "changed"],
        [3, 3, "same"],
        [4, 4, "same"],
        [5, 5, "same"],
        [6, 6, "changed"],
        [None, 7, "inserted"],
        [7, 8, "same"],
        [8, 9, "same"],
    ]
    traces = [trace(text=text, bars=1) for text in TEXTS]
    assert answer["tokens"] == [told["tokens"] for told in traces]
    assert answer["columns"] == traces[0]["columns"]
    assert answer["fingerprint"] == traces[0]["fingerprint"]


def test_a_row_of_divergences_for_each_step_that_is_a_pair(compare):
    answer = compare(*TEXTS, semantic="this", bars=3, top=0.5)
    assert answer["semantic"] == "this"
    rows = answer["divergence"]
    assert [row is None for row in rows] == [None in step for step in answer["alignment"]]
    pairs = np.array([row for row in rows if row is not None])
    assert pairs.shape == (9, 18)
    assert ((pairs >= 0) & (pairs <= 1)).all()
    assert not pairs[:2].any()
    assert (pairs == np.round(pairs, 6)).all()
    ranked = [(cell["pair"], cell["column"]) for cell in answer["ranked"]]
    assert [rows[p][c] for p, c in ranked] == [cell["divergence"] for cell in answer["ranked"]]
    assert ranked[0] == max(
        ((p, c) for p, row in enumerate(rows) if row for c in range(18)),
        key=lambda place: rows[place[0]][place[1]],
    )
    assert len(ranked) == 50


@pytest.mark.parametrize("text", ["", "we stand", "She said it. He lost it."])
def test_equal_texts_part_nowhere(compare, text):
    answer = compare(text, text)
    assert not any(map(any, answer["divergence"]))
    assert answer["ranked"] == []
    assert {op for *_, op in answer["alignment"]} <= {"same"}


def test_a_blank_text_has_nothing_to_pair(compare):
    answer = compare(" ", "we stand")
    assert answer["alignment"] == [[None, j, "inserted"] for j in range(3)]
    assert answer["divergence"] == [None, None, None]
