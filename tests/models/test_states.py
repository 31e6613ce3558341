"""States of a sentence that goes on where one read before ends."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import states as states_module
from models.language_model import LanguageModel
from models.states import StateMemory, hidden_states

WORDS, UNITS, LAYERS = 9, 5, 2


@pytest.fixture(scope="module")
def network() -> LanguageModel:
    made = LanguageModel(WORDS, UNITS, LAYERS)
    made.initialise(torch.Generator().manual_seed(0))
    return made


@pytest.mark.parametrize("split", [1, 3, 6])
def test_going_on_is_reading_the_whole(network: LanguageModel, split: int) -> None:
    ids = torch.tensor([2, 4, 1, 7, 7, 0, 3])
    whole = hidden_states(network, ids)
    before = hidden_states(network, ids[:split])
    torch.testing.assert_close(hidden_states(network, ids[split:], before), whole[:, split:])


@settings(max_examples=40, deadline=None)
@given(
    sentences=st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=7), min_size=1, max_size=12)
)
def test_what_is_remembered_is_what_would_be_read(
    network: LanguageModel, sentences: list[list[int]]
) -> None:
    """Few words, so that sentences often share their starts, and come again."""
    memory = StateMemory(network)
    for ids in sentences:
        torch.testing.assert_close(memory.states(ids), hidden_states(network, torch.tensor(ids)))


def test_a_word_more_costs_one_step(
    network: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def spy(network: LanguageModel, ids: torch.Tensor, *before: object) -> torch.Tensor:
        read.append(len(ids))
        return hidden_states(network, ids, *before)  # type: ignore[arg-type]

    monkeypatch.setattr(states_module, "hidden_states", spy)
    memory = StateMemory(network)
    for ids in ([1, 2, 3], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3], [1, 2, 8], [5]):
        memory.states(ids)
    assert read == [3, 1, 1, 1]  # nothing for what was read before, and for the start of it


def test_what_is_remembered_is_bounded(
    network: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(states_module, "_REMEMBERED", 10)
    memory = StateMemory(network)
    for first in range(WORDS):
        memory.states([first, 1, 2, 3])
        assert sum(map(len, memory._known)) <= 10
    assert list(memory._known) == [(7, 1, 2, 3), (8, 1, 2, 3)]  # the latest
    memory.states([1] * 20)  # longer than the bound: kept alone
    assert list(memory._known) == [(1,) * 20]
