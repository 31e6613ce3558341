"""Which of the two tables over the vocabulary is the embedding, and which the decoder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from models.importing.refused import NOT_LABELS, ImportRefused, listed

_EMBEDDING = re.compile(r"emb|encoder|wte|lookup|lut", re.I)
_DECODER = re.compile(r"decoder|out|fc|lin|proj|head|softmax|classif|generator|logit|vocab", re.I)


def find_tables(
    state: Mapping[str, Tensor],
    free: Sequence[str],
    given: Mapping[str, str],
    words: int,
    read: int,
    said: int,
) -> tuple[str, str | None, set[str]]:
    """Names of the embedding, of the decoder (None where it is the embedding itself), and of
    copies of either.

    free: names that are no recurrent layer's. words: V. read: units that the first layer reads.
    said: units that the last layer gives. Raises ImportRefused.
    """
    told = [given[name] for name in ("embedding.weight", "decoder") if name in given]
    tables = [n for n in (*free, *told) if state[n].dim() == 2 and len(state[n]) == words]
    groups = _distinct(state, list(dict.fromkeys(tables)))
    fitting = [g for g in groups if state[g[0]].shape[1] == read]
    embedding = given.get("embedding.weight") or _choose("embedding", _EMBEDDING, _DECODER, fitting)
    if embedding not in (None, *told) and len(groups) == 1 and _only(groups[0], _DECODER):
        raise ImportRefused(
            f"there is no embedding beside {embedding}: if the decoder is tied to it, say so with "
            f'--map ({{"embedding.weight": "{embedding}"}}).'
        )
    decoder = given.get("decoder")
    if decoder is None:
        fitting = [g for g in groups if state[g[0]].shape[1] == said]
        others = [g for g in fitting if embedding not in g]
        if embedding is not None and len(fitting) > len(others) and not others:
            decoder = embedding
        else:
            decoder = _choose("decoder", _DECODER, _EMBEDDING, others)
    for table, size, found in (("embedding", read, embedding), ("decoder", said, decoder)):
        if found is None:
            raise ImportRefused(_missing(state, free, table, words, size))
    assert embedding is not None
    assert decoder is not None
    kept = {embedding, decoder}
    copies = {n for group in groups if kept & set(group) for n in group} - kept
    same = state[embedding].shape == state[decoder].shape
    if same and torch.equal(state[embedding], state[decoder]):
        return embedding, None, copies | {decoder} - {embedding}
    return embedding, decoder, copies


def find_bias(
    state: Mapping[str, Tensor], free: Sequence[str], words: int, decoder: Sequence[str]
) -> str | None:
    """The decoder's bias: beside the decoder, or the only vector over the vocabulary that is called
    a bias. Others may be anything, as the weights of a loss."""
    vectors = [name for name in free if state[name].shape == (words,)]
    named = [name for name in vectors if "bias" in name.lower()]
    beside = {name.removesuffix("weight") + "bias" for name in decoder}
    exact = [name for name in named if name in beside]
    if len(exact) == 1 or len(named) == 1:
        return (exact or named)[0]
    found = named or vectors
    if found:
        raise ImportRefused(
            f"{'each of ' if len(found) > 1 else ''}{listed(found)} may be the decoder's bias: say "
            'which is with --map ({"decoder_bias": "…"}), and which is no part with --ignore.'
        )
    return None


def gives_labels(state: Mapping[str, Tensor], name: str, read: int, said: int) -> bool:
    """Whether a matrix that was left over looks like the last one of a tagger or a classifier,
    whose embedding was taken for a tied decoder: it reads what the last layer gives (``said``), and
    gives what no tied decoder reads (``read``)."""
    shape = state[name].shape
    return len(shape) == 2 and shape[1] == said and shape[0] != read


def _labelling(table: str, rows: int) -> str:
    return f" Or are its {rows:,} rows labels? {NOT_LABELS}" if table == "decoder" else ""


def _distinct(state: Mapping[str, Tensor], names: Sequence[str]) -> list[list[str]]:
    """Names in groups of equal weights: tied ones are in a state dict under each of their names."""
    groups: list[list[str]] = []
    for name in names:
        alike = (g for g in groups if torch.equal(state[g[0]], state[name]))
        group = next(alike, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def _only(group: Sequence[str], likely: re.Pattern[str]) -> bool:
    """Whether names are all of one kind of table."""
    unlikely = _EMBEDDING if likely is _DECODER else _DECODER
    return all(likely.search(name) and not unlikely.search(name) for name in group)


def _choose(
    table: str, likely: re.Pattern[str], unlikely: re.Pattern[str], groups: Sequence[list[str]]
) -> str | None:
    def looks(group: list[str], pattern: re.Pattern[str]) -> bool:
        return any(pattern.search(name) for name in group)

    def first(group: list[str]) -> str:
        return next((name for name in group if likely.search(name)), group[0])

    if len(groups) <= 1:
        return first(groups[0]) if groups else None
    for some in (
        [g for g in groups if looks(g, likely) and not looks(g, unlikely)],
        [g for g in groups if looks(g, likely)],
        [g for g in groups if not looks(g, unlikely)],
    ):
        if len(some) == 1:
            return first(some[0])
    ours = "embedding.weight" if table == "embedding" else table
    raise ImportRefused(
        f"each of {listed(group[0] for group in groups)} may be the {table}: say which with --map "
        f'({{"{ours}": "…"}}).'
    )


def _missing(
    state: Mapping[str, Tensor], free: Sequence[str], table: str, words: int, size: int
) -> str:
    likely = _EMBEDDING if table == "embedding" else _DECODER
    tables = [n for n in free if state[n].dim() == 2 and state[n].shape[1] == size]
    named = [name for name in tables if likely.search(name)] or tables
    if named and len(state[named[0]]) != words:
        return (
            f"{named[0]} has {len(state[named[0]]):,} rows, but the vocabulary has {words:,} "
            "words: give with --vocab the list that the network was trained with, in the order of "
            f"its ids.{_labelling(table, len(state[named[0]]))}"
        )
    return (
        f"there is no {table}: no matrix of {words:,} words × {size:,} units is in the file. "
        "If it is there under another shape, save it as torch.nn has it; a network that ends "
        "before it is no language model."
    )
