"""A recipe: every setting that decides what a trained network is."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class NetworkRecipe:
    """Defaults make the shipped network.

    The first epochs estimate the softmax's normaliser (`losses.sampled_cross_entropy`), the last
    ``exact_epochs`` compute it; validation and every reported figure are exact.
    """

    units: int = 300
    layers: int = 2
    minimum_count: int = 4
    epochs: int = 10
    exact_epochs: int = 2
    sampled_head: int = 2048
    sampled_tail: int = 1024
    batch_sentences: int = 64
    rate: float = 4e-3
    warm_up: float = 0.1
    beta1: float = 0.9
    beta2: float = 0.99
    weight_decay: float = 0.01
    dropout: float = 0.3
    clip: float = 1.0
    seed: int = 1

    def rate_at(self, step: int, steps: int) -> float:
        return one_cycle(self.rate, self.warm_up, step, steps)


@dataclass(frozen=True)
class HeadsRecipe:
    """tokens: timesteps drawn from the training sentences, read ``epochs`` times, once before that
    for the closed-form start.

    The last ``exact_part`` of the steps compute the softmax's normaliser, those before estimate it.
    """

    tokens: int = 250_000
    epochs: int = 1
    batch_tokens: int = 1024
    exact_part: float = 0.15
    sampled_head: int = 1024
    sampled_tail: int = 1024
    rate: float = 1e-3
    warm_up: float = 0.1
    weight_decay: float = 0.01
    ridge: float = 1.0
    seed: int = 1

    def rate_at(self, step: int, steps: int) -> float:
        return one_cycle(self.rate, self.warm_up, step, steps)


def one_cycle(rate: float, warm_up: float, step: int, steps: int) -> float:
    """Cosine from rate/25 to the rate over the warm-up, then to rate/250,000 (Smith 2018)."""
    peak = warm_up * steps
    if step < peak:
        return _cosine(rate / 25, rate, step / peak)
    return _cosine(rate, rate / 250_000, (step - peak) / max(1.0, steps - 1 - peak))


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * min(1.0, part))) / 2
