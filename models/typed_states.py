"""The states of what somebody types, in a fifth of the time: of one sentence, by an LSTM whose
weights are numbers of half precision, as they are kept.

C kinds in column order, T timesteps, E of the embedding, H units, W of the widest kind.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from models import lines
from models.cells.lstm_step import AT_ONCE, layer_states
from models.kinds import kinds_of
from models.language_model import LanguageModel

_CELL = "lstm"


class CompiledLSTM:
    """The layers of a network, laid out for `layer_states`. What it says is `states.hidden_states`
    but for the last digits; of a sentence's beginning, the same to the last digit as of the whole.
    """

    def __init__(self, network: LanguageModel) -> None:
        self._network = network
        self._embedding = network.embedding.weight.detach().numpy()  # (V, E)
        self._layers = [_Layer(layer) for layer in network.layers]

    @staticmethod
    def can_read(network: LanguageModel) -> bool:
        weights = [w for n, w in network.layers.named_parameters() if "weight" in n]
        return (
            network.cell.id == _CELL and not network.bidirectional and all(map(_is_halves, weights))
        )

    def states(self, ids: Tensor, before: Tensor | None = None) -> Tensor:
        """Every kind at every layer, for ids (T,): (C, T, W). before: the (C, S, W) of what came
        before; state zero without it.
        """
        network, kinds = self._network, kinds_of(_CELL)
        widths = network.widths
        out = np.zeros((len(widths), len(ids), network.width), np.float32)
        inputs = self._embedding[ids.numpy()]  # (T, E)
        out[0, :, : widths[0]] = inputs
        last = None if before is None else before[:, -1].numpy()  # (C, W)
        for u, layer in enumerate(self._layers):
            first = 1 + u * len(kinds)
            h, c = np.zeros(len(layer.recurrent), np.float32), np.zeros(layer.units, np.float32)
            if last is not None:
                carried = [first + kinds.index(kind) for kind in network.cell.carried]
                h[: layer.units], c[:] = (last[at, : layer.units] for at in carried)
            layer_states(
                layer.below,
                layer.recurrent,
                layer.bias,
                _padded(inputs),
                h,
                c,
                out[first : first + len(kinds)],
                layer.read(len(ids)),
                layer.wide,
            )
            inputs = out[first + len(kinds) - 1, :, : layer.units]  # the output state
        return torch.from_numpy(out)


class _Layer:
    """below: (E′, 4H), recurrent: (H′, 4H), the bits of halves; E′ and H′ the next multiples of
    `AT_ONCE`. bias: (4H,)."""

    def __init__(self, layer: nn.Module) -> None:
        weights = {name: weight.detach() for name, weight in layer.named_parameters()}
        self.below = _bits(weights["weight_ih_l0"])
        self.recurrent = _bits(weights["weight_hh_l0"])
        self.bias = (weights["bias_ih_l0"] + weights["bias_hh_l0"]).numpy()
        self.units = len(self.bias) // 4
        self.wide = lines.empty(AT_ONCE, len(self.bias))
        self._read = lines.empty(0, 0)

    def read(self, timesteps: int) -> np.ndarray:
        """Memory (T, 4H), with whatever is in it."""
        if len(self._read) < timesteps:
            self._read = lines.empty(timesteps, len(self.bias))
        return self._read[:timesteps]


def _bits(weight: Tensor) -> np.ndarray:
    rows = _padded(weight.half().numpy()).view(np.uint16)
    return torch.from_numpy(rows).t().contiguous().numpy()


def _padded(rows: np.ndarray) -> np.ndarray:
    """With zeros up to a multiple of `AT_ONCE` numbers in each."""
    padded = np.zeros((len(rows), -(-rows.shape[1] // AT_ONCE) * AT_ONCE), rows.dtype)
    padded[:, : rows.shape[1]] = rows
    return padded


def _is_halves(weight: Tensor) -> bool:
    return bool((weight == weight.half().float()).all() and weight.half().isfinite().all())
