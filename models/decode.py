"""The hot path: hidden states → the numbers of the grid.

C columns (the output last), R timesteps, V words, H units, K classes, B bars. Works through
blocks of timesteps, so that no more than `_CELLS` distributions over the vocabulary exist at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

_CELLS = 144  # distributions at a time: × 15,000 words × 4 bytes stay near the processor's cache


@dataclass(frozen=True)
class Question:
    """What is asked of every distribution.

    classes: (V,) class index of each word, of ``class_count``. labels: (R,) id asked for by the
    semantic, next_ids: (R,) actual next word; −1 for none. bars: B. top_words: how many of the
    most likely words the class masses are summed over.
    """

    classes: np.ndarray
    class_count: int
    labels: np.ndarray
    next_ids: np.ndarray
    bars: int
    top_words: int


@dataclass(frozen=True)
class Decoded:
    """top_ids, top_probs: (R, C, B) by falling probability. mass: (R, C, K). entropy, divergence:
    (R, C) in bits, divergence that of Jensen and Shannon from the output column. label_ranks
    (from 1; 0 for none), label_probs (nan for none): (R, C). next_ranks, next_probs, surprisal
    (−log₂ of that probability, in bits): (R,), of the actual next word in the output column.
    """

    top_ids: np.ndarray
    top_probs: np.ndarray
    mass: np.ndarray
    entropy: np.ndarray
    divergence: np.ndarray
    label_ranks: np.ndarray
    label_probs: np.ndarray
    next_ranks: np.ndarray
    next_probs: np.ndarray
    surprisal: np.ndarray


@torch.no_grad()
def decode(vectors: Tensor, decoder: Tensor, biases: Tensor, question: Question) -> Decoded:
    """Decode the (C, R, H) vectors that D (V, H) reads, with biases (C, V); see `Decoded`.

    Exact: ties of probability are broken by word id, the smaller first, in bars, masses and ranks.
    """
    columns, rows, _ = vectors.shape
    membership = np.zeros((decoder.shape[0], question.class_count), dtype=np.float32)  # (V, K)
    membership[np.arange(decoder.shape[0]), question.classes] = 1.0
    step = max(1, _CELLS // columns)
    blocks = [
        _decode_block(vectors[:, r : r + step], decoder, biases, membership, question, r)
        for r in range(0, rows, step)
    ]
    if not blocks:
        return _empty(columns, question)
    return Decoded(
        **{f.name: np.concatenate([getattr(b, f.name) for b in blocks]) for f in fields(Decoded)}
    )


def _decode_block(
    vectors: Tensor,
    decoder: Tensor,
    biases: Tensor,
    membership: np.ndarray,
    question: Question,
    first: int,
) -> Decoded:
    columns, rows, units = vectors.shape
    cells = vectors.transpose(0, 1).reshape(rows * columns, units)  # timestep-major
    logits = (cells @ decoder.t()).view(rows, columns, -1).add_(biases)  # (R, C, V)
    log_probs = logits.log_softmax(-1)
    probs = log_probs.exp()
    entropy = _entropy_bits(probs, log_probs)  # (R, C)

    top_probs, top_ids = _most_likely(probs, question.bars)
    flat = probs.numpy().reshape(rows * columns, -1)  # (R·C, V)
    mass = _top_mass(flat, question.top_words, membership)

    at = slice(first, first + rows)
    label_ranks, label_probs = _ranks(flat, np.repeat(question.labels[at], columns))
    next_ranks, next_probs = _ranks(probs[:, -1].numpy(), question.next_ids[at])
    return Decoded(
        top_ids=top_ids,
        top_probs=top_probs,
        mass=mass.reshape(rows, columns, -1),
        entropy=entropy.numpy(),
        divergence=_divergence_bits(probs, entropy).numpy(),
        label_ranks=label_ranks.reshape(rows, columns),
        label_probs=label_probs.reshape(rows, columns),
        next_ranks=next_ranks,
        next_probs=next_probs,
        surprisal=_surprisal_bits(log_probs[:, -1], question.next_ids[at]),
    )


def _entropy_bits(probs: Tensor, log_probs: Tensor) -> Tensor:
    """−Σ p log₂ p over the last axis; a probability that underflowed to 0 adds 0."""
    nats: Tensor = torch.einsum("...v,...v->...", probs, log_probs)
    return nats.neg_().clamp_min_(0.0).div_(math.log(2))


def _divergence_bits(probs: Tensor, entropy: Tensor) -> Tensor:
    """Jensen–Shannon divergence of every column from the last, in bits: H(m) − ½H(p) − ½H(y).

    0 … 1 by definition; rounding is clamped away, and the last column is 0 exactly.
    """
    mixed = torch.add(probs, probs[:, -1:]).mul_(0.5)  # (R, C, V)
    mixed_entropy = _entropy_bits(mixed, mixed.clamp_min(torch.finfo(mixed.dtype).tiny).log_())
    divergence = mixed_entropy - (entropy + entropy[:, -1:]) / 2
    divergence[:, -1] = 0.0
    return divergence.clamp_(0.0, 1.0)


def _most_likely(probs: Tensor, bars: int) -> tuple[np.ndarray, np.ndarray]:
    """(R, C, B) probabilities and ids of the most likely words; equal ones by id."""
    words = probs.shape[-1]
    # torch breaks ties as it likes. Whatever it picks above the last value is right; what equals
    # the last value is found again, by id.
    values, ids = probs.topk(min(bars + 1, words))
    tied = values[..., :-1] == values[..., 1:]
    top_values, top_ids = values[..., :bars].numpy(), ids[..., :bars].numpy()
    for place in np.argwhere(tied.any(-1).numpy()):
        row = probs[tuple(place)].numpy()
        order = np.argsort(-row, kind="stable")[:bars]
        top_values[tuple(place)], top_ids[tuple(place)] = row[order], order
    return top_values, top_ids.astype(np.int32)


def _top_mass(probs: np.ndarray, top_words: int, membership: np.ndarray) -> np.ndarray:
    """(M, K) probability per class over each row's ``top_words`` most likely words."""
    words = probs.shape[1]
    if top_words >= words:
        everything: np.ndarray = probs @ membership
        return everything
    threshold = np.partition(probs, words - top_words, axis=1)[:, words - top_words, None]
    kept = np.where(probs >= threshold, probs, np.float32(0))
    # More words than wanted reach the threshold only where some equal it: the last by id go.
    surplus = np.count_nonzero(probs >= threshold, axis=1) - top_words
    for row in np.flatnonzero(surplus):
        tied = np.flatnonzero(probs[row] == threshold[row])
        kept[row, tied[len(tied) - surplus[row] :]] = 0
    mass: np.ndarray = kept @ membership
    return mass


