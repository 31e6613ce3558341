"""POST /api/v1/trace: every field of the answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.server.conftest import SENTENCE

ROWS, COLUMNS, CLASSES = 11, 18, 13


@pytest.fixture
def answer(trace):
    return trace(text=SENTENCE)


def rows(answer, name):
    return np.array(answer["rows"][name], dtype=float)


def test_defaults_are_told_back(answer):
    told = {name: answer[name] for name in ("model", "semantic", "bars", "top", "from")}
    assert told == {
        "model": "tiny-lstm",
        "semantic": "next",
        "bars": 10,
        "top": 0.1,
        "from": 0,
    }
    assert len(answer["fingerprint"]) == 16


def test_tokens_have_their_place_in_the_text(answer):
    first, quote, *_ = answer["tokens"]
    assert first == {"id": 2, "surface": "", "word": "<bos>", "known": True, "span": None}
    assert quote == {"id": quote["id"], "surface": '"', "word": '"', "known": True, "span": [0, 1]}
    for token in answer["tokens"][1:]:
        start, end = token["span"]
        assert SENTENCE[start:end] == token["surface"]
    assert [t["surface"] for t in answer["tokens"][1:]] == [
        *('"', "we", "stand", "in", "solidarity", ",", '"', "she", "emphasized", ".")
    ]


def test_spans_count_code_points_and_unknown_words_are_marked(trace):
    text = "👩‍🚀 zebra"
    zebra = trace(text=text)["tokens"][-1]
    assert (zebra["word"], zebra["known"], zebra["id"]) == ("<unk>", False, 0)
    assert text[slice(*zebra["span"])] == "zebra"


def test_columns_end_with_the_output(answer):
    assert len(answer["columns"]) == COLUMNS
    assert answer["columns"][0] == {"kind": "embedding", "layer": 0}
    assert answer["columns"][-1] == {"kind": "output", "layer": None}


def test_bars_are_the_most_likely_words_in_descending_order(answer):
    ids, probs = rows(answer, "top_ids"), rows(answer, "top_probs")
    assert ids.shape == probs.shape == (ROWS, COLUMNS, 10)
    assert (np.diff(probs, axis=-1) <= 0).all()
    assert ((probs > 0) & (probs <= 1)).all()


def test_every_id_has_its_word_and_class(answer):
    used = {int(id) for id in rows(answer, "top_ids").ravel()}
    used |= {token["id"] for token in answer["tokens"]}
    used |= {id for name in ("label_ids", "next_ids") for id in answer["rows"][name] if id}
    assert {str(id) for id in used} == set(answer["words"]) == set(answer["word_classes"])
    classes = answer["classes"]
    named = {answer["words"][id]: classes[k] for id, k in answer["word_classes"].items()}
    assert named['"'] == "PUNCT"
    assert named["she"] == "PRON"


def test_mass_is_what_the_top_words_hold_by_class(trace):
    # 5 of 52 words are the top 10 %: with 5 bars the chart shows exactly the words of the mass.
    answer = trace(text=SENTENCE, bars=5)
    assert answer["top_words"] == 5
    mass, probs = rows(answer, "mass"), rows(answer, "top_probs")
    assert mass.shape == (ROWS, COLUMNS, CLASSES)
    expected = np.zeros_like(mass)
    for cell in np.ndindex(ROWS, COLUMNS):
        for bar, id in enumerate(np.array(answer["rows"]["top_ids"])[cell]):
            expected[cell][answer["word_classes"][str(id)]] += probs[cell][bar]
    np.testing.assert_allclose(mass, expected, atol=1e-4)


def test_mass_does_not_depend_on_the_bars_and_over_all_words_is_one(trace):
    few, many = trace(text=SENTENCE, bars=1, top=1), trace(text=SENTENCE, bars=50, top=1)
    np.testing.assert_allclose(rows(few, "mass"), rows(many, "mass"), atol=2e-6)
    np.testing.assert_allclose(rows(few, "mass").sum(-1), 1, atol=1e-4)


def test_entropy_and_divergence_are_in_bits(trace):
    answer = trace(text="we stand", bars=50, top=1)
    words = answer["top_words"]
    entropy, divergence = rows(answer, "entropy"), rows(answer, "divergence")
    assert ((entropy >= 0) & (entropy <= math.log2(words))).all()
    assert ((divergence >= 0) & (divergence <= 1)).all()
    assert (divergence[:, -1] == 0).all()
    # 50 of the 52 words are shown; the two left out have what is missing to 1.
    probs = rows(answer, "top_probs")
    rest = np.clip(1 - probs.sum(-1, keepdims=True), 1e-12, 1)
    full = np.concatenate([probs, rest], -1)
    np.testing.assert_allclose(-(full * np.log2(full)).sum(-1), entropy, atol=1e-2)


def test_the_next_word_its_rank_probability_and_surprisal(answer):
    body = answer["rows"]
    ids = [token["id"] for token in answer["tokens"]]
    eos = body["next_ids"][-1]
    assert body["next_ids"] == [*ids[1:], eos]
    assert answer["words"][str(eos)] == "<eos>"
    for r, id in enumerate(body["next_ids"]):
        rank, output = body["next_ranks"][r], body["top_ids"][r][-1]
        assert rank >= 1
        assert (output[rank - 1] == id) if rank <= 10 else (id not in output)
    np.testing.assert_allclose(body["surprisal"], -np.log2(rows(answer, "next_probs")), rtol=1e-4)
    assert answer["perplexity"] == pytest.approx(2 ** np.mean(body["surprisal"]), rel=1e-4)


def test_an_unfinished_sentence_has_no_next_word(trace):
    body = trace(text="we stand")["rows"]
    assert body["next_ids"][-1] is None
    assert body["next_ranks"][-1] is None
    assert body["next_probs"][-1] is None
    assert body["surprisal"][-1] is None
    assert body["label_ids"][-1] is None
    assert body["label_ranks"][-1] is None
    assert body["label_probs"][-1] is None
    assert None not in body["label_ranks"][:-1]


def test_the_label_is_the_word_that_the_semantic_asks_for(trace):
    answer = trace(text="we stand", semantic="this")
    assert answer["semantic"] == "this"
    ids = [token["id"] for token in answer["tokens"]]
    labels = answer["rows"]["label_ids"]
    assert labels[1:] == ids[1:]
    for r, label in enumerate(labels):
        for c, cell in enumerate(answer["rows"]["top_ids"][r]):
            rank = answer["rows"]["label_ranks"][r][c]
            assert rank > 10 or cell[rank - 1] == label


def test_one_token_alone_scores_nothing_but_the_first_step(trace):
    answer = trace(text="stand", **{"from": 1})
    assert answer["perplexity"] is None
    assert answer["rows"]["surprisal"] == [None]


@pytest.mark.parametrize("start", [0, 1, 6, 10, 11])
def test_rows_from_a_timestep_on_equal_the_tail_of_the_whole(trace, answer, start):
    tail = trace(text=SENTENCE, **{"from": start})
    assert tail["from"] == start
    assert tail["tokens"] == answer["tokens"]
    for name, whole in answer["rows"].items():
        assert len(tail["rows"][name]) == ROWS - start
        if name.endswith("ids"):
            assert tail["rows"][name] == whole[start:]
        else:
            np.testing.assert_allclose(
                np.array(tail["rows"][name], float), np.array(whole[start:], float), atol=2e-5
            )


@pytest.mark.parametrize("start", [12, 99, 1e300])
def test_past_the_end_there_are_no_rows_and_the_answer_says_where_that_is(trace, answer, start):
    tail = trace(text=SENTENCE, **{"from": start})
    assert tail["from"] == ROWS
    assert tail["tokens"] == answer["tokens"]
    assert set(map(len, tail["rows"].values())) == {0}
    assert tail["perplexity"] is None


@pytest.mark.parametrize("text", ["", " ", "\n\t \u2003"])
def test_blank_text_gives_an_empty_grid(trace, text):
    answer = trace(text=text)
    assert answer["tokens"] == []
    assert set(map(len, answer["rows"].values())) == {0}
    assert answer["perplexity"] is None
    assert len(answer["columns"]) == COLUMNS


def test_each_sentence_has_a_row_that_starts_it(trace):
    tokens = trace(text="she was lost. we stand.")["tokens"]
    assert [t["word"] for t in tokens].count("<bos>") == 2
    assert [t["span"] for t in tokens if t["word"] == "<bos>"] == [None, None]


def test_whole_numbers_may_be_written_as_floats(trace):
    assert trace(text="we", bars=3.0, **{"from": 1.0})["bars"] == 3


def test_markup_stays_text(client):
    text = "<b>x</b> <script>alert(1)</script> & \u2028"
    response = client.post("/api/v1/trace", json={"text": text})
    assert response.mimetype == "application/json"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    surfaces = "".join(token["surface"] for token in response.json["tokens"])
    assert surfaces == text.replace(" ", "").replace("\u2028", "")


def test_numbers_are_short(client):
    body = client.post("/api/v1/trace", json={"text": SENTENCE}).get_data(as_text=True)
    per_number = len(body) / (ROWS * COLUMNS * (10 + 10 + CLASSES + 2 + 2))
    assert per_number < 10
