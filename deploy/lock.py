"""Write deploy/requirements.lock: what the image installs, each with its hash. ``make lock``.

What pip would install now for the Python of the Dockerfile on Linux, x86-64; elsewhere it is
refused. The PyTorch is the CPU build, from wherever pip is told to find that.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / "deploy" / "requirements.lock"


def resolved(needs: list[str]) -> list[tuple[str, str, str]]:
    """(name, version, SHA-256) of everything that the needs bring, by name."""
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        options = ["--quiet", "--dry-run", "--ignore-installed", "--only-binary", ":all:"]
        subprocess.run(
            [sys.executable, "-m", "pip", "install", *options, "--report", report, *needs],
            check=True,
        )
        plan = json.loads(report.read_text())["install"]
    return sorted(
        (
            re.sub(r"[-_.]+", "-", one["metadata"]["name"]).lower(),
            one["metadata"]["version"],
            one["download_info"]["archive_info"]["hashes"]["sha256"],
        )
        for one in plan
    )


def fault(version: tuple[int, int], system: str, processor: str, dockerfile: str) -> str | None:
    """What the lock cannot be written with, in a sentence; None for the Dockerfile's own Python."""
    wanted = re.search(r"^FROM python:(\d+)\.(\d+)", dockerfile, re.MULTILINE)
    assert wanted, "the Dockerfile begins from an image of Python"
    python = tuple(map(int, wanted.groups()))
    if (version, system, processor) == (python, "Linux", "x86_64"):
        return None
    return (
        f"The lock is for the Dockerfile's Python, {'.'.join(wanted.groups())} on Linux, x86_64; "
        f"this is {'.'.join(map(str, version))} on {system}, {processor}, for which pip would take "
        "other files."
    )


def main() -> None:
    wrong = fault(
        sys.version_info[:2],
        platform.system(),
        platform.machine(),
        (ROOT / "Dockerfile").read_text(),
    )
    if wrong:
        sys.exit(wrong)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needs = project["project"]["dependencies"] + project["build-system"]["requires"]
    found = resolved(needs)
    if not any(name == "torch" and version.endswith("+cpu") for name, version, _ in found):
        sys.exit("pip finds no CPU build of PyTorch: name its index in PIP_EXTRA_INDEX_URL.")
    lines = [
        f"{name}=={version} \\\n    --hash=sha256:{digest}\n" for name, version, digest in found
    ]
    head = "# By `make lock`: what the image installs, for Python 3.11 on Linux, x86-64.\n"
    LOCK.write_text(head + "".join(lines))


if __name__ == "__main__":
    main()
