"""In which precision weights are read."""

from __future__ import annotations

import torch
from torch import Tensor

from models.compiling import reads_halves


def reads_as_halves(matrix: Tensor) -> bool:
    """Whether all numbers of a matrix are finite ones of half precision, and this processor reads
    those quickly: otherwise a library is faster with single precision."""
    return reads_halves() and all(
        bool((some == (half := some.half())).all() and half.isfinite().all())
        for some in torch.split(matrix, 1024)  # of a large matrix no copy
    )
