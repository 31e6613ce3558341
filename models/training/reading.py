"""The network's forward pass in training: with noise, and with a state to start from.

T timesteps, N sentences, H units. Without either it equals `LanguageModel.forward`.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models import cells
from models.language_model import LanguageModel
from models.training.noise import Noise

# What each layer's next timestep reads of the last: h, and c where the cell has one, (N, H) each.
State = list[cells.State]


def zero_state(network: LanguageModel, sentences: int) -> State:
    """The state before the first word."""
    like = network.decoder_bias
    return [
        network.cell.zeros(dict(layer.named_parameters()), like, sentences)
        for layer in network.layers
    ]


def read(
    network: LanguageModel,
    ids: Tensor,
    noise: Noise | None = None,
    start: State | None = None,
    lengths: Tensor | None = None,
    rounded: torch.dtype | None = None,
) -> tuple[Tensor, State]:
    """What the decoder reads (T, N, ·), for ids (T, N); and the forward state at the end.

    lengths: (N,) of sentences padded at their ends, for a bidirectional network. rounded: a smaller
    type for torch's own recurrence to compute in; what it gives is of the network's type again.
    """
    state = start or zero_state(network, ids.shape[1])
    masks: Sequence[Tensor | None] = noise.masks if noise else [None] * (len(state) + 1)
    nothing = [None] * len(state)
    recurrent: Sequence[Tensor | None] = noise.recurrent if noise else nothing
    backward: Sequence[Tensor | None] = (noise and noise.backward) or nothing
    x = functional.embedding(ids, network.embedding.weight)  # (T, N, H)
    if noise is not None and noise.words is not None:
        x = x * noise.words[ids, None]
    x = _masked(x, masks[0])
    end: State = []
    for u, at in enumerate(state):
        ahead, last = network.cell.run(x, _weights(network.layers[u], recurrent[u]), at, rounded)
        if network.bidirectional:
            weights = _weights(network.backward_layers[u], backward[u])
            ahead = network.with_backward(x, ahead, weights, lengths, rounded)
        x = _masked(ahead, masks[u + 1])
        end.append(last)
    return network.of_whole(x), end


def _weights(layer: nn.Module, factor: Tensor | None) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = dict(layer.named_parameters())
    if factor is not None:
        weights["weight_hh_l0"] = weights["weight_hh_l0"] * factor
    return weights


def detached(state: State) -> State:
    """The same values, from which no gradient flows back: where a stretch of text begins."""
    return [tuple(part.detach() for part in layer) for layer in state]


def _masked(x: Tensor, mask: Tensor | None) -> Tensor:
    return x if mask is None else x * mask
