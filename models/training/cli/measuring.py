"""`unrolled evaluate`: the figures of a model folder, and its card and seal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from models.artifact import ArtifactError, Model, checked_fingerprint, load_model
from models.artifact.folder import CARD, CONFIG, METRICS, write_json
from models.checksums import seal, unseal
from models.importing.card import imported_card
from models.training.card import model_card
from models.training.cli.options import CORPUS, HELP, MODEL, machine_options
from models.training.cli.running import errors, processes_for
from models.training.corpus import BROWN, FORMATS, check_rules, load_corpus, trained_on
from models.training.evaluate import evaluate as evaluate_model
from models.training.label_card import label_card
from models.training.label_figures import evaluate_labels
from models.training.recipe import CorpusRecipe
from models.training.recipe_files import RecipeError
from models.training.report import report
from models.training.splits import GIVEN, SPLITS


@click.command(context_settings=HELP)
@MODEL
@CORPUS
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
    help="Write the figures here, also those of another corpus.  [default: metrics.json and "
    "MODEL_CARD.md of the model folder]",
)
@machine_options
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
    with errors():
        if json_file is not None and not json_file.parent.is_dir():
            raise RecipeError(f"--json {json_file}: there is no folder {json_file.parent}.")
        processes = processes_for(device, threads)
        loaded = load_model(model, heads_required=False, metrics_read=False)
        told = CorpusRecipe(text_format, split) if text_format and split else None
        wanted = trained_on(loaded.config, told)
        foreign = text_format is not None or split is not None
        wanted = replace(wanted, format=text_format or wanted.format, split=split or wanted.split)
        check_rules(loaded.config, loaded.vocabulary, wanted.format)
        if foreign and json_file is None:
            raise RecipeError(
                "with --format or --split the figures are not the model's own: name a file for "
                "them with --json."
            )
        if json_file is None:
            _check_record(loaded, model)
        data = load_corpus(
            wanted, corpus, loaded.vocabulary, task=loaded.task, labels=loaded.labels
        )
        data.need("test")
        if json_file is None and "imported" not in loaded.config and not data.gives_vocabulary:
            raise RecipeError(
                f"{corpus or BROWN} is not what {model} was trained on: counted as the model's "
                "were, its words are others. The figures are not the model's own: name a file for "
                "them with --json."
            )
        measure = evaluate_labels if loaded.labels else evaluate_model
        metrics = measure(loaded, data.parts, data.unknown, processes)
        if not processes.first:
            return
        try:
            _write(loaded, metrics, model, json_file)
        finally:  # they took minutes: told even where they cannot be written
            click.echo(report(loaded, metrics))


def _write(model: Model, metrics: dict[str, Any], folder: Path, json_file: Path | None) -> None:
    if json_file is not None:
        write_json(json_file, metrics)
        return
    card = _card(model, metrics)
    if checked_fingerprint(folder, (METRICS,)) != model.fingerprint:
        raise ArtifactError(
            f"{folder}: it was written to while its model was measured, and the figures are of "
            "what it was before; run `unrolled evaluate` again."
        )
    unseal(folder)
    write_json(folder / METRICS, metrics)
    (folder / CARD).write_text(card, encoding="utf-8")
    seal(folder)


def _check_record(model: Model, folder: Path) -> None:
    """Before the minutes of measuring, by a card with figures of no meaning. Raises ArtifactError
    where none could be written."""
    kinds: dict[str, dict[str, dict[str, float]]] = {}
    for column in model.columns[:-1]:
        figure = {"perplexity": 1.0, "accuracy": 1.0}
        kinds.setdefault(column.kind, {})[str(column.layer)] = figure
    counts = {"sentences": 1, "predicted_tokens": 1, "labels": 1, "unknown_share": 0.0}
    parts = {key: {"test": 1.0} for key in ("perplexity", "perplexity_carried", "accuracy")}
    heads = dict.fromkeys(model.semantics, kinds)
    metrics = parts | {"baselines": {}, "heads": heads, "counts": {"train": counts}}
    try:
        _card(model, metrics)
    except (KeyError, TypeError, ValueError) as error:
        what = f"{error.args[0]} is missing" if isinstance(error, KeyError) else str(error)
        raise ArtifactError(
            f"{folder / CONFIG}: {what} in what the model card tells (text, corpus, training or "
            "versions); name a file for the figures alone with --json."
        ) from error


def _card(model: Model, metrics: dict[str, Any]) -> str:
    if "imported" in model.config:
        return imported_card(model.config, metrics)
    measured = replace(model, metrics=metrics)
    return label_card(measured) if model.labels else model_card(measured)
