"""`unrolled train` and `unrolled evaluate`: from a corpus to a model folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

import click
import torch

from models.artifact import ArtifactError, Model, load_model, load_network_only
from models.artifact.config import labels_of, task_of
from models.artifact.folder import METRICS, write_json
from models.artifact.saving import save_heads, save_network
from models.checksums import seal, unseal
from models.corpora import CorpusError
from models.importing.card import imported_card
from models.semantics import SEMANTICS
from models.tasks import CLASSIFICATION, TASKS, is_labelling, semantics_of
from models.training import worked_example
from models.training.card import model_card
from models.training.checkpoint import ResumeError
from models.training.corpus import FORMATS, load_corpus
from models.training.evaluate import evaluate as evaluate_model
from models.training.forms import FORMS
from models.training.heads import train_heads
from models.training.label_card import label_card
from models.training.label_figures import evaluate_labels
from models.training.labelled import at_every_timestep
from models.training.network import train_network
from models.training.processes import DeviceError, Processes, join
from models.training.provenance import code_version, machine, model_config
from models.training.recipe import CorpusRecipe, Recipe, RecipeError, load_recipe
from models.training.report import report
from models.training.splits import GIVEN, SPLITS

_Command = TypeVar("_Command", bound=Callable[..., object])
_DEFAULT = "brown-lstm-300x2"
_FOLDER = click.Path(file_okay=False, path_type=Path)

_model = click.option("--model", type=_FOLDER, required=True, help="Model folder.")
_corpus = click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="File or folder of the corpus.  [default: Brown, as `npm ci` installs it]",
)
_recipe = click.option(
    "--recipe",
    "recipe_name",
    default=_DEFAULT,
    show_default=True,
    help="A name in models/training/recipes, or a .toml file.",
)
_set = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="SECTION.FIELD=VALUE",
    help="Change one field of the recipe; may be given several times.",
)
_classes = click.option(
    "--classes",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File of `word<TAB>CLASS` lines, for a corpus without tags.",
)


def _machine_options(command: _Command) -> _Command:
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


@click.group()
def train() -> None:
    """Train the network, then its heads: resumable, reproducible by recipe and seed.

    On several processes or GPUs: torchrun --nproc_per_node N -m models.training train …
    """


@train.command("network")
@_recipe
@_set
@_corpus
@_classes
@click.option("--out", type=_FOLDER, required=True, help="Model folder to write.")
@click.option(
    "--checkpoints",
    "run",
    type=_FOLDER,
    help="Folder of checkpoints; a run found there goes on.  [default: runs/<name of out>]",
)
@_machine_options
def network_command(
    recipe_name: str,
    changes: tuple[str, ...],
    corpus: Path | None,
    classes: Path | None,
    out: Path,
    run: Path | None,
    device: str,
    threads: int | None,
) -> None:
    """Train a network for the recipe's task, and write it as a model folder (without heads)."""
    code = code_version()  # before the hours in which the checkout may change
    with _errors():
        recipe = load_recipe(recipe_name, changes)
        processes = _processes(device, threads)
        data = load_corpus(recipe.corpus, corpus, classes=classes, task=recipe.task)
        data.need("train", "valid")
        _say(processes, str(data))
        network = train_network(
            recipe.network,
            len(data.vocabulary),
            data.parts["train"],
            data.parts["valid"],
            run or Path("runs") / out.name,
            processes,
            labels=len(data.labels or ()),
            whole=recipe.task == CLASSIFICATION,
        )
        if processes.first:
            config = model_config(
                out.name, recipe, data.vocabulary, code, processes.device, data.labels
            )
            save_network(out, config, data.vocabulary, network)
    _say(processes, f"Wrote {out}. Next: unrolled train heads --model {out}")


@train.command("worked-example")
@click.option("--out", type=_FOLDER, required=True, help="Model folder to write.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the heads' sentences.")
def worked_example_command(out: Path, seed: int) -> None:
    """Write the LSTM of two units that a lecture works by hand, with heads for it."""
    worked_example.make(out, seed)
    click.echo(f"Wrote {out}.")


