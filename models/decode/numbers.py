"""From the logits of some timesteps to the rows of the answer."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from models.compiling.taking import pieces
from models.decode.kernel import cells
from models.decode.memory import Scratch
from models.decode.question import Decoded, Question
from models.decode.word_order import WordOrder
from models.team import Team

# Timesteps a thread from which on each is one thread's: of fewer, one would wait for the other.
_MANY = 4
_COLUMNS = 3  # at a time, of a timestep that threads share


def decode_timesteps(
    x: np.ndarray,
    biases: np.ndarray,
    words: WordOrder,
    question: Question,
    moved: np.ndarray,
    rows: slice,
    out: Decoded,
    scratch: list[Scratch],
    team: Team,
) -> None:
    """Write into ``rows`` of ``out`` what the logits x (R, C, V′) say, without the biases (C, V′);
    or with them, of which there are then (0, V′).

    moved: places of the words that the question puts in another class than they are sorted by.
    scratch: of each thread.
    """
    count, columns, _ = x.shape
    parts = 1 if count >= _MANY * team.size or team.size == 1 else -(-columns // _COLUMNS)
    shared, watch = pieces(), -1 if question.watch is None else question.watch
    to = [getattr(out, field.name)[rows] for field in fields(out)]  # in the order of `Decoded`

    def write(thread: int) -> None:
        own = scratch[thread]
        cells(
            shared,
            parts,
            x,
            biases,
            words.ids,
            words.places,
            question.classes,
            words.classes,
            words.runs,
            moved,
            question.top_words,
            question.labels[rows],
            question.next_ids[rows],
            watch,
            own.rows,
            own.buckets,
            own.likely,
            own.counts,
            own.places,
            *to,
        )

    team.run([write] * team.size)
