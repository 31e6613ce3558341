"""Options that several commands have."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
from click.core import ParameterSource

_Command = TypeVar("_Command", bound=Callable[..., object])
_DEFAULT = "brown-lstm-300x2"
HELP = {"help_option_names": ["-h", "--help"]}
FOLDER = click.Path(file_okay=False, path_type=Path)


def _there(_: click.Context, __: click.Parameter, folder: Path) -> Path:
    if folder.is_dir():
        return folder
    ours = Path(__file__).parents[2] / "zoo" / folder.name
    hint = f" The built-in model's is {ours}." if ours.is_dir() else ""
    raise click.ClickException(f"--model: there is no folder {folder}.{hint}")


MODEL = click.option("--model", type=FOLDER, callback=_there, required=True, help="Model folder.")
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


def once_more(*names: str) -> str:
    """Those of these options that the running command was given, to be given to the next one: a
    space before each. names: of its parameters, as Python has them."""
    context = click.get_current_context()
    words: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        if name in names and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            for one in value if option.multiple else (value,):
                words += [option.opts[0], str(one)]
    return "".join(f" {shlex.quote(word)}" for word in words)


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