def _ranks(probs: np.ndarray, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rank from 1 and probability of ids (M,) in rows (M, V); 0 and nan where the id is −1."""
    ranks = np.zeros(len(ids), dtype=np.int32)
    asked = np.full(len(ids), np.nan, dtype=np.float32)
    for row in np.flatnonzero(ids >= 0):
        row_probs, word = probs[row], ids[row]
        p = row_probs[word]
        ranks[row] = 1 + np.count_nonzero(row_probs > p) + np.count_nonzero(row_probs[:word] == p)
        asked[row] = p
    return ranks, asked


def _surprisal_bits(log_probs: Tensor, ids: np.ndarray) -> np.ndarray:
    """(R,) −log₂ P of ids in rows (R, V), from the logarithms: P itself may be 0 in single
    precision. nan where the id is −1."""
    at = torch.from_numpy(np.maximum(ids, 0))[:, None]
    bits: np.ndarray = -log_probs.gather(1, at).squeeze(1).numpy() / math.log(2)
    return np.where(ids >= 0, bits, np.float32(np.nan)) + np.float32(0)


def _empty(columns: int, question: Question) -> Decoded:
    cells = (0, columns)
    numbers = np.zeros(cells, dtype=np.float32)
    bars = (*cells, question.bars)
    return Decoded(
        top_ids=np.zeros(bars, dtype=np.int32),
        top_probs=np.zeros(bars, dtype=np.float32),
        mass=np.zeros((*cells, question.class_count), dtype=np.float32),
        entropy=numbers,
        divergence=numbers,
        label_ranks=np.zeros(cells, dtype=np.int32),
        label_probs=numbers,
        next_ranks=np.zeros(0, dtype=np.int32),
        next_probs=np.zeros(0, dtype=np.float32),
        surprisal=np.zeros(0, dtype=np.float32),
    )
