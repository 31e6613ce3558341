"""The learning rate from step to step."""

from __future__ import annotations

import math


def one_cycle(rate: float, warm_up: float, step: int, steps: int) -> float:
    """Cosine from rate/25 to the rate over the warm-up, then to rate/250,000 (Smith 2018)."""
    peak = warm_up * steps
    if step < peak:
        return _cosine(rate / 25, rate, step / peak)
    return _cosine(rate, rate / 250_000, (step - peak) / max(1.0, steps - 1 - peak))


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * min(1.0, part))) / 2
