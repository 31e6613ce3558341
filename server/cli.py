"""The command ``unrolled``."""

from __future__ import annotations

import gc
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from server import __version__
from server.settings import Settings, SettingsError, variable

if TYPE_CHECKING:
    from models.artifact import Model

_MODEL_DIR = click.option(
    "--model-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of model folders [default: the shipped ones].",
)

_MODEL_ID = click.option("--model", "model_id", help="Id of the model [default: the first].")
_FILE = click.Path(dir_okay=False, path_type=Path)


class _ReadsText(click.Command):
    """Its first argument is a text: one that begins with a hyphen looks like an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = "A text that begins with a hyphen is written after --."
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="unrolled")
def main() -> None:
    """Unrolled: every hidden state of a recurrent network, in words."""
    # What a command imports stays: a sixth of its start went into looking for garbage there.
    gc.set_threshold(50_000, 20, 20)


@main.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Port [default: 8000].")
@click.option("--host", help="Address to listen on [default: 127.0.0.1]; 0.0.0.0 for others too.")
@click.option(
    "--hosts",
    help="Names or addresses by which others ask for it, with commas [default: its own machine's].",
)
@_MODEL_DIR
def serve(port: int | None, host: str | None, hosts: str | None, model_dir: Path | None) -> None:
    """Serve the page and the API, with gunicorn. More settings: see docs/api.md."""
    named = None if hosts is None else f"{Settings().hosts},{hosts}"
    models = model_dir and model_dir.absolute()
    given = {"port": port, "host": host, "hosts": named, "model_dir": models}
    overrides = {variable(name): str(value) for name, value in given.items() if value is not None}
    _settings(overrides)
    # Replaced, not started: signals reach gunicorn itself, and this process leaves no memory.
    arguments = [sys.executable, "-m", "gunicorn", "-c", "python:server.gunicorn_conf"]
    os.execve(sys.executable, arguments, os.environ | overrides)


@main.command(cls=_ReadsText)
@click.argument("text")
@_MODEL_ID
@_MODEL_DIR
@click.option(
    "--semantic",
    type=click.Choice(["next", "this", "previous", "after_next", "label"]),  # models.semantics
    help="What each state is asked for.  [default: what the network says, next or label]",
)
@click.option(
    "--bars", type=click.IntRange(1, 50), help="Words of a cell, with --json.  [default: 10]"
)
@click.option("--top", type=float, default=0.1, help="Part of the vocabulary in a cell's colour.")
@click.option("--json", "as_json", is_flag=True, help="Print the API's answer instead.")
def trace(
    text: str,
    model_id: str | None,
    model_dir: Path | None,
    semantic: str | None,
    bars: int | None,
    top: float,
    as_json: bool,
) -> None:
    """Read TEXT, or with - standard input, and draw what every hidden state predicts.

    Coloured in a terminal, plain elsewhere and where NO_COLOR is set.
    """
    from models.trace import TraceRefused
    from models.trace import trace as run

    if bars is not None and not as_json:
        raise click.UsageError("--bars is for --json: what is drawn has one word in a cell.")
    text = _text(text)
    model = _model(_load(model_dir), model_id)
    limit = _settings().token_limit
    try:
        traced = run(model, text, semantic=semantic, bars=bars or 10, top=top, token_limit=limit)
    except TraceRefused as refused:
        raise click.ClickException(refused.message) from None
    if as_json:
        from server.answers import dumps
        from server.serialise import trace_answer

        sys.stdout.buffer.write(dumps(trace_answer(traced)))
        return
    from server.terminal import draw

    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    palette = model.palettes[0]["colours"]
    width = shutil.get_terminal_size((100, 24)).columns
    click.echo(draw(traced, palette, width, colour), nl=False, color=colour)


@main.command(cls=_ReadsText)
@click.argument("text")
@_MODEL_ID
@_MODEL_DIR
@click.option("--out", required=True, type=_FILE, help="File to write, of numpy (.npz).")
def states(text: str, model_id: str | None, model_dir: Path | None, out: Path) -> None:
    """Read TEXT, or with - standard input, and write the vectors of every hidden state.

    Of each kind and layer (cell_state.1, output_state.2, …) an array of timesteps × units, in
    single precision; `tokens`, `ids` and `sentences` say what was read, `model` and
    `network_fingerprint` by what. No heads are needed.
    """
    from models.state_files import states_of, write_states
    from server.terminal import NOTHING

    text = _text(text)
    model = _model(_load(model_dir, heads_required=False), model_id)
    found = states_of(model, text)
    if not len(found["ids"]):
        click.echo(NOTHING, err=True)  # the arrays are written: of no timesteps
    try:
        write_states(found, out)
    except OSError as error:
        raise click.ClickException(f"{out}: cannot be written ({error.strerror}).") from None
    for name, values in found.items():
        click.echo(f"{name:24}{' × '.join(map(str, values.shape)) or values}")


@main.command()
@_MODEL_DIR
def models(model_dir: Path | None) -> None:
    """List the models, with the perplexity of each on its test text: of a language model per token,
    of a tagger or a classifier per label."""
    for model in _load(model_dir):
        figure: Any = model.metrics.get("perplexity", {}).get("test")
        of = "label" if model.labels else model.vocabulary.unit
        told = "" if figure is None else f"{figure:.1f} per {of}"
        click.echo(f"{model.id}\t{told}\t{model.name}")


# Training's commands parse their own arguments: the server imports nothing of it until one is run.
_PASSED_ON: Any = {
    "context_settings": {"ignore_unknown_options": True, "help_option_names": []},
    "add_help_option": False,
}
_ARGUMENTS = click.argument("arguments", nargs=-1, type=click.UNPROCESSED)


@main.command(**_PASSED_ON)
@_ARGUMENTS
def train(arguments: tuple[str, ...]) -> None:
    """Train a network, or the heads of one."""
    from models.training import cli

    cli.train.main(list(arguments), prog_name="unrolled train")


@main.command(**_PASSED_ON)
@_ARGUMENTS
def evaluate(arguments: tuple[str, ...]) -> None:
    """Measure the perplexity of a model on held-out text."""
    from models.training import cli

    cli.evaluate.main(list(arguments), prog_name="unrolled evaluate")


@main.command("import", **_PASSED_ON)
@_ARGUMENTS
def import_(arguments: tuple[str, ...]) -> None:
    """Make a model folder from a checkpoint of your own."""
    from models.importing import cli

    cli.import_checkpoint.main(list(arguments), prog_name="unrolled import")


def _settings(overrides: dict[str, str] | None = None) -> Settings:
    try:
        return Settings.from_environment(os.environ | (overrides or {}))
    except SettingsError as error:
        raise click.ClickException(str(error)) from None


def _text(text: str) -> str:
    """The text, or of - that of standard input, without its last line break."""
    try:
        if text == "-":
            text = sys.stdin.buffer.read().decode().removesuffix("\n")
        text.encode()
    except UnicodeError:
        raise click.ClickException("TEXT is not in UTF-8.") from None
    return text


def _load(model_dir: Path | None, heads_required: bool = True) -> list[Model]:
    from models.artifact import ArtifactError
    from server.loading import load_models

    folder = model_dir.absolute() if model_dir else _settings().model_folder
    try:
        return load_models(folder, heads_required)
    except ArtifactError as error:
        raise click.ClickException(str(error)) from None


def _model(loaded: list[Model], wanted: str | None) -> Model:
    from models.artifact import is_model

    wanted = wanted or _settings().default_model or loaded[0].id
    for model in loaded:
        if model.id == wanted:
            return model
    known = ", ".join(model.id for model in loaded)
    folder = Path(wanted)
    raise click.ClickException(
        f"There is no model {wanted}; there are {known}."
        + (
            f" Of that folder it is --model-dir {shlex.quote(str(folder.parent))}"
            f" --model {shlex.quote(folder.name)}."
            if is_model(folder)
            else ""
        )
    )
