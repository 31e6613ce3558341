"""The kinds of a bidirectional stack, from those of the cell: each once forward, once backward.

As the course notes "Deep Learning for NLP" define it (CS 224D 2015, part IV, eq. 17–22), whose
arrows over the letters are kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.kinds import Kind

BACKWARD = "backward_"  # what ids of backward kinds begin with
_DIRECTIONS = ("forward", "backward")
_ARROWS = ("\u20d7", "\u20d6")  # combining: to the right, to the left


def one_way(kind: Kind, back: bool) -> Kind:
    """A kind of one direction. It reads both directions of the layer below, and of its own layer
    the timestep that it read before: going backward, the one that follows in the text.
    """
    arrow, prefix, sign = _ARROWS[back], BACKWARD if back else "", -1 if back else 1
    operands: list[tuple[str, int, int]] = []
    for name, relative, lag in kind.operands:
        if relative:
            operands += [(name, relative, 0), (BACKWARD + name, relative, 0)]
        else:
            operands.append((prefix + name, 0, sign * lag))
    # What is of this layer carries the arrow; h of the layer below comes in both directions.
    own = r"(?<!_)([A-Za-z]\u0303?)(?=(_(t|\{t−1\}|[a-z]))?\^u)"
    equation = re.sub(own, rf"\1{arrow}", kind.equation)
    both = ", ".join(f"h{way}_t^{{u−1}}" for way in _ARROWS)
    equation = equation.replace("[h_t^{u−1}", f"[{both}").replace(" h_t^{u−1}", f" [{both}]")
    return replace(
        kind,
        id=prefix + kind.id,
        symbol=kind.symbol + arrow,
        name=f"{kind.name}, {_DIRECTIONS[back]}",
        equation=equation.replace("{t−1}", "{t+1}") if back else equation,
        operands=tuple(operands),
        direction=_DIRECTIONS[back],
    )
