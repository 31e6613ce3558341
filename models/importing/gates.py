"""The order in which gates stand in a layer's weights: torch's, or one that is told."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from models.cells import CELLS
from models.importing.recurrent import is_torch_name
from models.importing.refused import ImportRefused
from models.kinds import columns

# The cell input c̃ and the candidate h̃ are c and h, without the tilde; torch calls them g and n.
_TORCH_LETTERS = str.maketrans("gn", "ch")


def order_of(cell: str) -> str:
    """Our order, which is torch's: a letter for each block of rows, the kind's symbol."""
    symbols = {column.kind: column.symbol for column in columns(cell, 1)}
    return "".join(symbols[kind][0] for kind in CELLS[cell].rows)


def in_our_order(weight: Tensor, theirs: str, ours: str) -> Tensor:
    """The blocks of rows of a weight or bias (G·H, …), brought from their order into ours."""
    blocks = weight.chunk(len(theirs))
    return torch.cat([blocks[theirs.index(gate)] for gate in ours])


def checked(theirs: str, ours: str) -> str:
    """The order that was told, in our letters. Raises ImportRefused."""
    letters = theirs.replace(",", "").replace(" ", "").lower().translate(_TORCH_LETTERS)
    if sorted(letters) != sorted(ours):
        raise ImportRefused(
            f"--gates {theirs}: the gates of this cell are {' '.join(ours)}, each to be named "
            f"once, in the order of their rows (torch's is {ours})."
        )
    return letters


def told_order(names: Mapping[str, str | None], gates: str | None, cell: str) -> str | None:
    """The order of the blocks of rows, None where it is torch's, as torch's names say it is.

    names: ours → theirs. Raises ImportRefused where neither names nor ``gates`` tell.
    """
    ours = order_of(cell)
    if gates is not None:
        told = checked(gates, ours)
        return None if told == ours else told
    foreign = [
        theirs
        for name, theirs in names.items()
        if theirs is not None and name.startswith("layers.") and not is_torch_name(theirs)
    ]
    if foreign and len(ours) > 1:
        raise ImportRefused(
            f"{foreign[0]} is no name of torch's, so the order of its {len(ours)} gates is not "
            f"known: say it with --gates ({ours} is torch's)."
        )
    return None
