"""The network of a model folder: the weights in it must be those that its config describes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from models.artifact.config import labels_of, task_of
from models.artifact.folder import CONFIG, VOCABULARY, ArtifactError
from models.artifact.weights import fingerprint_of, load_tensors
from models.kinds import CELL_NAMES
from models.language_model import LanguageModel
from models.tasks import CLASSIFICATION
from models.vocabulary import Vocabulary

# Of the architecture in config.json, what a network that is tied and of one size need not say.
_OPTIONAL = ("projection", "embedding", "tied")
# In a record of what was trained or measured: what `reading_of` was then.
READING = "network"


def load_network(
    path: Path, config: Mapping[str, Any], vocabulary: Vocabulary, config_path: Path
) -> tuple[LanguageModel, str]:
    """The network, and the fingerprint of its weights as stored. Raises ArtifactError."""
    tensors = load_tensors(path)
    network = _empty_network(config, len(vocabulary), config_path)
    expected = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    found = {name: tuple(value.shape) for name, value in tensors.items()}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise ArtifactError(
                f"{path}: {name} is {found.get(name, 'missing')}, but {config_path.name} and "
                f"{VOCABULARY} make it {expected.get(name, 'no part of the network')}."
            )
    said = config["architecture"]["vocabulary"]
    if said != len(vocabulary):
        raise ArtifactError(
            f"{config_path}: architecture.vocabulary is {said:,}, but {VOCABULARY} has "
            f"{len(vocabulary):,} words."
        )
    values = {name: value.to(torch.float32, copy=True) for name, value in tensors.items()}
    network.load_state_dict(values, assign=True)
    return network.requires_grad_(False).eval(), fingerprint_of(tensors)


def reading_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """What config.json says of how the weights compute, and their names and shapes do not tell: an
    Elman network's may be read with either function, labels in any order."""
    cell = config["architecture"]["cell"]
    return {"cell": cell, "task": task_of(config), "labels": config.get("labels")}


def other_reading(record: Mapping[str, Any], config: Mapping[str, Any]) -> str:
    """What has become another since a record was written, or nothing; an older one does not say."""
    was = record.get(READING)
    if not isinstance(was, dict):
        return ""
    for key, now in reading_of(config).items():
        if was.get(key) != now:
            return f"{key} was {was.get(key)}, where {CONFIG} says {now}"
    return ""


def _empty_network(config: Mapping[str, Any], vocabulary: int, path: Path) -> LanguageModel:
    """On the device "meta": shapes without values. Raises ArtifactError."""
    architecture = config["architecture"]
    cell, units, layers = (architecture[key] for key in ("cell", "units", "layers"))
    if cell not in CELL_NAMES:
        raise ArtifactError(
            f"{path}: the cell type {cell!r} is not known; {', '.join(CELL_NAMES)} are."
        )
    task, labels = task_of(config), labels_of(config)
    if architecture.get("bidirectional") and labels is None:
        raise ArtifactError(
            f"{path}: the network is bidirectional. It reads the words to come, so it cannot "
            "predict them: Unrolled needs one that reads from left to right."
        )
    more = {key: architecture[key] for key in _OPTIONAL if key in architecture}
    if labels is not None:
        more |= {"labels": len(labels), "whole": task == CLASSIFICATION}
        more["bidirectional"] = architecture.get("bidirectional") is True
    try:
        with torch.device("meta"):
            return LanguageModel(vocabulary, units, layers, cell, **more)
    except (TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: the architecture is not one ({error}).") from error
