"""The recurrent layers of a state dict, by torch's names, in the order in which they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from models.importing.refused import NOT_LABELS, ImportRefused, listed

# torch.nn's modules write `weight_ih_l0`, its cells `weight_ih`; AWD-LSTM adds `_raw` to what
# DropConnect acts on.
_NAME = re.compile(
    r"(?P<stack>.*?)(?P<what>(?:weight|bias)_(?:ih|hh)|weight_hr)"
    r"(?:_l(?P<layer>[0-9]+))?(?P<reverse>_reverse)?(?P<raw>_raw)?"
)
# Wrappers' own part of a name: DataParallel's and WeightDrop's, and torch.compile's.
_WRAPPERS = {"module", "_orig_mod"}
_Key = tuple[tuple[int, str], ...]


@dataclass
class Found:
    """layers: of each, our name (``weight_ih_l0``) → theirs. copies: names of what dropout made of
    a weight that is there raw too."""

    layers: list[dict[str, str]] = field(default_factory=list)
    copies: set[str] = field(default_factory=set)


def is_torch_name(name: str) -> bool:
    """Whether the name says that gates stand in torch's order."""
    return _NAME.fullmatch(name) is not None


def find_layers(names: Iterable[str]) -> Found:
    """Raises ImportRefused for a bidirectional stack, and for several stacks side by side."""
    matches = {name: match for name in names if (match := _NAME.fullmatch(name))}
    backward = [name for name, match in matches.items() if match["reverse"]]
    if backward:
        raise ImportRefused(
            f"{backward[0]}: the network is bidirectional, so it reads the words that it would "
            f"have to predict, and is no language model. {NOT_LABELS}"
        )
    found = Found()
    groups: dict[tuple[_Key, _Key], dict[str, str]] = {}
    stacks: dict[str, str] = {}
    for raw in (False, True):  # the raw ones last: they are the weights
        for name, match in matches.items():
            if (match["raw"] is not None) != raw:
                continue
            stack = _stack(match["stack"])
            stacks.setdefault(re.sub(r"\d+", "", stack).strip("._"), stack)
            layer = groups.setdefault((_natural(stack), _natural(match["layer"] or "0")), {})
            ours = f"{match['what']}_l0"
            if ours in layer:
                found.copies.add(layer[ours])
            layer[ours] = name
    if len(stacks) > 1:
        raise ImportRefused(
            f"there are several recurrent stacks ({listed(sorted(stacks.values()))}), and their "
            "names do not say which reads which: name each layer's weights with --map, and those "
            "that are no part of the language model with --ignore."
        )
    found.layers = [groups[key] for key in sorted(groups)]
    return found


def _stack(prefix: str) -> str:
    return ".".join(part for part in prefix.rstrip(".").split(".") if part not in _WRAPPERS)


def _natural(name: str) -> _Key:
    """A key that puts layer 2 before layer 10: numbers by how many digits they have, then by these.
    They may have more than Python makes a number of."""
    parts = (part for part in re.split(r"([0-9]+)", name) if part)
    return tuple(
        (len(part.lstrip("0")), part.lstrip("0")) if part[0] in "0123456789" else (-1, part)
        for part in parts
    )
