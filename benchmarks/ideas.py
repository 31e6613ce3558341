"""What was tried for the decode path, beside what stayed: ``python -m benchmarks.ideas``.

Each line is one step for the C cells of a timestep, on one thread: its time as a multiple of the
way that the program goes. docs/performance.md has a run. An alternative that does not say the same
as the program's way ends the run.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor

from benchmarks import report
from benchmarks.inputs import Inputs
from benchmarks.timing import Spread, in_turn, ratio
from models.artifact import find_models, load_model
from models.compiling.taking import pieces
from models.decode import Workspace, masses, packed, search, sums
from models.decode import buckets as by_bucket
from models.decode.block import ROWS
from models.products import BY_TORCH, matmul
from models.reading import read, rows_of
from models.trace import Tracer, lay_out
from server.settings import Settings

Way = Callable[[], object]
TOP = 0.1


class Step:
    """One step of the path: the program's way first, then the others. agree: to what precision."""

    def __init__(self, name: str, agree: float, **ways: Way) -> None:
        self.name, self.ways = name, {way.replace("_", " "): do for way, do in ways.items()}
        first, *others = (np.asarray(do(), np.float64) for do in ways.values())
        for other in others:
            np.testing.assert_allclose(other, first, atol=agree)

    def rows(self, rounds: int) -> list[list[str]]:
        def ready(do: Way) -> Callable[[], Way]:
            return lambda: do  # nothing is to be made ready

        times = in_turn({name: ready(do) for name, do in self.ways.items()}, rounds)
        own = next(iter(times.values()))
        return [
            [self.name if i == 0 else "", way, str(Spread.of(ms)), f"{ratio(ms, own):.2f}"]
            for i, (way, ms) in enumerate(times.items())
        ]


def _pieces(x: Tensor, count: int) -> list[Tensor]:
    """What is left of x, rounded to bfloat16, again and again."""
    pieces = []
    for _ in range(count):
        pieces.append(x.bfloat16().float())
        x = x - pieces[-1]
    return pieces


@njit
def _softmax(x, out):
    for c in range(len(x)):
        sums.exponentials(x[c], sums.largest(x[c]), out[c])
        scale = np.float32(1 / sums.total(out[c]))
        for i in range(out.shape[1]):
            out[c, i] *= scale
    return out


@njit
def _thresholds(x, none, top, buckets, likely, counts, places, out):
    """likely: empty where all words are to be counted."""
    for c in range(len(x)):
        row = x[c]
        most, lowest = sums.biased(row, none, row)
        by_bucket.in_buckets(row, most, lowest, buckets)
        if len(likely):
            by_bucket.counted(buckets, top, likely, counts)
        else:
            by_bucket.counted_all(buckets, counts)
        bucket, before = by_bucket.bucket_of(counts[0], top)
        n = search.found(buckets, bucket, bucket, places)
        out[c, 0] = np.sort(row[places[:n]])[n - (top - before)]
    return out


@njit
def _divergences(probs, scratch, out):
    one = np.float32(1)
    for c in range(len(probs)):
        sums.both(probs[c], one, probs[-1], one, scratch[c])
        out[c] = sums.total(scratch[c])
    return out


@njit
def _edges(x, none, top, ids, place_of, likely, counts, near, buckets, last, edges):
    """Where the likeliest words end: into buckets and last (C, V), edges (C, 2)."""
    for c in range(len(x)):
        most, lowest = sums.biased(x[c], none, x[c])
        by_bucket.in_buckets(x[c], most, lowest, buckets[c])
        by_bucket.counted(buckets[c], top, likely, counts)
        edges[c] = masses.last_of(x[c], ids, place_of, buckets[c], counts[0], top, near, last[c])


@njit
def _masses(probs, buckets, last, edges, ids, runs, moved, sorted_by, out):
    for c in range(len(probs)):
        bucket, n = edges[c]
        some = last[c, :n]
        masses.add_up(
            probs[c], buckets[c], bucket, some, ids, runs, moved, sorted_by, sorted_by, out[c]
        )
    return out


