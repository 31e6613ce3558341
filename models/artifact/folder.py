"""What a model folder holds, by name; and its JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from models.checksums import unseal

CONFIG, VOCABULARY, NETWORK, METRICS, CARD = (
    "config.json",
    "vocab.json",
    "network.safetensors",
    "metrics.json",
    "MODEL_CARD.md",
)
# The id of a model, which stands in addresses; "." and ".." would not.
ID = "[A-Za-z0-9._-]+"


class ArtifactError(Exception):
    """A model folder that cannot be used; one sentence that names the file."""


def heads_path(folder: Path, semantic: str) -> Path:
    return folder / f"heads-{semantic}.safetensors"


def is_id(text: str) -> bool:
    return bool(re.fullmatch(ID, text)) and text not in (".", "..")


def named(folder: Path) -> str:
    """The folder's name; of ``.`` and ``..`` that of what they are. A link has its own."""
    name = folder.absolute().name
    return name if name not in ("", ".", "..") else folder.resolve().name


def id_of(folder: Path) -> str:
    """The id of the model that is to be written here: the folder's name. Raises ArtifactError."""
    name = named(folder)
    if not is_id(name):
        raise ArtifactError(
            f"{folder}: the name of the folder, {name!r}, is the model's id, which may have "
            "letters of English, digits, '.', '_' and '-' alone."
        )
    return name


def forget_figures(folder: Path) -> None:
    """Take away the figures, and the card that tells them: what they were measured of is about to
    be another network, or other heads. The seal goes first, which would miss them."""
    unseal(folder)
    for name in (METRICS, CARD):
        (folder / name).unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, Any]:
    """Raises ArtifactError unless the file holds a JSON object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is in no UTF-8
    except FileNotFoundError as error:
        raise ArtifactError(f"{path}: the file is missing.") from error
    except (OSError, RecursionError, ValueError) as error:
        raise ArtifactError(f"{path}: the file cannot be read as JSON ({error}).") from error
    if not isinstance(value, dict):
        raise ArtifactError(f"{path}: the file does not hold a JSON object.")
    return value


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
