"""From what the classifiers read to the rows of the answer, in one of two ways.

R timesteps, C columns (the output last), V words, E that the decoder reads.
"""

from __future__ import annotations

import numpy as np

from models.compiling.taking import pieces
from models.decode import packed
from models.decode.arguments import Asked, Out, Words
from models.decode.classifiers import Classifiers
from models.decode.kernel import cells, timesteps
from models.decode.memory import Workspace
from models.team import Team

# Timesteps a thread from which on each is one thread's: of fewer, one would wait for the other.
_MANY = 4
_COLUMNS = 3  # at a time, of a timestep that threads share


def _each_is_one_threads(rows: int, team: Team) -> bool:
    return rows >= _MANY * team.size or team.size == 1


def go_together(classifiers: Classifiers, rows: int, team: Team) -> bool:
    """Whether `together` is the faster way for so many timesteps."""
    return classifiers.decoder is not None and _each_is_one_threads(rows, team)


def together(
    classifiers: Classifiers,
    vectors: np.ndarray,
    words: Words,
    asked: Asked,
    out: Out,
    workspace: Workspace,
) -> None:
    """Each thread takes a timestep or a few, multiplies the vectors (R, C, E) of their cells, and
    writes their numbers: what it has just written is still near."""
    rows, columns, units = vectors.shape
    at_once, team = packed.timesteps_at_once(columns), workspace.team
    logits = workspace.logits(team.size * at_once, columns, len(words.ids))
    scratch = workspace.scratch(len(words.ids))
    flat, shared = vectors.reshape(rows * columns, units), pieces()
    decoder, biases = classifiers.decoder, classifiers.biases

    def write(thread: int) -> None:
        x = logits[thread * at_once : (thread + 1) * at_once]
        timesteps(shared, decoder, flat, biases, x, words, asked, scratch[thread], out)

    team.run([write] * team.size)


def apart(
    classifiers: Classifiers,
    vectors: np.ndarray,
    words: Words,
    asked: Asked,
    out: Out,
    workspace: Workspace,
) -> None:
    """All products first, of which threads take some words at a time; then the numbers, of which
    they take a timestep at a time, or of few timesteps some columns."""
    rows, columns, _ = vectors.shape
    team, scratch = workspace.team, workspace.scratch(len(words.ids))
    logits = workspace.logits(rows, columns, len(words.ids))
    tasks, biases = classifiers.products(vectors, logits, team.size)
    team.run(tasks)
    parts = 1 if _each_is_one_threads(rows, team) else -(-columns // _COLUMNS)
    shared = pieces()

    def write(thread: int) -> None:
        cells(shared, parts, logits, biases, words, asked, scratch[thread], out)

    team.run([write] * team.size)
