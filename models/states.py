"""All hidden states of the network over a sequence, in column order."""

from __future__ import annotations

import torch
from torch import Tensor

from models.cells import lstm_states
from models.kinds import kinds_of
from models.language_model import LanguageModel


@torch.no_grad()
def hidden_states(network: LanguageModel, ids: Tensor) -> Tensor:
    """Every kind at every layer, for ids (T, …): (C, T, …, H), C in `kinds.state_columns` order.

    State zero at the start. The last of the C is the output state that the decoder reads.
    """
    x = network.embedding(ids)  # (T, …, H)
    states = [x]
    for layer in network.layers:
        layer_states = lstm_states(x, dict(layer.named_parameters()))
        states += [layer_states[kind] for kind in kinds_of("lstm")]
        x = layer_states["output_state"]
    return torch.stack(states)
