"""Write deploy/requirements.lock: what the image installs, each with its hash. ``make lock``.

What pip would install now for the Python of the Dockerfile on Linux, x86-64; run it there. The
PyTorch is the CPU build, from wherever pip is told to find that.
"""

from __future__ import annotations

import json
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


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needs = project["project"]["dependencies"] + project["build-system"]["requires"]
    lines = [
        f"{name}=={version} \\\n    --hash=sha256:{digest}\n"
        for name, version, digest in resolved(needs)
    ]
    head = "# By `make lock`: what the image installs, for Python 3.11 on Linux, x86-64.\n"
    LOCK.write_text(head + "".join(lines))


if __name__ == "__main__":
    main()
