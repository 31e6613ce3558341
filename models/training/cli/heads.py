"""`unrolled train heads`: heads for the network of a model folder, written into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from models.artifact import load_network_only
from models.artifact.config import labels_of, task_of
from models.artifact.folder import CONFIG, heads_path, named, read_json, write_json
from models.artifact.heads import FORMS
from models.artifact.network import READING, reading_of
from models.artifact.saving import save_heads
from models.semantics import SEMANTICS
from models.tasks import CLASSIFICATION, TASKS, is_labelling, semantics_of
from models.training.cli.options import (
    CORPUS,
    FOLDER,
    MODEL,
    RECIPE,
    SET,
    machine_options,
    once_more,
)
from models.training.cli.running import errors, processes_for, say
from models.training.corpus import check_rules, load_corpus, trained_on
from models.training.heads import check_processes, train_heads
from models.training.labelled import at_every_timestep
from models.training.provenance import code_version, machine
from models.training.recipe import CorpusRecipe
from models.training.recipe_files import RecipeError, load_recipe


@click.command("heads")
@MODEL
@RECIPE
@SET
@CORPUS
@click.option(
    "--semantic",
    "semantics",
    type=click.Choice(SEMANTICS),
    multiple=True,
    help="What the heads predict; may be given several times.  [default: all that the model has]",
)
@click.option(
    "--form",
    type=click.Choice(list(FORMS)),
    help="shared: a projection per kind into the network's own decoder. linear: the paper's, a "
    "matrix over the vocabulary or the labels per kind.  [default: shared; linear for labels, of "
    "which there are fewer than units]",
)
@click.option(
    "--checkpoints",
    "run",
    type=FOLDER,
    help="Folder of checkpoints; a run found there goes on.  [default: runs/<model>-heads-<form>]",
)
@machine_options
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
    with errors():
        recipe = load_recipe(recipe_name, changes)
        written = [heads_path(model, semantic).name for semantic in semantics or SEMANTICS]
        config, vocabulary, network, fingerprint = load_network_only(model, written)
        task = task_of(config)
        name = named(model)
        semantics = _wanted(semantics, task, name)
        form = form or ("linear" if is_labelling(task) else "shared")
        if recipe.heads.loss == "network" and semantics not in (("next",), ("label",)):
            raise RecipeError(
                "`heads.loss` = network is for the semantic next alone, and for labels."
            )
        if recipe.heads.loss == "network" and network.whole and network.bidirectional:
            raise RecipeError(
                "`heads.loss` = network is not for a classifier that reads in both directions: "
                "what it says at a timestep is not computed while its heads are trained."
            )
        processes = processes_for(device, threads)
        check_processes(network, processes)
        wanted = trained_on(config, recipe.corpus)
        _check_corpus(name, changes, recipe.corpus, wanted)
        check_rules(config, vocabulary, wanted.format)
        data = load_corpus(wanted, corpus, vocabulary, task=task, labels=labels_of(config))
        data.need("train")
        train = data.parts["train"]
        heads = train_heads(
            network,
            at_every_timestep(train) if task == CLASSIFICATION else train,
            semantics,
            recipe.heads,
            form,
            run or Path("runs") / f"{name}-heads-{form}",
            processes,
            by_count="imported" in config,
        )
        if processes.first:
            save_heads(model, heads, fingerprint)
            record = asdict(recipe.heads) | {"recipe": recipe.name, "form": form, "code": code}
            record |= machine(processes.device) | {READING: reading_of(config)}
            config = read_json(model / CONFIG)  # which a person may have edited meanwhile
            config.setdefault("training", {}).setdefault("heads", {}).update(
                dict.fromkeys(semantics, record)
            )
            write_json(model / CONFIG, config)
    said = ", ".join(semantics)
    same = once_more("model", "corpus")
    say(processes, f"Wrote heads for {said}. Next: unrolled evaluate{same}")


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


def _check_corpus(
    name: str, changes: Sequence[str], asked: CorpusRecipe, wanted: CorpusRecipe
) -> None:
    """Heads are trained on what the network was. Raises RecipeError where another is asked for."""
    keys = [change.partition("=")[0].strip() for change in changes]
    fields = [key.removeprefix("corpus.").strip() for key in keys if key.startswith("corpus.")]
    if any(getattr(asked, field) != getattr(wanted, field) for field in fields):
        raise RecipeError(
            f"--set corpus.…: {name} says itself what it was trained on (format {wanted.format}, "
            f"split {wanted.split}); its heads are trained on the same part."
        )
