"""The network's forward pass in training: with noise, and with a state to start from.

T timesteps, N sentences, H units. Without either it equals `LanguageModel.forward`.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.language_model import LanguageModel
from models.training.noise import Noise

# h and c of every layer, each (1, N, H).
State = list[tuple[Tensor, Tensor]]


def zero_state(network: LanguageModel, sentences: int) -> State:
    """h and c before the first word."""
    zero = network.decoder_bias.new_zeros(1, sentences, network.units)
    return [(zero, zero) for _ in network.layers]


def read(
    network: LanguageModel, ids: Tensor, noise: Noise | None = None, start: State | None = None
) -> tuple[Tensor, State]:
    """Output states (T, N, H), ready for the decoder, for ids (T, N); and the state at the end."""
    state = start or zero_state(network, ids.shape[1])
    masks: Sequence[Tensor | None] = noise.masks if noise else [None] * (len(state) + 1)
    recurrent: Sequence[Tensor | None] = noise.recurrent if noise else [None] * len(state)
    x = functional.embedding(ids, network.embedding.weight)  # (T, N, H)
    if noise is not None and noise.words is not None:
        x = x * noise.words[ids, None]
    x = _masked(x, masks[0])
    end: State = []
    for layer, factor, at, mask in zip(network.layers, recurrent, state, masks[1:], strict=True):
        x, last = _run(layer, x, at, factor)
        x = _masked(x, mask)
        end.append(last)
    return x, end


def detached(state: State) -> State:
    """The same values, from which no gradient flows back: where a stretch of text begins."""
    return [(h.detach(), c.detach()) for h, c in state]


def _masked(x: Tensor, mask: Tensor | None) -> Tensor:
    return x if mask is None else x * mask


def _run(
    layer: nn.Module, x: Tensor, start: tuple[Tensor, Tensor], factor: Tensor | None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """One LSTM layer over a sequence, some of its recurrent weights dropped."""
    if factor is None:
        out, end = layer(x, start)
        return out, end
    weights = [
        layer.get_parameter("weight_ih_l0"),
        layer.get_parameter("weight_hh_l0") * factor,
        layer.get_parameter("bias_ih_l0"),
        layer.get_parameter("bias_hh_l0"),
    ]
    # The module reads its own parameters only; the function beneath it takes any.
    bias, layers, dropout, bidirectional, batch_first = True, 1, 0.0, False, False
    out, h, c = torch.lstm(
        x, start, weights, bias, layers, dropout, layer.training, bidirectional, batch_first
    )
    return out, (h, c)
