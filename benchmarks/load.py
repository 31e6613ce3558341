"""Under load: ``make load``. A server of its own on this machine is asked for new texts of 20
timesteps at 1, 2 and 4 times what it can answer.

Capacity is what clients get that wait for each answer. Client and server share the cores.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks import report, serving
from benchmarks.traffic import Told, Traffic, plain, texts
from models.artifact import find_models, load_model
from server.settings import Settings
from tests.running import serving as started

TIMES = (0.5, 1, 2, 4)
MOST = 3.0  # × the p99 of an idle server, of what is served at 4 times the capacity


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="of each rate")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--queue", type=int, default=Settings.queue, help="that may wait")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder: Path = Settings().model_folder
    words = plain(load_model(find_models(folder)[0]).vocabulary.words)
    threads = Settings(workers=options.workers).torch_threads
    report.flush(report.machine(threads), report.load(), "")
    running = {"workers": options.workers, "queue": options.queue, "log": "off", "recycle": 0}
    with started(folder, **running) as server:
        traffic = Traffic(server.url, texts(words, options.seed))
        traffic.one_by_one(30, 0.01)  # warm
        idle = traffic.one_by_one(200)
        clients = 2 * options.workers  # one asks while the other's question runs
        capacity = traffic.without_pause(clients, options.seconds).rate
        rows = [row("idle, one by one", idle, serving.held(server))]
        for times in TIMES:
            told = traffic.at_rate(times * capacity, options.seconds, options.seed)
            name = f"{times:g} × capacity ({times * capacity:.0f}/s)"
            rows.append(row(name, told, serving.held(server)))
    head = "load|served/s|p50, ms|p99, ms|refused|p99 of refusals, ms|failed|memory, MB"
    ratio = told.percentile(99) / idle.percentile(99)
    report.flush(
        report.table(head.split("|"), rows),
        f"capacity {capacity:.1f}/s, {options.workers} workers, {options.queue} may wait in each",
        f"p99 of the served at {TIMES[-1]:g} × capacity is {ratio:.2f} × idle: "
        + report.verdict(ratio, MOST),
    )


def row(name: str, told: Told, megabytes: float) -> list[str]:
    figures = (told.rate, told.percentile(50), told.percentile(99))
    shown = [name, *(f"{figure:.1f}" for figure in figures), f"{len(told.refused)} of {told.sent}"]
    late = f"{told.percentile(99, told.refused):.1f}" if told.refused else ""
    return [*shown, late, str(told.failed), f"{megabytes:.0f}"]


if __name__ == "__main__":
    main()
