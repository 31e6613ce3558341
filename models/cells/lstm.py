"""Long short-term memories: the paper's, and its variants. In weights, blocks of rows are in
torch's order: i, f, c̃, o.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.cells.cell import (
    Begin,
    Cell,
    State,
    Weights,
    from_below,
    gated_layer,
    kernel,
    over_time,
)
from models.kinds import kinds_of

_CARRIED = ("output_state", "cell_state")
_ROWS = ("input_gate", "forget_gate", "cell_input", "output_gate")
_COUPLED_ROWS = ("forget_gate", "cell_input", "output_gate")
_BIASES = ("bias_ih_l0", "bias_hh_l0")


@torch.no_grad()
def lstm_states(inputs: Tensor, weights: Weights, start: State | None = None) -> dict[str, Tensor]:
    """Every kind of hidden state of one LSTM layer over a sequence, state zero at the start.

    inputs: (T, …, H_in). weights: ``weight_ih_l0`` (4H, H_in), ``weight_hh_l0`` (4H, H),
    ``bias_ih_l0``, ``bias_hh_l0`` (4H). start: h and c before the first timestep. Returns kind id
    → (T, …, H), the ids of `models.kinds` (paper, appendix). Made for reading, not for training:
    the gates take their values in place.
    """
    w_hh = weights["weight_hh_l0"]
    units = w_hh.shape[1]
    gates = from_below(inputs, weights, *_BIASES)  # (T, …, 4H)
    h, c = start = start or LSTM.zeros(weights, inputs, *inputs.shape[1:-1])
    cells, outputs = (inputs.new_empty(*inputs.shape[:-1], units) for _ in range(2))
    # Views of every timestep, made at once.
    i, f, cell_input, output_gate = gates.chunk(4, -1)
    both = gates[..., : 2 * units]
    w_hh = w_hh.t()
    views = (gates, both, i, f, cell_input, output_gate, cells, outputs)
    for gate, i_f, i_t, f_t, g, o, c_t, h_t in zip(*views, strict=True):
        gate += h @ w_hh  # (…, 4H)
        i_f.sigmoid_()
        g.tanh_()
        o.sigmoid_()
        c = torch.addcmul(f_t * c, i_t, g, out=c_t)
        h = torch.mul(o, c.tanh(), out=h_t)
    previous = torch.cat([start[1][None], cells])[:-1]
    states = (f, i, cell_input, output_gate, f * previous, i * cell_input, cells, outputs)
    return dict(zip(kinds_of("lstm"), states, strict=True))


def _peephole_states(
    inputs: Tensor, weights: Weights, start: State | None = None
) -> dict[str, Tensor]:
    """Gates and cell input read c of the timestep before through ``weight_ch_l0`` (4H, H) too
    (Srikumar's lecture; the diagonal weights of Gers and Schmidhuber 2000 are a special case).
    """
    start = start or PEEPHOLE.zeros(weights, inputs, *inputs.shape[1:-1])
    w_hh, w_ch = weights["weight_hh_l0"].t(), weights["weight_ch_l0"].t()

    def step(read: Tensor, state: State) -> tuple[tuple[Tensor, ...], State]:
        h, c = state
        i, f, g, o = _gates(read + h @ w_hh + c @ w_ch)
        long, short, c = _memories(f, i, g, c)
        h = o * c.tanh()
        return (f, i, g, o, long, short, c, h), (h, c)

    return over_time(kinds_of(PEEPHOLE.id), step, from_below(inputs, weights, *_BIASES), start)


def _projected_states(
    inputs: Tensor, weights: Weights, start: State | None = None
) -> dict[str, Tensor]:
    """torch.nn.LSTM with ``proj_size`` P: h is ``weight_hr_l0`` (P, H) times the cell output m
    (Sak, Senior and Beaufays 2014, eq. 5–7), and ``weight_hh_l0`` is (4H, P).
    """
    start = start or PROJECTED.zeros(weights, inputs, *inputs.shape[1:-1])
    w_hh, w_hr = weights["weight_hh_l0"].t(), weights["weight_hr_l0"].t()

    def step(read: Tensor, state: State) -> tuple[tuple[Tensor, ...], State]:
        h, c = state
        i, f, g, o = _gates(read + h @ w_hh)
        long, short, c = _memories(f, i, g, c)
        m = o * c.tanh()
        h = m @ w_hr
        return (f, i, g, o, long, short, c, m, h), (h, c)

    return over_time(kinds_of(PROJECTED.id), step, from_below(inputs, weights, *_BIASES), start)


def _coupled_states(
    inputs: Tensor, weights: Weights, start: State | None = None
) -> dict[str, Tensor]:
    """i = 1 − f, so that weights have three blocks: f, c̃, o (CIFG of Greff et al. 2017)."""
    start = start or COUPLED.zeros(weights, inputs, *inputs.shape[1:-1])
    w_hh = weights["weight_hh_l0"].t()

    def step(read: Tensor, state: State) -> tuple[tuple[Tensor, ...], State]:
        h, c = state
        f, g, o = (read + h @ w_hh).chunk(3, -1)
        f, g, o = f.sigmoid(), g.tanh(), o.sigmoid()
        i = 1 - f
        long, short, c = _memories(f, i, g, c)
        h = o * c.tanh()
        return (f, g, o, i, long, short, c, h), (h, c)

    return over_time(kinds_of(COUPLED.id), step, from_below(inputs, weights, *_BIASES), start)


def _gates(read: Tensor) -> tuple[Tensor, ...]:
    i, f, g, o = read.chunk(4, -1)
    return i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()


def _memories(f: Tensor, i: Tensor, g: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    long_term, short_term = f * c, i * g
    return long_term, short_term, long_term + short_term


def _open(rows: tuple[str, ...]) -> Begin:
    """Forget gates that start open; one of the two biases is enough for it."""

    def begin(layer: nn.Module, forget_bias: float) -> None:
        bias = layer.get_parameter("bias_ih_l0").data
        bias.chunk(len(rows))[rows.index("forget_gate")].fill_(forget_bias)

    return begin


LSTM = Cell(
    "lstm",
    _ROWS,
    _CARRIED,
    lambda inputs, units, _: nn.LSTM(inputs, units),
    lstm_states,
    kernel(torch.lstm),
    _open(_ROWS),
)
PEEPHOLE = Cell(
    "lstm-peephole",
    _ROWS,
    _CARRIED,
    lambda inputs, units, _: gated_layer(4, inputs, units, weight_ch_l0=(4 * units, units)),
    _peephole_states,
    begin=_open(_ROWS),
)
PROJECTED = Cell(
    "lstm-projected",
    _ROWS,
    _CARRIED,
    lambda inputs, units, projection: nn.LSTM(inputs, units, proj_size=projection),
    _projected_states,
    kernel(torch.lstm),
    _open(_ROWS),
    projected=True,
)
COUPLED = Cell(
    "lstm-coupled",
    _COUPLED_ROWS,
    _CARRIED,
    lambda inputs, units, _: gated_layer(3, inputs, units),
    _coupled_states,
    begin=_open(_COUPLED_ROWS),
)
