"""The encoding G(γ, v): a context-free classifier for each kind γ of hidden state (paper §4.2).

The form is ``shared``: softmax(D (P_γ v + p_γ) + b_γ), D the network's own decoder and P_γ of
H × H: a translator into the space that the decoder already reads (Belrose et al. 2023 do the same
for transformers). Linear in v like the paper's softmax(W_γ v + b_γ) with W_γ of V × H, at a
twelfth of the parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class SharedHeads:
    """Heads of the shared form for C kinds. projection: (C, H, H), offset: (C, H), bias: (C, V).

    Column c of the grid is decoded by index c.
    """

    projection: Tensor
    offset: Tensor
    bias: Tensor

    def __post_init__(self) -> None:
        kinds, units, inner = self.projection.shape
        if self.offset.shape != (kinds, inner) or units != inner:
            raise ValueError(
                f"the heads' projection {tuple(self.projection.shape)} and offset "
                f"{tuple(self.offset.shape)} do not fit together"
            )
        if self.bias.shape[0] != kinds:
            raise ValueError(f"the heads have {kinds} projections but {self.bias.shape[0]} biases")

    @property
    def kinds(self) -> int:
        return self.projection.shape[0]

    def project(self, states: Tensor) -> Tensor:
        """(C, M, H) states of each kind → (C, M, H) vectors that the decoder D reads."""
        return (states @ self.projection.transpose(1, 2)).add_(self.offset[:, None])
