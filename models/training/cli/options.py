"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., object])
_DEFAULT = "brown-lstm-300x2"
FOLDER = click.Path(file_okay=False, path_type=Path)

MODEL = click.option("--model", type=FOLDER, required=True, help="Model folder.")
CORPUS = click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="File or folder of the corpus.  [default: Brown, as `npm ci` installs it]",
)
RECIPE = click.option(
    "--recipe",
    "recipe_name",
    default=_DEFAULT,
    show_default=True,
    help="A name in models/training/recipes, or a .toml file.",
)
SET = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="SECTION.FIELD=VALUE",
    help="Change one field of the recipe; may be given several times.",
)
CLASSES = click.option(
    "--classes",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of `word<TAB>CLASS` lines, for a corpus without tags.",
)


def machine_options(command: _Command) -> _Command:
    for option in (
        click.option(
            "--threads",
            type=click.IntRange(1),
            help="Processor threads.  [default: the cores, shared by the processes]",
        ),
        click.option(
            "--device",
            type=click.Choice(["auto", "cpu", "cuda"]),
            default="auto",
            show_default=True,
            help="auto: a GPU where there is one.",
        ),
    ):
        command = option(command)
    return command
