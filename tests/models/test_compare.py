"""Two texts side by side: every divergence against its definition, bounded, the same both ways."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import compare as compare_module
from models.artifact import Model, load_model
from models.compare import Comparison, compare
from models.states import hidden_states
from models.trace import TraceRefused
from tests.fixtures.tiny import make_tiny_model

PLURAL, SINGULAR = "the keys to the cabinet were lost .", "the key to the cabinet was lost ."
TEXTS = st.text(max_size=25) | st.lists(
    st.sampled_from(["the", "key", "keys", "was", ".", "zebra", "He", "\n"]), max_size=9
).map(" ".join)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(make_tiny_model(tmp_path_factory.mktemp("zoo")))


def distributions(model: Model, tokens: list[int], semantic: str) -> np.ndarray:
    """(T, C, V) in float64, of one sentence: a head for each column, the network for the output."""
    states = hidden_states(model.network, torch.tensor(tokens))
    heads, network = model.heads[semantic], model.network
    columns = [heads.logits(k, s, network.decoder_weight) for k, s in enumerate(states)]
    logits = torch.stack([*columns, network.logits(states[-1])], 1)
    return logits.double().softmax(-1).numpy()


@pytest.mark.parametrize("semantic", ["next", "this"])
def test_every_pair_s_divergence_is_its_definition(model: Model, semantic: str) -> None:
    got = compare(model, (PLURAL, SINGULAR), semantic=semantic)
    assert [step.op for step in got.alignment] == [
        *("same", "same", "changed", "same", "same", "same", "changed", "same", "same")
    ]
    p, q = (distributions(model, [t.id for t in side], semantic) for side in got.tokens)
    m = (p + q) / 2
    wanted = ((p * np.log2(p / m)).sum(-1) + (q * np.log2(q / m)).sum(-1)) / 2
    np.testing.assert_allclose(got.divergence, wanted, atol=1e-6)
    assert got.divergence.shape == (9, 18)
    assert got.divergence.dtype == np.float64
    assert (got.divergence[:2] == 0).all()  # before the first difference
    assert (got.divergence[2] > 0).all()
    assert (got.divergence[3:, 0] == [0, 0, 0, got.divergence[6, 0], 0, 0]).all()  # the embedding


def test_the_ranked_cells_are_the_largest_in_falling_order(model: Model) -> None:
    got = compare(model, (PLURAL, SINGULAR))
    told = np.round(got.divergence, 6)
    assert len(got.ranked) == 50
    assert [cell.divergence for cell in got.ranked] == np.sort(told, axis=None)[::-1][:50].tolist()
    for cell in got.ranked:
        assert told[cell.pair, cell.column] == cell.divergence
        assert cell.pair >= 2


@pytest.mark.parametrize("text", [PLURAL, "", "he said it . She was lost ."])
def test_a_text_against_itself_parts_nowhere(model: Model, text: str) -> None:
    got = compare(model, (text, text))
    assert {step.op for step in got.alignment} <= {"same"}
    assert not got.divergence.any()
    assert got.ranked == ()


def test_a_word_more_is_no_pair_and_a_sentence_starts_anew(model: Model) -> None:
    got = compare(model, ("the key . he said .", "the old key . he said ."))
    assert [step.op for step in got.alignment].count("inserted") == 1
    rows = {(i, j): row for (i, j, _), row in zip(got.alignment, got.divergence, strict=True)}
    assert np.isnan(rows[None, 2]).all()
    assert rows[2, 3].any()
    # The second sentence is read from state zero in both.
    assert not any(rows[i, i + 1].any() for i in range(4, 8))


def test_blocks_of_pairs_change_nothing(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compare(model, (PLURAL, SINGULAR))
    monkeypatch.setattr(compare_module, "_PAIRS", 1)
    np.testing.assert_allclose(
        compare(model, (PLURAL, SINGULAR)).divergence, whole.divergence, atol=1e-6
    )


@settings(max_examples=60)
@given(first=TEXTS, second=TEXTS)
def test_bounded_symmetric_and_told_of_every_pair(model: Model, first: str, second: str) -> None:
    got, back = compare(model, (first, second)), compare(model, (second, first))
    for comparison in (got, back):
        check_sound(comparison)
    there, mirrored = by_pair(got), {(j, i): row for (i, j), row in by_pair(back).items()}
    assert there.keys() == mirrored.keys()
    for pair, row in there.items():
        np.testing.assert_allclose(row, mirrored[pair], atol=1e-6)


def by_pair(got: Comparison) -> dict[tuple[int, int], np.ndarray]:
    steps = zip(got.alignment, got.divergence, strict=True)
    return {(i, j): row for (i, j, _), row in steps if i is not None and j is not None}


def check_sound(got: Comparison) -> None:
    for (i, j, _), row in zip(got.alignment, got.divergence, strict=True):
        if i is None or j is None:
            assert np.isnan(row).all()
        else:
            assert np.all((row >= 0) & (row <= 1))
    assert all(cell.divergence > 0 for cell in got.ranked)


@pytest.mark.parametrize(
    ("texts", "field", "part"),
    [
        (("we we we", "we"), "texts[0]", "The first text has 3 tokens; the limit is 2 for both."),
        (("we", "we we"), "texts[1]", "3 tokens together, 2 of them in the second; the limit is 2"),
    ],
)
def test_the_limit_is_for_both_texts_together(
    model: Model, texts: tuple[str, str], field: str, part: str
) -> None:
    with pytest.raises(TraceRefused, match=part) as refusal:
        compare(model, texts, token_limit=2)
    assert (refusal.value.code, refusal.value.field) == ("too_many_tokens", field)


def test_a_semantic_without_heads_is_refused(model: Model) -> None:
    with pytest.raises(TraceRefused) as refusal:
        compare(model, ("we", "he"), semantic="previous")
    assert refusal.value.field == "semantic"
