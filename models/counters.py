"""Which unit follows a number along a text: the counter that lecture notes on the LSTM speak of.

C kinds, T timesteps, H units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Counter:
    """column: index into the columns. unit: index into the vector. correlation: Pearson's, over all
    timesteps; negative where the unit falls as the number grows."""

    column: int
    unit: int
    correlation: float


def counters(states: np.ndarray, followed: Sequence[float], count: int = 10) -> list[Counter]:
    """The units whose values follow a number best, by falling absolute correlation; equal ones in
    the order of columns and units.

    states: (C, T, H), zeros where a kind has fewer units. followed: T numbers, such as the depth
    of brackets. A unit that never changes follows nothing. Raises ValueError where the number of
    timesteps differs, or the number itself never changes.
    """
    target = np.asarray(followed, dtype=np.float64)
    values = np.asarray(states, dtype=np.float64)
    if target.shape != (values.shape[1],):
        raise ValueError(f"{len(target)} numbers cannot go with {values.shape[1]} timesteps")
    target = target - target.mean()
    if not target.any():
        raise ValueError("the number to be followed is the same at every timestep")
    values = values - values.mean(1, keepdims=True)
    size = np.sqrt((values**2).sum(1))  # (C, H)
    product = np.einsum("cth,t->ch", values, target)
    still = size < 1e-9
    correlation = product / np.where(still, 1.0, size) / np.linalg.norm(target)
    correlation[still] = 0.0
    order = np.argsort(-np.abs(correlation).round(9), axis=None, kind="stable")[:count]
    places = zip(*np.unravel_index(order, correlation.shape), strict=True)
    return [Counter(int(c), int(h), float(correlation[c, h])) for c, h in places if not still[c, h]]
