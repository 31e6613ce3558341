"""From logits to the numbers of the grid, and from a cell's vector to its numbers, compiled.

R timesteps, C columns (the output last), V words, E that the decoder reads; see
`models.decode.arguments`.
"""

from __future__ import annotations

import numpy as np
from numba import types

from models.compiling import compiled
from models.compiling.taking import take
from models.decode.arguments import ASKED, OUT, SCRATCH, WORDS
from models.decode.cell import output_of, write_cell
from models.decode.packed import check, multiply_all
from models.decode.sums import exponentials, largest, terms, total

_F = np.float32
_LN2 = float(np.log(2))
_PIECES, _ROWS, _CELLS = types.int64[::1], types.float32[:, ::1], types.float32[:, :, ::1]


@compiled(types.void(_PIECES, types.int64, _CELLS, _ROWS, WORDS, ASKED, SCRATCH, OUT))
def cells(
    shared,  # `pieces`, of the threads that write these cells
    parts,  # of a timestep's columns, each a piece
    x,  # (R, C, V′) logits
    biases,  # (C, V′) that are to be added yet, or (0, V′)
    words,
    asked,
    scratch,
    out,
):
    """From the logits of some timesteps to their numbers in the grid: of the pieces that no other
    thread takes."""
    of, of_output = -1, (0.0, 0.0)  # the timestep whose output is known
    columns = x.shape[1]
    while True:
        piece = take(shared.ctypes.data)
        r, part = piece // parts, piece % parts
        if r >= len(x):
            return
        if r != of:
            of, of_output = r, output_of(x[r], biases, scratch)
        for c in range(part * columns // parts, (part + 1) * columns // parts):
            write_cell(x[r], biases, r, c, of_output, words, asked, scratch, out)


@compiled(
    types.void(
        _PIECES,
        types.uint16[:, :, ::1],
        types.float32[:, :],
        _ROWS,
        _CELLS,
        WORDS,
        ASKED,
        SCRATCH,
        OUT,
    )
)
def timesteps(
    shared,  # `pieces`, of the threads that write these timesteps
    blocks,  # (V′ / ROWS, E, ROWS) the decoder, `packed.packed`
    vectors,  # (R · C, E)
    added,  # (C, V′) biases
    x,  # (S, C, V′) for the logits of so many timesteps at a time
    words,
    asked,
    scratch,
    out,
):
    """From what the decoder reads to the numbers of some timesteps: a few of them at a time, whose
    logits stay where the processor is quick to find them; of those that no other thread takes."""
    at_once, columns = len(x), len(added)
    rows, biases = len(vectors) // columns, added[:0]
    check(blocks, vectors, added, x.reshape(at_once * columns, x.shape[2]), at_once * columns)
    while True:
        first = take(shared.ctypes.data) * at_once
        if first >= rows:
            return
        end = min(first + at_once, rows)
        some = x[: end - first]
        multiply_all(
            blocks,
            vectors[first * columns : end * columns],
            added,
            some.reshape(len(some) * columns, x.shape[2]),
        )
        for r in range(first, end):
            of_output = output_of(x[r - first], biases, scratch)
            for c in range(columns):
                write_cell(x[r - first], biases, r, c, of_output, words, asked, scratch, out)


@compiled("void(float32[:,::1], float32[:,::1], float32[:,::1], float64[::1])")
def divergences(first, second, rows, out):
    """Jensen–Shannon, in bits, of the distributions of logits (N, V), row by row, into out (N,); 0
    exactly for equals, 1 for disjoint ones. rows: (3, V) scratch.
    """
    p, q = rows[0], rows[1]
    for n in range(len(first)):
        for x, e in ((first[n], p), (second[n], q)):
            exponentials(x, largest(x), e)
        scale_p, scale_q = _F(1.0 / total(p)), _F(1.0 / total(q))
        terms(p, scale_p, q, scale_q, rows[2])
        nats = total(rows[2])
        terms(q, scale_q, p, scale_p, rows[2])
        nats += total(rows[2])
        out[n] = min(max(nats / (2 * _LN2), 0.0), 1.0)
