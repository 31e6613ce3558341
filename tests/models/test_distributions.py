"""Numbers of whole distributions: by hand, and against the grid's own."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.artifact import Model, load_model
from models.decode.kernel import divergences
from models.distributions import all_logits, distributions, divergence_bits, encoding
from models.heads import LinearHeads, SharedHeads
from tests.fixtures.tiny import make_tiny_model

WEIGHTS = st.lists(st.floats(0, 1), min_size=5, max_size=5).filter(lambda w: sum(w) > 1e-3)


def bits(p: list[float], q: list[float]) -> float:
    first, second = (torch.tensor(side, dtype=torch.float64) for side in (p, q))
    return float(divergence_bits(first, second))


def compiled_bits(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Of logits (N, V), as `compare` takes them."""
    out = np.empty(len(p))
    divergences(p, q, np.empty((3, p.shape[1]), np.float32), out)
    return out


def test_the_compiled_divergence_is_the_definition() -> None:
    rng = np.random.default_rng(0)
    p = rng.normal(scale=4, size=(6, 4001)).astype(np.float32)
    q = p + rng.normal(size=p.shape).astype(np.float32) * np.array([[0, 1e-4, 0.01, 1, 9, 1]]).T
    p[5], q[5] = -80, -80
    p[5, 0] = q[5, 1] = 80  # disjoint
    q = q.astype(np.float32)
    first, second = (torch.from_numpy(side).double().softmax(-1) for side in (p, q))
    got = compiled_bits(p, q)
    np.testing.assert_allclose(got, divergence_bits(first, second).numpy(), atol=2e-7)
    np.testing.assert_allclose(got, compiled_bits(q, p), atol=1e-12)
    assert got[0] == 0
    assert got[5] == pytest.approx(1)


def test_divergence_by_hand() -> None:
    assert bits([1, 0], [0, 1]) == 1
    assert bits([0.25, 0.75], [0.25, 0.75]) == 0
    # H(¾, ¼) − ½ H(½, ½) − ½ H(1, 0) = 0.811278 − 0.5
    assert bits([0.5, 0.5], [1, 0]) == pytest.approx(0.3112781244591328, abs=1e-15)
    assert bits([0.75, 0.25], [0.25, 0.75]) == pytest.approx(1 - 0.8112781244591328, abs=1e-15)


@given(first=WEIGHTS, second=WEIGHTS)
def test_divergence_is_its_definition_symmetric_and_bounded(
    first: list[float], second: list[float]
) -> None:
    p, q = ([w / sum(weights) for w in weights] for weights in (first, second))
    m = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    wanted = sum(
        0.5 * a * math.log2(a / c)
        for side in (p, q)
        for a, c in zip(side, m, strict=True)
        if a > 1e-300
    )
    got = bits(p, q)
    assert got == pytest.approx(wanted, abs=1e-12)
    assert got == pytest.approx(bits(q, p), abs=1e-15)
    assert 0 <= got <= 1
    assert bits(p, p) == 0


def test_an_encoding_is_the_most_likely_words_their_classes_and_the_entropy() -> None:
    probs = np.array([0.1, 0.25, 0.25, 0.4, 0.0])
    got = encoding(probs, bars=3, top_words=2, classes=np.array([0, 1, 2, 2, 0]), class_count=4)
    assert got.top_ids.tolist() == [3, 1, 2]  # equal ones by id
    assert got.top_probs.tolist() == [0.4, 0.25, 0.25]
    assert got.mass.tolist() == [0, 0.25, 0.4, 0]
    assert got.entropy == pytest.approx(1 + 0.4 * math.log2(2.5) + 0.1 * math.log2(10))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(make_tiny_model(tmp_path_factory.mktemp("zoo")))


def test_all_columns_at_once_are_each_column_apart(model: Model) -> None:
    shared = model.heads["next"]
    assert isinstance(shared, SharedHeads)
    # The same classifiers in the other form: W = D P, b = D p + b.
    decoder = model.network.decoder_weight
    bias = shared.offset @ decoder.t() + shared.bias
    linear = LinearHeads(decoder @ shared.projection, bias)
    model.heads["linear"] = linear
    states = torch.randn(len(model.columns) - 1, 3, model.network.units)
    for semantic in ("next", "linear"):
        got = all_logits(model, semantic, states, states[-1]).softmax(-1)
        for column in range(len(model.columns)):
            apart = distributions(model, "next", column, states[min(column, len(states) - 1)])
            torch.testing.assert_close(got[column], apart.float(), rtol=1e-4, atol=1e-7)
