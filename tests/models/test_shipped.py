"""The shipped model: its figures are those of its weights, and it tells the paper's story."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.artifact import Model, load_model
from models.compare import compare
from models.inside import inside
from models.reading import read
from models.trace import Trace, trace
from models.training.card import model_card
from models.training.corpus import Corpus, load_corpus
from models.training.evaluate import head_figures, network_perplexity
from models.training.examples import brown_examples
from models.training.recipe_files import load_recipe
from tests.fixtures.shipped import FOLDER

GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"
LAST = ("output_state", "2")


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model(FOLDER)


@pytest.fixture(scope="module")
def brown(model: Model) -> Corpus:
    return load_corpus(load_recipe(model.config["training"]["recipe"]).corpus)


@pytest.fixture(scope="module")
def she(model: Model) -> tuple[Trace, int]:
    """The paper's sentence, and the timestep of *she*."""
    traced = trace(model, model.examples[0]["text"])
    return traced, [token.word for token in traced.tokens].index("she")


def test_the_folder_is_small_enough_to_be_cloned() -> None:
    size = sum(path.stat().st_size for path in FOLDER.rglob("*"))
    assert size <= 45 * 2**20


def test_the_folder_is_sealed() -> None:
    sealed = (FOLDER / "SHA256SUMS").read_text().split()[1::2]
    assert {*sealed, "config.json", "MODEL_CARD.md", "SHA256SUMS"} == {
        path.name for path in FOLDER.iterdir()
    }


def test_the_corpus_and_the_rules_give_the_shipped_vocabulary(model: Model, brown: Corpus) -> None:
    assert brown.vocabulary == model.vocabulary


def test_the_examples_are_those_of_the_code_and_have_no_unknown_words(model: Model) -> None:
    assert model.examples == brown_examples()
    for example in model.examples:
        for text in (example["text"], example.get("compare", "")):
            words = [t for sentence in read(model.vocabulary, text) for t in sentence.tokens]
            assert all(token.known for token in words), text


def test_the_long_term_memory_tells_keys_from_key_longest(model: Model) -> None:
    pair = next(e for e in model.examples if e.get("compare", "").startswith("the key "))
    got = compare(model, (pair["text"], pair["compare"]))
    later = got.divergence[5:9]  # cabinet in the hall
    assert [got.tokens[0][t].word for t in range(5, 9)] == ["cabinet", "in", "the", "hall"]
    keys = [column.key for column in got.columns]
    most = [keys[column] for column in later.mean(0).argsort()[::-1]]
    assert most[:2] == ["long_term.2", "output_state.2"]
    told = {
        "long_term.2": [0.091, 0.017, 0.023, 0.045],
        "output_state.2": [0.067, 0.029, 0.025, 0.047],
    }
    for key, bits in told.items():
        np.testing.assert_allclose(later[:, keys.index(key)], bits, atol=6e-4)


def test_the_inside_of_the_row_she_is_as_the_guide_tells(
    model: Model, she: tuple[Trace, int]
) -> None:
    _, row = she
    guide = " ".join(GUIDE.read_text().split())
    text = model.examples[0]["text"]
    cell = inside(model, text, row, "cell_state", 2)
    assert cell.won is not None
    long, short = (operand.divergence for operand in cell.operands)
    assert (
        f"is larger in {cell.won.short_term} of 300 units and {short:.2f} bits from c, its l "
        f"{long:.2f} bits"
    ) in guide
    gate = inside(model, text, row, "forget_gate", 2)
    assert [operand.lag for operand in gate.operands] == [0, 1]
    from_below, from_before = (np.abs(operand.term) for operand in gate.operands)
    below = int((from_below > from_before).sum())
    assert (
        f"h of layer 1 has the larger term in {below} of 300 units of the forget gate of layer 2, "
        f"and h of the row above in {300 - below}"
    ) in guide