def steps(seed: int) -> list[Step]:
    """On the logits of one timestep in a held-out sentence of 20."""
    model = load_model(find_models(Settings().model_folder)[0])
    text = Inputs(model.vocabulary, seed).text(20)
    tracer = Tracer(model)
    ids = [row.id for row in rows_of(read(model.vocabulary, text))]
    classifiers = lay_out(model).classifiers["next"]
    vectors = classifiers.vectors(tracer.states(ids))  # (R, C, H)
    weight = classifiers.output.weight  # (V, H)
    x = vectors[10] @ weight.T + classifiers.biases[:, : len(weight)]  # (C, V)
    columns, words = x.shape
    scratch = Workspace().scratch(words)[0]
    buckets, counts, places = scratch.buckets, scratch.counts, scratch.places[0]
    likely, nothing = scratch.likely, scratch.likely[:0]
    found, totals = np.empty((columns, 1), np.float32), np.empty(columns)
    top = int(np.ceil(TOP * words))
    tensor, by_class = torch.from_numpy(x), classifiers.words
    none = np.zeros(words, np.float32)
    probs = torch.softmax(tensor, -1).numpy()
    kept_tensor, one, both = torch.empty(3, columns, words)
    least = np.partition(x, words - top, -1)[:, words - top]
    kept = (x >= least[:, None]).astype(np.float32)
    one_hot = np.zeros((words, int(by_class.classes.max()) + 1), np.float32)
    one_hot[np.arange(words), by_class.classes[by_class.ids]] = 1
    classes = [int(k) for k, _, _ in by_class.runs]
    bucketed, edges = np.empty((columns, words), np.int16), np.empty((columns, 2), np.int64)
    last, by_sums = np.zeros((columns, words), np.int64), np.empty((columns, one_hot.shape[1]))
    order = by_class.ids, by_class.places
    _edges(x, none, top, *order, likely, counts, places, bucketed, last, edges)
    sorted_by = by_class.ids, by_class.runs, places[:0], by_class.classes

    def compiled_sums() -> np.ndarray:
        return _masses(probs, bucketed, last, edges, *sorted_by, by_sums)[:, classes]

    member = {k: one_hot[:, k].astype(bool) for k in classes}
    flat, halves = vectors.reshape(-1, vectors.shape[-1]), torch.bfloat16
    out = np.empty((len(flat), words), np.float32)
    flat_half = torch.from_numpy(flat).to(halves)
    weight_half = torch.from_numpy(weight).to(halves)

    blocks = packed.packed(torch.from_numpy(weight))
    written = np.empty((len(flat), words + ROWS), np.float32)
    nothing_added = np.zeros_like(written[:1])

    def in_halves() -> np.ndarray:
        packed.products(pieces(), blocks, flat, nothing_added, written)
        return written[:, :words]

    def in_float32(by_torch: bool) -> np.ndarray:
        matmul(flat, weight, out, by_torch)
        return out

    # A number of single precision is the sum of three of bfloat16, one of half precision of two.
    a, w = _pieces(torch.from_numpy(flat), 3), _pieces(torch.from_numpy(weight), 2)
    whole = torch.zeros(len(flat), words)

    def in_bfloat16(pairs: list[tuple[int, int]]) -> Tensor:
        """Σ aᵢ · wⱼᵀ over the pairs: factors of bfloat16, products and sums of single precision."""
        matmuls: Any = torch.backends.mkldnn.matmul  # type: ignore[attr-defined]
        before, matmuls.fp32_precision = matmuls.fp32_precision, "bf16"
        try:
            whole.zero_()
            for i, j in pairs:
                whole.addmm_(a[i], w[j].t())
        finally:
            matmuls.fp32_precision = before
        return whole

    def numpy_softmax() -> np.ndarray:
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    def by_counting() -> np.ndarray:
        """Radix counting: the order of floats is that of their bits, sixteen of them at a time."""
        bits = x.view(np.int32)
        bits = np.where(bits < 0, bits ^ 0x7FFFFFFF, bits).astype(np.int64) + 2**31
        found = np.empty((columns, 1), np.float32)
        for c, row in enumerate(bits):
            high, wanted = row >> 16, top
            counts = np.bincount(high, minlength=1 << 16)[::-1].cumsum()
            at = int(np.searchsorted(counts, wanted))
            wanted -= int(counts[at - 1]) if at else 0
            low = row[high == (1 << 16) - 1 - at]
            found[c] = x[c][row == np.partition(low, len(low) - wanted)[len(low) - wanted]][0]
        return found

    def masked_sums() -> np.ndarray:
        return np.stack([np.where(member[k], probs * kept, 0).sum(-1) for k in classes], -1)

    def runs() -> np.ndarray:
        runs = [slice(first, end) for _, first, end in by_class.runs]
        return np.stack([np.vecdot(probs[:, run], kept[:, run]) for run in runs], -1)

    def torch_divergence() -> np.ndarray:
        torch.add(torch.from_numpy(probs), torch.from_numpy(probs[-1] + np.float32(1e-37)), out=one)
        torch.log(one, out=both)
        return np.vecdot(one.numpy(), both.numpy())

    products: dict[str, Way] = {
        "float32": lambda: in_float32(BY_TORCH),
        "halves_packed": in_halves,
    }
    return [
        Step(
            "all products, 20 timesteps",
            0.2,  # of a logit: what half precision costs
            **(products if not packed.ALWAYS else dict(reversed(products.items()))),
            float32_by_numpy=lambda: in_float32(False),
            float32_by_torch=lambda: in_float32(True),
            float32_into_new_memory=lambda: np.matmul(flat, weight.T),
            bfloat16=lambda: torch.mm(flat_half, weight_half.t()).float(),
            bfloat16_into_float32=lambda: in_bfloat16([(0, 0)]),
            bfloat16_in_pieces=lambda: in_bfloat16([(0, 0), (1, 0), (0, 1), (2, 0), (1, 1)]),
        ),
        Step(
            "softmax",
            1e-6,
            compiled=lambda: _softmax(x, one.numpy()),
            torch_into_kept_memory=lambda: torch.softmax(tensor, -1, out=kept_tensor),
            torch_into_new_memory=lambda: torch.softmax(tensor, -1),
            numpy=numpy_softmax,
        ),
        Step(
            "10 % threshold",
            0.0,
            counting_in_buckets=lambda: _thresholds(
                x, none, top, buckets, likely, counts, places, found
            ),
            counting_all_words=lambda: _thresholds(
                x, none, top, buckets, nothing, counts, places, found
            ),
            numpy_partition=lambda: np.partition(x, words - top, -1)[:, words - top, None],
            torch_topk=lambda: torch.topk(tensor, top, -1).values[:, -1:],
            torch_kthvalue=lambda: tensor.kthvalue(words - top + 1, -1, keepdim=True).values,
            numpy_sort=lambda: np.sort(x, -1)[:, words - top, None],
            counting_of_bits=by_counting,
        ),
        Step(
            "Σ 2m ln 2m",
            1e-4,
            compiled=lambda: _divergences(probs, one.numpy(), totals),
            torch_and_numpy=torch_divergence,
            numpy=lambda: ((v := probs + probs[-1] + np.float32(1e-37)) * np.log(v)).sum(-1),
        ),
        Step(
            "class masses",
            1e-5,
            words_sorted_by_class_compiled=compiled_sums,
            words_sorted_by_class=runs,
            product_with_a_matrix_of_classes=lambda: ((probs * kept) @ one_hot)[:, classes],
            masked_sums=masked_sums,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the text that is drawn")
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    torch.set_num_threads(1)
    report.flush(report.machine(1), report.load(), "")
    rows = [row for step in steps(options.seed) for row in step.rows(options.rounds)]
    report.flush(report.table(["step", "way", "ms", "× the program's"], rows))


if __name__ == "__main__":
    main()
