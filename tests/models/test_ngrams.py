"""n-gram models: worked by hand, by counting naively, and by nltk."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.lm import KneserNeyInterpolated
from nltk.util import everygrams

from models.training.ngrams import KneserNey, estimate_discounts, perplexities

BOS, EOS, A, B, C = range(5)
SIZE = 8  # three words more, which some corpora lack


def arrays(sentences: Sequence[Sequence[int]]) -> list[np.ndarray]:
    return [np.array(sentence) for sentence in sentences]


def drawn(least: int = 1) -> st.SearchStrategy[list[list[int]]]:
    """Corpora of ``<bos> … <eos>``, some sentences empty."""
    words = st.lists(st.integers(2, SIZE - 1), max_size=8)
    return st.lists(words.map(lambda w: [BOS, *w, EOS]), min_size=least, max_size=12)


def one_discount(order: int, discount: float, lowest: float | None = None) -> list[list[float]]:
    first = discount if lowest is None else lowest
    return [[first] * 3, *([discount] * 3 for _ in range(order - 1))]


# "a b" and "a c". Distinct words before: a 1, b 1, c 1, <eos> 2, of 5. At discount 1/2 the four
# words give 4 · 1/2 · 1/5, a tenth to each: P(a) = P(b) = P(c) = 1/5, P(<eos>) = 2/5.
TINY = [[BOS, A, B, EOS], [BOS, A, C, EOS]]


@pytest.mark.parametrize(
    ("order", "sentence", "expected"),
    [
        # Occurrences: a 2, b 1, c 1, <eos> 2, of 6.
        (1, [BOS, A, B, EOS], [1 / 3, 1 / 6, 1 / 3]),
        # (2 − ½)/2 + ½/2 · 1/5;  (1 − ½)/2 + 2·½/2 · 1/5;  (1 − ½)/1 + ½ · 2/5
        (2, [BOS, A, B, EOS], [0.8, 0.35, 0.7]),
        # never seen after these: ½/2 · 2/5;  and  ½ · 1/5, then (1 − ½)/1 + ½ · 2/5
        (2, [BOS, EOS], [0.1]),
        (2, [BOS, A, A, C, EOS], [0.8, 0.1, 0.35, 0.7]),
        # <bos> a is counted twice, for nothing stands before it. Then (1 − ½)/2 + 2·½/2 · 0.35,
        # (1 − ½)/1 + ½ · 0.7
        (3, [BOS, A, B, EOS], [0.8, 0.425, 0.85]),
        # a a was never a context: the bigram alone
        (3, [BOS, A, A, C], [0.8, 0.5 * 0.1, 0.35]),
    ],
)
def test_worked_by_hand(order: int, sentence: list[int], expected: list[float]) -> None:
    model = KneserNey.fit(arrays(TINY), order, 5, one_discount(order, 0.5))
    np.testing.assert_allclose(model.probabilities(arrays([sentence])), expected, rtol=1e-14)
    nats, tokens = model.nll(arrays([sentence, sentence]))
    assert tokens == 2 * len(expected)
    assert nats == pytest.approx(-2 * sum(map(math.log, expected)))
    mean = math.exp(nats / tokens)
    assert model.perplexity(arrays([sentence])) == pytest.approx(mean)


def naive(
    sentences: list[list[int]], discounts: np.ndarray, history: Sequence[int], word: int
) -> float:
    """P by the equation of Chen and Goodman, each count made by looking through the corpus."""
    order = len(discounts)
    predicted = any(BOS in s[1:] for s in sentences)

    def occurrences(k: int) -> Counter[tuple[int, ...]]:
        ends = ((s, i) for s in sentences for i in range(max(1, k - 1), len(s)))
        return Counter(tuple(s[i - k + 1 : i + 1]) for s, i in ends)

    def count(k: int) -> Counter[tuple[int, ...]]:
        if k == order:
            return occurrences(k)
        before = Counter(gram[1:] for gram in occurrences(k + 1))
        first = Counter(tuple(s[:k]) for s in sentences if len(s) >= k > 1)
        return before + first

    def p(history: tuple[int, ...]) -> float:
        k = len(history) + 1
        counts = {g[-1]: c for g, c in count(k).items() if g[:-1] == history}
        below = p(history[1:]) if history else 1 / (SIZE - (not predicted))
        if not counts:
            return below
        taken = {w: discounts[k - 1][min(c, 3) - 1] for w, c in counts.items()}
        own = counts.get(word, 0) - taken.get(word, 0)
        return (own + sum(taken.values()) * below) / sum(counts.values())

    return p(tuple(history[-(order - 1) :]) if order > 1 else ())


@given(drawn(), st.integers(1, 4), drawn(0))
def test_equals_the_definition(train: list[list[int]], order: int, test: list[list[int]]) -> None:
    model = KneserNey.fit(arrays(train), order, SIZE)
    expected = [
        naive(train, model.discounts, sentence[:i], sentence[i])
        for sentence in test
        for i in range(1, len(sentence))
    ]
    np.testing.assert_allclose(model.probabilities(arrays(test)), expected, rtol=1e-12)


@given(drawn(), st.integers(1, 4), st.lists(st.integers(2, SIZE - 1), max_size=4))
def test_probabilities_sum_to_one_and_none_is_nothing(
    train: list[list[int]], order: int, history: list[int]
) -> None:
    model = KneserNey.fit(arrays(train), order, SIZE)
    words = [word for word in range(SIZE) if word != BOS]
    p = [model.probabilities(arrays([[BOS, *history, word]]))[-1] for word in words]
    assert sum(p) == pytest.approx(1, abs=1e-12)
    assert min(p) > 0


@given(drawn(), st.integers(1, 4), st.lists(st.integers(2, SIZE - 1), max_size=4))
def test_what_begins_a_sentence_may_end_it_too(
    train: list[list[int]], order: int, history: list[int]
) -> None:
    """As in a model that begins a line with the end of the one before: then it is predicted."""
    model = KneserNey.fit(arrays([[*s[:-1], BOS] for s in train]), order, SIZE)
    p = [model.probabilities(arrays([[BOS, *history, word]]))[-1] for word in range(SIZE)]
    assert len(model.probabilities(arrays([[BOS, A, BOS]]))) == 2
    assert sum(p) == pytest.approx(1, abs=1e-12)
    assert min(p) > 0


@given(drawn(), st.integers(1, 4), st.lists(st.integers(0, SIZE - 1), max_size=6))
def test_what_begins_a_sentence_may_be_a_word_of_it(
    train: list[list[int]], order: int, words: list[int]
) -> None:
    """Such as the full stop of a model of characters: predicted wherever the network predicts it,
    which is everywhere but where it begins the sentence."""
    sentences = [[BOS, *words, BOS], *([*s[:-1], BOS] for s in train)]
    model = KneserNey.fit(arrays(sentences), order, SIZE)
    test = arrays([[BOS, A, BOS, BOS, B, BOS]])
    expected = [naive(sentences, model.discounts, test[0][:i], test[0][i]) for i in range(1, 6)]
    np.testing.assert_allclose(model.probabilities(test), expected, rtol=1e-12)
    ends = [model.probabilities(arrays([[BOS, A, BOS, word]]))[-1] for word in range(SIZE)]
    assert sum(ends) == pytest.approx(1, abs=1e-12)


@given(drawn(), st.sampled_from([2, 3]), st.sampled_from([0.1, 0.75]), drawn())
def test_equals_nltk_s(
    train: list[list[int]], order: int, discount: float, test: list[list[int]]
) -> None:
    """nltk pads a sentence with order − 1 <s>, and leaves its lowest order undiscounted. Here a
    word has as many before it as there are: the first of a sentence is nltk's of order 2. nltk
    would count the second <s> of its padding as a word that follows the first: what ends in <s> is
    left out, so that it does not predict it."""

    def nltk_s(order: int) -> KneserNeyInterpolated:
        model = KneserNeyInterpolated(order, discount)
        padded = [[str(word) for word in (*[BOS] * (order - 2), *s)] for s in train]
        grams = [[g for g in everygrams(s, max_len=order) if g[-1] != str(BOS)] for s in padded]
        model.fit(grams, [str(word) for word in range(SIZE)])
        return model

    theirs = {k: nltk_s(k) for k in range(2, order + 1)}
    expected = []
    for sentence in test:
        names = [str(word) for word in sentence]
        for i in range(1, len(sentence)):
            k = min(order, i + 1)
            expected.append(theirs[k].score(names[i], names[i - k + 1 : i]))
    ours = KneserNey.fit(arrays(train), order, SIZE, one_discount(order, discount, lowest=0))
    np.testing.assert_allclose(ours.probabilities(arrays(test)), expected, rtol=1e-12)


def test_the_unigram_model_is_that_of_maximum_likelihood_where_every_word_was_seen() -> None:
    model = KneserNey.fit(arrays(TINY), 1, 5)
    p = model.probabilities(arrays([[BOS, A, B, C, EOS]]))
    np.testing.assert_allclose(p, [2 / 6, 1 / 6, 1 / 6, 2 / 6], rtol=1e-14)
    # The two words of a vocabulary of 7 that it lacks get a share. n₁ = n₂ = 2: the discount is
    # 1/3, and what four words give, 4/3 of 6, is shared by six.
    wider = KneserNey.fit(arrays(TINY), 1, 7).probabilities(arrays([[BOS, A, 5, 6]]))
    np.testing.assert_allclose(wider, [(2 - 1 / 3 + 2 / 9) / 6, 1 / 27, 1 / 27], rtol=1e-14)


@pytest.mark.parametrize(
    ("counts", "three", "expected"),
    [
        # n₁ … n₄ = 4, 2, 1, 1: Y = 4/8
        ([1, 1, 1, 1, 2, 2, 3, 4, 9], True, (1 - 0.5, 2 - 0.75, 3 - 2)),
        ([1, 1, 1, 1, 2, 2, 3, 4, 9], False, (0.5,) * 3),
        ([1, 1, 1, 1, 2, 2, 4, 9], True, (0.5,) * 3),  # no 3
        ([1, 2, 3, 3, 3], True, (1 / 3,) * 3),  # 2 − 3 · 1/3 · 3 < 0
        ([1], True, (1.0,) * 3),
        ([4, 4, 9], True, (0.5,) * 3),
        ([], True, (0.5,) * 3),
    ],
)
def test_discounts(counts: list[int], three: bool, expected: tuple[float, ...]) -> None:
    assert estimate_discounts(np.array(counts, dtype=np.int64), three) == pytest.approx(expected)


def test_the_yardsticks_are_of_orders_one_to_three() -> None:
    rng = np.random.default_rng(0)
    # The two words before it decide each word; the one before it says nothing.
    sentences = []
    for _ in range(300):
        words = [BOS, *rng.integers(2, 9, 2)]
        words += [EOS] if rng.random() < 0.1 else []
        while words[-1] != EOS:
            follows = 2 + (words[-1] + 2 * words[-2]) % 7
            words.append(EOS if rng.random() < 0.1 else int(follows))
        sentences.append(words)
    train, test = arrays(sentences[:250]), arrays(sentences[250:])
    found = perplexities(train, test, 9)
    assert list(found) == ["unigram", "bigram", "trigram"]
    assert found["trigram"] < 0.5 * min(found["unigram"], found["bigram"])
    for order, figure in enumerate(found.values(), 1):
        assert figure == KneserNey.fit(train, order, 9).perplexity(test)


@pytest.mark.parametrize(
    ("sentences", "order", "size", "said"),
    [
        (TINY, 0, 5, "order 0"),
        (TINY, 5, 15_000, "63 bits"),
        ([], 2, 5, "no sentence"),
        ([[BOS, 5, EOS]], 2, 5, "outside 0 … 4"),
        ([[BOS, -1, EOS]], 2, 5, "outside"),
        ([[BOS, A], [A, B]], 2, 5, "begin with <bos>"),
    ],
)
def test_what_cannot_be_counted_is_refused(
    sentences: list[list[int]], order: int, size: int, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        KneserNey.fit(arrays(sentences), order, size)


@pytest.mark.parametrize("discounts", [[[0.5] * 3], [[0.5] * 3, [1.1] * 3], [[-1] * 3, [0] * 3]])
def test_discounts_out_of_range_are_refused(discounts: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="2 × 3"):
        KneserNey.fit(arrays(TINY), 2, 5, discounts)


def test_a_perplexity_of_nothing_is_refused_and_of_the_impossible_is_infinite() -> None:
    model = KneserNey.fit(arrays(TINY), 1, 7, [[0, 0, 0]])
    assert model.nll([]) == (0, 0)
    with pytest.raises(ValueError, match="no token"):
        model.perplexity([])
    assert model.perplexity(arrays([[BOS, 6]])) == math.inf
