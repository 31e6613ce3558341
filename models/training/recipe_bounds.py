"""The bounds of each number of a recipe; beyond them a run fails, or fits to nothing."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from models.cells import CELLS
from models.language_model import MOST_LAYERS, MOST_UNITS
from models.training.recipe import NetworkRecipe

LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True)
class Bounds:
    """low ≤ value ≤ high; over: low itself is out; below: high is."""

    low: float
    high: float = math.inf
    over: bool = False
    below: bool = False

    def hold(self, value: float) -> bool:
        """Also that it is a number, and none past those with a decimal point."""
        above = value > self.low if self.over else value >= self.low
        under = value < self.high if self.below else value <= self.high
        return above and under and value <= LARGEST

    def __str__(self) -> str:
        low = f"{'over' if self.over else 'at least'} {self.low:,}"
        if math.isinf(self.high):
            return low
        return f"{low} and {'below' if self.below else 'at most'} {self.high:,}"


_COUNT, _NOT_NEGATIVE, _POSITIVE = Bounds(1), Bounds(0), Bounds(0, over=True)
_SHARE, _LEFT_OUT = Bounds(0, 1), Bounds(0, 1, below=True)
_SEED = Bounds(0, (1 << 31) - 1)

# By section and field; a field that is no number has none.
BOUNDS: dict[str, dict[str, Bounds]] = {
    "corpus": {"minimum_count": _COUNT},
    "network": {
        "units": Bounds(1, MOST_UNITS),
        "layers": Bounds(1, MOST_LAYERS),
        "projection": Bounds(0, MOST_UNITS),
        "embedding": Bounds(0, MOST_UNITS),
        "epochs": _COUNT,
        "exact_epochs": _NOT_NEGATIVE,
        "sampled_head": _NOT_NEGATIVE,
        "sampled_tail": _COUNT,
        "batch_sentences": _COUNT,
        "rate": _POSITIVE,
        "warm_up": _SHARE,
        "beta1": _LEFT_OUT,
        "beta2": _LEFT_OUT,
        "weight_decay": _NOT_NEGATIVE,
        "dropout_input": _LEFT_OUT,
        "dropout_between": _LEFT_OUT,
        "dropout_output": _LEFT_OUT,
        "dropped_words": _LEFT_OUT,
        "dropped_weights": _LEFT_OUT,
        "averaging": _LEFT_OUT,
        "forget_bias": Bounds(-100, 100),
        "clip": _POSITIVE,
        "stretch": _COUNT,
        "seed": _SEED,
    },
    "heads": {
        "tokens": _NOT_NEGATIVE,
        "epochs": _NOT_NEGATIVE,  # 0: the closed form alone
        "batch_tokens": _COUNT,
        "exact_part": _SHARE,
        "sampled_head": _NOT_NEGATIVE,
        "sampled_tail": _COUNT,
        "rate": _POSITIVE,
        "warm_up": _SHARE,
        "weight_decay": _NOT_NEGATIVE,
        "ridge": _POSITIVE,
        "seed": _SEED,
    },
}
BOUNDS["restarts"] = BOUNDS["network"]


def projection_fault(network: NetworkRecipe) -> str:
    """What is wrong with the projection, which some cells have and others have not; or nothing."""
    if not CELLS[network.cell].projected:
        if network.projection:
            return f"must be 0: the cell {network.cell} has no projection"
        return ""
    if 0 < network.projection < network.units:
        return ""
    return f"must be over 0 and below {network.units:,}, the units of the cell {network.cell}"
