"""How well a network predicts held-out sentences: its mean negative log-likelihood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from models.language_model import LanguageModel
from models.training.dataset import Batch, batches, stretches
from models.training.labelled import AnySentence
from models.training.losses import nll_sum
from models.training.processes import Processes
from models.training.reading import State, read


@torch.no_grad()
def mean_nll(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    carried: bool = False,
    processes: Processes | None = None,
    end: int | None = None,
) -> float:
    """Mean negative natural log-likelihood per predicted token, the end of sentence included; per
    label, of a network that says labels.

    carried: the state goes on from sentence to sentence, through the text in its order, instead
    of starting at zero in each. end: the id of a token (the end of sentence) that is not counted.
    """
    processes = processes or Processes()
    device = network.decoder_bias.device
    sums = torch.zeros(2, dtype=torch.float64, device=device)
    state: State | None = None
    was_training = network.training
    network.eval()
    for index, batch in enumerate(_batches(sentences, carried)):
        # A text that runs on cannot be shared out: each process would lack what came before.
        if not carried and index % processes.count != processes.rank:
            continue
        h, last = read(network, batch.inputs.to(device), None, state, batch.lengths)
        state = last if carried else None
        kept = batch.valid if end is None else batch.valid & (batch.targets != end)
        places = kept.flatten().nonzero().squeeze(1).to(device)
        targets = batch.targets.flatten().to(device)[places]
        rows = h.flatten(0, 1)[places]
        sums[0] += nll_sum(rows, network.decoder_weight, network.decoder_bias, targets)
        sums[1] += len(targets)
    network.train(was_training)
    if not carried:
        processes.add_up([sums])
    return float(sums[0] / sums[1])


@torch.no_grad()
def accuracy(
    network: LanguageModel, sentences: Sequence[AnySentence], processes: Processes | None = None
) -> float:
    """The share of the labels that are the network's most likely one."""
    processes = processes or Processes()
    device = network.decoder_bias.device
    sums = torch.zeros(2, dtype=torch.float64, device=device)
    network.eval()
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
