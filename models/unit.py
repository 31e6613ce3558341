"""One unit along a text, and the units that follow a number best: T timesteps, H units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from models.artifact import Model
from models.counters import Counter, correlations, counters
from models.inside import column_index
from models.kinds import Column
from models.reading import read
from models.states import StatesOf, computed_by, of_text
from models.trace import TraceRefused, check_length

FOUND = 10


@dataclass(frozen=True)
class UnitLine:
    """A unit's value at each timestep of a text. values: (T,). units: how many its kind has, H.

    correlation: Pearson's, of the values with the number that is followed; None where none is, or
    where it is not defined. found: the units that follow it best, columns as indices of the
    model's; empty where there is nothing to follow, or the number never changes.
    """

    model: str
    fingerprint: str
    column: Column
    unit: int
    units: int
    values: np.ndarray
    correlation: float | None
    found: tuple[Counter, ...]


@torch.no_grad()
def unit_line(
    model: Model,
    text: str,
    kind: str,
    layer: int | None,
    unit: int,
    *,
    follow: Sequence[float | None] | None = None,
    all_kinds: bool = False,
    token_limit: int = 512,
    states_of: StatesOf | None = None,
) -> UnitLine:
    """The line of a unit of a kind at a layer, over the timesteps of all sentences of ``text``.

    follow: T numbers, or None at timesteps that are left out of the correlation. all_kinds: whether
    units of other kinds are searched too. states_of: gives the (C − 1, T, H) of a sentence, where
    they are known already. Raises TraceRefused for a unit that the model does not have, as many
    numbers as the text has no timesteps, and for what `models.trace.trace` refuses.
    """
    column = _vector(model, kind, layer)
    units = model.network.widths[column]
    if not 0 <= unit < units:
        message = f"The field unit must be below {units:,}, the number of units of the kind {kind}."
        raise TraceRefused("out_of_range", message, "unit")
    sentences = read(model.vocabulary, text)
    check_length(sentences, token_limit)
    timesteps = sum(len(sentence.tokens) for sentence in sentences)
    if follow is not None and len(follow) != timesteps:
        message = (
            f"The field follow has {len(follow):,} numbers, but the text has {timesteps:,} "
            "timesteps: there must be one for each."
        )
        raise TraceRefused("out_of_range", message, "follow")
    of = states_of or computed_by(model.network)
    states = of_text(model.network, [of(sentence.ids) for sentence in sentences]).numpy()
    correlation, found = _followed(states, follow, column, unit, all_kinds)
    return UnitLine(
        model=model.id,
        fingerprint=model.fingerprint,
        column=model.columns[column],
        unit=unit,
        units=units,
        values=states[column, :, unit],
        correlation=correlation,
        found=found,
    )


def _vector(model: Model, kind: str, layer: int | None) -> int:
    column = column_index(model.columns, kind, layer)
    if column == len(model.columns) - 1:
        message = "The kind output has no units: it is what the decoder makes of the last h."
        raise TraceRefused("invalid_field", message, "kind")
    return column


def _followed(
    states: np.ndarray,
    follow: Sequence[float | None] | None,
    column: int,
    unit: int,
    all_kinds: bool,
) -> tuple[float | None, tuple[Counter, ...]]:
    """The unit's own correlation, and the units that follow best: of the column, or of all."""
    told = [t for t, number in enumerate(follow or ()) if number is not None]
    numbers = np.array([follow[t] for t in told] if follow else [], dtype=np.float64)
    # By two numbers r is 1 or −1 of every unit that is not the same at both.
    if len(numbers) < 3 or np.ptp(numbers) == 0:
        return None, ()
    kept = states[:, told]
    own = correlations(kept[column : column + 1, :, unit : unit + 1], numbers)[0, 0]
    if all_kinds:
        found = counters(kept, numbers, FOUND)
    else:
        of_column = counters(kept[column : column + 1], numbers, FOUND)
        found = [Counter(column, one.unit, one.correlation) for one in of_column]
    return None if np.isnan(own) else float(own), tuple(found)
