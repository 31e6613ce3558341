"""What the compiled functions are given, in groups whose members have names.

R timesteps, C columns (the output last), V words in the order of `WordOrder`, K classes, B bars. V′
is V or a few more, so that rows start at lines of the processor's cache.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np
from numba import types

from models.compiling import lines
from models.decode.buckets import BUCKETS, TABLES
from models.decode.question import Decoded, Question
from models.decode.word_order import WordOrder

_INT, _ID, _REAL = types.int64, types.int32, types.float32


class Words(NamedTuple):
    """Of a `WordOrder`, and what a question asks of it."""

    ids: np.ndarray  # (V,) of the word at each place
    place_of: np.ndarray  # (V,) its inverse
    sorted_by: np.ndarray  # (V,) class by id, as the places are sorted by
    runs: np.ndarray  # (·, 3) class, first place and the one after the last
    classes: np.ndarray  # (V,) class by id, as asked for
    moved: np.ndarray  # places of the words whose two classes differ

    @classmethod
    def of(cls, words: WordOrder, question: Question) -> Words:
        moved = words.moved(question.classes)
        return cls(words.ids, words.places, words.classes, words.runs, question.classes, moved)


class Asked(NamedTuple):
    """Of a `Question`, for some of its timesteps."""

    top_words: int
    watch: int  # id of a word that is asked for in every cell, −1 for none
    labels: np.ndarray  # (R,) ids of words that are asked for in every column, −1 for none
    following: np.ndarray  # (R,) id of the actual next word, −1 for none

    @classmethod
    def of(cls, question: Question, rows: slice) -> Asked:
        watch = -1 if question.watch is None else question.watch
        return cls(question.top_words, watch, question.labels[rows], question.next_ids[rows])


class Scratch(NamedTuple):
    """Memory of one thread."""

    rows: np.ndarray  # (4, V′)
    buckets: np.ndarray  # (V,)
    likely: np.ndarray  # (V,)
    counts: np.ndarray  # (TABLES, BUCKETS)
    places: np.ndarray  # (2, V)

    @classmethod
    def empty(cls, words: int) -> Scratch:
        return cls(
            rows=lines.empty(4, lines.whole_lines(words)),
            buckets=np.empty(words, np.int16),
            likely=np.empty(words, np.int16),
            counts=np.empty((TABLES, BUCKETS), np.int32),
            # Of logits that are no numbers not all are written that are read: those are to be
            # places.
            places=np.zeros((2, words), np.int64),
        )


class Out(NamedTuple):
    """Where the numbers go: the arrays of `Decoded`, for some of its timesteps."""

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
    watch_ranks: np.ndarray
    watch_probs: np.ndarray

    @classmethod
    def of(cls, decoded: Decoded, rows: slice) -> Out:
        return cls(**{field.name: getattr(decoded, field.name)[rows] for field in fields(decoded)})


def _typed(group: Any, *members: Any) -> Any:
    return types.NamedTuple(members, group)  # type: ignore[no-untyped-call]


WORDS = _typed(Words, _INT[::1], _INT[::1], _INT[::1], _INT[:, ::1], _INT[::1], _INT[::1])
ASKED = _typed(Asked, _INT, _INT, _INT[::1], _INT[::1])
SCRATCH = _typed(
    Scratch,
    _REAL[:, ::1],
    types.int16[::1],
    types.int16[::1],
    _ID[:, ::1],
    _INT[:, ::1],
)
OUT = _typed(
    Out,
    _ID[:, :, ::1],
    _REAL[:, :, ::1],
    _REAL[:, :, ::1],
    _REAL[:, ::1],
    _REAL[:, ::1],
    _ID[:, ::1],
    _REAL[:, ::1],
    _ID[::1],
    _REAL[::1],
    _REAL[::1],
    _ID[:, ::1],
    _REAL[:, ::1],
)
