"""The Dockerfile and .dockerignore, read without an engine."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]


def stages() -> list[list[tuple[str, str]]]:
    """For each FROM, its instructions as (keyword, rest): lines joined, comments left out."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", "")
    found: list[list[tuple[str, str]]] = []
    for line in filter(None, text.splitlines()):
        keyword, _, rest = line.partition(" ")
        if keyword == "FROM":
            found.append([])
        if found:
            found[-1].append((keyword, rest))
    return found


def every(keyword: str, image: bool = False) -> list[str]:
    """The rest of every instruction of a kind; ``image``: of the last stage alone, which is what
    runs."""
    return [
        rest
        for stage in (stages()[-1:] if image else stages())
        for word, rest in stage
        if word == keyword
    ]


def is_sent(path: str) -> bool:
    """Whether .dockerignore lets a file go to the engine: the last line that matches it, or a
    folder that it is in, decides."""
    sent = True
    whole = [path, *map(str, PurePosixPath(path).parents)][:-1]
    for line in (ROOT / ".dockerignore").read_text().split():
        pattern = line.removeprefix("!")
        anywhere = pattern.startswith("**/")
        tried = [PurePosixPath(name).name for name in whole] if anywhere else whole
        pattern = pattern.removeprefix("**/")
        if any(n.count("/") == pattern.count("/") and fnmatch(n, pattern) for n in tried):
            sent = line.startswith("!")
    return sent
