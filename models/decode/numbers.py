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
    out: Decoded,
    scratch: Scratch,
) -> None:
    """Write into row ``r`` of ``out`` what the logits x (C, V), without biases (C, V), say.

    moved: places of the words that the question puts in another class than they are sorted by.
    """
    label, following, watch = question.labels[r], question.next_ids[r], question.watch
    asked = [-1 if id is None or id < 0 else words.places[id] for id in (label, following, watch)]
    ranks = np.empty((len(x), len(asked)), np.int32)
    probs, log_probs = np.empty(ranks.shape, np.float32), np.empty(ranks.shape)
    timestep(
        x,
        biases,
        words.ids,
        question.classes,
        words.classes,
        words.runs,
        moved,
        question.top_words,
        np.array(asked),
        scratch.rows,
        scratch.buckets,
        scratch.counts,
        scratch.places,
        out.top_ids[r],
        out.top_probs[r],
        out.mass[r],
        out.entropy[r],
        out.divergence[r],
        ranks,
        probs,
        log_probs,
    )
    out.label_ranks[r], out.label_probs[r] = ranks[:, 0], probs[:, 0]
    out.next_ranks[r], out.next_probs[r] = ranks[-1, 1], probs[-1, 1]
    out.surprisal[r] = np.maximum(0.0, -log_probs[-1, 1] / math.log(2))  # nan stays nan
    if watch is not None:
        out.watch_ranks[r], out.watch_probs[r] = ranks[:, 2], probs[:, 2]
