"""Counting in buckets: as exact where most words are left out as where all are counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.compiling import keeps_some
from models.decode.buckets import (
    _FROM,
    _SAMPLED,
    BUCKETS,
    TABLES,
    bucket_of,
    counted,
    keep_up_to,
)


def count(buckets: np.ndarray, n: int) -> np.ndarray:
    counts = np.full((TABLES, BUCKETS), 7, np.int32)
    counted(buckets, n, np.empty(len(buckets), np.int16), counts)
    return counts[0]


def check(buckets: np.ndarray, n: int) -> None:
    """Up to the bucket of the n-th, the counts are right; and it is that of the n-th."""
    wanted = np.bincount(buckets, minlength=BUCKETS)
    before = np.cumsum(wanted) - wanted
    bucket = int(np.sort(buckets)[n - 1])
    got = count(buckets, n)
    assert bucket_of(got, n) == (bucket, before[bucket])
    assert got[: bucket + 1].tolist() == wanted[: bucket + 1].tolist()


@settings(max_examples=100, deadline=None)
@given(
    words=st.integers(1, 3 * _FROM),
    part=st.floats(0, 1),
    spread=st.sampled_from([1, 3, 100, BUCKETS]),
    seed=st.integers(0, 1000),
)
def test_the_nth_is_found_by_counting(words: int, part: float, spread: int, seed: int) -> None:
    buckets = np.random.default_rng(seed).integers(0, spread, words).astype(np.int16)
    check(buckets, max(1, round(part * words)))


@pytest.mark.parametrize("sampled", [0, BUCKETS - 1])
def test_a_sample_that_misleads_is_not_believed(sampled: int) -> None:
    """Whether the words of the sample are the likeliest, few as they are, or the least likely."""
    buckets = np.random.default_rng(0).integers(5, 900, 3 * _FROM).astype(np.int16)
    buckets[::_SAMPLED] = sampled
    check(buckets, 500)


def test_where_words_are_left_out_most_are() -> None:
    words = 7 * _FROM
    buckets = np.random.default_rng(0).integers(0, BUCKETS, words).astype(np.int16)
    total = count(buckets, words // 10).sum()
    assert words / 10 <= total < words / 5 if keeps_some() else total == words


@settings(max_examples=50, deadline=None)
@given(words=st.integers(0, 200), last=st.integers(-1, 60), seed=st.integers(0, 1000))
def test_what_is_kept_stays_in_order(words: int, last: int, seed: int) -> None:
    buckets = np.random.default_rng(seed).integers(0, 60, words).astype(np.int16)
    room = np.full(words + 64, -5, np.int16)
    n = keep_up_to(buckets, last, out := room[:words])
    assert out[:n].tolist() == buckets[buckets <= last].tolist()
    assert (room[words:] == -5).all()
