"""A run's state in one file, replaced in one go: a kill leaves the old or the new, never a half."""

from __future__ import annotations

import hashlib
import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from models.training.labelled import AnySentence
from models.training.processes import Processes

_FILE = "checkpoint.safetensors"
_RECORD = "history.json"  # for people; what a run goes on from is in the checkpoint alone
_LEFT = 3600  # seconds


class ResumeError(Exception):
    """A run folder that another recipe wrote, or that not every process sees."""


class DivergedError(Exception):
    """A loss that is no number any more, where what the last checkpoint holds is still one; or one
    too large for a perplexity."""


def digest_of(vocabulary_size: int, *parts: Sequence[AnySentence]) -> str:
    """16 hex digits that stand for the vocabulary's size and every sentence."""
    digest = hashlib.sha256(str(vocabulary_size).encode())
    for part in parts:
        digest.update(f"|{len(part)}|".encode())
        for sentence in part:
            digest.update(sentence.tobytes())
    return digest.hexdigest()[:16]


def save_checkpoint(folder: Path, record: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """Write what a run needs to go on: its tensors, and a record of what it is and how far."""
    kept = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    _remove_left(folder)
    with _replaced(folder / _FILE) as part:
        save_file(kept, part, {"record": json.dumps(record)})
    with _replaced(folder / _RECORD) as part:
        part.write_text(json.dumps(record, indent=1) + "\n")


def _remove_left(folder: Path) -> None:
    """What runs that were killed while they wrote have left: nobody writes for so long."""
    for part in folder.glob("*.part"):
        with suppress(FileNotFoundError):  # another run removes it too
            if time.time() - part.stat().st_mtime > _LEFT:
                part.unlink()


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """What is written to the file that this gives takes the place of ``path`` when it is whole. Its
    name is its own: the same command, started twice, would rename what the other is writing."""
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def has_checkpoint(folder: Path) -> bool:
    """Whether a run in the folder would go on."""
    return (folder / _FILE).exists()


def load_checkpoint(
    folder: Path, run: Mapping[str, Any], usual: Mapping[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Tensor]] | None:
    """Record and tensors of the run in ``folder``, None if there is none.

    run: what must be the same in the record, key by key. usual: the recipe's defaults, which a
    record of before there was a setting was fitted with. Raises ResumeError.
    """
    path = folder / _FILE
    if not path.exists():
        return None
    with safe_open(path, framework="pt") as file:
        record: dict[str, Any] = json.loads((file.metadata() or {}).get("record", "{}"))
    was = {**record, "recipe": {**(usual or {}), **record.get("recipe", {})}}
    for key, value in run.items():
        if was.get(key) != value:
            raise ResumeError(
                f"{folder} holds a run of another {key}. Name another folder, or remove this one."
            )
    return record, load_file(path)


def agree_on(folder: Path, done: int, processes: Processes) -> None:
    """All processes go on from where this one does, after ``done`` steps or epochs, or none does:
    on machines that do not share the folder only the first would have found its checkpoint.
    Raises ResumeError."""
    if not processes.agree(done):
        raise ResumeError(
            f"{folder} is not the same for every process: all must see the checkpoint that the "
            "first one writes. Put it where the machines share their files, or remove it."
        )


def optimiser_tensors(state: Mapping[int, Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """An optimiser's ``state_dict()["state"]`` under names for a checkpoint."""
    return {
        f"optimiser.{index}.{name}": value
        for index, values in state.items()
        for name, value in values.items()
    }


def optimiser_state(tensors: Mapping[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    """The inverse of `optimiser_tensors`."""
    states: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        if key.startswith("optimiser."):
            _, index, name = key.split(".")
            states.setdefault(int(index), {})[name] = value
    return states
