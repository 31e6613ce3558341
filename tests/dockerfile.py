"""The Dockerfile and .dockerignore, read without an engine."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]

Step = tuple[str, str]  # keyword, rest


def stages(text: str = "") -> list[list[Step]]:
    """For each FROM, its instructions: lines joined, comments left out. Of the repository's
    Dockerfile, unless given another.
    """
    lines = (text or (ROOT / "Dockerfile").read_text()).splitlines()
    joined = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", "")
    found: list[list[Step]] = []
    for line in filter(None, joined.splitlines()):
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


def is_sent(path: str, context: Path = ROOT) -> bool:
    """Whether .dockerignore lets a file go to the engine: the last line that matches it, or a
    folder that it is in, decides."""
    sent = True
    whole = [path, *map(str, PurePosixPath(path).parents)][:-1]
    for line in (context / ".dockerignore").read_text().split():
        pattern = line.removeprefix("!")
        anywhere = pattern.startswith("**/")
        tried = [PurePosixPath(name).name for name in whole] if anywhere else whole
        pattern = pattern.removeprefix("**/")
        if any(n.count("/") == pattern.count("/") and fnmatch(n, pattern) for n in tried):
            sent = line.startswith("!")
    return sent
