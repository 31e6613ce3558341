"""Perplexity of a network and of each of its heads on held-out sentences (paper §5.2, Figure 3).

Perplexity is exp of the mean negative natural log-likelihood per predicted token, the end of the
sentence included; for a semantic, per timestep that has a label.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tqdm import tqdm

from models.artifact import Model
from models.kinds import Column
from models.training.heads import state_batches
from models.training.losses import nll_sum
from models.training.network import mean_nll


def head_perplexities(
    model: Model, sentences: Sequence[np.ndarray], wanted: Sequence[Column] | None = None
) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """semantic → kind → layer → {"perplexity", "tokens"} on sentences ``<bos> … <eos>`` in ids.

    wanted: only these columns; all hidden states by default.
    """
    network = model.network
    columns = model.columns[:-1]
    indices = [i for i, c in enumerate(columns) if wanted is None or c in wanted]
    totals = {(semantic, i): 0.0 for semantic in model.semantics for i in indices}
    counts = dict.fromkeys(model.semantics, 0)
    timesteps = sum(len(s) - 1 for s in sentences)
    bar = tqdm(total=timesteps, desc="heads", unit="token", unit_scale=True, mininterval=5)
    for batch in state_batches(network, sentences, model.semantics, 1024):
        for semantic in model.semantics:
            heads = model.heads[semantic]
            scored = batch.labels[semantic] >= 0
            targets = batch.labels[semantic][scored]
            counts[semantic] += len(targets)
            projected = heads.project(batch.states[:, scored])  # (C, M, H)
            for i in indices:
                totals[semantic, i] += nll_sum(
                    projected[i], network.decoder_weight, heads.bias[i], targets
                )
        bar.update(batch.states.shape[1])
    bar.close()
    figures: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for (semantic, i), total in totals.items():
        column = columns[i]
        kind = figures.setdefault(semantic, {}).setdefault(column.kind, {})
        kind[str(column.layer)] = {
            "perplexity": round(math.exp(total / counts[semantic]), 3),
            "tokens": counts[semantic],
        }
    return figures


def network_perplexity(model: Model, sentences: Sequence[np.ndarray]) -> float:
    """Perplexity of the network's own output on sentences ``<bos> … <eos>`` in ids."""
    return math.exp(mean_nll(model.network, sentences))


# How many of the first test sentences are also evaluated apart: few enough for a test to do again.
CHECKED = 60


def evaluate(
    model: Model, parts: Mapping[str, Sequence[np.ndarray]], unknown: Mapping[str, float]
) -> dict[str, Any]:
    """The content of ``metrics.json``: the network on every part, the heads on the ``test`` part,
    and again on its first `CHECKED` sentences.

    parts: "valid" and "test" sentences. unknown: share of ``<unk>`` among the words of each.
    """
    return {
        "perplexity": {
            name: round(network_perplexity(model, sentences), 3)
            for name, sentences in parts.items()
        },
        "heads": head_perplexities(model, parts["test"]),
        "check": {
            "sentences": CHECKED,
            "perplexity": round(network_perplexity(model, parts["test"][:CHECKED]), 3),
            "heads": head_perplexities(model, parts["test"][:CHECKED]),
        },
        "counts": {
            name: {
                "sentences": len(sentences),
                "predicted_tokens": sum(len(s) - 1 for s in sentences),
                "unknown_share": round(unknown[name], 4),
            }
            for name, sentences in parts.items()
        },
        "network_fingerprint": model.fingerprint,
    }
