"""The order in which gates stand in a layer's weights: torch's, or one that is told."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from models.importing.recurrent import is_torch_name
from models.importing.refused import ImportRefused

# Of each number of blocks, torch's order; c and h are the cell input c̃ and the candidate h̃, which
# torch calls g and n.
_ORDERS = {"lstm-coupled": "fco", 4: "ifco", 3: "rzh", 1: "a"}
_TORCH_LETTERS = str.maketrans("gn", "ch")


def order_of(cell: str, blocks: int) -> str:
    """Our order, a letter for each block of rows."""
    return _ORDERS.get(cell) or _ORDERS[blocks]


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


def told_order(
    names: Mapping[str, str | None], gates: str | None, cell: str, blocks: int
) -> str | None:
    """The order of the blocks of rows, None where it is torch's, as torch's names say it is.

    names: ours → theirs. Raises ImportRefused where neither names nor ``gates`` tell.
    """
    ours = order_of(cell, blocks)
    if gates is not None:
        told = checked(gates, ours)
        return None if told == ours else told
    foreign = [
        theirs
        for name, theirs in names.items()
        if theirs is not None and name.startswith("layers.") and not is_torch_name(theirs)
    ]
    if foreign and blocks > 1:
        raise ImportRefused(
            f"{foreign[0]} is no name of torch's, so the order of its {blocks} gates is not known: "
            f"say it with --gates ({ours} is torch's)."
        )
    return None
