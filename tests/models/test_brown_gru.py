"""The built-in ``brown-gru``; `test_shipped`, which reads Brown, computes its figures again."""

from __future__ import annotations

import pytest

from models.artifact import Model, load_model
from models.trace import trace
from models.training.card import model_card
from models.training.examples import examples_for
from tests.fixtures.shipped import FOLDER as BROWN

FOLDER = BROWN.parent / "brown-gru"


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model(FOLDER)


def test_its_kinds_are_a_gru_s_and_all_are_measured(model: Model) -> None:
    assert [c.symbol for c in model.columns] == ["x", *("z", "r", "h̃", "h") * 2, "y"]
    assert model.semantics == ("next", "this", "previous", "after_next")
    for semantic in model.semantics:
        for column in model.columns[:-1]:
            figure = model.perplexity(semantic, column)
            assert figure is not None
            assert 1 <= figure < len(model.vocabulary)
    test = model.metrics["perplexity"]["test"]
    assert model.perplexity("next", model.columns[-2]) == pytest.approx(test, rel=0.02)
    assert test < model.metrics["baselines"]["trigram"]


def test_it_says_that_its_perplexity_is_over_other_words(model: Model) -> None:
    assert f"{len(model.vocabulary):,} words" in model.name
    assert "cannot be compared" in model.description
    assert model.description in model_card(model)


def test_its_examples_have_no_unknown_word_and_tell_nothing_of_the_lstm(model: Model) -> None:
    assert model.examples == examples_for(model.vocabulary)
    first, *rest = model.examples
    assert first["text"].startswith('"we stand in solidarity,"')
    assert len(rest) >= 5
    for example in rest:
        assert all(token.known for token in trace(model, example["text"], bars=1).tokens)
        assert "layer" not in example["shows"]


def test_the_card_the_seal_and_the_size(model: Model) -> None:
    assert (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8") == model_card(model)
    assert "forget-gate" not in model_card(model)
    sealed = (FOLDER / "SHA256SUMS").read_text().split()[1::2]
    files = {path.name for path in FOLDER.iterdir()}
    assert {*sealed, "config.json", "MODEL_CARD.md", "SHA256SUMS"} == files
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 4 * 2**20
