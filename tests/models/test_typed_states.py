"""The compiled LSTM, against the one that torch computes, in double precision too."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.language_model import LanguageModel
from models.states import StateMemory, hidden_states
from models.typed_states import CompiledLSTM

WORDS = 11


def made(*units: int, embedding: int | None = None, seed: int = 0) -> LanguageModel:
    """With weights of half precision, as a model folder has them, and large ones among them."""
    network = LanguageModel(WORDS, units, len(units), embedding=embedding, tied=embedding is None)
    generator = torch.Generator().manual_seed(seed)
    for parameter in network.parameters():
        drawn = torch.randn(parameter.shape, generator=generator)
        parameter.data = drawn.half().float()
    return network


@settings(max_examples=60, deadline=None)
@given(
    units=st.lists(st.integers(1, 20), min_size=1, max_size=3),
    embedding=st.integers(1, 20),
    ids=st.lists(st.integers(0, WORDS - 1), max_size=12),
    split=st.integers(0, 12),
    seed=st.integers(0, 100),
)
def test_every_state_is_the_networks(
    units: list[int], embedding: int, ids: list[int], split: int, seed: int
) -> None:
    network = made(*units, embedding=embedding, seed=seed)
    assert CompiledLSTM.can_read(network)
    compiled, sentence = CompiledLSTM(network), torch.tensor(ids, dtype=torch.long)
    got = compiled.states(sentence)
    torch.testing.assert_close(got, hidden_states(network.double(), sentence).float())
    if 0 < split <= len(ids):
        on = compiled.states(sentence[split:], got[:, :split])
        assert torch.equal(torch.cat([got[:, :split], on], 1), got)


def test_what_is_shown_adds_up() -> None:
    """c = f · c before + i · c̃, to the last digit."""
    network = made(30)
    _, f, i, g, _, long_term, short_term, c, _ = CompiledLSTM(network).states(torch.arange(WORDS))
    assert torch.equal(c, long_term + short_term)
    assert torch.equal(short_term, i * g)
    assert torch.equal(long_term[1:], f[1:] * c[:-1])


def test_other_networks_are_read_by_torch() -> None:
    assert not CompiledLSTM.can_read(LanguageModel(WORDS, 4, 1, "gru"))
    both = LanguageModel(WORDS, 4, 1, tied=False, labels=3, bidirectional=True)
    assert not CompiledLSTM.can_read(both)
    for value in (0.1, 1e6, float("nan")):
        network = made(4)
        network.layers[0].get_parameter("weight_hh_l0").data[0, 0] = value
        assert not CompiledLSTM.can_read(network)
        # What is no number is still one of the states.
        assert StateMemory(network).states([1, 2]).isnan().any() == (value != value)


@pytest.mark.parametrize("ids", [[1, 2, 3], [1, 2, 3, 4], [1, 2], [1, 5], [7]])
def test_a_memory_of_them_reads_what_is_new(ids: list[int]) -> None:
    network = made(6, 6)
    memory = StateMemory(network)
    memory.states([1, 2, 3])
    wanted = hidden_states(network, torch.tensor(ids, dtype=torch.long))
    torch.testing.assert_close(memory.states(ids), wanted)
