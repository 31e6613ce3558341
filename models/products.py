"""The matrix product on one thread, by the faster of the two libraries that are there.

numpy brings OpenBLAS, torch MKL. On Intel's processors MKL takes a third of the time for the cells
of one timestep, and five sixths for those of twenty: docs/performance.md. Which it is depends on
the machine alone, so that every process says the same to the last digit.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch


def _is_intel(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Also false where nothing says so: there numpy's is never far behind."""
    try:
        return "GenuineIntel" in cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


BY_TORCH: bool = torch.backends.mkl.is_available() and _is_intel()  # type: ignore[no-untyped-call]


def matmul(a: np.ndarray, b: np.ndarray, out: np.ndarray, by_torch: bool = BY_TORCH) -> None:
    """out (M, N) = a (M, K) · b (N, K)ᵀ, in single precision; rows of out may be apart."""
    if by_torch:
        left, right, into = map(torch.from_numpy, (a, b, out))
        torch.mm(left, right.t(), out=into)
    else:
        np.matmul(a, b.T, out=out)