@train.command("heads")
@_model
@_recipe
@_set
@_corpus
@click.option(
    "--semantic",
    "semantics",
    type=click.Choice(SEMANTICS),
    multiple=True,
    help="What the heads predict; may be given several times.  [default: all that the model has]",
)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    help="shared: a projection per kind into the network's own decoder. linear: the paper's, a "
    "matrix over the vocabulary or the labels per kind.  [default: shared; linear for labels, of "
    "which there are fewer than units]",
)
@click.option(
    "--checkpoints",
    "run",
    type=_FOLDER,
    help="Folder of checkpoints; a run found there goes on.  [default: runs/<model>-heads-<form>]",
)
@_machine_options
def heads_command(
    model: Path,
    recipe_name: str,
    changes: tuple[str, ...],
    corpus: Path | None,
    semantics: tuple[str, ...],
    form: str | None,
    run: Path | None,
    device: str,
    threads: int | None,
) -> None:
    """Train the heads of every kind of hidden state of a trained network."""
    code = code_version()
    with _errors():
        recipe = load_recipe(recipe_name, changes)
        config, vocabulary, network = load_network_only(model)
        task = task_of(config)
        semantics = _wanted(semantics, task, model.name)
        form = form or ("linear" if is_labelling(task) else "shared")
        if recipe.heads.loss == "network" and semantics not in (("next",), ("label",)):
            raise RecipeError("`heads.loss` = network is for the semantic next alone.")
        processes = _processes(device, threads)
        wanted = _corpus_recipe(config, recipe)
        data = load_corpus(wanted, corpus, vocabulary, task=task, labels=labels_of(config))
        data.need("train")
        train = data.parts["train"]
        heads = train_heads(
            network,
            at_every_timestep(train) if task == CLASSIFICATION else train,
            semantics,
            recipe.heads,
            form,
            run or Path("runs") / f"{model.name}-heads-{form}",
            processes,
        )
        if processes.first:
            for semantic, trained in heads.items():
                save_heads(model, semantic, trained)
            record = asdict(recipe.heads) | {"recipe": recipe.name, "form": form, "code": code}
            record |= machine(processes.device)
            config["training"].setdefault("heads", {}).update(dict.fromkeys(semantics, record))
            write_json(model / "config.json", config)
            # Figures of the heads that were there before would stand for these.
            (model / METRICS).unlink(missing_ok=True)
    said = ", ".join(semantics)
    _say(processes, f"Wrote heads for {said}. Next: unrolled evaluate --model {model}")


@click.command()
@_model
@_corpus
@click.option(
    "--format",
    "text_format",
    type=click.Choice(sorted(FORMATS)),
    help="How the corpus is read.  [default: as the model's own]",
)
@click.option(
    "--split",
    type=click.Choice([*SPLITS, GIVEN]),
    help="Which part of it is held out; test: all of it.  [default: as the model's own]",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the figures here.  [default: metrics.json and MODEL_CARD.md of the model folder]",
)
@_machine_options
def evaluate(
    model: Path,
    corpus: Path | None,
    text_format: str | None,
    split: str | None,
    json_file: Path | None,
    device: str,
    threads: int | None,
) -> None:
    """Perplexity of the network, of every kind's heads and of n-gram models on held-out text; of
    labels accuracy too, beside the most frequent label.

    Perplexity is exp of the mean negative natural log-likelihood per predicted token, the end of
    the sentence included; per label, of a tagger or a classifier.
    """
    with _errors():
        processes = _processes(device, threads)
        loaded = load_model(model, metrics_required=False, heads_required=False)
        wanted = _corpus_recipe(loaded.config, None)
        foreign = text_format is not None or split is not None
        wanted = replace(wanted, format=text_format or wanted.format, split=split or wanted.split)
        if foreign and json_file is None:
            raise RecipeError(
                "with --format or --split the figures are not the model's own: name a file for "
                "them with --json."
            )
        data = load_corpus(
            wanted, corpus, loaded.vocabulary, task=loaded.task, labels=loaded.labels
        )
        data.need("test")
        measure = evaluate_labels if loaded.labels else evaluate_model
        metrics = measure(loaded, data.parts, data.unknown, processes)
        if not processes.first:
            return
        if json_file is not None:
            write_json(json_file, metrics)
        else:
            unseal(model)
            write_json(model / METRICS, metrics)
            (model / "MODEL_CARD.md").write_text(_card(loaded, metrics), encoding="utf-8")
            seal(model)
    click.echo(report(loaded, metrics))


def _card(model: Model, metrics: dict[str, Any]) -> str:
    if "imported" in model.config:
        return imported_card(model.config, metrics)
    measured = replace(model, metrics=metrics)
    return label_card(measured) if model.labels else model_card(measured)


def _corpus_recipe(config: dict[str, Any], recipe: Recipe | None) -> CorpusRecipe:
    """The corpus that a model was trained on; the recipe's where the folder does not say."""
    kept = config.get("corpus", {})
    if {"format", "split"} <= kept.keys():
        minimum = config["text"].get("minimum_count", 1)
        return CorpusRecipe(kept["format"], kept["split"], minimum)
    return recipe.corpus if recipe else CorpusRecipe()


def _wanted(semantics: tuple[str, ...], task: str, model: str) -> tuple[str, ...]:
    """Those that were asked for, or all that a model of this task has. Raises RecipeError."""
    has = semantics_of(task)
    for semantic in semantics:
        if semantic not in has:
            raise RecipeError(
                f"--semantic {semantic}: the model {model} is a {TASKS[task]}; its states can be "
                f"asked for {', '.join(has)}."
            )
    return semantics or has


def _processes(device: str, threads: int | None) -> Processes:
    processes = join(device)
    torch.set_num_threads(threads or max(1, (os.cpu_count() or 1) // processes.count))
    return processes


def _say(processes: Processes, text: str) -> None:
    if processes.first:
        click.echo(text)


class _errors:  # noqa: N801  (used as a `with` clause)
    """Errors that a person can mend, as one sentence and exit status 1."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        known = ArtifactError | CorpusError | DeviceError | ResumeError | RecipeError
        if isinstance(error, known):
            click.echo(f"Error: {error}", err=True)
            sys.exit(1)
