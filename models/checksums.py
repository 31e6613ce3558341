"""``SHA256SUMS`` of a model folder: its files are those that were written, to the last byte.

Weights with one bit changed decode something that looks like sense. The file is in the format of
``sha256sum``, which checks it too. A folder has it once its model is evaluated; whatever writes to
the folder later takes it away. ``config.json`` is not in it: its texts may be edited. What it says
of the weights is checked against them, and where they do not tell (`models.artifact.network`),
against what is recorded of the heads and the figures.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

SUMS = "SHA256SUMS"
_SEALED = ("vocab.json", "*.safetensors", "metrics.json")


def seal(folder: Path) -> None:
    """Write the sums of the files that are there now."""
    lines = [f"{digest}  {name}\n" for name, digest in sums_of(folder).items()]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def unseal(folder: Path) -> None:
    """The files are about to change."""
    (folder / SUMS).unlink(missing_ok=True)


def sums_of(folder: Path, unread: Collection[str] = ()) -> dict[str, str]:
    """File → the SHA-256 of what it holds now, of those that a seal is for and that are not in
    ``unread``. Raises OSError."""
    paths = sorted(path for pattern in _SEALED for path in folder.glob(pattern))
    return {path.name: _digest(path) for path in paths if path.name not in unread}


def changed(folder: Path, sums: Mapping[str, str], unread: Collection[str] = ()) -> Path | None:
    """The first file that is not what it was when the folder was sealed, or is gone; None where
    there is none, or no seal. sums: what the files hold now, those in ``unread`` aside. Raises
    OSError, and ValueError where the sums of the seal are no sums.
    """
    path = folder / SUMS
    if not path.exists():
        return None
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or Path(name).name != name:
            raise ValueError(f"{path}: this is no list of SHA-256 sums.")
        file = folder / name
        if name not in unread and (sums.get(name, digest) != digest or not file.exists()):
            return file
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":  # python -m models.checksums FOLDER …
    for name in sys.argv[1:]:
        seal(Path(name))
