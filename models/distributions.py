"""Full distributions of single cells, in double precision: for questions about a few of them.

The grid's own numbers come from `models.decode`, which is made for speed; those here are written
from the definitions, and tests hold the two together.

C columns (the output last), M states, V words, H units, K classes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from models.artifact import Model
from models.heads import SharedHeads


@dataclass(frozen=True)
class Encoding:
    """What one distribution says. top_ids, top_probs: (B,) by falling probability, ties by word
    id. mass: (K,) over the most likely words. entropy: bits.
    """

    top_ids: np.ndarray
    top_probs: np.ndarray
    mass: np.ndarray
    entropy: float


@torch.no_grad()
def distributions(model: Model, semantic: str, column: int, states: Tensor) -> Tensor:
    """(M, V) in float64, of states (M, H) of a column of the grid by its index; V words, or labels.

    The output column is the network itself: its states are what the decoder reads.
    """
    network = model.network
    if column == len(model.columns) - 1:
        logits = network.logits(states)
    else:
        logits = model.heads[semantic].logits(column, states, network.decoder_weight)
    return logits.double().softmax(-1)


@torch.no_grad()
def all_logits(model: Model, semantic: str, states: Tensor, reads: Tensor) -> Tensor:
    """(C, M, V) in single precision, of the states (C − 1, M, H) of every column; the output's come
    last, of what the decoder reads (M, E)."""
    network, heads = model.network, model.heads[semantic]
    if isinstance(heads, SharedHeads):
        # One product with the decoder for all columns: reading it costs more than multiplying. By
        # numpy, which takes half as long for it as torch.
        read = torch.cat([heads.project(states), reads[None]])  # (C, M, E)
        product = read.flatten(0, 1).numpy() @ network.decoder_weight.detach().numpy().T
        logits = torch.from_numpy(product).view(*read.shape[:2], -1)
        logits += torch.cat([heads.bias, network.decoder_bias[None]])[:, None]
    else:
        kinds = [heads.logits(k, s, network.decoder_weight) for k, s in enumerate(states)]
        logits = torch.stack([*kinds, network.logits(reads)])
    return logits


def divergence_bits(first: Tensor, second: Tensor) -> Tensor:
    """Jensen–Shannon divergence of distributions over the last axis, in bits: the mean of
    KL(p ‖ m) and KL(q ‖ m), m = (p + q) / 2 (Lin 1991). 0 exactly for equals, 1 for disjoint ones.
    """
    # p / m and not log p − log m: for equals that is 1, whose logarithm is 0 without rounding.
    tiny = torch.finfo(first.dtype).tiny
    mean = ((first + second) / 2).clamp_min(tiny)
    nats = torch.zeros(first.shape[:-1], dtype=torch.float64)
    for probs in (first, second):
        terms = torch.div(probs, mean).clamp_min_(tiny).log_().mul_(probs)
        nats += terms.sum(-1, dtype=torch.float64)
    return (nats / (2 * math.log(2))).clamp_(0.0, 1.0)


def encoding(
    probs: np.ndarray, bars: int, top_words: int, classes: np.ndarray, class_count: int
) -> Encoding:
    """Bars, masses over the ``top_words`` most likely words, and entropy of one (V,) distribution.

    classes: (V,) class index of each word, of ``class_count``.
    """
    order = np.argsort(-probs, kind="stable")
    kept = order[:top_words]
    some = probs[probs > 0]
    return Encoding(
        top_ids=order[:bars],
        top_probs=probs[order[:bars]],
        mass=np.bincount(classes[kept], weights=probs[kept], minlength=class_count),
        entropy=max(0.0, float(-(some * np.log2(some)).sum())),
    )
