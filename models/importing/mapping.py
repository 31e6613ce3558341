"""Names that a person gives for weights: the file of ``--map``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from models.importing.digits import whole
from models.importing.refused import ImportRefused, listed

_MOST_LAYERS = 100


def read_map(path: Path) -> dict[str, str]:
    """The file of --map: a JSON object of our names and theirs. Raises ImportRefused."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ImportRefused(f"{path}: this cannot be read as JSON ({error}).") from error
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value.values()):
        raise ImportRefused(
            f"{path}: --map is a JSON object of our name and the checkpoint's, as in "
            '{"embedding.weight": "wte.weight"}.'
        )
    return value


def with_given(found: list[dict[str, str]], given: Mapping[str, str]) -> list[dict[str, str]]:
    """Of each layer, our name (``weight_ih_l0``) → theirs, with those that were given
    (``layers.0.weight_ih_l0``) in place of those that were found. Raises ImportRefused.
    """
    layers = [dict(layer) for layer in found]
    for ours, theirs in given.items():
        part, _, rest = ours.partition(".")
        number, _, name = rest.partition(".")
        if part != "layers" or not number.isdecimal():
            continue
        place = whole(number)
        if place is None or place > _MOST_LAYERS:
            raise ImportRefused(
                f"--map: {ours[:40]}: a network of over {_MOST_LAYERS} layers is not read."
            )
        layers += [{} for _ in range(place + 1 - len(layers))]
        layers[place][name] = theirs
    if not layers:
        raise ImportRefused(
            "there is no recurrent layer: no weight ends in weight_ih_l0 or weight_hh_l0, as "
            "torch's LSTM, GRU and RNN have them; name those of another with --map, and the order "
            "of its gates with --gates."
        )
    for at, layer in enumerate(layers):
        for name in ("weight_ih_l0", "weight_hh_l0"):
            if name not in layer:
                known = f" (it has {listed(layer.values())})" if layer else ""
                raise ImportRefused(
                    f"recurrent layer {at + 1} has no {name.removesuffix('_l0')}{known}: name "
                    f'it with --map ({{"layers.{at}.{name}": "…"}}).'
                )
    return layers
