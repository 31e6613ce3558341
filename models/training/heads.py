"""Fit the encoding G: heads for every kind and the wished semantics, in one stream over the corpus.

The network is frozen. Each batch of sentences is read once, its states go to the heads of all
kinds and semantics, and are forgotten: memory does not grow with the corpus.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from models.heads import SharedHeads
from models.language_model import LanguageModel
from models.semantics import labels
from models.states import hidden_states
from models.training.dataset import collate
from models.training.losses import cross_entropy, sampled_cross_entropy
from models.training.recipe import HeadsRecipe

# Sentences, in the drawn order, on which the closed-form start tries its gains.
_PROBED = 64


@dataclass(frozen=True, slots=True)
class StateBatch:
    """states: (C, M, H) of M timesteps. labels: semantic → (M,), −1 where there is none."""

    states: Tensor
    labels: dict[str, Tensor]


def state_batches(
    network: LanguageModel,
    sentences: Sequence[np.ndarray],
    semantics: Sequence[str],
    tokens: int,
    rng: np.random.Generator | None = None,
) -> Iterator[StateBatch]:
    """The states of all sentences (``<bos> … <eos>``), at least ``tokens`` timesteps at a time.

    Sentences of like length are read together, since padding is computed for nothing. With
    ``rng`` the order of batches, and which sentences meet in one, is drawn anew.
    """
    for group in _groups(sentences, tokens, rng):
        yield _state_batch(network, [sentences[i] for i in group], semantics)


def _groups(
    sentences: Sequence[np.ndarray], tokens: int, rng: np.random.Generator | None = None
) -> list[list[int]]:
    lengths = np.array([len(s) for s in sentences])
    jitter = 0 if rng is None else rng.uniform(0, 1, len(lengths))
    groups: list[list[int]] = [[]]
    count = 0
    for index in np.argsort(lengths + jitter, kind="stable"):
        if count >= tokens:
            groups.append([])
            count = 0
        groups[-1].append(int(index))
        count += lengths[index] - 1
    if rng is not None:
        rng.shuffle(groups)
    return groups


def _state_batch(
    network: LanguageModel, sentences: list[np.ndarray], semantics: Sequence[str]
) -> StateBatch:
    batch = collate(sentences)
    valid = batch.valid.t()  # (N, T): sentence by sentence
    states = hidden_states(network, batch.inputs).transpose(1, 2)[:, valid]  # (C, M, H)
    asked = {
        semantic: torch.tensor(
            [label for s in sentences for label in labels(s.tolist(), len(s) - 1, semantic)]
        )
        for semantic in semantics
    }
    return StateBatch(states, asked)


def train_heads(
    network: LanguageModel,
    sentences: Sequence[np.ndarray],
    semantics: Sequence[str],
    recipe: HeadsRecipe,
) -> dict[str, SharedHeads]:
    """Heads of the shared form for each semantic, from ``recipe.tokens`` timesteps of the corpus.

    Closed-form start (`_ridge_start`), then AdamW over one cycle, the last part with the exact
    softmax.
    """
    rng = np.random.default_rng(recipe.seed)
    chosen = _some(sentences, recipe.tokens, rng)
    heads = _ridge_start(network, chosen, semantics, recipe)
    parameters = [
        tensor.requires_grad_() for trained in heads.values() for tensor in vars(trained).values()
    ]
    optimiser = torch.optim.AdamW(
        parameters,
        lr=recipe.rate,
        weight_decay=recipe.weight_decay,
        fused=True,
    )
    generator = torch.Generator().manual_seed(recipe.seed)
    timesteps = sum(len(s) - 1 for s in chosen)
    steps = recipe.epochs * len(_groups(chosen, recipe.batch_tokens))
    bar = tqdm(total=recipe.epochs * timesteps, unit="token", unit_scale=True, mininterval=5)
    step = 0
    started = time.monotonic()
    for epoch in range(recipe.epochs):
        for batch in state_batches(network, chosen, semantics, recipe.batch_tokens, rng):
            exact = step >= (1 - recipe.exact_part) * steps
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate_at(step, steps)
            optimiser.zero_grad(set_to_none=True)
            losses = {
                semantic: _step(network, heads[semantic], batch, semantic, recipe, exact, generator)
                for semantic in semantics
            }
            optimiser.step()
            step += 1
            bar.update(batch.states.shape[1])
            bar.set_description(f"heads, epoch {epoch + 1}/{recipe.epochs}")
            bar.set_postfix({k: f"{v:.3f}" for k, v in losses.items()}, refresh=False)
    bar.close()
    tqdm.write(f"heads trained in {time.monotonic() - started:.0f} s")
    for parameter in parameters:
        parameter.requires_grad_(False)
    return heads


def _step(
    network: LanguageModel,
    heads: SharedHeads,
    batch: StateBatch,
    semantic: str,
    recipe: HeadsRecipe,
    exact: bool,
    generator: torch.Generator,
) -> float:
    """Gradients of every kind's own loss; returns the mean loss over kinds, for the eye only."""
    asked = batch.labels[semantic]
    scored = asked >= 0
    targets = asked[scored]
    # The decoder is the network's and stays as it is.
    weight = network.decoder_weight.detach()
    total = 0.0
    for kind, states in enumerate(batch.states[:, scored]):
        projected = states @ heads.projection[kind].t() + heads.offset[kind]  # (M, H)
        if exact:
            loss = cross_entropy(projected, weight, heads.bias[kind], targets)
        else:
            loss = sampled_cross_entropy(
                projected,
                weight,
                heads.bias[kind],
                targets,
                recipe.sampled_head,
                recipe.sampled_tail,
                generator,
            )
        loss.backward()  # type: ignore[no-untyped-call]
        total += float(loss.detach())
    return total / len(batch.states)


