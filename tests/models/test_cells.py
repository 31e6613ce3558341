"""The recurrence against two oracles: torch's own module and a worked example done by hand."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.cells import lstm_states
from models.kinds import columns, kinds_of
from models.language_model import LanguageModel
from models.states import hidden_states


@settings(max_examples=30)
@given(
    steps=st.integers(1, 12),
    sentences=st.integers(1, 4),
    inputs=st.integers(1, 6),
    units=st.integers(1, 6),
    layers=st.integers(1, 3),
    seed=st.integers(0, 2**31),
)
def test_equal_to_torch_lstm_in_float64(
    steps: int, sentences: int, inputs: int, units: int, layers: int, seed: int
) -> None:
    torch.manual_seed(seed)
    reference = torch.nn.LSTM(inputs, units, layers).double()
    x = torch.randn(steps, sentences, inputs, dtype=torch.float64)
    h, (last_h, last_c) = reference(x)
    weights = dict(reference.named_parameters())
    for layer in range(layers):
        own = {
            name.replace(f"_l{layer}", "_l0"): weight
            for name, weight in weights.items()
            if name.endswith(f"_l{layer}")
        }
        states = lstm_states(x, own)
        torch.testing.assert_close(states["output_state"][-1], last_h[layer], rtol=0, atol=1e-6)
        torch.testing.assert_close(states["cell_state"][-1], last_c[layer], rtol=0, atol=1e-6)
        x = states["output_state"]
    torch.testing.assert_close(x, h, rtol=0, atol=1e-6)


def test_every_kind_follows_its_equation() -> None:
    torch.manual_seed(0)
    reference = torch.nn.LSTM(3, 4).double()
    x = torch.randn(5, 3, dtype=torch.float64)
    s = lstm_states(x, dict(reference.named_parameters()))
    previous = torch.cat([torch.zeros(1, 4, dtype=torch.float64), s["cell_state"][:-1]])
    torch.testing.assert_close(s["long_term"], s["forget_gate"] * previous)
    torch.testing.assert_close(s["short_term"], s["input_gate"] * s["cell_input"])
    torch.testing.assert_close(s["cell_state"], s["long_term"] + s["short_term"])
    torch.testing.assert_close(s["output_state"], s["output_gate"] * s["cell_state"].tanh())


# Guo and Boyd-Graber's lecture works an LSTM of two units through A, A, B, to two decimals.
# Rows of a weight in torch's order: input, forget, cell, output.
_W_X = [[4, 4], [2, 2], [-2, 3], [2, 3], [1, 3], [0, -3], [5, 5], [3, 5]]
_W_H = [[1, 0], [4, -2], [-1, -2], [0, 0], [-4, -8], [4, 3], [1, 0], [2, 1]]
_WORKED = {
    "input_gate": [[0.98, 0.88], [0.99, 0.99], [0.96, 0.10]],
    "forget_gate": [[0.12, 0.88], [0.07, 0.88], [0.90, 0.95]],
    "output_gate": [[0.99, 0.95], [1.00, 0.99], [0.99, 0.99]],
    "cell_input": [[0.76, 0.00], [-0.91, 0.99], [-0.17, -1.00]],
    "cell_state": [[0.75, 0.00], [-0.85, 0.98], [-0.93, 0.83]],
    "output_state": [[0.63, 0.00], [-0.69, 0.74], [-0.72, 0.67]],
}


def _worked_states() -> dict[str, torch.Tensor]:
    x = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    zeros = torch.zeros(8, dtype=torch.float64)
    weights = {
        "weight_ih_l0": torch.tensor(_W_X, dtype=torch.float64),
        "weight_hh_l0": torch.tensor(_W_H, dtype=torch.float64),
        "bias_ih_l0": zeros,
        "bias_hh_l0": zeros,
    }
    return lstm_states(x, weights)


@pytest.mark.parametrize("kind", sorted(_WORKED))
def test_the_worked_example_figure_by_figure(kind: str) -> None:
    """The lecture rounds as it goes, hence one unit in the second decimal."""
    expected = torch.tensor(_WORKED[kind], dtype=torch.float64)
    torch.testing.assert_close(_worked_states()[kind], expected, rtol=0, atol=0.0101)


def test_the_worked_example_predicts_0_1_1() -> None:
    y = _worked_states()["output_state"].softmax(-1)
    assert y.argmax(-1).tolist() == [0, 1, 1]


def test_hidden_states_come_in_column_order_and_end_with_what_the_decoder_reads() -> None:
    network = LanguageModel(11, 6, 2)
    network.initialise(torch.Generator().manual_seed(0))
    ids = torch.tensor([[2, 2], [4, 5], [7, 8]])
    states = hidden_states(network, ids)
    names = [column.key for column in columns("lstm", 2)]
    assert states.shape == (17, 3, 2, 6)
    assert len(names) == 18
    assert names[0] == "embedding.0"
    assert names[1:9] == [f"{kind}.1" for kind in kinds_of("lstm")]
    assert names[-1] == "output"
    torch.testing.assert_close(states[-1], network(ids))
    torch.testing.assert_close(states[0], network.embedding(ids))


def test_an_empty_sequence_has_no_states() -> None:
    network = LanguageModel(11, 6, 2)
    assert hidden_states(network, torch.zeros(0, dtype=torch.long)).shape == (17, 0, 6)
