"""Products of packed matrices of half precision, against numpy's in double precision."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.compiling import lines, reads_halves
from models.compiling.taking import pieces
from models.decode import Classifiers, Output, packed
from models.decode.block import ROWS
from models.heads import SharedHeads
from models.precision import reads_as_halves
from models.team import Team

SIZES = {
    "rows": st.integers(1, 70),
    "columns": st.integers(1, 40),
    "vectors": st.integers(1, 40),  # of several groups, the last not full
    "seed": st.integers(0, 1000),
}


def drawn(*shape: int, seed: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


@settings(max_examples=80, deadline=None)
@given(**SIZES)
def test_products_are_those_of_the_numbers(
    rows: int, columns: int, vectors: int, seed: int
) -> None:
    matrix = drawn(rows, columns, seed=seed).half().float()
    left = drawn(vectors, columns, seed=seed + 1).numpy()
    blocks = packed.packed(matrix)
    out = np.full((vectors + 1, lines.whole_lines(rows) + 16), 7, np.float32)
    added = drawn(3, lines.whole_lines(rows), seed=seed + 2).numpy()
    packed.products(pieces(), blocks, left, added, out[:vectors])
    wanted = left.astype(np.float64) @ matrix.double().numpy().T
    wanted += added[np.arange(vectors) % 3, :rows]
    np.testing.assert_allclose(out[:vectors, :rows], wanted, rtol=1e-5, atol=1e-5)
    assert (out[vectors] == 7).all()  # nothing is written after the last of the vectors
    assert (out[:, lines.whole_lines(rows) :] == 7).all()


def test_a_large_matrix_is_multiplied_to_its_end() -> None:
    """By two threads, of which each may take several runs of blocks, and by one."""
    matrix, left = drawn(1400, 7, seed=0).half().float(), drawn(40, 7, seed=1)
    blocks = packed.packed(matrix)
    out = np.full((40, lines.whole_lines(1400)), np.nan, np.float32)
    assert len(blocks) > 4 * packed._RUN
    none = np.zeros_like(out[:1])
    for threads in (1, 2):
        out[:], shared = np.nan, pieces()
        Team(threads).run(
            [lambda _, of=shared: packed.products(of, blocks, left.numpy(), none, out)] * threads
        )
        np.testing.assert_allclose(out[:, :1400], (left @ matrix.T).numpy(), rtol=1e-5, atol=1e-5)


def test_what_another_thread_has_taken_is_left_to_it() -> None:
    blocks = packed.packed(drawn(1400, 7, seed=0).half().float())
    left, out = np.ones((3, 7), np.float32), np.full((3, lines.whole_lines(1400)), 7, np.float32)
    shared = pieces()
    shared[0] = 2  # the first two, by somebody else
    packed.products(shared, blocks, left, np.zeros_like(out[:1]), out)
    taken = 2 * packed._RUN * ROWS
    assert (out[:, :taken] == 7).all()
    assert (out[:, taken:] != 7).all()


def test_what_has_no_room_is_refused() -> None:
    blocks = packed.packed(drawn(20, 8, seed=0).half().float())
    left, out = np.zeros((2, 8), np.float32), np.zeros((2, 64), np.float32)
    added = np.zeros((1, 64), np.float32)
    for vectors, bias, into in [
        (left, added, out[:, :20]),  # no whole blocks
        (left, added, out[:, ::2]),  # not one beside the other
        (left, added, out[:1]),
        (left[:, :4], added, out),
        (left, added[:, :20].copy(), out),
        (left, added[:0], out),
    ]:
        with pytest.raises(ValueError, match=r"no room|as long|beside|not enough"):
            packed.products(pieces(), blocks, vectors, bias, into)
    kinds, offsets = blocks[None], np.zeros((1, 32), np.float32)
    states = np.zeros((1, 3, 8), np.float32)
    for into in (np.zeros((3, 1, 20), np.float32), np.zeros((2, 1, 32), np.float32)):
        with pytest.raises(ValueError, match="no room"):
            packed.projections(pieces(), kinds, offsets, states, into)
    with pytest.raises(ValueError, match="not as many kinds"):
        packed.projections(pieces(), kinds, offsets, states[[0, 0]], np.zeros((3, 2, 32), "f"))
    short, into = offsets[:, :20].copy(), np.zeros((3, 1, 32), np.float32)
    with pytest.raises(ValueError, match="not enough"):
        packed.projections(pieces(), kinds, short, states, into)


@pytest.mark.parametrize("timesteps", [1, 4, 5, 20])
def test_projections_are_those_of_the_heads(timesteps: int) -> None:
    kinds, units = 3, 21
    heads = SharedHeads(
        drawn(kinds, units, units, seed=0).half().float(),
        drawn(kinds, units, seed=1),
        drawn(kinds, 50, seed=2),
    )
    states = drawn(kinds, timesteps, units, seed=3)
    output = Output(drawn(50, units, seed=4), drawn(50, seed=5), np.arange(50) % 3)
    got = Classifiers(heads, output).vectors(states)
    wanted = heads.project(states).transpose(0, 1).numpy()
    np.testing.assert_allclose(got[:, :kinds], wanted, atol=1e-5)
    assert (got[:, kinds] == states[-1].numpy()).all()


def test_few_vectors_are_filled_up() -> None:
    """Of one timestep at a time, or of the two or three whose cells fill their groups better."""
    for columns in range(1, 80):
        at_once = packed.timesteps_at_once(columns)
        filled = [
            min(-(-columns * n // size) * size for size in packed.SIZES) / (columns * n)
            for n in (1, 2, 3)
        ]
        assert 1 <= at_once <= 3
        assert at_once == 3 or filled[at_once - 1] <= 1.05
        assert all(part > 1.05 for part in filled[: at_once - 1])


def test_what_is_no_number_of_half_precision_is_not_packed() -> None:
    matrix = drawn(2000, 3, seed=0).half().float()
    assert reads_as_halves(matrix) == reads_halves()  # elsewhere the library is faster
    for value in (0.1, 1e6, float("inf"), float("nan"), 1e-9):
        other = matrix.clone()
        other[1999, 2] = value
        assert not reads_as_halves(other)
    bias, classes = drawn(2000, seed=1), np.zeros(2000, np.int64)
    assert (Output(matrix, bias, classes).packed is not None) == reads_halves()
    assert Output(other, bias, classes).packed is None


def test_rows_start_at_lines_of_the_cache() -> None:
    rows = lines.at_lines(np.ones((3, 17), np.float32))
    assert rows.shape == (3, 32)
    assert [row.ctypes.data % 64 for row in rows] == [0, 0, 0]
    assert (rows[:, :17] == 1).all()
    assert (rows[:, 17:] == 0).all()
