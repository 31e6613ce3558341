"""The benchmark: ``make bench``.

Text to numbers against the straightforward program and the floor of its matrix products; the
server's whole answers; the page. Times are medians with quartiles; figures to judge by are ratios
within the run. Texts are held-out sentences, drawn by a seed.
"""

from __future__ import annotations

import os

# Before numpy is imported: threads are the program's own, and each calls BLAS for itself.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import tempfile
from pathlib import Path

from benchmarks import page as pages
from benchmarks import report, serving
from benchmarks.decoding import Bench, Measured, as_linear
from benchmarks.inputs import Inputs
from models.artifact import find_models, load_model
from server.settings import Settings
from tests.fixtures.tiny import make_tiny_model

STEPS = (1, 20, 100, 512)
# (form, timesteps) → most times the floor, least times faster than the straightforward program.
LIMITS = {("shared", 1): (2.5, None), ("shared", 20): (2.0, 10.0)}
GROWTH = 26.0  # of the time from 20 to 512 timesteps
ANSWER_KB, WORKER_MB, READY_MS = 60, 250, 5000
PAGE_MS = (50, 50, 8, 16, 1000 / 60 + 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the texts that are drawn")
    parser.add_argument("--rounds", type=int, default=15, help="repeats of what is quick")
    parser.add_argument("--model-dir", type=Path, help="folder of model folders")
    parser.add_argument("--only", choices=["decoding", "server", "page"])
    parser.add_argument("--store", action="store_true", help="keep the ratios as the baseline")
    options = parser.parse_args()
    settings = Settings()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.model_dir or settings.model_folder
        if not find_models(folder):
            folder = make_tiny_model(Path(scratch)).parent
        model = load_model(find_models(folder)[0])
        inputs = Inputs(model.vocabulary, options.seed)
        source = "held-out sentences of Brown" if inputs.from_brown else "drawn words (no Brown)"
        report.flush(
            f"model {model.id}, V = {len(model.vocabulary):,} × H = {model.network.units}; "
            f"texts: {source}, seed {options.seed}",
            report.machine(settings.torch_threads),
            report.load(),
        )
        if options.only in (None, "decoding"):
            decoding(model, inputs, settings.torch_threads, options)
        if options.only in (None, "server"):
            server(folder, model, inputs, settings.torch_threads, options.rounds)
        if options.only in (None, "page"):
            page(folder, inputs, options.rounds)


def decoding(model, inputs, threads: int, options: argparse.Namespace) -> None:  # type: ignore[no-untyped-def]
    """Text to numbers, and what changed since the baseline."""
    measured: list[Measured] = []
    for form in (model, as_linear(model)):
        bench = Bench(form, inputs, threads)
        for steps in STEPS:
            rounds = max(2, min(options.rounds, 600 // steps))
            measured.append(bench.measure(steps, rounds))
    head = "form|timesteps|this program, ms|floor|straightforward|× floor|× faster|target"
    report.flush("", report.table(head.split("|"), report.decoding_rows(measured, LIMITS)))
    by = {(m.form, m.steps): m.program.ms for m in measured}
    growth = by["shared", 512] / by["shared", 20]
    report.flush(f"512 timesteps take {growth:.1f} × 20: {report.verdict(growth, GROWTH)}")
    results: report.Results = {}
    for m in measured:
        results.setdefault(m.form, {})[str(m.steps)] = m.record()
    report.flush("against the stored baseline:", *report.changes(results))
    report.write(results)
    if options.store:
        report.write(results, report.BASELINE)


def server(folder: Path, model, inputs: Inputs, threads: int, rounds: int) -> None:  # type: ignore[no-untyped-def]
    """Whole answers of 20 timesteps, their parts, many at once, start and memory."""
    rows = [[f"part: {n}", f"{s} ms", ""] for n, s in _parts(model, inputs, threads, rounds)]
    for name, figure in serving.answers(folder, inputs, rounds).items():
        if isinstance(figure, int):
            kilobytes = figure / 1000
            rows.append(["size, gzipped", f"{kilobytes:.1f} kB", _v(kilobytes, ANSWER_KB)])
        else:
            rows.append([f"answer: {name}", f"{figure} ms", ""])
    rate = serving.per_second(folder, inputs, threads, 20 * threads)
    rows.append([f"new texts a second, {threads} workers", f"{rate:.1f}", ""])
    start = serving.ready(folder, 3)
    rows.append(["start to ready", f"{start} ms", _v(start.ms, READY_MS)])
    first, more = serving.memory(folder, inputs)
    rows.append(["memory, one worker", f"{first:.0f} MB", ""])
    rows.append(["memory, each worker more", f"{more:.0f} MB", _v(more, WORKER_MB)])
    report.flush("", report.table(["the server, 20 timesteps", "figure", "target"], rows))


def _parts(model, inputs: Inputs, threads: int, rounds: int):  # type: ignore[no-untyped-def]
    return serving.parts(model, inputs, threads, rounds).items()


_v = report.verdict


def page(folder: Path, inputs: Inputs, rounds: int) -> None:
    """The page in Chromium, where there is one."""
    reason = pages.why_absent()
    if reason:
        report.flush("", f"the page: not measured, {reason}")
        return
    found = pages.page(folder, inputs, rounds)
    rows = [
        [name, f"{spread} ms", _v(round(spread.ms, 1), round(limit, 1))]
        for (name, spread), limit in zip(found.items(), PAGE_MS, strict=True)
    ]
    report.flush("", report.table(["the page", "figure", "target"], rows))


if __name__ == "__main__":
    main()
