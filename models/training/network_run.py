"""What changes while a network is trained: how it begins, and how it is kept and found again."""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from models.language_model import LanguageModel
from models.training.checkpoint import (
    load_checkpoint,
    optimiser_state,
    optimiser_tensors,
    save_checkpoint,
)
from models.training.recipe import NetworkRecipe


@dataclass
class NetworkRun:
    """average: the moving average of the network's weights. drawn: whether it began at random
    weights, which are then no part of the average."""

    network: LanguageModel
    average: LanguageModel | None
    optimiser: torch.optim.Optimizer
    drawn: bool

    @classmethod
    def begin(
        cls,
        recipe: NetworkRecipe,
        vocabulary: int,
        device: torch.device,
        *,
        labels: int = 0,
        whole: bool = False,
        start: LanguageModel | None = None,
    ) -> NetworkRun:
        """A run at its first step, on ``device``. start: of whose weights it begins, instead of
        drawn ones."""
        network = LanguageModel(
            vocabulary,
            recipe.units,
            recipe.layers,
            recipe.cell,
            projection=recipe.projection,
            embedding=recipe.embedding or None,
            tied=not labels,
            labels=labels,
            bidirectional=recipe.bidirectional,
            whole=whole,
        )
        # Drawn on the processor, so that a run begins at the same weights wherever it goes on.
        network.initialise(torch.Generator().manual_seed(recipe.seed), recipe.forget_bias)
        if start is not None:
            network.load_state_dict(start.state_dict())
        network.to(device)
        optimiser = torch.optim.AdamW(
            network.parameters(),
            lr=recipe.rate,
            betas=(recipe.beta1, recipe.beta2),
            weight_decay=recipe.weight_decay,
            fused=True,
        )
        average = copy.deepcopy(network).requires_grad_(False) if recipe.averaging else None
        return cls(network, average, optimiser, drawn=start is None)

    @property
    def best(self) -> LanguageModel:
        """The weights that are validated and kept."""
        return self.average or self.network

    @torch.no_grad()
    def average_in(self, decay: float, step: int) -> None:
        """Move the average towards the weights that ``step``, from 0, has left; ``decay`` of it
        stays. Of a run that began at random it is the mean of the weights since: less of it stays
        at first, nothing at step 0 (the correction of Adam's moments: Kingma and Ba 2015, §3)."""
        if self.average is None:
            return
        new = (1 - decay) / (1 - decay ** (step + 1)) if self.drawn else 1 - decay
        pairs = zip(self.average.parameters(), self.network.parameters(), strict=True)
        for mean, weight in pairs:
            mean.lerp_(weight, new)

    def save(self, folder: Path, record: dict[str, Any]) -> None:
        """Leave a checkpoint in ``folder``."""
        tensors = {f"network.{name}": value for name, value in self.network.state_dict().items()}
        if self.average is not None:
            kept = self.average.state_dict().items()
            tensors |= {f"average.{name}": value for name, value in kept}
        tensors |= optimiser_tensors(self.optimiser.state_dict()["state"])
        save_checkpoint(folder, record, tensors)

    def go_on(self, folder: Path, what: dict[str, Any]) -> list[dict[str, float]]:
        """Restore the checkpoint of ``folder``, if there is one, and return its epochs so far.
        Raises ResumeError when it is of another run than ``what``."""
        found = load_checkpoint(folder, what, asdict(NetworkRecipe()))
        if found is None:
            return []
        record, tensors = found
        for name, network in (("network.", self.network), ("average.", self.average)):
            if network is not None:
                network.load_state_dict(
                    {k.removeprefix(name): v for k, v in tensors.items() if k.startswith(name)}
                )
        state = optimiser_state(tensors)
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": state})
        history: list[dict[str, float]] = record["epochs"]
        return history
