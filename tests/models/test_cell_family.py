"""Every cell type against torch's own module, or against numpy written from the lecture notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from models.cells import CELLS, OUTPUT, bidirectional_states, both_directions
from models.kinds import CELL_NAMES, columns, kinds_of
from models.language_model import LanguageModel
from models.states import StateMemory, hidden_states
from tests.fixtures import recurrences

INPUTS, UNITS, STEPS = 3, 4, 5
# oneDNN, where torch is built with it, says that it leaves projections to torch.
pytestmark = pytest.mark.filterwarnings("ignore:LSTM with projections is not supported")
MODULES: dict[str, Callable[[int, int], nn.Module]] = {
    "lstm": nn.LSTM,
    "lstm-projected": lambda inputs, units: nn.LSTM(inputs, units, proj_size=units - 1),
    "gru": nn.GRU,
    "elman": nn.RNN,
    "elman-relu": lambda inputs, units: nn.RNN(inputs, units, nonlinearity="relu"),
}
ORACLES = {
    "gru": recurrences.gru_001,
    "gru-reset-before": recurrences.gru_003,
    "lstm-peephole": recurrences.peephole_003,
    "lstm-coupled": recurrences.coupled,
}


def drawn(cell: str, seed: int = 0, inputs: int = INPUTS, units: int = UNITS) -> dict[str, Tensor]:
    """Weights of one layer in float64."""
    torch.manual_seed(seed)
    layer = CELLS[cell].build(inputs, units, units - 1 if CELLS[cell].projected else 0)
    return {
        name: torch.randn(w.shape, dtype=torch.float64) / 2 for name, w in layer.named_parameters()
    }


def arrays(weights: Mapping[str, Tensor]) -> dict[str, np.ndarray]:
    return {name: w.detach().numpy() for name, w in weights.items()}


@settings(max_examples=25, deadline=None)
@given(
    cell=st.sampled_from(sorted(MODULES)),
    steps=st.integers(1, 9),
    sentences=st.integers(1, 3),
    inputs=st.integers(1, 5),
    units=st.integers(2, 5),
    seed=st.integers(0, 2**31),
)
def test_equal_to_torch_in_float64_values_and_gradients(
    cell: str, steps: int, sentences: int, inputs: int, units: int, seed: int
) -> None:
    torch.manual_seed(seed)
    module = MODULES[cell](inputs, units).double()
    x = torch.randn(steps, sentences, inputs, dtype=torch.float64, requires_grad=True)
    h, end = module(x)
    end = end if isinstance(end, tuple) else (end,)
    weights = dict(module.named_parameters())
    states = CELLS[cell].states(x, weights, None)
    torch.testing.assert_close(states[OUTPUT], h, rtol=0, atol=1e-6)
    for kind, last in zip(CELLS[cell].carried, end, strict=True):
        torch.testing.assert_close(states[kind][-1], last[0], rtol=0, atol=1e-6)
    # The LSTM's states are made for reading only: its gradients are those of the run that trains.
    read = CELLS[cell].run(x, weights)[0] if cell == "lstm" else states[OUTPUT]
    asked = [x, *weights.values()]
    pull = torch.randn_like(h)
    expected = torch.autograd.grad((h * pull).sum(), asked)
    ours_all = torch.autograd.grad((read * pull).sum(), asked)
    for ours, theirs in zip(ours_all, expected, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("cell", sorted(ORACLES))
@pytest.mark.parametrize("seed", [0, 1])
def test_equal_to_the_lectures_equations_in_numpy(cell: str, seed: int) -> None:
    weights = drawn(cell, seed)
    if cell == "gru":  # the notes have no biases
        weights |= {n: torch.zeros_like(w) for n, w in weights.items() if n.startswith("bias")}
    x = torch.randn(STEPS, INPUTS, dtype=torch.float64)
    states = CELLS[cell].states(x, weights, None)
    expected = ORACLES[cell](x.numpy(), arrays(weights))
    assert list(states) == list(kinds_of(cell)) == list(expected)
    for kind, values in expected.items():
        np.testing.assert_allclose(states[kind].numpy(), values, rtol=0, atol=1e-6, err_msg=kind)


@pytest.mark.parametrize("cell", sorted(ORACLES))
def test_gradients_are_the_slopes_of_the_lectures_equations(cell: str) -> None:
    weights = drawn(cell)
    if cell == "gru":
        weights |= {n: torch.zeros_like(w) for n, w in weights.items() if n.startswith("bias")}
    x = torch.randn(3, INPUTS, dtype=torch.float64)
    pull = torch.randn(3, UNITS, dtype=torch.float64)
    for parameter in weights.values():
        parameter.requires_grad_()
    # As training runs it, on a batch of one sentence.
    h, _ = CELLS[cell].run(x[:, None], weights)
    (h[:, 0] * pull).sum().backward()
    fixed = arrays(weights)
    for name, parameter in weights.items():
        if cell == "gru" and name.startswith("bias"):
            continue

        def pulled(value: np.ndarray, name: str = name) -> float:
            out = ORACLES[cell](x.numpy(), fixed | {name: value})[OUTPUT]
            return float((out * pull.numpy()).sum())

        slope = recurrences.slopes(pulled, fixed[name])
        assert parameter.grad is not None
        np.testing.assert_allclose(parameter.grad.numpy(), slope, rtol=0, atol=1e-6, err_msg=name)


def test_the_two_gru_conventions_are_two() -> None:
    """From the same weights: they part where the reset gate acts, and in what z lets through."""
    weights = drawn("gru") | {"bias_hh_l0": torch.zeros(3 * UNITS, dtype=torch.float64)}
    x = torch.randn(STEPS, INPUTS, dtype=torch.float64)
    after, before = (CELLS[c].states(x, weights, None) for c in ("gru", "gru-reset-before"))
    assert (after["candidate_state"][1:] - before["candidate_state"][1:]).abs().max() > 0.01
    # At the first word h is zero: (1 − z) h̃ against z h̃.
    z, new = after["update_gate"][0], after["candidate_state"][0]
    torch.testing.assert_close(after[OUTPUT][0], (1 - z) * new)
    torch.testing.assert_close(before[OUTPUT][0], z * new)


@pytest.mark.parametrize("cell", CELLS)
def test_training_and_reading_are_one_recurrence(cell: str) -> None:
    """From a start, not from zeros."""
    weights = drawn(cell)
    x = torch.randn(STEPS, 2, INPUTS, dtype=torch.float64)
    start = tuple(torch.randn_like(part) for part in CELLS[cell].zeros(weights, x, 2))
    out, end = CELLS[cell].run(x, weights, start)
    states = CELLS[cell].states(x, weights, start)
    torch.testing.assert_close(out, states[OUTPUT], rtol=0, atol=1e-6)
    for kind, last in zip(CELLS[cell].carried, end, strict=True):
        torch.testing.assert_close(last, states[kind][-1], rtol=0, atol=1e-6)


@pytest.mark.parametrize("cell", ["lstm", "gru", "elman", "lstm-projected"])
def test_a_bidirectional_stack_is_torch_s(cell: str) -> None:
    torch.manual_seed(0)
    more = {"proj_size": UNITS - 1} if cell == "lstm-projected" else {}
    kind = {"gru": nn.GRU, "elman": nn.RNN}.get(cell, nn.LSTM)
    module = kind(INPUTS, UNITS, 2, bidirectional=True, **more).double()
    x = torch.randn(STEPS, 2, INPUTS, dtype=torch.float64)
    weights = dict(module.named_parameters())
    states = bidirectional_states(CELLS[cell], x, [both_directions(weights, u) for u in range(2)])
    layout = columns(cell, 2, bidirectional=True)[1:-1]
    assert len(states) == len(layout)
    last = [
        s for s, c in zip(states, layout, strict=True) if c.layer == 2 and c.kind.endswith(OUTPUT)
    ]
    torch.testing.assert_close(torch.cat(last, -1), module(x)[0], rtol=0, atol=1e-6)


def test_a_bidirectional_stack_is_the_notes_equations() -> None:
    torch.manual_seed(1)
    module = nn.RNN(INPUTS, UNITS, 2, bidirectional=True).double()
    weights = {n: w.detach() for n, w in module.named_parameters()}
    layers = [both_directions(weights, u) for u in range(2)]
    x = torch.randn(STEPS, INPUTS, dtype=torch.float64)
    states = bidirectional_states(CELLS["elman"], x, layers)
    expected = recurrences.both_ways(x.numpy(), [(arrays(f), arrays(b)) for f, b in layers])
    for u, (ahead, behind) in enumerate(expected):
        _, h, _, back = states[4 * u : 4 * u + 4]  # a, h forward; a, h backward
        np.testing.assert_allclose(h.numpy(), ahead, rtol=0, atol=1e-6)
        np.testing.assert_allclose(back.numpy(), behind, rtol=0, atol=1e-6)


def network_of(cell: str, units: int | list[int] = UNITS, layers: int = 2) -> LanguageModel:
    projection = UNITS - 1 if CELLS[cell].projected else 0
    made = LanguageModel(9, units, layers, cell, projection=projection)
    made.initialise(torch.Generator().manual_seed(0))
    return made


@pytest.mark.parametrize("cell", CELLS)
def test_states_stand_in_column_order_and_end_with_what_the_decoder_reads(cell: str) -> None:
    network = network_of(cell)
    ids = torch.tensor([[2, 2], [4, 5], [7, 8]])
    states = hidden_states(network, ids)
    layout = columns(cell, 2)
    assert states.shape == (len(layout) - 1, 3, 2, network.width)
    assert len(network.widths) == len(layout) - 1
    torch.testing.assert_close(network.read(states[-1]), network(ids))
    torch.testing.assert_close(network.logits(states[-1]), network.logits(network(ids)))
    for vectors, width in zip(states, network.widths, strict=True):
        assert vectors[..., :width].abs().max() > 0
        assert not vectors[..., width:].any()
    assert hidden_states(network, ids[:0]).shape == (len(layout) - 1, 0, 2, network.width)


@pytest.mark.parametrize("cell", CELLS)
def test_a_sentence_goes_on_where_it_stopped(cell: str) -> None:
    network = network_of(cell)
    ids = [2, 4, 1, 7, 7, 0, 3]
    whole = hidden_states(network, torch.tensor(ids))
    memory = StateMemory(network)
    memory.states(ids[:3])
    torch.testing.assert_close(memory.states(ids), whole)
    torch.testing.assert_close(
        memory.states([*ids[:5], 8]), hidden_states(network, torch.tensor([*ids[:5], 8]))
    )


def test_layers_of_other_sizes_and_an_untied_decoder() -> None:
    """As AWD-LSTM has them: wide inside, narrow at both ends."""
    tied = LanguageModel(9, [6, 6, 3], 3)
    assert (tied.widths[0], tied.width, tied.widths[-1]) == (3, 6, 3)
    untied = LanguageModel(9, 5, 1, embedding=2, tied=False)
    assert untied.decoder_weight.shape == (9, 5)
    assert untied(torch.tensor([[1], [2]])).shape == (2, 1, 5)
    with pytest.raises(ValueError, match="tied to embeddings of 2"):
        LanguageModel(9, 5, 1, embedding=2)
    with pytest.raises(ValueError, match="cannot project to 3"):
        LanguageModel(9, 5, 1, projection=3)
    with pytest.raises(ValueError, match="cannot project to 0"):
        LanguageModel(9, 5, 1, "lstm-projected")
    with pytest.raises(ValueError, match="2 layers cannot"):
        LanguageModel(9, [5], 2)


def test_how_weights_begin() -> None:
    """ReLU with the identity, so that the gradient neither vanishes nor explodes at first; forget
    gates open."""
    relu = network_of("elman-relu", layers=1).layers[0]
    assert relu.get_parameter("weight_hh_l0").tolist() == np.eye(UNITS).tolist()
    for cell, rows in {"lstm": (4, 8), "lstm-peephole": (4, 8), "lstm-coupled": (0, 4)}.items():
        bias = network_of(cell).layers[1].get_parameter("bias_ih_l0")
        opened = bias.nonzero().squeeze(1).tolist()
        assert opened == list(range(*rows))
        assert set(bias[opened].tolist()) == {1.0}


def test_every_cell_is_in_both_tables() -> None:
    assert list(CELLS) == list(CELL_NAMES)
