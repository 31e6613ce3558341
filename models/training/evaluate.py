"""Perplexity of a network and of each of its heads on held-out sentences (paper §5.2, Figure 3).

Perplexity is exp of the mean negative natural log-likelihood per predicted token, the end of the
sentence included; for a semantic, per timestep that has a label.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from models.artifact import Model
from models.kinds import Column
from models.training.forms import classifier
from models.training.losses import nll_sum
from models.training.ngrams import perplexities
from models.training.processes import Processes, mixed_precision
from models.training.provenance import machine
from models.training.scoring import mean_nll
from models.training.state_batches import state_batches

# How many of the first test sentences are also evaluated apart: few enough for a test to do again.
CHECKED = 60
_DIGITS = 3


def head_perplexities(
    model: Model,
    sentences: Sequence[np.ndarray],
    wanted: Sequence[Column] | None = None,
    processes: Processes | None = None,
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """semantic → kind → layer → {"perplexity", "tokens"} on sentences ``<bos> … <eos>`` in ids.

    wanted: only these columns; all hidden states by default. Several processes share the columns
    out.
    """
    processes = processes or Processes()
    network = model.network
    columns = model.columns[:-1]
    indices = [i for i, c in enumerate(columns) if wanted is None or c in wanted]
    mine = indices[processes.share(len(indices))]
    device = network.decoder_bias.device
    totals = torch.zeros(len(model.semantics), len(columns), dtype=torch.float64, device=device)
    counts = [0] * len(model.semantics)
    timesteps = sum(len(s) - 1 for s in sentences)
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
        bar.update(batch.states.shape[1])
    bar.close()
    processes.add_up([totals])
    figures: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for s, semantic in enumerate(model.semantics):
        for i in indices:
            kind = figures.setdefault(semantic, {}).setdefault(columns[i].kind, {})
            kind[str(columns[i].layer)] = {
                "perplexity": round(math.exp(float(totals[s, i]) / counts[s]), _DIGITS),
                "tokens": counts[s],
            }
    return figures


def network_perplexity(
    model: Model, sentences: Sequence[np.ndarray], carried: bool = False, end: bool = True
) -> float:
    """Perplexity of the network's own output on sentences ``<bos> … <eos>`` in ids.

    carried: the state goes on from sentence to sentence. end: whether the end of a sentence counts.
    """
    left_out = None if end else model.vocabulary.eos
    return math.exp(mean_nll(model.network, sentences, carried, end=left_out))


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
    mixed_precision(False)
    model = model.to(device)
    held_out = {name: parts[name] for name in ("valid", "test") if parts[name]}
    test = parts["test"]
    record: dict[str, Any] = {
        "perplexity": _of_each(held_out, lambda s: network_perplexity(model, s)),
        "perplexity_of_words": _of_each(
            held_out, lambda s: network_perplexity(model, s, end=False)
        ),
        "perplexity_carried": _of_each(held_out, lambda s: network_perplexity(model, s, True)),
        "baselines": {},
        "heads": head_perplexities(model, test, processes=processes),
        "check": {
            "sentences": CHECKED,
            "perplexity": round(network_perplexity(model, test[:CHECKED]), _DIGITS),
            "heads": head_perplexities(model, test[:CHECKED], processes=processes),
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
        "network_fingerprint": model.fingerprint,
    }
    if parts["train"]:
        baselines = perplexities(parts["train"], test, len(model.vocabulary))
        record["baselines"] = {name: round(figure, _DIGITS) for name, figure in baselines.items()}
    model.to(torch.device("cpu"))
    record["measured"] = machine(device) | {"seconds": round(time.monotonic() - started, 1)}
    return record


def _of_each(parts: Mapping[str, Sequence[np.ndarray]], figure: Any) -> dict[str, float]:
    return {name: round(figure(sentences), _DIGITS) for name, sentences in parts.items()}
