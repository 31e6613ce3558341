"""Write what was understood as a model folder."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path
from typing import Any

import torch

from models.artifact.folder import CARD, ArtifactError, id_of
from models.artifact.saving import save_network
from models.character_classes import CHARACTER_PALETTE
from models.importing.card import imported_card
from models.importing.matching import Match
from models.importing.refused import ImportRefused
from models.kinds import CELL_NAMES
from models.language_model import LanguageModel
from models.own_text import CHARACTER
from models.text_rules import OWN
from models.training.splits import BY_PLACE
from models.vocabulary import Vocabulary


def write_model(
    folder: Path,
    checkpoint: Path,
    name: str | None,
    matched: Match,
    network: LanguageModel,
    vocabulary: Vocabulary,
) -> None:
    """A folder without heads, weights in single precision: they are to say what the original says.
    Raises ImportRefused for a folder that has something in it, whose name is no id of a model, or
    that cannot be written: then nothing is left of what was.
    """
    try:
        there = folder.exists()
        if there and any(folder.iterdir()):
            raise ImportRefused(
                f"{folder}: this folder is not empty; name another with --out, or remove it: heads "
                "and figures in it would be of another network."
            )
        config = _config(id_of(folder), checkpoint, name, matched, vocabulary)
        try:
            save_network(folder, config, vocabulary, network, torch.float32)
            (folder / CARD).write_text(imported_card(config), encoding="utf-8")
        except BaseException:  # Ctrl-C too: half a model would be in the way of the next try
            _empty(folder, there)
            raise
    except ArtifactError as error:
        raise ImportRefused(str(error)) from error
    except OSError as error:
        raise ImportRefused(f"{folder}: cannot be written ({error.strerror}).") from error


def _empty(folder: Path, keep: bool) -> None:
    """Take away what was written into a folder that had nothing, and it too unless ``keep``."""
    for path in folder.glob("*"):
        path.unlink()
    if not keep and folder.exists():
        folder.rmdir()


def _config(
    id: str, checkpoint: Path, name: str | None, matched: Match, vocabulary: Vocabulary
) -> dict[str, Any]:
    own = vocabulary.own
    assert own is not None
    architecture = matched.architecture
    units = architecture["units"]
    size = "+".join(map(str, units)) if isinstance(units, list) else f"{units}"
    cell = CELL_NAMES[architecture["cell"]]
    what = f"{cell} {size}×{architecture['layers']}" if isinstance(units, int) else f"{cell} {size}"
    unit = "characters" if own.unit == CHARACTER else "words"
    return {
        "id": id,
        "name": name or f"{id} · {what}",
        "description": (
            f"Language model of {len(vocabulary):,} {unit}, imported from {checkpoint.name}."
        ),
        "architecture": architecture | {"vocabulary": len(vocabulary)},
        "text": {
            "rules": OWN,
            "unit": own.unit,
            "case": "lower" if own.lower else "kept",
            "written": dict(own.written),
            "unknown": own.unknown,
            "sentence_start": own.start,
            "sentence_end": own.end,
        },
        "corpus": {
            "name": "Own text",
            "source": "text files",
            "format": "text",
            "split": "sentences",
            "parts": f"by line: {BY_PLACE}",
        },
        "training": {},
        "imported": {
            "file": checkpoint.name,
            "sha256": hashlib.sha256(checkpoint.read_bytes()).hexdigest(),
            "weights": matched.names,
            "gates": matched.gates,
        },
        "versions": {"python": platform.python_version(), "torch": torch.__version__},
        "palettes": [vars(CHARACTER_PALETTE)] if own.unit == CHARACTER else [],
        "examples": [],
    }
