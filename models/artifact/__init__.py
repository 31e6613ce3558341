"""A model folder: ``config.json``, ``vocab.json``, ``network.safetensors``, one
``heads-<semantic>.safetensors`` for each semantic, ``metrics.json``, ``MODEL_CARD.md``.

Everything is checked on loading, nothing is ever unpickled. What a file alone must be is in the
module of its name; here the files are brought together. `models.artifact.saving` writes them.
"""

from __future__ import annotations

import hashlib
import json
import math
import shlex
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from models.artifact.config import (
    check_palettes,
    has_ends,
    labels_of,
    load_config,
    task_of,
    text_rules,
)
from models.artifact.folder import (
    CONFIG,
    METRICS,
    NETWORK,
    VOCABULARY,
    ArtifactError,
    heads_path,
    read_json,
)
from models.artifact.heads import load_heads
from models.artifact.model import Model
from models.artifact.network import load_network, other_reading
from models.artifact.schema import METRICS_FILE, check
from models.checksums import SUMS, changed, sums_of
from models.kinds import columns
from models.language_model import LanguageModel
from models.own_text import OwnText
from models.semantics import LABEL
from models.tasks import semantics_of
from models.vocabulary import Vocabulary

__all__ = [
    "ArtifactError",
    "Model",
    "checked_fingerprint",
    "find_models",
    "is_model",
    "load_model",
    "load_network_only",
    "without_heads",
]


def find_models(folder: Path) -> list[Path]:
    """The model folders in a folder of models: by their ``place`` where the config gives one,
    then by name. The first is what is shown where none is asked for.
    """
    return sorted((p.parent for p in folder.glob(f"*/{CONFIG}")), key=lambda f: (_place(f), f))


def is_model(folder: Path) -> bool:
    """Whether a folder is that of a model, and not one of models."""
    return (folder / CONFIG).is_file()


def _place(folder: Path) -> float:
    try:
        place = read_json(folder / CONFIG).get("place")
    except ArtifactError:
        return math.inf  # said when it is loaded
    return place if isinstance(place, int | float) else math.inf


def load_model(
    folder: Path,
    metrics_required: bool = True,
    heads_required: bool = True,
    metrics_read: bool = True,
) -> Model:
    """Load and check a model folder. metrics_read: false for whoever measures the figures anew;
    those that are there may be of another network, or be broken. Raises ArtifactError.
    """
    fingerprint = checked_fingerprint(folder, () if metrics_read else (METRICS,))
    config, vocabulary, network, of_network = _load_base(folder)
    layout = columns(network.cell.id, len(network.layers), network.bidirectional, network.whole)
    heads = {}
    for semantic in semantics_of(task_of(config)):
        path = heads_path(folder, semantic)
        if path.exists():
            said = "labels" if semantic == LABEL else "words"
            kinds = len(layout) - 1
            heads[semantic] = load_heads(path, semantic, of_network, kinds, network, said)
            _check_trained(config, semantic, path)
    if not heads and heads_required:
        raise ArtifactError(without_heads(folder, config))
    metrics = {}
    if metrics_read and (metrics_required or (folder / METRICS).exists()):
        metrics = _load_metrics(folder / METRICS, of_network, config)
    check_palettes(config, labels_of(config) or vocabulary, folder / CONFIG)
    return Model(config, vocabulary, network, heads, metrics, of_network, layout, fingerprint)


def without_heads(folder: Path, config: Mapping[str, Any]) -> str:
    """What is said of a folder with a network alone."""
    corpus = " --corpus FILE.txt" if "imported" in config else ""
    return (
        f"{folder}: there are no heads (heads-<semantic>.safetensors) for this network; "
        f"train them with `unrolled train heads --model {shlex.quote(str(folder))}{corpus}`."
    )


def load_network_only(
    folder: Path, unread: Collection[str] = ()
) -> tuple[dict[str, Any], Vocabulary, LanguageModel, str]:
    """Config, vocabulary and network of a folder, heads or not, and the fingerprint of the weights,
    which binds what is trained on them. unread: files that are about to be written anew, so that
    it does not matter if they are broken. Raises ArtifactError."""
    checked_fingerprint(folder, (METRICS, *unread))
    return _load_base(folder)


def _load_base(folder: Path) -> tuple[dict[str, Any], Vocabulary, LanguageModel, str]:
    config = load_config(folder / CONFIG)
    rules, own = text_rules(config, folder / CONFIG)
    vocabulary = _load_vocabulary(folder / VOCABULARY, rules, own, has_ends(config))
    network, fingerprint = load_network(folder / NETWORK, config, vocabulary, folder / CONFIG)
    return config, vocabulary, network, fingerprint


# Of config.json; its other texts may be edited, and the model is the same.
_DECODING = ("architecture", "task", "labels", "text")


def checked_fingerprint(folder: Path, unread: Collection[str]) -> str:
    """Of all that decodes an answer, once it is known to be what was written. Raises
    ArtifactError."""
    try:
        sums = sums_of(folder, unread)
        file = changed(folder, sums, unread)
    except OSError as error:
        raise ArtifactError(
            f"{error.filename}: the file cannot be read ({error.strerror})."
        ) from error
    except ValueError as error:
        raise ArtifactError(str(error)) from error
    if file is not None and not file.exists():
        raise ArtifactError(f"{file}: the file is missing; {SUMS} has its SHA-256.")
    if file is not None:
        raise ArtifactError(
            f"{file}: the file is not the one that was written: its SHA-256 is not that in {SUMS}."
        )
    files = sorted((name, digest) for name, digest in sums.items() if name != METRICS)
    config = read_json(folder / CONFIG)
    decoding = [json.dumps(config.get(key), sort_keys=True) for key in _DECODING]
    return hashlib.sha256(repr((files, decoding)).encode()).hexdigest()[:16]


def _load_vocabulary(path: Path, rules: str, own: OwnText | None, ends: bool) -> Vocabulary:
    record = read_json(path)
    try:
        words, classes = zip(*record["words"], strict=True)
        if {*map(type, words), *map(type, record["classes"])} != {str}:
            raise TypeError("words and the names of classes must be strings")
        if {*map(type, classes)} != {int}:
            raise TypeError("a word's class must be a whole number")
        return Vocabulary(tuple(words), tuple(classes), tuple(record["classes"]), rules, own, ends)
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: this is not a vocabulary ({error}).") from error


def _check_trained(config: Mapping[str, Any], semantic: str, path: Path) -> None:
    """Raises ArtifactError for heads whose weights' network was read in another way."""
    record = config.get("training", {}).get("heads", {}).get(semantic, {})
    fault = other_reading(record, config)
    if fault:
        raise ArtifactError(
            f"{path}: these heads were trained on a network whose {fault}; train them again with "
            "`unrolled train heads`, or remove the file."
        )


def _load_metrics(path: Path, fingerprint: str, config: Mapping[str, Any]) -> dict[str, Any]:
    metrics = read_json(path)
    check(METRICS_FILE, metrics, path)
    measured = metrics["network_fingerprint"]
    if measured != fingerprint:
        raise ArtifactError(
            f"{path}: these figures are of another network (fingerprint {measured}, the "
            f"network's is {fingerprint}); run `unrolled evaluate`."
        )
    fault = other_reading(metrics, config)
    if fault:
        raise ArtifactError(
            f"{path}: these figures are of a network whose {fault}; run `unrolled evaluate`."
        )
    return metrics
