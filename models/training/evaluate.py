"""Perplexity of a network and of each of its heads on held-out sentences (paper §5.2, Figure 3).

Perplexity is exp of the mean negative natural log-likelihood per predicted token, the end of the
sentence included; for a semantic, per timestep that has a label.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from models.artifact import Model
from models.artifact.network import READING, reading_of
from models.kinds import Column
from models.semantics import LABEL
from models.training.forms import classifier
from models.training.labelled import AnySentence, steps
from models.training.losses import nll_sum
from models.training.ngrams import perplexities
from models.training.processes import Processes, exact_products
from models.training.provenance import machine
from models.training.scoring import DIGITS, figure, mean_nll, mean_nlls
from models.training.state_batches import state_batches

# How many of the first test sentences are also evaluated apart: few enough for a test to do again.
CHECKED = 60
_OF_THE_NETWORK = ("perplexity", "perplexity_of_words", "perplexity_carried")


def head_figures(
    model: Model,
    sentences: Sequence[AnySentence],
    wanted: Sequence[Column] | None = None,
    processes: Processes | None = None,
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """semantic → kind → layer → {"perplexity", "tokens"} on sentences ``<bos> … <eos>`` in ids;
    of labels {"perplexity", "accuracy", "labels"}.

    wanted: only these columns; all hidden states by default. Several processes share the columns
    out.
    """
    if not model.heads:
        return {}
    processes = processes or Processes()
    network = model.network
    columns = model.columns[:-1]
    indices = [i for i, c in enumerate(columns) if wanted is None or c in wanted]
    mine = indices[processes.share(len(indices))]
    device = network.decoder_bias.device
    totals, right = torch.zeros(
        2, len(model.semantics), len(columns), dtype=torch.float64, device=device
    )
    counts = [0] * len(model.semantics)
    timesteps = sum(map(steps, sentences))
    bar = tqdm(
        total=timesteps,
        desc="heads",
        unit="token",
        unit_scale=True,
        mininterval=5,
        disable=not processes.first,
    )
    for batch in state_batches(network, sentences, model.semantics, 1024):
        for s, semantic in enumerate(model.semantics):
            rows, targets = batch.scored(semantic)
            counts[s] += len(rows)
            states = batch.states[:, rows]
            for i in mine:
                head = classifier(model.heads[semantic], i, states[i], network)
                totals[s, i] += nll_sum(*head, targets)
                if semantic == LABEL:  # of words, which are many, it would cost as much again
                    x, weight, bias = head
                    said = torch.addmm(bias, x, weight.t()).argmax(1)
                    right[s, i] += (said == targets).sum()
        bar.update(batch.states.shape[1])
    bar.close()
    processes.add_up([totals, right])
    figures: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for s, semantic in enumerate(model.semantics):
        for i in indices:
            kind = figures.setdefault(semantic, {}).setdefault(columns[i].kind, {})
            nll = float(totals[s, i]) / counts[s]
            of = f"the heads of {columns[i].key} for {semantic}"
            kind[str(columns[i].layer)] = {"perplexity": figure(nll, of)} | (
                {"accuracy": round(float(right[s, i]) / counts[s], DIGITS + 1)}
                | {"labels": counts[s]}
                if semantic == LABEL
                else {"tokens": counts[s]}
            )
    return figures


def network_perplexity(
    model: Model, sentences: Sequence[np.ndarray], processes: Processes | None = None
) -> float:
    """Perplexity of the network's own output on sentences ``<bos> … <eos>`` in ids."""
    return figure(mean_nll(model.network, sentences, processes=processes), "the network")


def _network(
    model: Model, parts: Mapping[str, Sequence[np.ndarray]], processes: Processes
) -> dict[str, dict[str, float]]:
    """Perplexity of each part; of its words alone, without the ends of sentences; and with the
    state carried from sentence to sentence."""
    record: dict[str, dict[str, float]] = {}
    for name, sentences in parts.items():
        alone = mean_nlls(model.network, sentences, model.vocabulary.eos, processes=processes)
        carried = mean_nll(model.network, sentences, True, processes)
        for key, nll in zip(_OF_THE_NETWORK, (*alone, carried), strict=True):
            record.setdefault(key, {})[name] = figure(nll, f"the network on the part {name}")
    return record


def evaluate(
    model: Model,
    parts: Mapping[str, Sequence[np.ndarray]],
    unknown: Mapping[str, float],
    processes: Processes | None = None,
) -> dict[str, Any]:
    """The content of ``metrics.json``: the network on the validation and test parts, n-gram models
    of the training part on the test part, the heads there too, and all again on its first
    `CHECKED` sentences.

    parts: "train", "valid" and "test" sentences; an empty one is left out. unknown: share of
    ``<unk>`` among the words of each.
    """
    started = time.monotonic()
    processes = processes or Processes()
    device = processes.device
    exact_products()
    model = model.to(device)
    measured, test = held_out(parts), parts["test"]
    record: dict[str, Any] = _network(model, measured, processes) | {
        "baselines": {},
        "heads": head_figures(model, test, processes=processes),
        "check": {
            "sentences": CHECKED,
            "perplexity": network_perplexity(model, test[:CHECKED], processes),
            "heads": head_figures(model, test[:CHECKED], processes=processes),
        },
        "counts": {
            name: {
                "sentences": len(sentences),
                "predicted_tokens": sum(len(s) - 1 for s in sentences),
                "unknown_share": round(unknown[name], 4),
            }
            for name, sentences in parts.items()
            if sentences
        },
        "network_fingerprint": model.network_fingerprint,
        READING: reading_of(model.config),
    }
    if parts["train"]:
        baselines = perplexities(parts["train"], test, len(model.vocabulary))
        record["baselines"] = {name: round(found, DIGITS) for name, found in baselines.items()}
    model.to(torch.device("cpu"))
    record["measured"] = machine(device) | {"seconds": round(time.monotonic() - started, 1)}
    return record


def held_out(parts: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """The parts that were not trained on, those that have sentences."""
    return {name: parts[name] for name in ("valid", "test") if parts[name]}
