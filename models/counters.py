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


def correlations(states: np.ndarray, followed: Sequence[float] | np.ndarray) -> np.ndarray:
    """Pearson's correlation of each unit with a number, (C, H); nan where a unit never changes.

    states: (C, T, H). followed: T numbers. Raises ValueError where the number of timesteps
    differs, or the number itself never changes.
    """
    target = np.asarray(followed, dtype=np.float64)
    values = np.asarray(states, dtype=np.float64)
    if target.shape != (values.shape[1],):
        raise ValueError(f"{len(target)} numbers cannot go with {values.shape[1]} timesteps")
    if not len(target) or np.ptp(target) == 0:
        raise ValueError("the number to be followed is the same at every timestep")
    still = np.ptp(values, 1) < 1e-9
    # On one scale first: the squares of what is very large or very small are no numbers.
    target = target / np.abs(target).max()
    target = target - target.mean()
    values = values - values.mean(1, keepdims=True)
    size = np.sqrt((values**2).sum(1))  # (C, H)
    product = np.einsum("cth,t->ch", values, target)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.clip(product / size / np.linalg.norm(target), -1, 1)
    return np.where(still, np.nan, found)


def counters(
    states: np.ndarray, followed: Sequence[float] | np.ndarray, count: int = 10
) -> list[Counter]:
    """The units whose values follow a number best, by falling absolute correlation; equal ones in
    the order of columns and units.

    states: (C, T, H), zeros where a kind has fewer units. followed: T numbers, such as the depth
    of brackets. A unit that never changes follows nothing. Raises what `correlations` raises.
    """
    correlation = correlations(states, followed)
    still = np.isnan(correlation)
    order = np.argsort(
        np.where(still, 1.0, -np.abs(correlation).round(9)), axis=None, kind="stable"
    )[:count]
    places = zip(*np.unravel_index(order, correlation.shape), strict=True)
    return [Counter(int(c), int(h), float(correlation[c, h])) for c, h in places if not still[c, h]]
