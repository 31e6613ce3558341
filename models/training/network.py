"""Fit the network: `train_network` runs a recipe in a folder, and goes on from what is there."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from tqdm import tqdm

from models.language_model import LanguageModel
from models.training.dataset import Batch, batches
from models.training.losses import cross_entropy, nll_sum, sampled_cross_entropy
from models.training.recipe import NetworkRecipe

_CHECKPOINT = "checkpoint.safetensors"
_HISTORY = "history.json"  # for people; what a run goes on from is in the checkpoint alone


class ResumeError(Exception):
    """A run folder that another recipe wrote."""


def train_network(
    recipe: NetworkRecipe,
    vocabulary_size: int,
    train: Sequence[np.ndarray],
    valid: Sequence[np.ndarray],
    folder: Path,
) -> LanguageModel:
    """Train for the recipe's epochs, with a checkpoint after each in ``folder``.

    Every epoch draws from its own seed, so that a run that was killed and started again ends in
    the same weights as one that was not. Raises ResumeError when the folder holds a run of
    another recipe.
    """
    folder.mkdir(parents=True, exist_ok=True)
    network = LanguageModel(vocabulary_size, recipe.units, recipe.layers)
    network.initialise(torch.Generator().manual_seed(recipe.seed))
    optimiser = torch.optim.AdamW(
        network.parameters(),
        lr=recipe.rate,
        betas=(recipe.beta1, recipe.beta2),
        weight_decay=recipe.weight_decay,
        fused=True,
    )
    run = {"recipe": asdict(recipe), "data": _digest(vocabulary_size, train, valid)}
    history = _load(folder, run, network, optimiser)
    steps_per_epoch = -(-len(train) // recipe.batch_sentences)
    for epoch in range(len(history), recipe.epochs):
        started = time.monotonic()
        loss, tokens = _epoch(recipe, epoch, steps_per_epoch, network, optimiser, train)
        perplexity = float(np.exp(mean_nll(network, valid)))
        seconds = time.monotonic() - started
        history.append(
            {
                "epoch": epoch + 1,
                "train_loss": loss,
                "valid_perplexity": perplexity,
                "seconds": round(seconds, 1),
                "tokens_per_second": round(tokens / seconds),
            }
        )
        _save(folder, run | {"epochs": history}, network, optimiser)
        tqdm.write(
            f"epoch {epoch + 1}/{recipe.epochs}: loss {loss:.3f}, "
            f"validation perplexity {perplexity:.2f}, {seconds:.0f} s"
        )
    return network


@torch.no_grad()
def mean_nll(network: LanguageModel, sentences: Sequence[np.ndarray]) -> float:
    """Mean negative natural log-likelihood per predicted token, the end of sentence included."""
    total, count = 0.0, 0
    for batch in batches(sentences, 64):
        h, targets = _states(network, batch)
        total += nll_sum(h, network.decoder_weight, network.decoder_bias, targets)
        count += len(targets)
    return total / count


def _epoch(
    recipe: NetworkRecipe,
    epoch: int,
    steps_per_epoch: int,
    network: LanguageModel,
    optimiser: torch.optim.Optimizer,
    train: Sequence[np.ndarray],
) -> tuple[float, int]:
    exact = epoch >= recipe.epochs - recipe.exact_epochs
    rng = np.random.default_rng([recipe.seed, epoch])
    generator = torch.Generator().manual_seed(int(rng.integers(2**62)))
    total, tokens = 0.0, 0
    bar = tqdm(
        batches(train, recipe.batch_sentences, rng),
        total=steps_per_epoch,
        desc=f"epoch {epoch + 1}/{recipe.epochs}",
        mininterval=5,
        unit="batch",
    )
    started = time.monotonic()
    for step, batch in enumerate(bar, epoch * steps_per_epoch):
        rate = recipe.rate_at(step, recipe.epochs * steps_per_epoch)
        for group in optimiser.param_groups:
            group["lr"] = rate
        h, targets = _states(network, batch, recipe.dropout, generator)
        decoder = (network.decoder_weight, network.decoder_bias)
        if exact:
            loss = cross_entropy(h, *decoder, targets)
        else:
            loss = sampled_cross_entropy(
                h, *decoder, targets, recipe.sampled_head, recipe.sampled_tail, generator
            )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
        optimiser.step()
        total += float(loss.detach()) * len(targets)
        tokens += len(targets)
        rate_of = tokens / (time.monotonic() - started)
        bar.set_postfix_str(f"loss {total / tokens:.3f}, {rate_of:,.0f} tokens/s", refresh=False)
    return total / tokens, tokens


def _states(
    network: LanguageModel,
    batch: Batch,
    dropout: float = 0.0,
    generator: torch.Generator | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output states (M, H) and targets (M,) of the M timesteps that are not padding."""
    h = network(batch.inputs, dropout, generator)  # (T, N, H)
    return h[batch.valid], batch.targets[batch.valid]


def _digest(vocabulary_size: int, *parts: Sequence[np.ndarray]) -> str:
    """16 hex digits that stand for the vocabulary's size and every sentence."""
    digest = hashlib.sha256(str(vocabulary_size).encode())
    for part in parts:
        digest.update(f"|{len(part)}|".encode())
        for sentence in part:
            digest.update(sentence.tobytes())
    return digest.hexdigest()[:16]


def _save(
    folder: Path,
    record: dict[str, Any],
    network: LanguageModel,
    optimiser: torch.optim.Optimizer,
) -> None:
    """Weights, optimiser and history in one file, replaced in one go: a kill leaves the old or the
    new."""
    tensors = {f"network.{name}": value for name, value in network.state_dict().items()}
    for index, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{index}.{name}": value for name, value in state.items()}
    part = folder / (_CHECKPOINT + ".part")
    save_file(tensors, part, {"record": json.dumps(record)})
    part.replace(folder / _CHECKPOINT)
    (folder / _HISTORY).write_text(json.dumps(record, indent=1) + "\n")


def _load(
    folder: Path,
    run: dict[str, Any],
    network: LanguageModel,
    optimiser: torch.optim.Optimizer,
) -> list[dict[str, float]]:
    """Restore the checkpoint of ``folder``, if there is one, and return its history."""
    path = folder / _CHECKPOINT
    if not path.exists():
        return []
    with safe_open(path, framework="pt") as file:
        record = json.loads((file.metadata() or {}).get("record", "{}"))
    for key, what in (("recipe", "recipe"), ("data", "corpus")):
        if record.get(key) != run[key]:
            raise ResumeError(
                f"{folder} holds a run of another {what}. Name another folder, or remove this one."
            )
    tensors = load_file(path)
    network.load_state_dict(
        {k.removeprefix("network."): v for k, v in tensors.items() if k.startswith("network.")}
    )
    states: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors.items():
        if key.startswith("optimiser."):
            _, index, name = key.split(".")
            states.setdefault(int(index), {})[name] = value
    optimiser.load_state_dict({**optimiser.state_dict(), "state": states})
    history: list[dict[str, float]] = record["epochs"]
    return history
