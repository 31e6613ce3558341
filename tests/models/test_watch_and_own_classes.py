"""A watched word and classes of one's own in a trace, against the whole distribution."""

from __future__ import annotations

import numpy as np
import pytest

from models.artifact import Model, load_model
from models.asked_words import OwnClass, Watch
from models.trace import TraceRefused, trace
from tests.fixtures.tiny import make_tiny_model

TEXT = "the key was lost. she said it"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(make_tiny_model(tmp_path_factory.mktemp("zoo")))


@pytest.mark.parametrize("named", ["key", "She", "zebra", "<eos>"])
def test_the_watched_word_s_rank_and_probability_are_those_of_the_whole_distribution(
    model: Model, named: str
) -> None:
    got = trace(model, TEXT, watch=named, bars=len(model.vocabulary))
    assert got.watch is not None
    places = got.top_ids == got.watch.id  # (R, C, V), one in each cell
    assert got.watch_ranks.tolist() == (places.argmax(-1) + 1).tolist()
    np.testing.assert_array_equal(got.watch_probs, got.top_probs[places].reshape(places.shape[:2]))


def test_the_watch_agrees_with_the_label_where_they_are_one_word(model: Model) -> None:
    got = trace(model, TEXT, watch="was")
    [row] = np.flatnonzero(got.label_ids == model.vocabulary.ids["was"])
    assert got.watch_ranks[row].tolist() == got.label_ranks[row].tolist()
    assert got.watch_probs[row].tolist() == got.label_probs[row].tolist()


def test_an_unknown_word_watches_unk_and_is_among_the_words(model: Model) -> None:
    got = trace(model, TEXT, watch="zebra", bars=1)
    assert got.watch == Watch("<unk>", 0, False)
    assert got.words[0] == "<unk>"


def test_what_is_not_watched_is_not_told(model: Model) -> None:
    got = trace(model, TEXT)
    assert got.watch is None
    assert len(got.watch_ranks) == len(got.watch_probs) == 0


@pytest.mark.parametrize("start", [3, 10])
def test_rows_from_a_timestep_on_are_watched_too(model: Model, start: int) -> None:
    whole, part = (trace(model, TEXT, watch="it", start=s) for s in (0, start))
    np.testing.assert_allclose(part.watch_probs, whole.watch_probs[start:], atol=1e-6)
    assert len(part.watch_ranks) == len(whole.tokens) - start


@pytest.mark.parametrize("named", ["", "two words", "can't"])
def test_what_is_not_one_word_is_refused(model: Model, named: str) -> None:
    with pytest.raises(TraceRefused, match="one word") as refusal:
        trace(model, TEXT, watch=named)
    assert (refusal.value.field, refusal.value.code) == ("watch", "invalid_field")


@pytest.mark.parametrize("top", [0.1, 0.5, 1.0])
def test_an_own_class_has_the_mass_of_its_words_and_the_others_lack_it(
    model: Model, top: float
) -> None:
    own = (OwnClass("pronouns", ("he", "she")), OwnClass("mixed", ("she", "key", "zebra")))
    plain = trace(model, TEXT, top=top, bars=len(model.vocabulary))
    got = trace(model, TEXT, top=top, own_classes=own)
    vocabulary = model.vocabulary
    assert got.classes == (*plain.classes, "own:0", "own:1")
    assert [missing.words for missing in got.missing] == [(), ("zebra",)]
    top_ids, top_probs = (a[..., : got.top_words] for a in (plain.top_ids, plain.top_probs))
    wanted = np.concatenate([plain.mass, np.zeros((*plain.mass.shape[:2], 2))], -1)
    for word, to in (("he", -2), ("she", -1), ("key", -1)):
        moved = np.where(top_ids == vocabulary.ids[word], top_probs, 0).sum(-1)
        wanted[..., vocabulary.classes[vocabulary.ids[word]]] -= moved
        wanted[..., to] += moved
    np.testing.assert_allclose(got.mass, wanted, atol=1e-6)
    assert got.mass[..., -2:].any()
    assert {got.words[id]: got.word_classes[id] for id in got.words}.items() >= {
        ("she", len(plain.classes) + 1),
        ("key", len(plain.classes) + 1),
    }
