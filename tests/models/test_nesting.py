"""Generated brackets, the unit that follows their depth, and the built-in model of them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.artifact import Model, load_model
from models.counters import counters
from models.states import hidden_states
from models.trace import trace
from models.training import nesting
from models.training.card import model_card
from models.training.corpus import load_corpus
from models.training.recipe_files import load_recipe
from models.unit import unit_line
from tests.fixtures.shipped import FOLDER as BROWN

FOLDER = BROWN.parent / "nesting"


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model(FOLDER)


def depths(symbols: str) -> list[int]:
    """How many brackets are open after each symbol."""
    opened = [(s in nesting.OPENING) - (s in nesting.CLOSING) for s in symbols]
    return np.cumsum(opened).tolist()


def test_sentences_close_what_they_open_and_digits_tell_the_depth() -> None:
    rng = np.random.default_rng(5)
    deepest = 0
    for _ in range(300):
        symbols = nesting.expression(rng)
        opened: list[int] = []
        for symbol, depth in zip(symbols, depths(symbols), strict=True):
            if symbol in nesting.OPENING:
                opened.append(nesting.OPENING.index(symbol))
            elif symbol in nesting.CLOSING:
                assert nesting.CLOSING.index(symbol) == opened.pop()
            else:
                assert int(symbol) == len(opened)
            assert depth == len(opened) <= nesting.DEEPEST
            deepest = max(deepest, depth)
        assert not opened
    assert deepest == nesting.DEEPEST


def test_the_corpus_needs_no_file_and_is_the_same_each_time() -> None:
    recipe = load_recipe("nesting").corpus
    first, second = load_corpus(recipe), load_corpus(recipe)
    assert first.vocabulary == nesting.vocabulary()
    assert all(share == 0 for share in first.unknown.values())
    for name, sentences in first.parts.items():
        assert sentences
        assert all(map(np.array_equal, sentences, second.parts[name]))


def test_the_unit_that_follows_a_number_is_found() -> None:
    rng = np.random.default_rng(0)
    depth = np.array([0, 1, 2, 1, 2, 3, 2, 1, 0.0])
    states = rng.normal(size=(3, 9, 4))
    states[1, :, 2] = 0.5 - 2 * depth  # falls as it grows
    states[2, :, 0] = depth + rng.normal(size=9) * 0.1
    states[0, :, 3] = 7.0  # never changes
    first, second, *_ = found = counters(states, depth, 12)
    assert (first.column, first.unit) == (1, 2)
    assert first.correlation == pytest.approx(-1)
    assert (second.column, second.unit) == (2, 0)
    assert 0.95 < second.correlation < 1
    assert len(found) == 11
    assert (0, 3) not in [(c.column, c.unit) for c in found]
    for c in found:  # numpy's own
        expected = np.corrcoef(states[c.column, :, c.unit], depth)[0, 1]
        assert c.correlation == pytest.approx(expected)


def test_what_cannot_be_followed_is_refused() -> None:
    with pytest.raises(ValueError, match="3 numbers cannot go with 4 timesteps"):
        counters(np.zeros((1, 4, 2)), [1, 2, 3])
    with pytest.raises(ValueError, match="same at every timestep"):
        counters(np.zeros((1, 3, 2)), [1, 1, 1])
    # A mean that is not quite the number is no change.
    with pytest.raises(ValueError, match="same at every timestep"):
        counters(np.ones((1, 3, 2)), [0.1, 0.1, 0.1])


def test_the_example_of_the_counter_shows_the_unit_that_follows_the_depth(model: Model) -> None:
    example = next(e for e in model.examples if "unit" in e)
    kind, layer, number = example["unit"].split(".")
    depth = [0, *depths(list(example["text"]))]
    line = unit_line(
        model, example["text"], kind, int(layer), int(number) - 1, follow=depth, all_kinds=True
    )
    assert example["follow"] == "depth"
    assert line.correlation == pytest.approx(0.931, abs=1e-3)
    assert (line.found[0].unit, line.found[0].correlation) == (line.unit, line.correlation)


def test_it_counts(model: Model) -> None:
    """Digits it was never told between the brackets, and the sort of what is to be closed."""
    text = "([(3)2]1)0"
    told = trace(model, text, bars=15)
    digits = {t: symbol for t, symbol in enumerate(text, 1) if symbol.isdigit()}
    for t, symbol in digits.items():
        probs = dict(zip(told.top_ids[t - 1, -1], told.top_probs[t - 1, -1], strict=True))
        said = {d: probs.get(model.vocabulary.ids[d], 0.0) for d in nesting.DIGITS}
        assert max(said, key=said.__getitem__) == symbol
    closers = {symbol: t for t, symbol in enumerate(text, 1) if symbol in nesting.CLOSING}
    for symbol, t in closers.items():
        probs = dict(zip(told.top_ids[t - 1, -1], told.top_probs[t - 1, -1], strict=True))
        closing = {c: probs.get(model.vocabulary.ids[c], 0.0) for c in nesting.CLOSING}
        assert max(closing, key=closing.__getitem__) == symbol
    assert model.metrics["perplexity"]["test"] < model.metrics["baselines"]["trigram"]


def test_class_masses_are_over_all_symbols_for_they_are_few(model: Model) -> None:
    """A tenth of fifteen symbols is two, and of six brackets most would be left out."""
    told = trace(model, "0([2", bars=15)
    assert told.top_words == len(model.vocabulary) == 15
    np.testing.assert_allclose(told.mass.sum(-1), 1, atol=1e-4)
    of_each = np.vectorize(told.word_classes.__getitem__)(told.top_ids)  # (R, C, 15)
    for k in range(len(told.classes)):
        summed = np.where(of_each == k, told.top_probs, 0).sum(-1)
        np.testing.assert_allclose(told.mass[:, :, k], summed, atol=1e-4)


def test_a_unit_follows_the_depth(model: Model) -> None:
    rng = np.random.default_rng(9)
    states, depth = [], []
    for _ in range(40):
        symbols = nesting.expression(rng)
        ids = [model.vocabulary.bos, *model.vocabulary.encode(symbols)]
        states.append(hidden_states(model.network, torch.tensor(ids)).numpy())
        depth += [0, *depths(symbols)]
    best = counters(np.concatenate(states, 1), depth, 1)[0]
    assert abs(best.correlation) > 0.9


def test_the_card_and_the_size(model: Model) -> None:
    assert (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8") == model_card(model)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 2**20
    assert model.semantics == ("next", "this", "previous", "after_next")
