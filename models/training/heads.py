"""Fit the encoding G: heads for every kind and the wished semantics, in one stream over the corpus.

The network is frozen. The kinds' heads know nothing of each other: several processes share out
the kinds, and each reads the whole corpus.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from models.heads import Heads
from models.language_model import LanguageModel
from models.training.checkpoint import (
    DivergedError,
    agree_on,
    digest_of,
    has_checkpoint,
    load_checkpoint,
    optimiser_state,
    optimiser_tensors,
    save_checkpoint,
)
from models.training.forms import as_form, classifier
from models.training.labelled import AnySentence, steps
from models.training.losses import Soft, cross_entropy
from models.training.processes import DeviceError, Processes, exact_products, mixed_precision
from models.training.recipe import HeadsRecipe
from models.training.sampled import frequent_first, sampled_cross_entropy
from models.training.start import ridge_start, zero_start
from models.training.state_batches import StateBatch, groups, state_batch

# Steps between checkpoints: a minute or so on a processor, and heads of the linear form are large.
_CHECKPOINT_STEPS = 100


def train_heads(
    network: LanguageModel,
    sentences: Sequence[AnySentence],
    semantics: Sequence[str],
    recipe: HeadsRecipe,
    form: str = "shared",
    folder: Path | None = None,
    processes: Processes | None = None,
    only: slice | None = None,
    by_count: bool = False,
) -> dict[str, Heads]:
    """Heads of every kind for each semantic, from ``recipe.tokens`` timesteps of the corpus.

    With a ``folder``, a checkpoint is left there every hundred steps, and a run found there goes
    on. Every process gets all the heads. only: fit these kinds alone, in one process (for
    experiments). by_count: ids are not in order of frequency, as in a vocabulary of others; the
    normaliser is estimated with the words that the corpus has most all the same. Raises ResumeError
    when the folder holds another run, and DivergedError.
    """
    processes = processes or Processes()
    started = time.monotonic()
    kinds = len(network.widths)
    mine = only or processes.share(kinds)
    network.to(processes.device)
    exact_products()
    chosen = _some(sentences, recipe.tokens, np.random.default_rng(recipe.seed))
    # A run that goes on has its heads in the checkpoint: no pass over the text for a start.
    if recipe.start == "ridge" and not (folder and has_checkpoint(folder)):
        start = ridge_start(network, chosen, semantics, recipe, mine, not processes.first)
    else:
        start = zero_start(network, len(range(kinds)[mine]), semantics)
    heads = {semantic: as_form(shared, form, network) for semantic, shared in start.items()}
    order = frequent_first(chosen, network.outputs) if by_count else None
    run = _Run(network, heads, recipe, kinds, mine, processes, order)
    what = {
        "recipe": asdict(recipe)
        | {"form": form, "semantics": list(semantics), "cell": network.cell.id}
        | {"by_count": by_count},
        "corpus": digest_of(network.vocabulary, chosen),
        "network": digest_of(0, [p.detach().cpu().numpy() for p in network.parameters()]),
    }
    with mixed_precision():
        run.fit(chosen, folder, what)
    if processes.first:
        tqdm.write(f"heads trained in {time.monotonic() - started:.0f} s")
    whole = run.whole()
    network.to("cpu")
    return {
        semantic: type(heads[semantic])(
            **{f.name: whole[f"{semantic}.{f.name}"].cpu() for f in fields(heads[semantic])}
        )
        for semantic in semantics
    }


def check_processes(network: LanguageModel, processes: Processes) -> None:
    """Raises DeviceError for more processes than there are kinds to share out: one without a kind
    would have nothing to add to what the others sum up."""
    kinds = len(network.widths)
    if processes.count > kinds:
        raise DeviceError(
            f"torchrun --nproc_per_node: {processes.count} processes are more than the {kinds} "
            "kinds of hidden state whose heads they share out."
        )


class _Run:
    """The heads of this process's kinds while they are trained."""

    def __init__(
        self,
        network: LanguageModel,
        heads: dict[str, Heads],
        recipe: HeadsRecipe,
        kinds: int,
        mine: slice,
        processes: Processes,
        order: Tensor | None,
    ) -> None:
        self.network, self.heads, self.recipe = network, heads, recipe
        self.order = None if order is None else order.to(processes.device)
        self.kinds, self.mine, self.processes = kinds, mine, processes
        self.parameters = {
            f"{semantic}.{f.name}": getattr(trained, f.name).requires_grad_()
            for semantic, trained in heads.items()
            for f in fields(trained)
        }
        self.optimiser = torch.optim.AdamW(
            self.parameters.values(), lr=recipe.rate, weight_decay=recipe.weight_decay, fused=True
        )

    def fit(self, chosen: list[AnySentence], folder: Path | None, what: dict[str, Any]) -> None:
        recipe = self.recipe
        order = [
            group
            for epoch in range(recipe.epochs)
            for group in groups(
                chosen, recipe.batch_tokens, np.random.default_rng([recipe.seed, epoch])
            )
        ]
        done = 0
        if folder is not None:
            done = self._load(folder, what)
            agree_on(folder, done, self.processes)
        started, read = time.monotonic(), 0
        bar = tqdm(
            order[done:],
            initial=done,
            total=len(order),
            desc="heads",
            unit="batch",
            mininterval=5,
            disable=not self.processes.first,
        )
        for step, group in enumerate(bar, done):
            batch = state_batch(
                self.network, [chosen[i] for i in group], tuple(self.heads), self.mine
            )
            losses = self._step(batch, step, len(order))
            read += len(batch.output)
            if step % 20 == 0:
                told = {k: f"{float(v):.3f}" for k, v in losses.items()}
                told["tokens/s"] = f"{read / (time.monotonic() - started):,.0f}"
                bar.set_postfix(told, refresh=False)
            last = step + 1 == len(order)
            if not all(torch.isfinite(loss) for loss in losses.values()):
                raise DivergedError(
                    f"The loss of the heads is no number any more, in step {step + 1}. A lower "
                    "heads.rate may help."
                )
            if folder is not None and ((step + 1) % _CHECKPOINT_STEPS == 0 or last):
                self._save(folder, {**what, "step": step + 1})
        for parameter in self.parameters.values():
            parameter.requires_grad_(False)

    def _step(self, batch: StateBatch, step: int, total_steps: int) -> dict[str, Tensor]:
        """One step of the optimiser; the mean loss over this process's kinds, for the eye only."""
        recipe, device = self.recipe, self.processes.device
        exact = step >= (1 - recipe.exact_part) * total_steps
        generator = torch.Generator(device)
        own_kinds = range(self.kinds)[self.mine]
        for parameters in self.optimiser.param_groups:
            parameters["lr"] = recipe.rate_at(step, total_steps)
        self.optimiser.zero_grad(set_to_none=True)
        losses = {}
        for semantic, heads in self.heads.items():
            rows, targets = batch.scored(semantic)
            if not len(rows):
                continue
            soft = self._network_output(batch, rows) if recipe.loss == "network" else None
            total = torch.zeros((), device=device)
            for kind, (place, states) in enumerate(
                zip(own_kinds, batch.states[:, rows], strict=True)
            ):
                x, weight, bias = classifier(heads, kind, states, self.network)
                # Its own seed for every step and kind: what is drawn does not depend on where a
                # run was taken up again, nor on how the kinds are shared out.
                generator.manual_seed((recipe.seed * 1_000_003 + step) * self.kinds + place)
                if soft is not None:
                    loss = cross_entropy(x, weight, bias, soft)
                elif exact:
                    loss = cross_entropy(x, weight, bias, targets)
                else:
                    sampled = recipe.sampled_head, recipe.sampled_tail, generator, self.order
                    loss = sampled_cross_entropy(x, weight, bias, targets, *sampled)
                loss.backward()  # type: ignore[no-untyped-call]
                total += loss.detach()
            losses[semantic] = total / max(1, len(batch.states))
        self.optimiser.step()
        return losses

    def _network_output(self, batch: StateBatch, rows: Tensor) -> Soft:
        return batch.output[rows], self.network.decoder_weight, self.network.decoder_bias

    def whole(self) -> dict[str, Tensor]:
        """The parameters of all kinds."""
        return {name: self._whole(p.detach()) for name, p in self.parameters.items()}

    def _whole(self, part: Tensor) -> Tensor:
        """All kinds' tensor from each process's (C′, …)."""
        if self.processes.count == 1 or part.dim() == 0:
            return part
        whole = part.new_zeros(self.kinds, *part.shape[1:])
        whole[self.mine] = part
        self.processes.add_up([whole])
        return whole

    def _save(self, folder: Path, record: dict[str, Any]) -> None:
        state = {
            index: {name: self._whole(value) for name, value in values.items()}
            for index, values in self.optimiser.state_dict()["state"].items()
        }
        tensors = self.whole() | optimiser_tensors(state)
        if self.processes.first:
            folder.mkdir(parents=True, exist_ok=True)
            save_checkpoint(folder, record, tensors)
        self.processes.wait()

    @torch.no_grad()
    def _load(self, folder: Path, what: dict[str, Any]) -> int:
        """Go on from the checkpoint of ``folder``, if there is one; the number of steps done."""
        # Of before there were these two, a record does not say them.
        since = {name: what["recipe"][name] for name in ("cell", "by_count")}
        found = load_checkpoint(folder, what, asdict(HeadsRecipe()) | since)
        if found is None:
            return 0
        record, tensors = found
        for name, parameter in self.parameters.items():
            parameter.copy_(tensors[name][self.mine])
        state = {
            index: {n: v if v.dim() == 0 else v[self.mine] for n, v in values.items()}
            for index, values in optimiser_state(tensors).items()
        }
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": state})
        return int(record["step"])


def _some(
    sentences: Sequence[AnySentence], tokens: int, rng: np.random.Generator
) -> list[AnySentence]:
    """Sentences drawn without replacement until they have ``tokens`` timesteps; all for 0."""
    if not tokens:
        return list(sentences)
    chosen, count = [], 0
    for index in rng.permutation(len(sentences)):
        chosen.append(sentences[index])
        count += steps(sentences[index])
        if count >= tokens:
            break
    return chosen
