"""POST /api/v1/trace with a watched word, and with classes of one's own."""

from __future__ import annotations

import numpy as np

from tests.server.conftest import SENTENCE

ROWS, COLUMNS, CLASSES = 11, 18, 13
OWN = [{"name": "she & we", "words": ["she", "We", "zebra"]}, {"name": "“", "words": []}]


def test_a_watched_word_is_told_in_every_cell(trace):
    answer = trace(text=SENTENCE, watch="She", bars=50)
    id = answer["watch"]["id"]
    assert answer["watch"] == {"word": "she", "id": id, "known": True}
    assert answer["words"][str(id)] == "she"
    ranks, probs = (np.array(answer["rows"][f"watch_{name}"]) for name in ("ranks", "probs"))
    assert ranks.shape == probs.shape == (ROWS, COLUMNS)
    for cell in np.ndindex(ROWS, COLUMNS):
        ids, told = (np.array(answer["rows"][name])[cell] for name in ("top_ids", "top_probs"))
        if ranks[cell] <= 50:
            assert ids[ranks[cell] - 1] == id
            assert told[ranks[cell] - 1] == probs[cell]
        else:
            assert id not in ids


def test_an_unknown_word_is_watched_as_unk(trace):
    answer = trace(text="we stand", watch="zebra")
    assert answer["watch"] == {"word": "<unk>", "id": 0, "known": False}
    assert answer["words"]["0"] == "<unk>"


def test_rows_from_a_timestep_on_are_watched(trace):
    whole, tail = (trace(text=SENTENCE, watch="she", **{"from": f}) for f in (0, 9))
    np.testing.assert_allclose(tail["rows"]["watch_probs"], whole["rows"]["watch_probs"][9:], 1e-3)
    empty = trace(text="", watch="she")
    assert empty["rows"]["watch_ranks"] == empty["rows"]["watch_probs"] == []


def test_own_classes_come_after_the_model_s(trace):
    plain, answer = trace(text=SENTENCE), trace(text=SENTENCE, classes=OWN)
    assert answer["classes"] == [*plain["classes"], "own:0", "own:1"]
    assert answer["missing"] == [
        {"id": "own:0", "name": "she & we", "words": ["zebra"]},
        {"id": "own:1", "name": "“", "words": []},
    ]
    classes = {answer["words"][id]: k for id, k in answer["word_classes"].items()}
    assert (classes["she"], classes["we"]) == (CLASSES, CLASSES)
    mass, before = np.array(answer["rows"]["mass"]), np.array(plain["rows"]["mass"])
    assert mass.shape == (ROWS, COLUMNS, CLASSES + 2)
    pronoun = plain["classes"].index("PRON")
    np.testing.assert_allclose(mass[..., pronoun] + mass[..., -2], before[..., pronoun], atol=3e-6)
    assert not mass[..., -1].any()
    mass[..., pronoun] = before[..., pronoun]
    np.testing.assert_allclose(mass[..., :CLASSES], before, atol=2e-6)


def test_what_is_not_asked_for_is_not_in_the_answer(trace):
    answer = trace(text="we stand", classes=[], watch=None)
    assert not {"watch", "missing"} & answer.keys()
    assert not {"watch_ranks", "watch_probs"} & answer["rows"].keys()
    assert len(answer["classes"]) == CLASSES


def test_limits_are_met_exactly(trace):
    most = [{"name": "x" * 40, "words": ["y" * 100] * 10} for _ in range(8)]
    most[0]["words"] = [f"w{k}" for k in range(200)]
    answer = trace(text="we", classes=most, watch="z" * 100)
    assert len(answer["classes"]) == CLASSES + 8
    assert len(answer["missing"][0]["words"]) == 200