def _some(
    sentences: Sequence[np.ndarray], tokens: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Sentences drawn without replacement until they have ``tokens`` timesteps."""
    chosen, count = [], 0
    for index in rng.permutation(len(sentences)):
        chosen.append(sentences[index])
        count += len(sentences[index]) - 1
        if count >= tokens:
            break
    return chosen


@torch.no_grad()
def _ridge_start(
    network: LanguageModel,
    sentences: Sequence[np.ndarray],
    semantics: Sequence[str],
    recipe: HeadsRecipe,
) -> dict[str, SharedHeads]:
    """P and p by ridge regression, from each kind's vector to a vector that D decodes well.

    For *next* that vector is the last output state, which D was trained to read, with the
    network's own bias. For the other semantics it is the vector that makes D single out the label,
    its length set by the best of a few gains, with the labels' log frequencies as bias.
    """
    kinds = 1 + 8 * len(network.layers)
    units, vocabulary = network.units, len(network.decoder_bias)
    decoder = network.decoder_weight
    # The vector by which D points at one word and, in the sense of least squares, at no other.
    pointers = torch.linalg.solve(decoder.t() @ decoder / vocabulary, decoder.t()).t()  # (V, H)
    gram = torch.zeros(kinds, units + 1, units + 1, dtype=torch.float64)
    moment = {s: torch.zeros(kinds, units + 1, units, dtype=torch.float64) for s in semantics}
    counts = {s: torch.ones(vocabulary, dtype=torch.float64) for s in semantics}
    for batch in tqdm(
        state_batches(network, sentences, semantics, recipe.batch_tokens),
        desc="heads, closed-form start",
        mininterval=5,
        unit="batch",
    ):
        ones = torch.ones(*batch.states.shape[:2], 1)
        x = torch.cat([batch.states, ones], 2)  # (C, M, H + 1)
        gram += (x.transpose(1, 2) @ x).double()
        for semantic in semantics:
            asked = batch.labels[semantic]
            scored = asked >= 0
            goal = (
                batch.states[-1] if semantic == "next" else pointers[asked.clamp_min(0)]
            )  # (M, H)
            goal = goal * scored[:, None]
            moment[semantic] += (x.transpose(1, 2) @ goal).double()
            counts[semantic].index_add_(0, asked[scored], torch.ones_like(asked[scored]).double())
    probe = _state_batch(network, list(sentences[:_PROBED]), semantics)
    ridge = recipe.ridge * torch.eye(units + 1, dtype=torch.float64)
    heads = {}
    for semantic in semantics:
        # numpy's solver: torch's batched one failed on these matrices, with two threads only.
        solved = np.linalg.solve((gram + ridge).numpy(), moment[semantic].numpy())
        solution = torch.from_numpy(solved).float()  # (C, H + 1, H)
        bias = (
            network.decoder_bias.clone()
            if semantic == "next"
            else (counts[semantic] / counts[semantic].sum()).log().float()
        )
        start = SharedHeads(
            projection=solution[:, :units].transpose(1, 2).contiguous(),
            offset=solution[:, units].contiguous(),
            bias=bias.repeat(kinds, 1),
        )
        if semantic != "next":
            _scale(network, start, probe, semantic)
        heads[semantic] = start
    return heads


def _scale(network: LanguageModel, heads: SharedHeads, probe: StateBatch, semantic: str) -> None:
    """Multiply each kind's projection by the gain that predicts the probe best."""
    scored = probe.labels[semantic] >= 0
    targets = probe.labels[semantic][scored]
    for kind, states in enumerate(probe.states[:, scored]):
        projected = states @ heads.projection[kind].t() + heads.offset[kind]

        def loss(gain: float, projected: Tensor = projected, kind: int = kind) -> float:
            weight = network.decoder_weight
            return float(cross_entropy(gain * projected, weight, heads.bias[kind], targets))

        gain = min((2.0**-power for power in range(10)), key=loss)
        heads.projection[kind] *= gain
        heads.offset[kind] *= gain
