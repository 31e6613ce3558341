"""Matrix products, by the faster of the two libraries that are there.

numpy brings OpenBLAS, torch MKL. On Intel's processors MKL takes a third of the time for the cells
of one timestep, and five sixths for those of twenty: docs/performance.md. Which it is depends on
the machine alone, so that every process says the same to the last digit.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

_CPUINFO = Path("/proc/cpuinfo")


def _is_intel(cpuinfo: Path = _CPUINFO) -> bool:
    """Also false where nothing says so: there numpy's is never far behind."""
    return "GenuineIntel" in _read(cpuinfo)


def lacks_bfloat16(cpuinfo: Path = _CPUINFO) -> bool:
    """Whether the processor says what it can, and products in bfloat16 are not among it."""
    told = _read(cpuinfo)
    return bool(told) and "bf16" not in told  # avx512_bf16, amx_bf16; bf16 of Arm's


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


BY_TORCH: bool = torch.backends.mkl.is_available() and _is_intel()  # type: ignore[no-untyped-call]


def matmul(a: np.ndarray, b: np.ndarray, out: np.ndarray, by_torch: bool = BY_TORCH) -> None:
    """out (M, N) = a (M, K) · b (N, K)ᵀ, in single precision; rows of out may be apart."""
    if by_torch:
        left, right, into = map(torch.from_numpy, (a, b, out))
        torch.mm(left, right.t(), out=into)
    else:
        np.matmul(a, b.T, out=out)
