"""Figures of a tagger or a classifier on held-out sentences, beside what knows less.

Perplexity is exp of the mean negative natural log-likelihood per label, accuracy the share of
labels that are the most likely one: per word of a tagger, per sentence of a classifier, whose
hidden states are asked once the last word is read.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from models.artifact import Model
from models.artifact.network import READING, reading_of
from models.tasks import CLASSIFICATION, TAGGING
from models.training.evaluate import CHECKED, head_figures, held_out
from models.training.labelled import Labelled
from models.training.processes import Processes, exact_products
from models.training.provenance import machine
from models.training.scoring import DIGITS, accuracy, figure, mean_nll

_Figures = dict[str, float]


def evaluate_labels(
    model: Model,
    parts: Mapping[str, Sequence[Labelled]],
    unknown: Mapping[str, float],
    processes: Processes | None = None,
) -> dict[str, Any]:
    """The content of ``metrics.json``; see `models.training.evaluate.evaluate`."""
    started = time.monotonic()
    processes = processes or Processes()
    device = processes.device
    exact_products()
    model = model.to(device)
    network, test = model.network, parts["test"]
    measured = {name: _network(model, part, processes) for name, part in held_out(parts).items()}
    record: dict[str, Any] = {
        "task": model.task,
        "perplexity": {name: figures["perplexity"] for name, figures in measured.items()},
        "accuracy": {name: figures["accuracy"] for name, figures in measured.items()},
        "baselines": {},
        "heads": head_figures(model, test, processes=processes),
        "check": {"sentences": CHECKED}
        | _network(model, test[:CHECKED], processes)
        | {"heads": head_figures(model, test[:CHECKED], processes=processes)},
        "counts": {
            name: {
                "sentences": len(sentences),
                "labels": sum(int((s.labels >= 0).sum()) for s in sentences),
                "unknown_share": round(unknown[name], 4),
            }
            for name, sentences in parts.items()
            if sentences
        },
        "network_fingerprint": model.network_fingerprint,
        READING: reading_of(model.config),
    }
    if parts["train"]:
        baselines = _BASELINES[model.task]
        sizes = (network.vocabulary, network.outputs)
        record["baselines"] = baselines(parts["train"], test, *sizes)
    model.to(torch.device("cpu"))
    record["measured"] = machine(device) | {"seconds": round(time.monotonic() - started, 1)}
    return record


def _network(model: Model, sentences: Sequence[Labelled], processes: Processes) -> _Figures:
    nll = mean_nll(model.network, sentences, processes=processes)
    return {
        "perplexity": figure(nll, "the network"),
        "accuracy": round(accuracy(model.network, sentences, processes), DIGITS + 1),
    }


def tagging_baselines(
    train: Sequence[Labelled], test: Sequence[Labelled], vocabulary: int, labels: int
) -> dict[str, _Figures]:
    """``majority``: the label frequencies of the training part, one more of each so that none is
    impossible. ``majority per word``: each word's own frequencies of its labels there, with those
    of all words for one count more.
    """
    words, given = _pairs(train)
    counts = np.zeros((vocabulary, labels))
    np.add.at(counts, (words, given), 1)
    share = _share(given, labels)
    asked, right = _pairs(test)
    own = (counts + share) / (counts.sum(1, keepdims=True) + 1)
    return {"majority": _majority(share, right), "majority per word": _figures(own[asked], right)}


def classification_baselines(
    train: Sequence[Labelled], test: Sequence[Labelled], vocabulary: int, labels: int
) -> dict[str, _Figures]:
    """``majority``: as of a tagger. ``naive Bayes``: P(label) Π P(word | label) of a sentence's
    words without their order, one more of each word and label (Jurafsky and Martin, chapter 4).
    """
    given, right = (np.array([s.labels[-1] for s in part]) for part in (train, test))
    counts = np.ones((labels, vocabulary))
    for sentence, label in zip(train, given, strict=True):
        np.add.at(counts[label], sentence.ids[1:], 1)
    log_words = np.log(counts / counts.sum(1, keepdims=True))  # (L, V)
    share = _share(given, labels)
    logits = np.array([np.log(share) + log_words[:, s.ids[1:]].sum(1) for s in test])
    probs = np.exp(logits - np.logaddexp.reduce(logits, 1, keepdims=True))
    return {"majority": _majority(share, right), "naive Bayes": _figures(probs, right)}


_BASELINES = {TAGGING: tagging_baselines, CLASSIFICATION: classification_baselines}


def _pairs(sentences: Sequence[Labelled]) -> tuple[np.ndarray, np.ndarray]:
    """Ids of the words at which a label is asked for, and the labels."""
    ids = np.concatenate([s.ids for s in sentences])
    labels = np.concatenate([s.labels for s in sentences])
    return ids[labels >= 0], labels[labels >= 0]


def _share(given: np.ndarray, labels: int) -> np.ndarray:
    counts = np.bincount(given, minlength=labels) + 1
    share: np.ndarray = counts / counts.sum()
    return share


def _majority(share: np.ndarray, right: np.ndarray) -> _Figures:
    return _figures(np.broadcast_to(share, (len(right), len(share))), right)


def _figures(probs: np.ndarray, right: np.ndarray) -> _Figures:
    """probs: (M, L). right: (M,)."""
    at = np.maximum(probs[np.arange(len(right)), right], np.finfo(float).tiny)
    return {
        "perplexity": round(float(np.exp(-np.log(at).mean())), DIGITS),
        "accuracy": round(float((probs.argmax(1) == right).mean()), DIGITS + 1),
    }
