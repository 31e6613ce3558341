"""Fit the network: `train_network` runs a recipe in a folder, and goes on from what is there."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from models.artifact.weights import fingerprint_of
from models.language_model import LanguageModel
from models.training.checkpoint import DivergedError, agree_on, digest_of
from models.training.dataset import Batch, batches, stretches
from models.training.labelled import AnySentence
from models.training.losses import cross_entropy
from models.training.network_run import NetworkRun
from models.training.noise import draw_noise
from models.training.processes import Processes, mixed_precision
from models.training.reading import State, detached, read
from models.training.recipe import NetworkRecipe
from models.training.sampled import drawn_words, sampled_cross_entropy
from models.training.scoring import mean_nll, perplexity

_LOOK = 50  # steps between looks at whether the loss is still a number


def train_network(
    recipe: NetworkRecipe,
    vocabulary_size: int,
    train: Sequence[AnySentence],
    valid: Sequence[AnySentence],
    folder: Path,
    processes: Processes | None = None,
    *,
    labels: int = 0,
    whole: bool = False,
    start: LanguageModel | None = None,
    section: str = "network",
) -> LanguageModel:
    """Train for the recipe's epochs, with a checkpoint after each in ``folder``.

    labels: how many a tagger or a classifier has; whole: its label is of the whole sentence.
    start: whose weights the run begins with (a warm restart: Loshchilov and Hutter 2017). section:
    where its settings stand in the recipe, for what is told of it.

    Every epoch draws from its own seed, so that a run that was killed and started again ends in
    the same weights as one that was not. Several processes share out the sentences of each batch
    and add up their gradients: the same run, but for the order of sums. Raises ResumeError when
    the folder holds a run of another recipe, corpus or start, and DivergedError.
    """
    processes = processes or Processes()
    folder.mkdir(parents=True, exist_ok=True)
    run = NetworkRun.begin(
        recipe, vocabulary_size, processes.device, labels=labels, whole=whole, start=start
    )
    what = {
        "recipe": asdict(recipe),
        "corpus": digest_of(vocabulary_size, train, valid),
        "start": None if start is None else fingerprint_of(start.state_dict()),
    }
    history = run.go_on(folder, what)
    agree_on(folder, len(history), processes)
    for epoch in range(len(history), recipe.epochs):
        started = time.monotonic()
        with mixed_precision(recipe.bfloat16):
            loss, tokens = _epoch(recipe, epoch, run, train, processes, section)
        seconds = time.monotonic() - started
        figure = perplexity(mean_nll(run.best, valid, recipe.state == "carried", processes))
        _check(figure, epoch, section)
        history.append(
            {
                "epoch": epoch + 1,
                "train_loss": loss,
                "valid_perplexity": figure,
                "seconds": round(seconds, 1),
                "tokens_per_second": round(tokens / seconds),
            }
        )
        if processes.first:
            run.save(folder, {**what, "epochs": history})
            tqdm.write(
                f"{_named(recipe, epoch, section)}: loss {loss:.3f}, validation perplexity "
                f"{figure:.2f}, {seconds:.0f} s, {tokens / seconds:,.0f} tokens/s"
            )
        processes.wait()
    return run.best.cpu().requires_grad_(False).eval()


def _epoch(
    recipe: NetworkRecipe,
    epoch: int,
    run: NetworkRun,
    train: Sequence[AnySentence],
    processes: Processes,
    section: str = "network",
) -> tuple[float, int]:
    """Mean training loss, and the tokens it is of."""
    rng = np.random.default_rng([recipe.seed, epoch])
    generator = torch.Generator(processes.device).manual_seed(int(rng.integers(2**62)))
    source = list(_batches(recipe, train, rng))
    labels = run.network.decoder is not None  # few: nothing is saved by sampling
    exact = labels or epoch >= recipe.epochs - recipe.exact_epochs
    total = torch.zeros((), dtype=torch.float64, device=processes.device)
    tokens = 0
    state: State | None = None
    started = time.monotonic()
    bar = tqdm(
        source,
        desc=_named(recipe, epoch, section),
        mininterval=5,
        bar_format="{l_bar}{bar}| {elapsed}{postfix}",  # whole in 80 columns
        disable=not processes.first,
    )
    for place, batch in enumerate(bar):
        step = epoch * len(source) + place
        rate = recipe.rate_at(step, recipe.epochs * len(source))
        for group in run.optimiser.param_groups:
            group["lr"] = rate
        noise = draw_noise(recipe, run.network.vocabulary, batch.inputs.shape[1], generator)
        mine = processes.share(batch.inputs.shape[1])
        run.optimiser.zero_grad(set_to_none=True)
        loss, state = _loss(
            recipe, run.network, batch.of(mine), noise.of(mine), state, exact, generator
        )
        # Summed over its tokens, shared by all: the gradient of the whole batch's mean.
        count = batch.tokens
        (loss / count).backward()  # type: ignore[no-untyped-call]
        _step(recipe, run, processes, step)
        total += loss.detach()
        tokens += count
        if place % _LOOK == 0:
            _check(float(total), epoch, section)
            loss_of_all = float(total) * processes.count  # as if all had losses like its own
            to_come = recipe.epochs * len(source) - step - 1
            told = _progress(loss_of_all, tokens, time.monotonic() - started, place + 1, to_come)
            bar.set_postfix_str(told, refresh=False)
    _check(float(total), epoch, section)
    processes.add_up([total])
    return float(total) / tokens, tokens


def _batches(
    recipe: NetworkRecipe, train: Sequence[Any], rng: np.random.Generator
) -> Iterator[Batch]:
    if recipe.state == "carried":
        return stretches(train, recipe.batch_sentences, recipe.stretch, rng)
    return batches(train, recipe.batch_sentences, rng)


def _loss(
    recipe: NetworkRecipe,
    network: LanguageModel,
    batch: Batch,
    noise: Any,
    state: State | None,
    exact: bool,
    generator: torch.Generator,
) -> tuple[Tensor, State | None]:
    """Σ −log P over the batch's tokens, and the state that the next batch starts from."""
    device = network.decoder_bias.device
    # Found on the processor: a GPU would have to be waited for.
    places = batch.valid.flatten().nonzero().squeeze(1).to(device)
    targets = batch.targets.flatten().to(device)[places]
    if not len(places):  # more processes than sentences: still one gradient, and one draw, each
        if not exact:
            words = recipe.sampled_head, recipe.sampled_tail
            drawn_words(network.vocabulary, *words, generator)
        return sum((p.sum() * 0 for p in network.parameters()), torch.zeros(())), state
    rounded = torch.bfloat16 if recipe.bfloat16 else None
    h, end = read(network, batch.inputs.to(device), noise, state, batch.lengths, rounded)
    rows = h.flatten(0, 1)[places]  # (M, H)
    decoder = (network.decoder_weight, network.decoder_bias)
    if exact:
        loss = cross_entropy(rows, *decoder, targets)
    else:
        loss = sampled_cross_entropy(
            rows, *decoder, targets, recipe.sampled_head, recipe.sampled_tail, generator
        )
    return loss * len(targets), detached(end) if recipe.state == "carried" else None


def _progress(loss: float, tokens: int, seconds: float, done: int, to_come: int) -> str:
    """What a bar tells. loss: summed over the tokens, in the epoch so far; done: its steps so far,
    to_come: those of all epochs of the cycle."""
    left = tqdm.format_interval(seconds / done * to_come)
    return f"{left} left, loss {loss / tokens:.3f}, {tokens / seconds:,.0f} tokens/s"


def _named(recipe: NetworkRecipe, epoch: int, section: str) -> str:
    said = f"epoch {epoch + 1}/{recipe.epochs}"
    return said if section == "network" else f"{section}, {said}"


def _check(loss: float, epoch: int, section: str) -> None:
    if not math.isfinite(loss):
        raise DivergedError(
            f"The loss is no number any more, in epoch {epoch + 1} of {section}: nothing of that "
            f"epoch is kept. A lower {section}.rate, or less dropout there, may help."
        )


def _step(recipe: NetworkRecipe, run: NetworkRun, processes: Processes, step: int) -> None:
    parameters = list(run.network.parameters())
    processes.add_up([p.grad for p in parameters if p.grad is not None])
    torch.nn.utils.clip_grad_norm_(parameters, recipe.clip)
    run.optimiser.step()
    run.average_in(recipe.averaging, step)
