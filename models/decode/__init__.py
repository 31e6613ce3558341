"""The hot path: hidden states → the numbers of the grid.

C columns (the output last), R timesteps, V words, H units. A block of timesteps at a time: first
the products of all its cells, of which threads take some words at a time; then the numbers, of
which they take a timestep at a time, or of few timesteps some columns. However long a text is, no
more than ``_CELLS`` distributions over the vocabulary exist at once.
"""

from __future__ import annotations

import torch
from torch import Tensor

from models.decode.classifiers import Classifiers, Output
from models.decode.memory import Workspace
from models.decode.numbers import decode_timesteps
from models.decode.question import Decoded, Question

__all__ = ["Classifiers", "Decoded", "Output", "Question", "Workspace", "decode"]

_CELLS = 480  # × 15,000 words × 4 bytes is 29 MB: 26 timesteps of the shipped model


@torch.no_grad()
def decode(
    classifiers: Classifiers,
    states: Tensor,
    question: Question,
    workspace: Workspace | None = None,
    reads: Tensor | None = None,
) -> Decoded:
    """Decode the states (C − 1, R, H) of every kind, and the network's own output; see `Decoded`.

    reads: (R, E), what the decoder reads, where that is not the last of the states.

    Exact: ties are broken by word id, the smaller first, in bars, masses and ranks. Where the
    workspace has several threads, torch is to use one in each (`torch.set_num_threads`).
    """
    workspace = workspace or Workspace()
    team = workspace.team
    rows, columns, words = states.shape[1], classifiers.columns, len(classifiers.words)
    out = Decoded.empty(rows, columns, question)
    scratch = workspace.scratch(words)
    moved = classifiers.words.moved(question.classes)
    blocks = -(-rows // max(1, _CELLS // columns))
    step = -(-rows // max(1, blocks))  # alike in size: the products of a few timesteps cost most
    for first in range(0, rows, max(1, step)):
        block = slice(first, first + step)
        read = None if reads is None else reads[block]
        vectors = classifiers.vectors(states[:, block], read, team)  # (r, C, H)
        logits = workspace.logits(len(vectors), columns, words)  # (r, C, V′)
        tasks, biases = classifiers.products(vectors, logits, team.size)
        team.run(tasks)
        these = slice(first, first + len(vectors))
        decode_timesteps(
            logits, biases, classifiers.words, question, moved, these, out, scratch, team
        )
    return out
