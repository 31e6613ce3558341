"""A model folder: ``config.json``, ``vocab.json``, ``network.safetensors``, one
``heads-<semantic>.safetensors`` for each semantic, ``metrics.json``, ``MODEL_CARD.md``.

Everything is checked on loading, nothing is ever unpickled. The heads' files carry the
fingerprint of the network that they were trained on: heads of another network decode nonsense
that looks like sense.
"""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.checksums import SUMS, changed, unseal
from models.heads import Heads, LinearHeads, SharedHeads
from models.kinds import CELLS, Column, columns
from models.labels import Labels, Outputs
from models.language_model import LanguageModel
from models.own_text import UNITS, OwnText
from models.palettes import PALETTES
from models.semantics import LABEL
from models.tasks import CLASSIFICATION, LANGUAGE, TASKS, is_labelling, semantics_of
from models.text_rules import OWN, RULES
from models.vocabulary import Vocabulary

CONFIG, VOCABULARY, NETWORK, METRICS = (
    "config.json",
    "vocab.json",
    "network.safetensors",
    "metrics.json",
)

# Of the architecture in config.json, what a network that is tied and of one size need not say.
_OPTIONAL = ("projection", "embedding", "tied")
_FORMS: dict[str, type[Heads]] = {"shared": SharedHeads, "linear": LinearHeads}


class ArtifactError(Exception):
    """A model folder that cannot be used; one sentence that names the file."""


@dataclass(frozen=True)
class Model:
    """A loaded model folder. heads: semantic → its heads. fingerprint: of the network's weights."""

    config: dict[str, Any]
    vocabulary: Vocabulary
    network: LanguageModel
    heads: dict[str, Heads]
    metrics: dict[str, Any]
    fingerprint: str
    columns: tuple[Column, ...]

    @property
    def id(self) -> str:
        return str(self.config["id"])

    @property
    def name(self) -> str:
        return str(self.config["name"])

    @property
    def description(self) -> str:
        return str(self.config["description"])

    @property
    def architecture(self) -> dict[str, Any]:
        return dict(self.config["architecture"])

    @property
    def task(self) -> str:
        """An id of `models.tasks.TASKS`."""
        return task_of(self.config)

    @property
    def labels(self) -> Labels | None:
        """What a tagger or a classifier chooses among; None of a language model."""
        return labels_of(self.config)

    @cached_property
    def outputs(self) -> Outputs:
        """What the network chooses among: its words, or its labels."""
        return self.labels or self.vocabulary

    @property
    def semantics(self) -> tuple[str, ...]:
        """Those that the model has heads for, in the order of `tasks.semantics_of`."""
        return tuple(name for name in semantics_of(self.task) if name in self.heads)

    @property
    def default_semantic(self) -> str:
        """What the network itself says: what is asked where nothing else is."""
        return semantics_of(self.task)[0]

    @property
    def examples(self) -> list[dict[str, str]]:
        """Texts to start from: ``text`` and what it ``shows``; in some also the ``group`` that it
        belongs to, a second text to ``compare`` it with, or a ``unit`` to show along it (kind,
        layer and number from 1, with full stops between) and what that is to ``follow``."""
        return list(self.config.get("examples", []))

    @property
    def palettes(self) -> list[dict[str, Any]]:
        """The model's own, for classes of its own; else the presets for parts of speech."""
        own: list[dict[str, Any]] = self.config.get("palettes", [])
        return list(own) or [vars(palette) for palette in PALETTES]

    def to(self, device: torch.device) -> Model:
        """The same model on another device. The network itself is moved, not copied."""
        heads = {
            semantic: type(trained)(**{name: t.to(device) for name, t in vars(trained).items()})
            for semantic, trained in self.heads.items()
        }
        return replace(self, network=self.network.to(device), heads=heads)

    def perplexity(self, semantic: str, column: Column) -> float | None:
        """Held-out (test) perplexity of a column, None where it was not measured."""
        if column.kind == "output":
            test = self.metrics.get("perplexity", {}).get("test")
            return test if semantic == self.default_semantic else None
        kinds = self.metrics.get("heads", {}).get(semantic, {})
        figure = kinds.get(column.kind, {}).get(str(column.layer), {}).get("perplexity")
        return None if figure is None else float(figure)


