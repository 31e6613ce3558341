"""`unrolled train network`: from a corpus to a model folder without heads."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from models.artifact.folder import id_of
from models.artifact.saving import save_network
from models.language_model import LanguageModel
from models.products import lacks_bfloat16
from models.tasks import CLASSIFICATION
from models.training.cli.options import (
    CLASSES,
    CORPUS,
    FOLDER,
    RECIPE,
    SET,
    machine_options,
    once_more,
)
from models.training.cli.running import errors, processes_for, say
from models.training.corpus import Corpus, load_corpus
from models.training.network import train_network
from models.training.processes import Processes
from models.training.provenance import code_version, model_config
from models.training.recipe import NetworkRecipe, Recipe
from models.training.recipe_files import load_recipe

_SLOWER = (
    "This processor has no instructions for bfloat16, which the recipe asks for: a run with --set "
    "network.bfloat16=false would be faster."
)


@click.command("network")
@RECIPE
@SET
@CORPUS
@CLASSES
@click.option("--out", type=FOLDER, required=True, help="Model folder to write.")
@click.option(
    "--checkpoints",
    "run",
    type=FOLDER,
    help="Folder of checkpoints; a run found there goes on.  [default: runs/<name of out>]",
)
@machine_options
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
    with errors():
        model_id = id_of(out)
        recipe = load_recipe(recipe_name, changes)
        processes = processes_for(device, threads)
        data = load_corpus(recipe.corpus, corpus, classes=classes, task=recipe.task)
        data.need("train", "valid")
        say(processes, str(data))
        rounded = any(cycle.bfloat16 for cycle in recipe.cycles)
        if rounded and processes.device.type == "cpu" and lacks_bfloat16():
            say(processes, _SLOWER)
        network = _fit(recipe, data, run or Path("runs") / model_id, processes)
        if processes.first:
            config = model_config(
                model_id,
                recipe,
                data.vocabulary,
                code,
                processes.device,
                data.labels,
                named=corpus is not None,
                classes=classes is not None,
            )
            save_network(out, config, data.vocabulary, network)
    same = once_more("recipe_name", "changes", "corpus")
    model = shlex.quote(str(out))
    say(processes, f"Wrote {out}. Next: unrolled train heads --model {model}{same}")


def _fit(recipe: Recipe, data: Corpus, folder: Path, processes: Processes) -> LanguageModel:
    """Train, and train on where the recipe has restarts."""

    def cycle(
        own: NetworkRecipe, folder: Path, section: str, start: LanguageModel | None = None
    ) -> LanguageModel:
        return train_network(
            own,
            len(data.vocabulary),
            data.parts["train"],
            data.parts["valid"],
            folder,
            processes,
            labels=len(data.labels or ()),
            whole=recipe.task == CLASSIFICATION,
            start=start,
            section=section,
        )

    network = cycle(recipe.network, folder, "network")
    for number, own in enumerate(recipe.restarts, 1):
        # From the weights as a model folder keeps them: what is shipped can be gone on from.
        start = network.half().float()
        network = cycle(own, folder / f"restart-{number}", f"restarts.{number}", start)
    return network
