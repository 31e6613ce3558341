"""The most likely words of each distribution: which they are, and the least of their logits.

By logit, not by probability: that is the same order, before rounding makes more of them equal.
M cells, V words in the order of `WordOrder`, B bars.
"""

from __future__ import annotations

import numpy as np

from models.decode.memory import Scratch


def thresholds(
    logits: np.ndarray, top_words: int, bars: int, scratch: Scratch
) -> tuple[np.ndarray, np.ndarray]:
    """The ``top_words``-th and the ``bars``-th largest of each row of logits (M, V), as (M, 1).

    numpy's partition is vectorised, and takes as long as one exponential of each number.
    """
    words = logits.shape[1]
    sorted_apart = scratch.one
    np.copyto(sorted_apart, logits)
    first = words - top_words
    sorted_apart.partition(first, axis=1)
    least = sorted_apart[:, first, None].copy()
    bar = words - bars
    if bar > first:
        sorted_apart[:, first:].partition(bar - first, axis=1)
    elif bar < first:
        sorted_apart[:, :first].partition(bar, axis=1)
    return least, sorted_apart[:, bar, None].copy()


def most_likely(
    logits: np.ndarray, least: np.ndarray, bars: int, ids: np.ndarray, scratch: Scratch
) -> np.ndarray:
    """(M, B) places of the words with the largest logits, in falling order, equal ones by id.

    least: (M, 1) B-th largest logit of each row. ids: (V,) id of the word at each place.
    """
    np.greater_equal(logits, least, out=scratch.mask)
    cells, places = np.divmod(np.flatnonzero(scratch.whole_mask), scratch.whole_mask.shape[1])
    order = np.lexsort((ids[places], -logits[cells, places], cells))
    # At least B in each row; more only where some equal the last, and those come last.
    starts = np.searchsorted(cells, np.arange(len(logits)))
    chosen: np.ndarray = places[order][starts[:, None] + np.arange(bars)]
    return chosen


def kept_words(
    logits: np.ndarray, least: np.ndarray, top_words: int, ids: np.ndarray, scratch: Scratch
) -> None:
    """Write 1 for each row's ``top_words`` most likely words into ``scratch.one``, else 0.

    least: (M, 1) the last of their logits. More words reach it only where some equal it: of those,
    the ones with the largest ids go.
    """
    kept = scratch.one
    np.greater_equal(logits, least, out=kept, casting="unsafe")
    surplus = (kept @ scratch.ones).astype(int) - top_words  # exact: whole numbers below 2²⁴
    for cell in np.flatnonzero(surplus):
        equal = np.flatnonzero(logits[cell] == least[cell])
        last = np.argsort(ids[equal])[len(equal) - surplus[cell] :]
        kept[cell, equal[last]] = 0