def find_models(folder: Path) -> list[Path]:
    """The model folders in a folder of models: by their ``place`` where the config gives one,
    then by name. The first is what is shown where none is asked for.
    """
    return sorted((p.parent for p in folder.glob(f"*/{CONFIG}")), key=lambda f: (_place(f), f))


def _place(folder: Path) -> float:
    try:
        place = _read_json(folder / CONFIG).get("place")
    except ArtifactError:
        return math.inf  # said when it is loaded
    return place if isinstance(place, int | float) else math.inf


def load_model(folder: Path, metrics_required: bool = True, heads_required: bool = True) -> Model:
    """Load and check a model folder. Raises ArtifactError."""
    _check_sums(folder)
    config, vocabulary, network, fingerprint = _load_base(folder)
    layout = columns(network.cell.id, len(network.layers), network.bidirectional, network.whole)
    heads = {}
    for semantic in semantics_of(task_of(config)):
        path = heads_path(folder, semantic)
        if path.exists():
            said = "labels" if semantic == LABEL else "words"
            heads[semantic] = _load_heads(path, fingerprint, len(layout) - 1, network, said)
    if not heads and heads_required:
        raise ArtifactError(
            f"{folder}: there are no heads (heads-<semantic>.safetensors) for this network; "
            "train them with `unrolled train heads`."
        )
    metrics = {}
    if metrics_required or (folder / METRICS).exists():
        metrics = _load_metrics(folder / METRICS, fingerprint)
    return Model(config, vocabulary, network, heads, metrics, fingerprint, layout)


def _check_sums(folder: Path) -> None:
    try:
        file = changed(folder)
    except OSError as error:
        raise ArtifactError(
            f"{error.filename}: the file cannot be read ({error.strerror})."
        ) from error
    except ValueError as error:
        raise ArtifactError(str(error)) from error
    if file is not None:
        raise ArtifactError(
            f"{file}: the file is not the one that was written: its SHA-256 is not that in {SUMS}."
        )


def load_network_only(folder: Path) -> tuple[dict[str, Any], Vocabulary, LanguageModel]:
    """Config, vocabulary and network of a folder, heads or not. Raises ArtifactError."""
    config, vocabulary, network, _ = _load_base(folder)
    return config, vocabulary, network


def _load_base(folder: Path) -> tuple[dict[str, Any], Vocabulary, LanguageModel, str]:
    config = _read_json(folder / CONFIG)
    for key in ("id", "name", "description"):
        if not isinstance(config.get(key), str):
            raise ArtifactError(f"{folder / CONFIG}: the {key} is missing, or is not a string.")
    _check_examples(config.get("examples", []), folder / CONFIG)
    _check_task(config, folder / CONFIG)
    text = config.get("text", {})
    rules = text.get("rules", "penn")
    own = _own_text(text, folder / CONFIG) if rules == OWN else None
    if rules not in RULES and own is None:
        known = ", ".join((*RULES, OWN))
        raise ArtifactError(
            f"{folder / CONFIG}: the text rules {rules!r} are not known; {known} are."
        )
    vocabulary = _load_vocabulary(folder / VOCABULARY, rules, own)
    network, fingerprint = _load_network(folder / NETWORK, config, vocabulary, folder / CONFIG)
    return config, vocabulary, network, fingerprint


def task_of(config: Mapping[str, Any]) -> str:
    """An id of `models.tasks.TASKS`."""
    return str(config.get("task", LANGUAGE))


def labels_of(config: Mapping[str, Any]) -> Labels | None:
    """What a tagger or a classifier chooses among; None of a language model."""
    return Labels(tuple(config["labels"])) if is_labelling(task_of(config)) else None


def _check_task(config: Mapping[str, Any], path: Path) -> None:
    """Raises ArtifactError for an unknown task, and for one of labels without them."""
    task, labels = task_of(config), config.get("labels")
    if task not in TASKS:
        raise ArtifactError(f"{path}: the task {task!r} is not known; {', '.join(TASKS)} are.")
    if not is_labelling(task):
        return
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise ArtifactError(f"{path}: labels must be a list of strings, as the task is {task}.")
    try:
        Labels(tuple(labels))
    except ValueError as error:
        raise ArtifactError(f"{path}: these labels are of no use: {error}.") from error


