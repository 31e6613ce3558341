"""From text to numbers, on a small real model folder."""

from __future__ import annotations

import copy
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.artifact import Model, load_model
from models.trace import Trace, TraceRefused, trace
from tests.fixtures.tiny import make_tiny_model

SENTENCE = '"We stand in solidarity," she emphasized.'


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(make_tiny_model(tmp_path_factory.mktemp("zoo")))


def test_tokens_say_what_was_typed_what_is_read_and_where(model: Model) -> None:
    tokens = trace(model, "The zebras cost 24, she said").tokens
    got = [(t.surface, t.word, t.known, t.span) for t in tokens]
    assert got == [
        ("", "<bos>", True, None),
        ("The", "the", True, (0, 3)),
        ("zebras", "<unk>", False, (4, 10)),
        ("cost", "<unk>", False, (11, 15)),
        ("24", "<num>", True, (16, 18)),
        (",", ",", True, (18, 19)),
        ("she", "she", True, (20, 23)),
        ("said", "said", True, (24, 28)),
    ]


def test_the_output_column_is_the_network_itself(model: Model) -> None:
    """Its probabilities are those of torch's own LSTM and the decoder, not of a head."""
    got = trace(model, SENTENCE, bars=5)
    ids = torch.tensor([[token.id] for token in got.tokens])
    probs = model.network.logits(model.network(ids))[:, 0].softmax(-1)  # (T, V)
    values, _ = probs.topk(5)
    np.testing.assert_allclose(got.top_probs[:, -1], values.numpy(), atol=1e-6)
    upcoming = [*[token.id for token in got.tokens[1:]], model.vocabulary.eos]
    nll = -probs[torch.arange(len(ids)), upcoming].log()
    np.testing.assert_allclose(got.surprisal, nll.numpy() / math.log(2), atol=1e-4)
    assert got.perplexity == pytest.approx(float(nll.mean().exp()), rel=1e-4)
    assert np.all(got.divergence[:, -1] == 0)


def test_a_hidden_state_s_cell_is_its_head_s_softmax(model: Model) -> None:
    got = trace(model, SENTENCE, semantic="this")
    column = [c.key for c in got.columns].index("embedding.0")
    heads, network = model.heads["this"], model.network
    x = network.embedding(torch.tensor([token.id for token in got.tokens]))
    projected = x @ heads.projection[column].t() + heads.offset[column]
    probs = (projected @ network.decoder_weight.t() + heads.bias[column]).softmax(-1)
    np.testing.assert_allclose(got.top_probs[:, column], probs.topk(10).values.numpy(), atol=1e-6)
    assert got.label_ids.tolist() == [token.id for token in got.tokens]
    label_probs = probs[torch.arange(len(x)), torch.from_numpy(got.label_ids)]
    np.testing.assert_allclose(got.label_probs[:, column], label_probs.numpy(), atol=1e-6)


def test_an_unfinished_text_leaves_its_last_step_unscored(model: Model) -> None:
    unfinished = trace(model, "the key")
    assert unfinished.next_ids.tolist()[-1] == -1
    assert math.isnan(unfinished.surprisal[-1])
    finished = trace(model, "the key.")
    assert finished.next_ids.tolist()[-1] == model.vocabulary.eos
    assert not np.isnan(finished.surprisal).any()


def test_each_sentence_starts_from_zero(model: Model) -> None:
    both = trace(model, "the key was lost. the dog said it.")
    second = trace(model, "the dog said it.")
    first = len(both.tokens) - len(second.tokens)
    assert both.tokens[first].word == "<bos>"
    np.testing.assert_allclose(both.mass[first:], second.mass, atol=1e-6)


@pytest.mark.parametrize("text", ["", " ", "\n\t\u00a0"])
def test_blank_text_is_an_empty_grid(model: Model, text: str) -> None:
    got = trace(model, text)
    assert got.tokens == ()
    assert got.mass.shape == (0, 18, 13)
    assert got.perplexity is None


def test_a_perplexity_past_all_numbers_is_none(model: Model) -> None:
    """Of a network whose output states know no bounds: the rest of its answer is told."""
    network = copy.deepcopy(model.network)
    network.decoder_weight.data *= 1e6
    got = trace(replace(model, network=network), "the key was lost.")
    assert got.perplexity is None
    assert np.isfinite(got.surprisal).all()
    assert got.surprisal.mean() > 1024


@settings(max_examples=30)
@given(text=st.text(max_size=60), start=st.integers(0, 12))
def test_rows_from_a_timestep_on_are_those_of_the_whole(
    model: Model, text: str, start: int
) -> None:
    whole = trace(model, text)
    part = trace(model, text, start=start)
    start = min(start, len(whole.tokens))
    assert part.start == start
    assert part.tokens == whole.tokens
    for name in ("top_probs", "mass", "entropy", "divergence", "label_probs", "surprisal"):
        np.testing.assert_allclose(
            getattr(part, name), getattr(whole, name)[start:], rtol=1e-5, atol=1e-6
        )


@settings(max_examples=60)
@given(text=st.text(max_size=80), semantic=st.sampled_from(["next", "this"]))
def test_whatever_is_typed_the_numbers_are_sound(model: Model, text: str, semantic: str) -> None:
    check_sound(model, trace(model, text, semantic=semantic))


def check_sound(model: Model, got: Trace) -> None:
    assert np.all(np.diff(got.top_probs, axis=-1) <= 0)
    assert np.all((got.mass >= 0) & (got.mass.sum(-1, keepdims=True) <= 1 + 1e-5))
    assert np.all((got.entropy >= 0) & (got.entropy <= math.log2(len(model.vocabulary)) + 1e-4))
    assert np.all((got.divergence >= 0) & (got.divergence <= 1))
    used = {*got.top_ids.ravel().tolist(), *(t.id for t in got.tokens)}
    assert used <= got.words.keys() == got.word_classes.keys()


@pytest.mark.parametrize(
    ("options", "field", "code"),
    [
        ({"semantic": "previous"}, "semantic", "semantic_unavailable"),
        ({"semantic": "sometime"}, "semantic", "semantic_unavailable"),
        ({"bars": 0}, "bars", "out_of_range"),
        ({"top": 0.0}, "top", "out_of_range"),
        ({"top": 1.5}, "top", "out_of_range"),
        ({"start": -1}, "from", "out_of_range"),
        ({"token_limit": 3}, "text", "too_many_tokens"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_field(
    model: Model, options: dict[str, object], field: str, code: str
) -> None:
    with pytest.raises(TraceRefused) as refusal:
        trace(model, SENTENCE, **options)  # type: ignore[arg-type]
    assert (refusal.value.field, refusal.value.code) == (field, code)
    if code == "too_many_tokens":
        assert "10 tokens; the limit is 3" in refusal.value.message


def test_the_model_folder_reloads_to_the_same_numbers(model: Model, tmp_path: Path) -> None:
    again = load_model(make_tiny_model(tmp_path))
    assert again.network_fingerprint == model.network_fingerprint
    np.testing.assert_array_equal(trace(again, SENTENCE).mass, trace(model, SENTENCE).mass)
