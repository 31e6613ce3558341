"""What each weight of a checkpoint is in a network of ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from models.importing.cell_types import cell_of
from models.importing.gates import in_our_order, order_of, told_order
from models.importing.mapping import with_given
from models.importing.recurrent import find_layers
from models.importing.refused import NOT_LABELS, ImportRefused, listed
from models.importing.tables import find_bias, find_tables, gives_labels
from models.language_model import LanguageModel


@dataclass(frozen=True)
class Match:
    """architecture: as in ``config.json``, without the vocabulary. names: of every weight of the
    network, ours → theirs; None where the file has none and it is zero. passed_over: copies of
    weights that are matched, and what was to be ignored. gates: their order, where it was told."""

    architecture: dict[str, Any]
    names: dict[str, str | None]
    passed_over: tuple[str, ...]
    gates: str | None
    network: LanguageModel


def match(
    state: Mapping[str, Tensor],
    words: int,
    *,
    cell: str | None = None,
    given: Mapping[str, str] | None = None,
    gates: str | None = None,
    ignored: Sequence[str] = (),
) -> Match:
    """The network whose weights these are.

    words: of the vocabulary. cell: an id of `models.cells.CELLS`, where the number of gates does
    not say it. given: our name → theirs, taken as told. gates: the order of the blocks of rows, a
    letter each, where it is not torch's. ignored: names that are no part. Raises ImportRefused.
    """
    given = given or {}
    for name in (*given.values(), *ignored):
        if name not in state:
            raise ImportRefused(
                f"the checkpoint has no weight {name}; it has {listed(sorted(state), 12)}."
            )
    free = [name for name in state if name not in ignored and name not in given.values()]
    found = find_layers(free)
    layers = with_given(found.layers, given)
    used = {theirs for layer in layers for theirs in layer.values()} | found.copies
    cell, blocks = cell_of(state, layers, cell)
    units = [state[layer["weight_hh_l0"]].shape[0] // blocks for layer in layers]
    said = state[layers[-1].get("weight_hr_l0", layers[-1]["weight_hh_l0"])]
    output = len(said) if "weight_hr_l0" in layers[-1] else said.shape[1]
    embedding = state[layers[0]["weight_ih_l0"]].shape[1]
    free = [name for name in free if name not in used]
    table, decoder, copies = find_tables(state, free, given, words, embedding, output)
    free = [name for name in free if name not in {table, decoder, *copies}]
    beside = [decoder] if decoder else [table, *copies]
    bias = given.get("decoder_bias") or find_bias(state, free, words, beside)
    rest = [name for name in free if name != bias]
    labelling = [name for name in rest if gives_labels(state, name, embedding, output)]
    if labelling and decoder is None and not copies:
        raise ImportRefused(
            f"{labelling[0]} gives {len(state[labelling[0]]):,} outputs, where a decoder has one "
            f"for each of the {words:,} words; if it is no part of how the network predicts words, "
            f"say so with --ignore {labelling[0]}. {NOT_LABELS}"
        )
    if rest:
        raise ImportRefused(
            f"{listed(rest)}: the network has parts that are neither embedding, recurrent layer "
            "nor decoder, and without them it would say something else; if they are no part of how "
            "it predicts, say so with --ignore NAME."
        )

    architecture: dict[str, Any] = {"cell": cell, "layers": len(layers), "units": units}
    if len(set(units)) == 1:
        architecture["units"] = units[0]
    architecture["tied"] = decoder is None
    if "weight_hr_l0" in layers[0]:
        architecture["projection"] = output
    if embedding != output:
        architecture["embedding"] = embedding
    network = _network(architecture, words)
    names: dict[str, str | None] = {"embedding.weight": table, "decoder_bias": bias}
    if decoder is not None:
        names["decoder"] = decoder
    for number, layer in enumerate(layers):
        names |= {f"layers.{number}.{ours}": theirs for ours, theirs in layer.items()}
    ours = network.state_dict()
    for name in given.keys() - ours.keys():
        raise ImportRefused(
            f"--map: {name} is no weight of this network; they are {listed(ours, len(ours))}."
        )
    names = {name: names.get(name) for name in ours}
    _check(state, names, {name: tuple(value.shape) for name, value in ours.items()})
    passed_over = tuple(sorted({*copies, *found.copies, *ignored}))
    return Match(architecture, names, passed_over, told_order(names, gates, cell), network)


def _network(architecture: Mapping[str, Any], words: int) -> LanguageModel:
    """On the device "meta": shapes without values."""
    more = {k: architecture[k] for k in ("projection", "embedding", "tied") if k in architecture}
    try:
        with torch.device("meta"):
            return LanguageModel(
                words, architecture["units"], architecture["layers"], architecture["cell"], **more
            )
    except ValueError as error:
        raise ImportRefused(f"the layers do not go together: {error}.") from error


def _check(
    state: Mapping[str, Tensor],
    names: Mapping[str, str | None],
    shapes: Mapping[str, tuple[int, ...]],
) -> None:
    for ours, shape in shapes.items():
        theirs = names[ours]
        if theirs is None and "bias" not in ours:
            raise ImportRefused(
                f'there is no {ours}, which this network needs: name it with --map ({{"{ours}": '
                '"…"}).'
            )
        if theirs is not None and tuple(state[theirs].shape) != shape:
            raise ImportRefused(
                f"{theirs} is {tuple(state[theirs].shape)}, but as {ours} it would be {shape}: the "
                "layers are in another order or of other sizes; say which is which with --map."
            )


def fill(matched: Match, state: Mapping[str, Tensor]) -> LanguageModel:
    """The network with the checkpoint's weights. Raises ImportRefused for one that is no number."""
    ours = order_of(matched.architecture["cell"])
    tensors = {}
    for name, shape in matched.network.state_dict().items():
        theirs = matched.names[name]
        if theirs is None:
            tensors[name] = torch.zeros(shape.shape)
            continue
        value = state[theirs]
        if not torch.isfinite(value).all():
            raise ImportRefused(
                f"{theirs} holds NaN or infinity: the training diverged; take a checkpoint from "
                "before that."
            )
        in_blocks = name.startswith("layers.") and not name.endswith("weight_hr_l0")
        if matched.gates is not None and in_blocks:
            value = in_our_order(value, matched.gates, ours)
        tensors[name] = value.clone()  # a tied weight is one tensor under two names
    matched.network.load_state_dict(tensors, assign=True)
    return matched.network.requires_grad_(False).eval()
