"""What every command does, whatever it trains or measures: it starts, it talks, it fails."""

from __future__ import annotations

import os
import sys

import click
import torch
from safetensors import SafetensorError

from models.artifact import ArtifactError
from models.corpora import CorpusError
from models.separate_cores import cores
from models.training.checkpoint import DivergedError, ResumeError
from models.training.processes import DeviceError, Processes, join
from models.training.recipe_files import RecipeError


def processes_for(device: str, threads: int | None) -> Processes:
    """Those that torchrun started, each with its part of the cores of its machine. Raises
    DeviceError."""
    processes = join(device)
    here = int(os.environ.get("LOCAL_WORLD_SIZE", processes.count))
    torch.set_num_threads(threads or max(1, cores() // here))
    return processes


def say(processes: Processes, text: str) -> None:
    """Print it once, however many processes there are."""
    if processes.first:
        click.echo(text)


class errors:  # noqa: N801  (used as a `with` clause)
    """Errors that a person can mend, as one sentence and exit status 1."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        known = (
            ArtifactError | CorpusError | DeviceError | DivergedError | ResumeError | RecipeError
        )
        said = None
        if isinstance(error, known):
            said = str(error)
        elif isinstance(error, SafetensorError):  # a full disk, as the weights are written
            said = f"{error}."
        elif isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            where = f"{error.filename}: " if error.filename else ""
            said = f"{where}{error.strerror or error}."
        if said is not None:
            click.echo(f"Error: {said}", err=True)
            sys.exit(1)
