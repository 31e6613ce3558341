"""Models in memory, each with its weights laid out. Loaded before the workers are forked, they
are in memory once: a worker shares with the others what none of them writes to.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from pathlib import Path

import torch

from models.artifact import (
    ArtifactError,
    Model,
    find_models,
    is_model,
    load_model,
    without_heads,
)
from models.trace import LaidOut, lay_out
from server.saying import say


@dataclass(frozen=True)
class Loaded:
    model: Model
    laid_out: LaidOut


_kept: dict[Path, list[Loaded]] = {}


def load_models(folder: Path, heads_required: bool = True) -> list[Model]:
    """The models of a folder, at least one. One without heads yet, where they are required, is
    passed over if there is another, and that is said. Raises ArtifactError.
    """
    found = find_models(folder) if folder.is_dir() else []
    if not found and is_model(folder):
        raise ArtifactError(
            f"{folder} is itself the folder of a model: name the one around it, {folder.parent}."
        )
    if not found:
        raise ArtifactError(f"There is no model in the folder {folder}.")
    # Figures are told where there are some: an imported model is shown before it is measured.
    models = {
        path: load_model(path, metrics_required=False, heads_required=False) for path in found
    }
    ready = [model for model in models.values() if model.heads or not heads_required]
    lacking = [without_heads(path, m.config) for path, m in models.items() if not m.heads]
    if not ready:
        raise ArtifactError(lacking[0])
    for said in lacking if heads_required else ():
        say(f"passed over: {said}")
    return ready


def by_id(folder: Path, default: str | None) -> tuple[dict[str, Loaded], str]:
    """The models of a folder by their ids, and the id of the default one. Raises ArtifactError."""
    return _by_id(folder, default, _kept.get(folder) or _load(folder))


def keep(folder: Path, default: str | None = None) -> None:
    """Load the models of a folder for this process and those that are forked from it: none, when
    they cannot be served together.

    On one thread: a pool of threads would not be there after the fork, and be waited for. Raises
    ArtifactError.
    """
    torch.set_num_threads(1)
    models = _load(folder)
    _by_id(folder, default, models)
    _kept[folder] = models
    gc.freeze()  # the collector of a worker would write to every page, and so make it its own
    gc.enable()


def _load(folder: Path) -> list[Loaded]:
    return [Loaded(model, lay_out(model)) for model in load_models(folder)]


def _by_id(
    folder: Path, default: str | None, models: list[Loaded]
) -> tuple[dict[str, Loaded], str]:
    found: dict[str, Loaded] = {}
    for one in models:
        if one.model.id in found:
            raise ArtifactError(f"{folder}: two models have the id {one.model.id}.")
        found[one.model.id] = one
    default = default or next(iter(found))
    if default not in found:
        raise ArtifactError(f"There is no model {default} in {folder}.")
    return found, default
