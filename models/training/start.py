"""Where the heads' training starts: in closed form, or from nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from tqdm import tqdm

from models.heads import SharedHeads
from models.language_model import LanguageModel
from models.training.forms import classifier
from models.training.labelled import AnySentence
from models.training.losses import nll_sum
from models.training.recipe import HeadsRecipe
from models.training.state_batches import StateBatch, state_batch, state_batches

# Sentences on which the closed-form start tries its gains: the first of those that were drawn; of a
# recipe that draws none (heads.tokens = 0) the first of the corpus, which may be one document's.
_PROBED = 64


def zero_start(
    network: LanguageModel, kinds: int, semantics: Sequence[str]
) -> dict[str, SharedHeads]:
    """Heads that say the same of every state: all words are equally likely."""
    words, read = network.decoder_weight.shape
    zeros = network.decoder_bias.new_zeros
    return {
        semantic: SharedHeads(
            zeros(kinds, read, network.width), zeros(kinds, read), zeros(kinds, words)
        )
        for semantic in semantics
    }


@torch.no_grad()
def ridge_start(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    semantics: Sequence[str],
    recipe: HeadsRecipe,
    mine: slice,
    quiet: bool,
) -> dict[str, SharedHeads]:
    """P and p by ridge regression, from each kind's vector to a vector that D decodes well.

    For *next* that vector is the last output state, which D was trained to read, with the
    network's own bias. For the other semantics it is the vector that makes D single out the label,
    its length set by the best of a few gains, with the labels' log frequencies as bias.

    mine: the kinds that this process fits.
    """
    decoder = network.decoder_weight
    units, words, device = network.width, network.outputs, decoder.device
    # The vector by which D points at one word and, in the sense of least squares, at no other. D
    # has dependent columns where there are fewer words than units.
    exact = decoder.double()
    inverse = torch.linalg.pinv(exact.t() @ exact / words, hermitian=True)
    pointers = (exact @ inverse).float()  # (V, E)
    # Of all timesteps, and for each semantic of those without a label, which are few.
    gram: torch.Tensor | float = 0.0
    unscored: dict[str, torch.Tensor | float] = dict.fromkeys(semantics, 0.0)
    moment: dict[str, torch.Tensor | float] = dict.fromkeys(semantics, 0.0)
    counts = {s: torch.ones(words, dtype=torch.float64, device=device) for s in semantics}
    for batch in tqdm(
        state_batches(network, sentences, semantics, recipe.batch_tokens, mine),
        desc="heads, closed-form start",
        mininterval=5,
        unit="batch",
        disable=quiet,
    ):
        ones = batch.states.new_ones(*batch.states.shape[:2], 1)
        x = torch.cat([batch.states, ones], 2)  # (C, M, H + 1)
        gram = gram + (x.transpose(1, 2) @ x).double()
        for semantic in semantics:
            asked = batch.labels[semantic]
            scored = asked >= 0
            goal = batch.output if semantic == "next" else pointers[asked.clamp_min(0)]  # (M, E)
            goal = goal * scored[:, None]
            lacking = x[:, ~scored]
            unscored[semantic] = unscored[semantic] + (lacking.transpose(1, 2) @ lacking).double()
            moment[semantic] = moment[semantic] + (x.transpose(1, 2) @ goal).double()
            seen = scored.double()
            counts[semantic].index_add_(0, asked.clamp_min(0), seen)
    probe = state_batch(network, sentences[:_PROBED], semantics, mine)
    ridge = recipe.ridge * np.eye(units + 1)
    heads = {}
    for semantic in semantics:
        # numpy's solver: torch's batched one failed on these matrices, with two threads only.
        sums = (gram - unscored[semantic], moment[semantic])
        left, right = (torch.as_tensor(m).cpu().numpy() for m in sums)
        solution = torch.from_numpy(np.linalg.solve(left + ridge, right)).float().to(device)
        bias = (
            network.decoder_bias.clone()
            if semantic == "next"
            else (counts[semantic] / counts[semantic].sum()).log().float()
        )
        start = SharedHeads(
            projection=solution[:, :units].transpose(1, 2).contiguous(),  # (C, E, H)
            offset=solution[:, units].contiguous(),
            bias=bias.repeat(len(solution), 1),
        )
        if semantic != "next":
            _scale(network, start, probe, semantic)
        heads[semantic] = start
    return heads


def _scale(network: LanguageModel, heads: SharedHeads, probe: StateBatch, semantic: str) -> None:
    """Multiply each kind's projection by the gain that predicts the probe best."""
    rows, targets = probe.scored(semantic)
    for kind, states in enumerate(probe.states[:, rows]):
        x, weight, bias = classifier(heads, kind, states, network)
        losses = {
            gain: float(nll_sum(gain * x, weight, bias, targets))
            for gain in (2.0**-power for power in range(10))
        }
        gain = min(losses, key=losses.__getitem__)
        heads.projection[kind] *= gain
        heads.offset[kind] *= gain
