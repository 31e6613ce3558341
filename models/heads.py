"""The encoding G(γ, v): a context-free classifier for each kind γ of hidden state (paper §4.2).

Two forms, C kinds, V words, H units, E that the decoder reads (mostly H). ``linear`` is the
paper's: softmax(W_γ v + b_γ), W_γ a matrix of V × H for each kind. ``shared`` is softmax(D (P_γ v +
p_γ) + b_γ), D the network's own decoder and P_γ of E × H: a translator into the space that the
decoder already reads (Belrose et al. 2023 do the same for transformers). It is linear in v too, at
a twelfth of the parameters.

Both offer ``kinds``, ``units``, ``words``, ``bias`` and `logits`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class SharedHeads:
    """Heads of the shared form for C kinds. projection: (C, E, H), offset: (C, E), bias: (C, V).

    Column c of the grid is decoded by index c. Raises ValueError where the shapes do not fit.
    """

    projection: Tensor
    offset: Tensor
    bias: Tensor

    def __post_init__(self) -> None:
        _check_dimensions(self, projection=3, offset=2, bias=2)
        if self.offset.shape != self.projection.shape[:2]:
            raise ValueError(
                f"the heads' projection {tuple(self.projection.shape)} and offset "
                f"{tuple(self.offset.shape)} do not fit together"
            )
        if self.bias.shape[0] != self.kinds:
            raise ValueError(
                f"the heads have {self.kinds} projections but {self.bias.shape[0]} biases"
            )

    @property
    def kinds(self) -> int:
        return self.projection.shape[0]

    @property
    def units(self) -> int:
        return self.projection.shape[2]

    @property
    def words(self) -> int:
        return self.bias.shape[1]

    def project(self, states: Tensor, kinds: slice = slice(None)) -> Tensor:
        """(C, M, H) states of these kinds → (C, M, E) vectors that the decoder D reads."""
        offset, projection = self.offset[kinds, None], self.projection[kinds]
        return torch.baddbmm(offset, states, projection.transpose(1, 2))

    def logits(self, kind: int, states: Tensor, decoder: Tensor) -> Tensor:
        """(M, V) of one kind's states (M, H), with the network's decoder D (V, E)."""
        read = torch.addmm(self.offset[kind], states, self.projection[kind].t())  # (M, E)
        return torch.addmm(self.bias[kind], read, decoder.t())


@dataclass(frozen=True)
class LinearHeads:
    """Heads of the linear form for C kinds. weight: (C, V, H), which may be in half precision,
    bias: (C, V).

    Column c of the grid is decoded by index c. Raises ValueError where the shapes do not fit.
    """

    weight: Tensor
    bias: Tensor

    def __post_init__(self) -> None:
        _check_dimensions(self, weight=3, bias=2)
        if self.bias.shape != self.weight.shape[:2]:
            raise ValueError(
                f"the heads' weight {tuple(self.weight.shape)} and bias "
                f"{tuple(self.bias.shape)} do not fit together"
            )

    @property
    def kinds(self) -> int:
        return self.weight.shape[0]

    @property
    def units(self) -> int:
        return self.weight.shape[2]

    @property
    def words(self) -> int:
        return self.weight.shape[1]

    def logits(self, kind: int, states: Tensor, decoder: Tensor) -> Tensor:
        """(M, V) of one kind's states (M, H). The network's decoder is not read in this form."""
        return torch.addmm(self.bias[kind], states, self.weight[kind].to(states.dtype).t())


Heads = SharedHeads | LinearHeads


def _check_dimensions(heads: Heads, **dimensions: int) -> None:
    for name, wanted in dimensions.items():
        shape = tuple(getattr(heads, name).shape)
        if len(shape) != wanted:
            raise ValueError(f"the heads' {name} {shape} has not {wanted} dimensions")
