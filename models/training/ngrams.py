"""n-gram models, the yardstick of every perplexity: interpolated Kneser–Ney, counted in numpy.

Modified Kneser–Ney (Chen and Goodman 1999, section 3.5), which published tables of n-gram
perplexities use: three discounts per order, estimated from counts of counts. An n-gram below the
highest order counts the words seen before it rather than its occurrences, but for one that begins
a sentence: nothing stands before ``<bos>``, and it keeps its occurrences (as in Heafield 2011).

Predicted is what a network predicts: every token of a sentence but the first.

The lowest order has one discount, and gives what it takes in equal shares to all words (to
``<bos>`` only where it is predicted in training), so that a word that training lacks has a
probability too. Where training lacks none, each word gets back what it gave: the unigram model is
then that of maximum likelihood.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ORDERS = {"unigram": 1, "bigram": 2, "trigram": 3}


def perplexities(
    train: Sequence[np.ndarray], test: Sequence[np.ndarray], vocabulary_size: int
) -> dict[str, float]:
    """Name of each of ORDERS → perplexity of the test sentences.

    Sentences are ``<bos> w₁ … wₙ <eos>`` in ids below the size; ``<eos>`` is predicted too.
    """
    return {
        name: KneserNey.fit(train, order, vocabulary_size).perplexity(test)
        for name, order in ORDERS.items()
    }


@dataclass(frozen=True)
class _Order:
    """The k-grams of one length k. An n-gram is the number whose digits to the base V are its ids.

    grams: sorted; reserved: for each, its discounted count over its context's. contexts: sorted;
    weights: for each, the probability that is left to the order below.
    """

    grams: Ints
    reserved: Floats
    contexts: Ints
    weights: Floats


@dataclass(frozen=True)
class KneserNey:
    """A model of some order: P(w | the order − 1 words before it).

    discounts: (order, 3), what is taken off a count of 1, of 2, of 3 or more, lowest order first.
    outcomes: the words that may come: all but ``<bos>``, which comes only where it is an end or a
    word of a sentence too.
    """

    order: int
    vocabulary_size: int
    outcomes: int
    bos: int
    discounts: Floats
    _orders: tuple[_Order, ...]

    @classmethod
    def fit(
        cls,
        sentences: Sequence[np.ndarray],
        order: int,
        vocabulary_size: int,
        discounts: Sequence[Sequence[float]] | None = None,
    ) -> KneserNey:
        """Count sentences of ids, each beginning with ``<bos>``.

        discounts: (order, 3), in place of those that the counts give. Memory is about 150 bytes
        per token for order 3. Raises ValueError for ids, orders or discounts out of range.
        """
        if order < 1 or vocabulary_size < 2 or vocabulary_size**order > 2**63:
            raise ValueError(
                f"order {order} with {vocabulary_size:,} words: an n-gram must fit 63 bits"
            )
        if not len(sentences):
            raise ValueError("there is no sentence to count")
        bos = int(sentences[0][0])
        text = _Text.of(sentences, bos, vocabulary_size)
        counts = _counts(text, order, vocabulary_size)
        taken = (
            np.array([estimate_discounts(count, k > 0) for k, (_, count) in enumerate(counts)])
            if discounts is None
            else np.array(discounts, dtype=float)
        )
        if taken.shape != (order, 3) or not (taken >= 0).all() or (taken > [1, 2, 3]).any():
            raise ValueError(f"discounts must be {order} × 3, from 0 to 1, to 2 and to 3")
        orders = tuple(
            _smoothed(grams, count, row, vocabulary_size)
            for (grams, count), row in zip(counts, taken, strict=True)
        )
        both = bool((text.tokens[text.predicted] == bos).any())
        return cls(order, vocabulary_size, vocabulary_size - (not both), bos, taken, orders)

    def probabilities(self, sentences: Sequence[np.ndarray]) -> Floats:
        """P of every token but the first of each sentence, given those before it."""
        text = _Text.of(sentences, self.bos, self.vocabulary_size)
        p = np.full(len(text.predicted), 1.0 / self.outcomes)
        for k, counted in enumerate(self._orders, 1):
            # At the beginning of a sentence the context is shorter than the order.
            reached = np.flatnonzero(text.places[text.predicted] >= k - 1)
            grams = text.grams(text.predicted[reached], k, self.vocabulary_size)
            at, seen = _find(counted.contexts, grams // self.vocabulary_size)
            reached, grams, at = reached[seen], grams[seen], at[seen]
            p[reached] *= counted.weights[at]
            at, seen = _find(counted.grams, grams)
            p[reached[seen]] += counted.reserved[at[seen]]
        return p

    def nll(self, sentences: Sequence[np.ndarray]) -> tuple[float, int]:
        """The sum of −ln P over the predicted tokens, and how many they are."""
        p = self.probabilities(sentences)
        with np.errstate(divide="ignore"):  # P is 0 only where discounts of 0 were given
            return float(-np.log(p).sum()), len(p)

    def perplexity(self, sentences: Sequence[np.ndarray]) -> float:
        """exp of the mean negative natural log-likelihood per predicted token.

        Raises ValueError when there is none.
        """
        nats, tokens = self.nll(sentences)
        if not tokens:
            raise ValueError("there is no token to predict")
        return math.exp(nats / tokens) if math.isfinite(nats) else math.inf


def estimate_discounts(counts: Ints, three: bool = True) -> tuple[float, float, float]:
    """Discounts for counts of 1, 2, and 3 or more (Chen and Goodman 1999, section 3.5).

    Where one is wanted, or the counts of counts do not allow three (as in a small corpus), all are
    n₁ / (n₁ + 2 n₂), or 1/2 when nothing counts 1.
    """
    n1, n2, n3, n4 = (int((counts == c).sum()) for c in range(1, 5))
    single = n1 / (n1 + 2 * n2) if n1 else 0.5
    if three and n1 and n2 and n3:
        found = (1 - 2 * single * n2 / n1, 2 - 3 * single * n3 / n2, 3 - 4 * single * n4 / n3)
        # Positive, so that every context leaves something to the order below it.
        if min(found) > 0:
            return found
    return (single, single, single)


@dataclass(frozen=True)
class _Text:
    """Sentences one behind the other. places: of each token in its sentence, from 0. predicted:
    where tokens stand that are not the first. ``<bos>`` is among them where a network begins a line
    with the end of the one before, be that ``<eos>`` or an ordinary word such as a full stop."""

    tokens: Ints
    places: Ints
    predicted: Ints

    @classmethod
    def of(cls, sentences: Sequence[np.ndarray], bos: int, vocabulary_size: int) -> _Text:
        if not len(sentences):
            nothing = np.zeros(0, dtype=np.int64)
            return cls(nothing, nothing, nothing)
        tokens = np.concatenate(sentences).astype(np.int64, copy=False)
        if tokens.min() < 0 or tokens.max() >= vocabulary_size:
            raise ValueError(f"a sentence has an id outside 0 … {vocabulary_size - 1:,}")
        lengths = np.array([len(sentence) for sentence in sentences])
        begins = np.cumsum(lengths) - lengths
        if not lengths.all() or (tokens[begins] != bos).any():
            raise ValueError("a sentence does not begin with <bos>")
        places = np.arange(len(tokens)) - np.repeat(begins, lengths)
        return cls(tokens, places, np.flatnonzero(places))

    def grams(self, ends: Ints, length: int, base: int) -> Ints:
        """The n-grams of a length that end at these tokens."""
        grams = np.zeros(len(ends), dtype=np.int64)
        for back in range(length - 1, -1, -1):
            grams = grams * base + self.tokens[ends - back]
        return grams


def _counts(text: _Text, order: int, base: int) -> list[tuple[Ints, Ints]]:
    """The n-grams of each length, lowest first, sorted, with what each counts."""
    ends = text.predicted
    places = text.places[ends]
    grams, count = _distinct(text.grams(ends[places >= order - 1], order, base))
    result = [(grams, count)]
    for k in range(order - 1, 0, -1):
        # One for each word before it; and its occurrences where there can be none.
        after = grams % base**k
        begins = text.grams(ends[places == k - 1], k, base)
        grams, count = _distinct(np.concatenate([after, begins]))
        result.append((grams, count))
    return result[::-1]


def _smoothed(grams: Ints, count: Ints, discounts: Floats, base: int) -> _Order:
    taken = discounts[np.minimum(count, 3) - 1]
    contexts, begins, sizes = np.unique(grams // base, return_index=True, return_counts=True)
    if not len(grams):  # no sentence is as long as the order
        return _Order(grams, taken, contexts, taken)
    totals = np.add.reduceat(count, begins)
    return _Order(
        grams,
        (count - taken) / np.repeat(totals, sizes),
        contexts,
        np.add.reduceat(taken, begins) / totals,
    )


def _distinct(grams: Ints) -> tuple[Ints, Ints]:
    values, counts = np.unique(grams, return_counts=True)
    return values, counts.astype(np.int64, copy=False)


def _find(values: Ints, wanted: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Where each wanted number stands in the sorted values, and whether it does."""
    if not len(values):
        return np.zeros(len(wanted), dtype=np.int64), np.zeros(len(wanted), dtype=bool)
    at = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    return at, values[at] == wanted
