"""A model folder in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import torch

from models.artifact.config import labels_of, task_of
from models.heads import Heads
from models.kinds import Column
from models.labels import Labels, Outputs
from models.language_model import LanguageModel
from models.palettes import PALETTES
from models.tasks import semantics_of
from models.vocabulary import Vocabulary


@dataclass(frozen=True)
class Model:
    """A loaded model folder. heads: semantic → its heads. network_fingerprint: of the network's
    weights, as the heads' files and the figures name it. fingerprint: 16 hex digits of all that an
    answer depends on: network, heads, vocabulary, and what config.json says of how they are
    read."""

    config: dict[str, Any]
    vocabulary: Vocabulary
    network: LanguageModel
    heads: dict[str, Heads]
    metrics: dict[str, Any]
    network_fingerprint: str
    columns: tuple[Column, ...]
    fingerprint: str

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
        return [{"groups": {}} | palette for palette in own] or [vars(p) for p in PALETTES]

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
