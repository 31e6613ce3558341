"""From the logits of a timestep to a row of the answer."""

from __future__ import annotations

import math

import numpy as np

from models.decode.kernel import timestep
from models.decode.memory import Scratch
from models.decode.question import Decoded, Question
from models.decode.word_order import WordOrder


def decode_timestep(
    x: np.ndarray,
    biases: np.ndarray,
    words: WordOrder,
    question: Question,
    moved: np.ndarray,
    r: int,
    columns: slice,
    out: Decoded,
    scratch: Scratch,
) -> None:
    """Write into row ``r`` of ``out`` what some columns of the logits x (C, V′), without biases
    (C, V′), say.

    moved: places of the words that the question puts in another class than they are sorted by.
    """
    label, following, watch = question.labels[r], question.next_ids[r], question.watch
    asked = [label] if watch is None else [label, watch]
    ranks = np.empty((len(x), len(asked)), np.int32)
    probs, of_next = np.empty(ranks.shape, np.float32), np.empty(3)
    timestep(
        x,
        biases,
        columns.start,
        columns.stop,
        words.ids,
        question.classes,
        words.classes,
        words.runs,
        moved,
        question.top_words,
        np.array([_place(words, id) for id in asked]),
        _place(words, following),
        scratch.rows,
        scratch.buckets,
        scratch.likely,
        scratch.counts,
        scratch.places,
        out.top_ids[r],
        out.top_probs[r],
        out.mass[r],
        out.entropy[r],
        out.divergence[r],
        ranks,
        probs,
        of_next,
    )
    out.label_ranks[r, columns], out.label_probs[r, columns] = ranks[columns, 0], probs[columns, 0]
    if watch is not None:
        out.watch_ranks[r, columns] = ranks[columns, 1]
        out.watch_probs[r, columns] = probs[columns, 1]
    if columns.stop == len(x):
        rank, p, log_p = of_next
        out.next_ranks[r], out.next_probs[r] = rank, p
        out.surprisal[r] = np.maximum(0.0, -log_p / math.log(2))  # nan stays nan


def _place(words: WordOrder, id: int) -> int:
    return int(words.places[id]) if id >= 0 else -1
