"""The table, the record of a run, and what changed since the stored one."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.decoding import Measured

HERE = Path(__file__).parent
RESULTS, BASELINE = HERE / "results.json", HERE / "baseline.json"
# A ratio that moved less than this is noise.
_NOTED = 0.15

Results = dict[str, dict[str, dict[str, float]]]


def machine(threads: int) -> str:
    """What the figures were measured on."""
    return (
        f"{_processor()}, {threads} threads; Python {platform.python_version()}, "
        f"torch {torch.__version__}, numpy {np.__version__}, {platform.system()}"
    )


def load() -> str:
    """Whether the machine had other work, where the system tells."""
    if not hasattr(os, "getloadavg"):
        return ""
    waiting = os.getloadavg()[0]
    busy = " — other work was going on: trust the ratios, not the times" if waiting > 1 else ""
    return f"load before the run {waiting:.1f}{busy}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown, in columns that line up on a terminal."""
    lines = [list(head), ["---"] * len(head), *map(list, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return "\n".join(
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    )


def verdict(value: float, limit: float, at_least: bool = False) -> str:
    """``value`` against its target, said where it is missed."""
    missed = value < limit if at_least else value > limit
    sign = "≥" if at_least else "≤"
    return f"MISSED {sign} {limit:g}" if missed else f"met {sign} {limit:g}"


def decoding_rows(measured: Sequence[Measured], limits: Mapping[tuple[str, int], Any]) -> list[Any]:
    rows = []
    for m in measured:
        ratio_limit, speed_limit = limits.get((m.form, m.steps), (None, None))
        told = []
        if ratio_limit is not None:
            told.append(f"floor: {verdict(m.ratio_to_floor, ratio_limit)}")
        if speed_limit is not None:
            told.append(f"speed: {verdict(m.speedup, speed_limit, at_least=True)}")
        rows.append(
            [
                m.form,
                str(m.steps),
                str(m.program),
                str(m.floor),
                str(m.straightforward),
                f"{m.ratio_to_floor:.2f}",
                f"{m.speedup:.1f}",
                "; ".join(told),
            ]
        )
    return rows


def write(results: Results, path: Path = RESULTS) -> None:
    path.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def changes(results: Results, path: Path = BASELINE) -> list[str]:
    """A line for each ratio that is not the stored one's: the machine drops out of a ratio."""
    if not path.is_file():
        return ["no baseline is stored"]
    stored: Results = json.loads(path.read_text(encoding="utf-8"))
    lines = []
    for form, steps in results.items():
        for count, now in steps.items():
            before = stored.get(form, {}).get(count)
            if before is None:
                continue
            for name in ("ratio_to_floor", "speedup"):
                change = now[name] / before[name] - 1
                if abs(change) >= _NOTED:
                    text = f"{form}, {count} timesteps: {name} {before[name]} → {now[name]}"
                    lines.append(f"{text} ({change:+.0%})")
    return lines or [f"no ratio moved by {_NOTED:.0%} or more"]


def flush(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)
