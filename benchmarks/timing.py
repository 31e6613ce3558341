"""Times of things that are done in turn, so that whatever else the machine does hits them alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# torch's threads turn round in a loop for some milliseconds once they have done their work, and
# whoever comes next has a core less: of a program that shares out its own, a third of its time.
_REST = 0.05


@dataclass(frozen=True)
class Spread:
    """Of the same thing done often, in milliseconds: median, and the quartiles around it."""

    ms: float
    low: float
    high: float

    @classmethod
    def of(cls, times: list[float]) -> Spread:
        if len(times) == 1:
            return cls(times[0], times[0], times[0])
        low, median, high = statistics.quantiles(times, n=4, method="inclusive")
        return cls(median, low, high)

    def __str__(self) -> str:
        return f"{self.ms:.1f} ({self.low:.1f}–{self.high:.1f})"


def in_turn(
    things: Mapping[str, Callable[[], Callable[[], object]]], rounds: int
) -> dict[str, list[float]]:
    """Milliseconds of each thing in each round, after one round that is not counted.

    A thing makes ready, which is not timed, and returns what is. Before that, whatever still works
    for another comes to rest.
    """
    times: dict[str, list[float]] = {name: [] for name in things}
    for counted in [False] + [True] * rounds:
        for name, ready in things.items():
            do = ready()
            time.sleep(_REST)
            began = time.perf_counter()
            do()
            if counted:
                times[name].append((time.perf_counter() - began) * 1000)
    return times


def ratio(above: list[float], below: list[float]) -> float:
    """The median of the ratios round by round: a slow moment hits both of a round."""
    return statistics.median(a / b for a, b in zip(above, below, strict=True))