def test_the_network_is_as_good_as_it_must_be(model: Model) -> None:
    assert model.metrics["perplexity"]["test"] <= 115
    assert model.metrics["network_fingerprint"] == model.network_fingerprint


def test_recorded_perplexities_are_those_of_the_weights(model: Model, brown: Corpus) -> None:
    check = model.metrics["check"]
    sample = brown.parts["test"][: check["sentences"]]
    assert network_perplexity(model, sample) == pytest.approx(check["perplexity"], rel=1e-3)
    # The embedding and the output states of both layers, under all semantics.
    wanted = model.columns[:-1][::8]
    assert wanted[-1].key == "output_state.2"
    again = head_figures(model, sample, wanted)
    for semantic, kinds in again.items():
        for kind, layers in kinds.items():
            for layer, figures in layers.items():
                recorded = check["heads"][semantic][kind][layer]
                assert figures == pytest.approx(recorded, rel=2e-3), (semantic, kind, layer)


def test_the_gru_s_figures_too(brown: Corpus) -> None:
    """``brown-gru`` has the most frequent words of the same vocabulary: its ids are theirs."""
    gru = load_model(FOLDER.parent / "brown-gru")
    words = len(gru.vocabulary)
    assert gru.vocabulary.words == brown.vocabulary.words[:words]
    assert gru.vocabulary.classes == brown.vocabulary.classes[:words]
    recipe = load_recipe(gru.config["training"]["recipe"]).corpus
    shipped = load_recipe("brown-lstm-300x2").corpus
    assert replace(recipe, minimum_count=shipped.minimum_count) == shipped
    check = gru.metrics["check"]
    sample = [
        np.where(sentence < words, sentence, gru.vocabulary.unk)
        for sentence in brown.parts["test"][: check["sentences"]]
    ]
    assert network_perplexity(gru, sample) == pytest.approx(check["perplexity"], rel=1e-3)


def test_the_last_output_state_predicts_as_well_as_the_network(model: Model) -> None:
    """The paper's parity (§5.2): a head of h of the last layer is the classifier F once more, here
    fitted to a part of the training text, which the network knows better than other text."""
    kind, layer = LAST
    figures = model.metrics["heads"]["next"][kind][layer]
    assert 0.99 < figures["perplexity"] / model.metrics["perplexity"]["test"] < 1.03
    assert figures["tokens"] == model.metrics["counts"]["test"]["predicted_tokens"]


def test_every_kind_has_its_figure_for_every_semantic(model: Model) -> None:
    assert model.semantics == ("next", "this", "previous", "after_next")
    for semantic in model.semantics:
        for column in model.columns[:-1]:
            figure = model.perplexity(semantic, column)
            assert figure is not None
            assert 1 <= figure < len(model.vocabulary)


def test_the_embedding_knows_which_word_it_is(model: Model) -> None:
    assert model.metrics["heads"]["this"]["embedding"]["0"]["perplexity"] < 2


def test_after_she_a_verb_is_certain_and_the_long_term_memory_lags(
    model: Model, she: tuple[Trace, int]
) -> None:
    """The paper's reading of its Figure 1. After the quotation mark no class is certain, after
    *she* nearly every kind says verb, but not the long-term memory of layer 2, which is furthest
    from the output both times: it still holds what came before.
    """
    traced, t = she
    verb = traced.mass[:, :, traced.classes.index("VERB")]
    assert np.mean(verb[t] > 0.6) > 0.8
    assert traced.mass[t - 1].max(-1).mean() < 0.3
    layer = [i for i, column in enumerate(traced.columns) if column.layer == 2]
    memory = next(i for i in layer if traced.columns[i].kind == "long_term")
    assert verb[t, memory] < 0.34
    for row in (t - 1, t):
        furthest = layer[int(traced.divergence[row, layer].argmax())]
        assert traced.columns[furthest].key == "long_term.2"


def test_the_card_says_what_the_folder_records(model: Model) -> None:
    assert (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8") == model_card(model)
