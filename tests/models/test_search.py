"""Words found by their buckets, ranked, and picked: against what Python's sorting says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.decode.buckets import BUCKETS, in_buckets
from models.decode.order import likeliest, most_likely
from models.decode.search import found, rank

SEEDS = st.integers(0, 1000)


def bucketed(x: np.ndarray) -> np.ndarray:
    buckets = np.empty(len(x), np.int16)
    in_buckets(x, x.max(), x.min(), buckets)
    return buckets


def drawn(words: int, different: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits, of which many are equal where few differ, and the ids of their words."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, different, words).astype(np.float32), rng.permutation(words)


@settings(max_examples=60, deadline=None)
@given(words=st.integers(1, 300), first=st.integers(0, 40), width=st.integers(-1, 40), seed=SEEDS)
def test_the_places_of_some_buckets_are_found(
    words: int, first: int, width: int, seed: int
) -> None:
    buckets = np.random.default_rng(seed).integers(0, 60, words).astype(np.int16)
    last = first + width
    out = np.full(words, -1)
    n = found(buckets, first, last, out)
    wanted = np.flatnonzero((buckets >= first) & (buckets <= last))
    assert out[:n].tolist() == wanted.tolist()


def test_the_last_bucket_of_all_is_found() -> None:
    buckets = np.repeat(np.array([0, BUCKETS - 1], np.int16), 100)
    assert found(buckets, 0, BUCKETS - 1, np.empty(200, np.int64)) == 200
    assert found(buckets, BUCKETS - 1, BUCKETS - 1, np.empty(200, np.int64)) == 100


@settings(max_examples=60, deadline=None)
@given(words=st.integers(1, 300), different=st.sampled_from([1, 3, 10_000]), seed=SEEDS)
def test_a_rank_counts_the_larger_and_of_equals_those_before_by_id(
    words: int, different: int, seed: int
) -> None:
    x, ids = drawn(words, different, seed)
    order = np.lexsort((ids, -x)).tolist()
    for place in (0, words // 2, words - 1):
        assert rank(x, bucketed(x), ids, place) == order.index(place) + 1


@pytest.mark.parametrize("far", [-np.inf, -1e30])
def test_a_rank_is_right_where_one_logit_is_far_below(far: float) -> None:
    x, ids = drawn(200, 10_000, 0)
    x[7] = far
    order = np.lexsort((ids, -x)).tolist()
    got = [rank(x, bucketed(x), ids, place) for place in range(200)]
    assert got == [order.index(place) + 1 for place in range(200)]


@pytest.mark.parametrize("far", [-200.0, -1e9, -np.inf])
def test_one_logit_far_below_leaves_the_others_their_buckets(far: float) -> None:
    """As the bias of a word that an imported model is never to say."""
    x = np.random.default_rng(0).normal(0, 6, 5000).astype(np.float32)
    near = bucketed(x)
    x[7] = far
    buckets = bucketed(x)
    assert buckets[7] == BUCKETS - 1
    assert len(np.unique(buckets)) > len(np.unique(near)) / 3
    assert (np.diff(buckets[np.argsort(-x)]) >= 0).all()


@settings(max_examples=60, deadline=None)
@given(
    words=st.integers(1, 150),
    some=st.floats(0, 1),
    different=st.sampled_from([1, 3, 10_000]),
    seed=SEEDS,
)
def test_the_likeliest_are_picked_of_few_words_and_of_many(
    words: int, some: float, different: int, seed: int
) -> None:
    x, ids = drawn(words, different, seed)
    place_of = np.argsort(ids)
    places = np.random.default_rng(seed).permutation(words)[: max(1, words * 9 // 10)]
    count = max(1, round(some * len(places)))
    wanted = sorted(places.tolist(), key=lambda place: (-x[place], ids[place]))[:count]
    out = np.full(count, -1)
    most_likely(x, ids, places, out)
    assert out.tolist() == wanted
    out = np.full(count, -1)
    likeliest(x, ids, place_of, places, out)
    assert sorted(out.tolist()) == sorted(wanted)
