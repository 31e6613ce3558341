"""The hot path: hidden states → the numbers of the grid.

C columns (the output last), R timesteps, V words, H units. A block of timesteps at a time: what
their classifiers read, then products and numbers, in the faster of two ways
(`models.decode.numbers`). However long a text is, no more distributions over the vocabulary exist
at once than ``_CELLS``, or those of three timesteps for each thread.
"""

from __future__ import annotations

import torch
from torch import Tensor

from models.decode.arguments import Asked, Out, Words
from models.decode.classifiers import Classifiers, Output
from models.decode.memory import Workspace
from models.decode.numbers import apart, go_together, together
from models.decode.question import Decoded, Question

__all__ = ["Classifiers", "Decoded", "Output", "Question", "Workspace", "decode"]

_CELLS = 480  # × 15,000 words × 4 bytes is 29 MB: 26 timesteps of the shipped model
_VECTORS = 10 * _CELLS  # of cells of which few distributions exist at once


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
    workspace has several threads, torch uses one in each of them meanwhile.
    """
    workspace = workspace or Workspace()
    rows, columns = states.shape[1], classifiers.columns
    out = Decoded.empty(rows, columns, question)
    words = Words.of(classifiers.words, question)
    way, cells = apart, _CELLS
    if go_together(classifiers, rows, workspace.team):
        way, cells = together, _VECTORS
    blocks = -(-rows // max(1, cells // columns))
    step = -(-rows // max(1, blocks))  # alike in size: the products of a few timesteps cost most
    for first in range(0, rows, max(1, step)):
        block = slice(first, first + step)
        read = None if reads is None else reads[block]
        vectors = classifiers.vectors(states[:, block], read, workspace.team)  # (r, C, H)
        way(classifiers, vectors, words, Asked.of(question, block), Out.of(out, block), workspace)
    return out
