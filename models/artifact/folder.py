"""What a model folder holds, by name; and its JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CONFIG, VOCABULARY, NETWORK, METRICS, CARD = (
    "config.json",
    "vocab.json",
    "network.safetensors",
    "metrics.json",
    "MODEL_CARD.md",
)


class ArtifactError(Exception):
    """A model folder that cannot be used; one sentence that names the file."""


def heads_path(folder: Path, semantic: str) -> Path:
    return folder / f"heads-{semantic}.safetensors"


def forget_figures(folder: Path) -> None:
    """Take away the figures, and the card that tells them: what they were measured of is about to
    be another network, or other heads."""
    for name in (METRICS, CARD):
        (folder / name).unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, Any]:
    """Raises ArtifactError unless the file holds a JSON object."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ArtifactError(f"{path}: the file is missing.") from error
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ArtifactError(f"{path}: the file cannot be read as JSON ({error}).") from error
    if not isinstance(value, dict):
        raise ArtifactError(f"{path}: the file does not hold a JSON object.")
    return value


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
