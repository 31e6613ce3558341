"""Decoding against a plain reference, written from the definitions one cell at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import decode as decode_module
from models.decode import Decoded, Question, decode

UNITS, CLASSES = 4, 3


def ask(
    words: int, rows: int, bars: int = 3, top_words: int = 5, seed: int = 0, tied: bool = False
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, Question]:
    """Random vectors, decoder, biases (C = 3, the last the output) and a question about them."""
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(3, rows, UNITS, generator=generator)
    decoder = torch.randn(words, UNITS, generator=generator)
    biases = torch.randn(3, words, generator=generator)
    if tied:  # every word twice: each probability has an equal
        decoder = decoder[torch.arange(words) // 2]
        biases = biases[:, torch.arange(words) // 2]
    rng = np.random.default_rng(seed)
    question = Question(
        classes=rng.integers(0, CLASSES, words),
        class_count=CLASSES,
        labels=rng.integers(-1, words, rows),
        next_ids=rng.integers(-1, words, rows),
        bars=min(bars, words),
        top_words=min(top_words, words),
    )
    return vectors, decoder, biases, question


def distributions(vectors: torch.Tensor, decoder: torch.Tensor, biases: torch.Tensor) -> np.ndarray:
    """(R, C, V) in float64."""
    logits = vectors.double() @ decoder.double().t() + biases.double()[:, None]
    return logits.softmax(-1).transpose(0, 1).numpy()


def check(got: Decoded, probs: np.ndarray, question: Question) -> None:
    rows, columns, words = probs.shape
    for r in range(rows):
        for c in range(columns):
            p = probs[r, c]
            # Equal in float32 is equal: ties there are broken by id.
            order = sorted(range(words), key=lambda w: (-np.float32(round(p[w], 9)), w))
            assert got.top_ids[r, c].tolist() == order[: question.bars]
            np.testing.assert_allclose(got.top_probs[r, c], p[order[: question.bars]], atol=1e-6)
            mass = np.zeros(CLASSES)
            for w in order[: question.top_words]:
                mass[question.classes[w]] += p[w]
            np.testing.assert_allclose(got.mass[r, c], mass, atol=1e-6)
            entropy = -sum(x * math.log2(x) for x in p if x > 0)
            assert got.entropy[r, c] == pytest.approx(entropy, abs=1e-5)
            y = probs[r, -1]
            m = (p + y) / 2
            kl = [sum(a * math.log2(a / b) for a, b in zip(q, m, strict=True)) for q in (p, y)]
            assert got.divergence[r, c] == pytest.approx(sum(kl) / 2, abs=1e-5)
            label = question.labels[r]
            if label < 0:
                assert got.label_ranks[r, c] == 0
                assert math.isnan(got.label_probs[r, c])
            else:
                assert got.label_ranks[r, c] == order.index(label) + 1
                assert got.label_probs[r, c] == pytest.approx(p[label], abs=1e-6)


@settings(max_examples=40)
@given(
    words=st.integers(2, 40),
    rows=st.integers(1, 6),
    bars=st.integers(1, 12),
    top_words=st.integers(1, 45),
    seed=st.integers(0, 10_000),
)
def test_equal_to_the_definitions(
    words: int, rows: int, bars: int, top_words: int, seed: int
) -> None:
    vectors, decoder, biases, question = ask(words, rows, bars, top_words, seed)
    got = decode(vectors, decoder, biases, question)
    check(got, distributions(vectors, decoder, biases), question)


@pytest.mark.parametrize("seed", range(5))
def test_ties_are_broken_by_word_id_in_bars_masses_and_ranks(seed: int) -> None:
    vectors, decoder, biases, question = ask(30, 4, bars=5, top_words=7, seed=seed, tied=True)
    got = decode(vectors, decoder, biases, question)
    check(got, distributions(vectors, decoder, biases), question)


def test_blocks_of_timesteps_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, decoder, biases, question = ask(50, 9)
    whole = decode(vectors, decoder, biases, question)
    monkeypatch.setattr(decode_module, "_CELLS", 3)
    blocks = decode(vectors, decoder, biases, question)
    for name, value in vars(whole).items():
        np.testing.assert_allclose(getattr(blocks, name), value, rtol=2e-6, atol=1e-6, err_msg=name)


def test_divergence_of_disjoint_distributions_is_one_bit() -> None:
    """Two certain and different predictions: the bound of Jensen and Shannon, and 0 for equals."""
    decoder = torch.tensor([[100.0], [-100.0]])
    vectors = torch.tensor([[[1.0]], [[-1.0]], [[1.0]]])  # C = 3 columns, one timestep
    question = Question(np.array([0, 1]), 2, np.array([0]), np.array([0]), 1, 2)
    got = decode(vectors, decoder, torch.zeros(3, 2), question)
    assert got.divergence[0].tolist() == pytest.approx([0.0, 1.0, 0.0])
    assert got.entropy[0].tolist() == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_divergence_by_hand() -> None:
    """JS of (¾, ¼) and (¼, ¾): H(½, ½) − H(¾, ¼) = 1 − 0.8113 bits."""
    log3 = math.log(3)
    vectors = torch.tensor([[[log3]], [[0.0]]])
    decoder = torch.tensor([[1.0], [0.0]])
    biases = torch.tensor([[0.0, 0.0], [0.0, log3]])
    question = Question(np.array([0, 1]), 2, np.array([-1]), np.array([1]), 2, 2)
    got = decode(vectors, decoder, biases, question)
    assert got.divergence[0, 0] == pytest.approx(1 - 0.811278, abs=1e-5)
    assert got.next_ranks.tolist() == [1]
    assert got.next_probs.tolist() == pytest.approx([0.75])


def test_mass_outside_the_top_words_is_left_out() -> None:
    probs = [0.5, 0.3, 0.15, 0.05]
    decoder = torch.zeros(4, 1)
    biases = torch.tensor(probs).log().repeat(1, 1)
    question = Question(np.array([0, 1, 0, 1]), 2, np.array([-1]), np.array([-1]), 4, 3)
    got = decode(torch.zeros(1, 1, 1), decoder, biases, question)
    assert got.mass[0, 0].tolist() == pytest.approx([0.65, 0.3])