_EXAMPLE = {"text", "shows", "group", "compare", "unit", "follow"}


def _check_examples(examples: Any, path: Path) -> None:
    """Raises ArtifactError unless they are a list of objects of strings, with text and shows."""
    sound = isinstance(examples, list) and all(
        isinstance(one, dict)
        and {"text", "shows"} <= one.keys() <= _EXAMPLE
        and all(isinstance(value, str) for value in one.values())
        for one in examples
    )
    if not sound:
        raise ArtifactError(
            f"{path}: examples must be a list of objects with text and shows, and optionally "
            "group, compare, unit and follow, all of them strings."
        )


def heads_path(folder: Path, semantic: str) -> Path:
    return folder / f"heads-{semantic}.safetensors"


def save_network(
    folder: Path,
    config: Mapping[str, Any],
    vocabulary: Vocabulary,
    network: LanguageModel,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Write a model folder without heads or metrics; the weights in half precision by default."""
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / CONFIG, config)
    words = [list(pair) for pair in zip(vocabulary.words, vocabulary.classes, strict=True)]
    record = {"classes": list(vocabulary.class_names), "words": words}
    # One word a line: readable, and a change of one word is a change of one line.
    lines = ",\n".join(json.dumps(word, ensure_ascii=False) for word in words)
    head = json.dumps(record["classes"])
    (folder / VOCABULARY).write_text(
        f'{{"classes": {head},\n"words": [\n{lines}\n]}}\n', encoding="utf-8"
    )
    tensors = {name: value.to(dtype) for name, value in network.state_dict().items()}
    _save(tensors, folder / NETWORK)


def save_heads(
    folder: Path, semantic: str, heads: Heads, dtype: torch.dtype = torch.float16
) -> None:
    """Write heads for the network that is in ``folder``, bound to its fingerprint."""
    fingerprint = fingerprint_of(load_file(folder / NETWORK))
    tensors = {name: tensor.to(dtype).contiguous() for name, tensor in vars(heads).items()}
    form = next(name for name, kind in _FORMS.items() if isinstance(heads, kind))
    metadata = {"form": form, "semantic": semantic, "network_fingerprint": fingerprint}
    _save(tensors, heads_path(folder, semantic), metadata)


def _save(tensors: dict[str, Tensor], path: Path, metadata: dict[str, str] | None = None) -> None:
    """Write weights that whoever may read the folder's config may read too: what safetensors
    writes is its owner's alone, whatever the umask."""
    unseal(path.parent)
    save_file(tensors, path, metadata)
    shutil.copymode(path.with_name(CONFIG), path)


def fingerprint_of(tensors: Mapping[str, Tensor]) -> str:
    """16 hex digits of the SHA-256 of weights as they are stored: names, types, shapes, values."""
    digest = hashlib.sha256()
    for name in sorted(tensors):
        tensor = tensors[name].contiguous()
        digest.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()[:16]


def write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ArtifactError(f"{path}: the file is missing.") from error
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise ArtifactError(f"{path}: the file cannot be read as JSON ({error}).") from error
    if not isinstance(value, dict):
        raise ArtifactError(f"{path}: the file does not hold a JSON object.")
    return value


def _load_metrics(path: Path, fingerprint: str) -> dict[str, Any]:
    metrics = _read_json(path)
    measured = metrics.get("network_fingerprint")
    if measured != fingerprint:
        raise ArtifactError(
            f"{path}: these figures are of another network (fingerprint {measured}, the "
            f"network's is {fingerprint}); run `unrolled evaluate`."
        )
    figures = metrics.get("perplexity")
    if not isinstance(figures, dict) or not {"valid", "test"} <= figures.keys():
        raise ArtifactError(f"{path}: the network's perplexity on valid and test is missing.")
    return metrics


def _own_text(text: Mapping[str, Any], path: Path) -> OwnText:
    """How a model reads text that has rules of its own. Raises ArtifactError."""
    written = text.get("written", {})
    words: list[Any] = [text.get(key) for key in ("unknown", "sentence_start", "sentence_end")]
    sound = (
        text.get("unit") in UNITS
        and isinstance(written, dict)
        and all(isinstance(word, str) for word in (*words, *written.values()))
    )
    if not sound:
        raise ArtifactError(
            f"{path}: text.unit must be {' or '.join(UNITS)}, and unknown, sentence_start, "
            "sentence_end and what written maps to must be words."
        )
    return OwnText(text["unit"], text.get("case") == "lower", written, *words)


def _load_vocabulary(path: Path, rules: str, own: OwnText | None) -> Vocabulary:
    record = _read_json(path)
    try:
        words, classes = zip(*record["words"], strict=True)
        return Vocabulary(tuple(words), tuple(classes), tuple(record["classes"]), rules, own)
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: this is not a vocabulary ({error}).") from error


def _load_tensors(path: Path) -> dict[str, Tensor]:
    try:
        tensors = load_file(path)
    except FileNotFoundError as error:
        raise ArtifactError(f"{path}: the file is missing.") from error
    except (OSError, SafetensorError) as error:
        raise ArtifactError(f"{path}: the weights cannot be read ({error}).") from error
    for name, tensor in tensors.items():
        if not torch.isfinite(tensor).all():
            raise ArtifactError(f"{path}: {name} holds a value that is not finite.")
    return tensors


def _load_network(
    path: Path, config: Mapping[str, Any], vocabulary: Vocabulary, config_path: Path
) -> tuple[LanguageModel, str]:
    tensors = _load_tensors(path)
    fingerprint = fingerprint_of(tensors)
    network = _empty_network(config, len(vocabulary), config_path)
    expected = {name: tuple(value.shape) for name, value in network.state_dict().items()}
    found = {name: tuple(value.shape) for name, value in tensors.items()}
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise ArtifactError(
                f"{path}: {name} is {found.get(name, 'missing')}, but {config_path.name} and "
                f"{VOCABULARY} make it {expected.get(name, 'no part of the network')}."
            )
    network.load_state_dict({k: v.float() for k, v in tensors.items()}, assign=True)
    return network.requires_grad_(False).eval(), fingerprint


def _empty_network(config: Mapping[str, Any], vocabulary: int, path: Path) -> LanguageModel:
    """On the device "meta": shapes without values. Raises ArtifactError."""
    try:
        architecture = config["architecture"]
        cell = architecture["cell"]
        units, layers = architecture["units"], architecture["layers"]
    except (KeyError, TypeError) as error:
        raise ArtifactError(f"{path}: the architecture lacks {error}.") from error
    if not isinstance(cell, str) or cell not in CELLS:
        raise ArtifactError(f"{path}: the cell type {cell!r} is not known; {', '.join(CELLS)} are.")
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


def _load_heads(
    path: Path, fingerprint: str, kinds: int, network: LanguageModel, said: str
) -> Heads:
    """said: what the network chooses among, words or labels. Raises ArtifactError."""
    tensors = _load_tensors(path)
    with safe_open(path, framework="pt") as file:
        metadata = file.metadata() or {}
    trained_on = metadata.get("network_fingerprint")
    if trained_on != fingerprint:
        raise ArtifactError(
            f"{path}: these heads were trained on another network "
            f"(fingerprint {trained_on}, the network's is {fingerprint})."
        )
    form = metadata.get("form", "")
    if form not in _FORMS:
        raise ArtifactError(f"{path}: the form {form!r} is not known; {', '.join(_FORMS)} are.")
    try:
        heads = _FORMS[form](**{name: tensor.float() for name, tensor in tensors.items()})
    except (TypeError, ValueError) as error:
        raise ArtifactError(f"{path}: these are not {form} heads ({error}).") from error
    shape = (heads.kinds, heads.units, heads.words)
    if shape != (kinds, network.width, network.outputs):
        raise ArtifactError(
            f"{path}: the heads are for {shape[0]} kinds, {shape[1]} units and {shape[2]} {said}; "
            f"the network has {kinds}, {network.width} and {network.outputs}."
        )
    read = network.decoder_weight.shape[1]
    if isinstance(heads, SharedHeads) and heads.offset.shape[1] != read:
        raise ArtifactError(
            f"{path}: the heads project to {heads.offset.shape[1]} units; the network's decoder "
            f"reads {read}."
        )
    return heads
