"""For a long time: ``make soak``. A server of its own on this machine at half of what it can
answer, its memory looked at all the while, and the slope of it told with its uncertainty.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks import report, serving
from benchmarks.traffic import Traffic, plain, texts
from models.artifact import find_models, load_model
from server.settings import Settings
from tests.running import serving as started

SETTLED = 0.2  # of the time: caches fill and the allocator finds its size; not part of the slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder = Settings().model_folder
    words = plain(load_model(find_models(folder)[0]).vocabulary.words)
    report.flush(report.machine(Settings(workers=options.workers).torch_threads), report.load(), "")
    samples: list[tuple[float, float]] = []
    # Nothing is replaced meanwhile: a leak must not end with the process that has it.
    with started(folder, workers=options.workers, log="off", recycle=0) as server:
        before = server.workers()
        traffic = Traffic(server.url, texts(words, options.seed))
        traffic.one_by_one(30, 0.01)
        capacity = traffic.without_pause(3 * options.workers, 10).rate
        began = shown = time.monotonic()

        def look() -> None:
            nonlocal shown
            now = time.monotonic()
            if not samples or now - began - samples[-1][0] >= 5:
                samples.append((now - began, serving.held(server)))
            if now - shown >= 60:
                shown = now
                told, (at, held) = traffic.told, samples[-1]
                report.flush(
                    f"{at / 60:5.1f} min  {held:7.1f} MB  {len(told.served)} served, "
                    f"{len(told.refused)} refused, {told.failed} failed"
                )

        told = traffic.at_rate(capacity / 2, options.minutes * 60, options.seed, look)
        alive = server.workers() == before  # by their ids: one that dies is replaced
    at, held = (np.array(column) for column in zip(*samples, strict=True))
    slope, error = slope_of(at, held)
    half = len(told.served) // 2
    report.flush(
        "",
        f"{told.seconds / 60:.1f} minutes at {capacity / 2:.1f}/s, half of the capacity: "
        f"{told.sent} sent, {len(told.served)} served, {len(told.refused)} refused, "
        f"{told.failed} failed; the workers are {'those it began with' if alive else 'OTHERS'}",
        f"p99, ms: {told.percentile(99, told.served[:half]):.0f} in the first half, "
        f"{told.percentile(99, told.served[half:]):.0f} in the second",
        f"memory, MB: {held[0]:.1f} at first, {held[-1]:.1f} at last; after the first "
        f"{SETTLED:.0%} of the time {slope:+.1f} ± {error:.1f} an hour (two standard errors; "
        f"samples that follow each other are alike, so the true uncertainty is larger)",
    )


def slope_of(at: np.ndarray, held: np.ndarray) -> tuple[float, float]:
    """Megabytes an hour and two standard errors of a straight line through what came after
    `SETTLED`. at: seconds.
    """
    after = at >= SETTLED * at[-1]
    hours, held = at[after] / 3600, held[after]
    x = hours - hours.mean()
    slope = float((x * held).sum() / (x * x).sum())
    rest = held - held.mean() - slope * x
    error = np.sqrt((rest * rest).sum() / max(1, len(x) - 2) / (x * x).sum())
    return slope, 2 * float(error)


if __name__ == "__main__":
    main()
