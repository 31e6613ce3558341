"""How well a network predicts held-out sentences: its mean negative log-likelihood."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from models.language_model import LanguageModel
from models.training.checkpoint import DivergedError
from models.training.dataset import Batch, batches, stretches
from models.training.labelled import AnySentence
from models.training.losses import nll_sum
from models.training.processes import Processes
from models.training.reading import State, read

_NONE = -1  # no token's id
_LARGEST = math.log(sys.float_info.max)  # nats
DIGITS = 3  # of a figure


def perplexity(nll: float) -> float:
    """exp of a mean negative log-likelihood; infinite past the largest number, and of none."""
    return math.exp(nll) if nll < _LARGEST else math.inf


def figure(nll: float, of: str) -> float:
    """A perplexity as it is reported. of: what has it, for people. Raises DivergedError."""
    found = perplexity(nll)
    if not math.isfinite(found):
        raise DivergedError(
            f"The perplexity of {of} is past all numbers: its mean loss is {nll:,.0f} nats, of "
            f"which no more than {_LARGEST:.0f} can be told."
        )
    return round(found, DIGITS)


def mean_nll(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    carried: bool = False,
    processes: Processes | None = None,
) -> float:
    """Mean negative natural log-likelihood per predicted token, the end of sentence included; per
    label, of a network that says labels.

    carried: the state goes on from sentence to sentence, through the text in its order, instead
    of starting at zero in each.
    """
    return mean_nlls(network, sentences, _NONE, carried, processes)[0]


@torch.no_grad()
def mean_nlls(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    end: int,
    carried: bool = False,
    processes: Processes | None = None,
) -> tuple[float, float]:
    """`mean_nll`, and the same without the token ``end`` where it is the last of a sentence: inside
    one it is a word. carried: without any ``end``, as the text has no sentences then."""
    processes = processes or Processes()
    device = network.decoder_bias.device
    sums = torch.zeros(2, 2, dtype=torch.float64, device=device)  # (words or ends, Σ and count)
    state: State | None = None
    for index, batch in enumerate(_batches(sentences, carried)):
        # Of a text that runs on each process reads all: it would lack what came before.
        if not carried and index % processes.count != processes.rank:
            continue
        h, last = read(network, batch.inputs.to(device), None, state, batch.lengths)
        state = last if carried else None
        places = batch.valid.flatten().nonzero().squeeze(1)
        if carried:
            places = places[processes.share(len(places))]
        targets = batch.targets.flatten()[places]
        ends = targets == end
        if not carried:
            ends &= batch.last.flatten()[places]
        for which, kept in enumerate((~ends, ends)):
            rows, words = h.flatten(0, 1)[places[kept].to(device)], targets[kept].to(device)
            sums[which, 0] += nll_sum(rows, network.decoder_weight, network.decoder_bias, words)
            sums[which, 1] += len(words)
    processes.add_up([sums])
    total, words_alone = sums.sum(0), sums[0]
    return float(total[0] / total[1]), float(words_alone[0] / words_alone[1])


@torch.no_grad()
def accuracy(
    network: LanguageModel, sentences: Sequence[AnySentence], processes: Processes | None = None
) -> float:
    """The share of the labels that are the network's most likely one."""
    processes = processes or Processes()
    device = network.decoder_bias.device
    sums = torch.zeros(2, dtype=torch.float64, device=device)
    for index, batch in enumerate(batches(sentences, 64)):
        if index % processes.count != processes.rank:
            continue
        h, _ = read(network, batch.inputs.to(device), None, None, batch.lengths)
        asked = batch.valid.to(device)
        said = network.logits(h[asked]).argmax(-1)
        sums[0] += (said == batch.targets.to(device)[asked]).sum()
        sums[1] += len(said)
    processes.add_up([sums])
    return float(sums[0] / sums[1])


def _batches(sentences: Sequence[Any], carried: bool) -> Iterator[Batch]:
    return stretches(sentences, 1, 1000) if carried else batches(sentences, 64)
