"""From the logits of a timestep to its numbers in the grid.

C columns (the output last), V words in the order of `WordOrder`, K classes, B bars. Every line
that touches (C, V) is a run through a megabyte; there are as few as could be found
(docs/performance.md). What is summed is put together in double precision.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from models.decode.memory import Scratch
from models.decode.question import Decoded, Question
from models.decode.top import kept_words, most_likely, thresholds
from models.decode.word_order import WordOrder

# Added to a probability before its logarithm is taken: where both of a pair are 0, 0 · log 0 = 0.
_TINY = np.float32(1e-37)
_LN2 = math.log(2)


def decode_timestep(
    x: np.ndarray,
    words: WordOrder,
    question: Question,
    moved: np.ndarray,
    r: int,
    out: Decoded,
    scratch: Scratch,
) -> None:
    """Write into row ``r`` of ``out`` what the logits x (C, V) of that timestep say.

    moved: places of the words that the question puts in another class than they are sorted by.
    """
    columns = np.arange(len(x))
    probs = scratch.probs
    torch.softmax(torch.from_numpy(x), -1, out=scratch.probs_tensor)
    least, least_bar = thresholds(x, question.top_words, question.bars, scratch)
    places = most_likely(x, least_bar, question.bars, words.ids, scratch)  # (C, B)
    bars = (columns[:, None], places)
    top_probs = probs[bars]
    # torch adds up 15,000 exponentials with an error of some 5 · 10⁻⁶: what is said of the
    # probabilities is put right by what they sum to. Single precision does for that once the likely
    # words, beside which the others lose their last digits, are left out and added by themselves.
    probs[bars] = 0
    total = (probs @ scratch.ones).astype(np.float64)  # (C,)
    probs[bars] = top_probs
    total += top_probs.sum(-1, dtype=np.float64)
    out.top_ids[r] = words.ids[places]
    out.top_probs[r] = top_probs / total[:, None]

    most = x[columns, places[:, 0], None]  # (C, 1)
    normaliser = 0.0 - np.log(top_probs[:, 0], dtype=np.float64)  # log Σ exp (x − most)
    np.subtract(x, most, out=scratch.two)  # large logits would cost the sum its last digits
    nats = normaliser * total - np.vecdot(probs, scratch.two)  # −Σ p log p
    out.entropy[r] = np.maximum(nats / total + np.log(total), 0.0) / _LN2
    out.divergence[r] = _divergence_bits(nats / _LN2, total, scratch)
    out.mass[r] = _mass(x, least, bars, words, question, moved, scratch) / total[:, None]

    label, following = question.labels[r], question.next_ids[r]
    ranks = _ranks(x, words, label, scratch) if label >= 0 else np.zeros(len(x))
    out.label_ranks[r] = ranks
    out.label_probs[r] = probs[:, words.places[label]] / total if label >= 0 else np.nan
    if question.watch is not None:
        out.watch_ranks[r] = _ranks(x, words, question.watch, scratch)
        out.watch_probs[r] = probs[:, words.places[question.watch]] / total
    out.next_ranks[r], out.next_probs[r], out.surprisal[r] = 0, np.nan, np.nan
    if following >= 0:
        place = words.places[following]
        same = following == label
        out.next_ranks[r] = ranks[-1] if same else _ranks(x[-1:], words, following, scratch)[0]
        out.next_probs[r] = probs[-1, place] / total[-1]
        # From the logarithms: the probability itself may be 0 in single precision.
        below = np.float64(most[-1, 0]) - x[-1, place]
        out.surprisal[r] = max(0.0, normaliser[-1] + np.log(total[-1]) + below) / _LN2


def _divergence_bits(entropy: np.ndarray, total: np.ndarray, scratch: Scratch) -> np.ndarray:
    """Jensen–Shannon divergence of each column from the last, (C,) in bits: H(m) − ½H(p) − ½H(y),
    m = (p + y) / 2. Clamped to 0 … 1 where rounding leaves it; the last is 0 exactly.

    entropy: −Σ p log₂ p and total: Σ p, both of the probabilities as they are.
    """
    probs, both, logarithm = scratch.probs, scratch.one, scratch.two
    np.add(probs, probs[-1] + _TINY, out=both)  # 2m
    torch.log2(scratch.one_tensor, out=scratch.two_tensor)
    summed = np.vecdot(both, logarithm).astype(np.float64)  # Σ 2m log₂ 2m is Σ 2m − 2 H(m)
    divergence: np.ndarray = (total + total[-1] - summed - entropy - entropy[-1]) / 2
    divergence = np.clip(divergence, 0.0, 1.0)
    divergence[-1] = 0.0
    return divergence


def _mass(
    x: np.ndarray,
    least: np.ndarray,
    bars: tuple[np.ndarray, np.ndarray],
    words: WordOrder,
    question: Question,
    moved: np.ndarray,
    scratch: Scratch,
) -> np.ndarray:
    """(C, K) probability per class over the ``top_words`` most likely words of each cell.

    bars: cells and places of the likely words, which are added by themselves, as in the total.
    """
    probs, kept = scratch.probs, scratch.one
    kept_words(x, least, question.top_words, words.ids, scratch)
    mass = np.zeros((len(x), question.class_count))
    np.add.at(mass, (bars[0], question.classes[words.ids[bars[1]]]), probs[bars] * kept[bars])
    kept[bars] = 0
    if len(moved):
        classes = question.classes[words.ids[moved]]
        np.add.at(mass.T, classes, (probs[:, moved] * kept[:, moved]).T)
        kept[:, moved] = 0
    for k, run in words.runs:
        mass[:, k] += np.vecdot(probs[:, run], kept[:, run])
    return mass


def _ranks(x: np.ndarray, words: WordOrder, id: int, scratch: Scratch) -> np.ndarray:
    """(M,) rank from 1 of a word in each row of logits x (M, V); equal logits go by id."""
    rows, own = len(x), x[:, words.places[id], None]
    mask = scratch.mask[:rows]
    np.equal(x, own, out=mask)
    equal_before = np.zeros(rows, np.int64)
    if np.count_nonzero(mask) > rows:  # more than the word itself
        equal_before = (mask & (words.ids < id)).sum(1)
    np.greater(x, own, out=mask)
    ranks: np.ndarray = 1 + scratch.counts()[:rows] + equal_before
    return ranks
