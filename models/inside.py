"""Inside one cell: its vector, those that it was computed from, and what each of them says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from models.artifact import Model
from models.asked_words import Classes, OwnClass, with_own_classes
from models.directions import BACKWARD
from models.distributions import Encoding, distributions, divergence_bits, encoding
from models.kinds import Column, Operand
from models.reading import read
from models.states import hidden_states, output_reads
from models.trace import TraceRefused, check_length, check_question, top_words_of
from models.weighted_sums import weighted_sum


@dataclass(frozen=True)
class OperandState:
    """A vector that the cell was computed from. timestep: of its own cell, None for the zeros that
    stand before a sentence, or after it. values: (H,). divergence: Jensen–Shannon, in bits, of its
    encoding from the cell's; None for zeros, which are no cell of the grid. term: (H,), what it
    adds to the kind's weighted sum; None for a kind that has none.
    """

    column: Column
    lag: int
    timestep: int | None
    values: np.ndarray
    divergence: float | None
    term: np.ndarray | None = None


@dataclass(frozen=True)
class Won:
    """In how many of the H units l, s or neither has the larger absolute value in c = l + s."""

    long_term: int
    short_term: int
    equal: int


@dataclass(frozen=True)
class Inside(Encoding):
    """A cell of the grid from within. values: (H,), None for the output, which has no vector of
    its own. divergence: from the output of the same timestep, in bits. won: of a cell state only.
    bias: (H,), of a weighted sum only: σ or tanh of the operands' terms and the bias is the vector.
    """

    model: str
    fingerprint: str
    semantic: str
    top: float
    top_words: int
    timestep: int
    column: Column
    classes: Classes
    words: tuple[str, ...]
    divergence: float
    values: np.ndarray | None
    operands: tuple[OperandState, ...]
    won: Won | None
    bias: np.ndarray | None


@torch.no_grad()
def inside(
    model: Model,
    text: str,
    timestep: int,
    kind: str,
    layer: int | None,
    *,
    semantic: str | None = None,
    bars: int = 50,
    top: float = 0.1,
    own_classes: Sequence[OwnClass] = (),
    token_limit: int = 512,
) -> Inside:
    """The cell of a kind at a layer (None for the output) and a timestep of ``text``.

    Timesteps are the rows of a trace: 0 is the first ``<bos>``. Raises TraceRefused for a cell
    that the text's grid does not have, and for what `models.trace.trace` refuses.
    """
    semantic = semantic or model.default_semantic
    check_question(model, semantic, bars, top)
    index = column_index(model.columns, kind, layer)
    before, ids = _sentence_of(model, text, timestep, token_limit)
    at = timestep - before
    states = hidden_states(model.network, torch.tensor(ids))  # (C − 1, T, H)
    decoded = output_reads(model.network, ids, states)[at]  # (E,)

    column, output = model.columns[index], len(model.columns) - 1
    vector = decoded if index == output else states[index, at]
    probs = distributions(model, semantic, index, vector[None])  # (1, V)
    y = distributions(model, semantic, output, decoded[None])
    operands = tuple(
        _operand(model, semantic, operand, states, before, at, probs) for operand in column.operands
    )
    operands, bias = _with_terms(model, column, operands)
    outputs = model.outputs
    classes = with_own_classes(outputs, own_classes)
    top_words = top_words_of(model, top)
    says = encoding(probs[0].numpy(), bars, top_words, classes.indices, len(classes.names))
    return Inside(
        **vars(says),
        model=model.id,
        fingerprint=model.fingerprint,
        semantic=semantic,
        top=top,
        top_words=top_words,
        timestep=timestep,
        column=column,
        classes=classes,
        words=tuple(outputs.words[id] for id in says.top_ids),
        divergence=float(divergence_bits(probs, y)),
        values=None if index == output else vector[: model.network.widths[index]].numpy(),
        operands=operands,
        won=_won(*(o.values for o in operands)) if _is_sum(column) else None,
        bias=bias,
    )


def column_index(columns: Sequence[Column], kind: str, layer: int | None) -> int:
    """Where a kind at a layer stands among the columns. Raises TraceRefused where it does not."""
    layers = {column.layer: i for i, column in enumerate(columns) if column.kind == kind}
    if not layers:
        kinds = ", ".join(dict.fromkeys(column.kind for column in columns))
        raise TraceRefused("invalid_field", f"The field kind must be one of {kinds}.", "kind")
    if layer not in layers:
        known = " or ".join("null" if at is None else str(at) for at in layers)
        message = f"The field layer must be {known} for the kind {kind}."
        raise TraceRefused("out_of_range", message, "layer")
    return layers[layer]


def _sentence_of(model: Model, text: str, timestep: int, token_limit: int) -> tuple[int, list[int]]:
    """The timestep at which the sentence of ``timestep`` starts, and the ids read from there up to
    it; to a bidirectional network, all of the sentence: what comes later changes its states."""
    sentences = read(model.vocabulary, text)
    check_length(sentences, token_limit)
    before = 0
    for sentence in sentences:
        if 0 <= timestep - before < len(sentence.tokens):
            end = None if model.network.bidirectional else timestep - before + 1
            return before, sentence.ids[:end]
        before += len(sentence.tokens)
    message = f"The field timestep must be below {before:,}, the number of timesteps of the text."
    raise TraceRefused("out_of_range", message, "timestep")


def _operand(
    model: Model,
    semantic: str,
    operand: Operand,
    states: Tensor,
    before: int,
    now: int,
    cell: Tensor,
) -> OperandState:
    """states: (C − 1, T, H) of the sentence that starts ``before``. now: the cell's timestep in it.
    cell: its (1, V)."""
    index = column_index(model.columns, operand.kind, operand.layer)
    column = model.columns[index]
    at = now - operand.lag
    if not 0 <= at < states.shape[1]:
        zeros = np.zeros(model.network.widths[index], np.float32)
        return OperandState(column, operand.lag, None, zeros, None)
    values = states[index, at]  # (H,), what a narrower kind is padded with included
    divergence = divergence_bits(distributions(model, semantic, index, values[None]), cell)
    own = values[: model.network.widths[index]].numpy()
    return OperandState(column, operand.lag, before + at, own, float(divergence))


def _is_sum(column: Column) -> bool:
    kinds = [operand.kind.removeprefix(BACKWARD) for operand in column.operands]
    return kinds == ["long_term", "short_term"]


def _with_terms(
    model: Model, column: Column, operands: tuple[OperandState, ...]
) -> tuple[tuple[OperandState, ...], np.ndarray | None]:
    """The operands of a weighted sum with what each adds to it, and its bias."""
    if not column.layer:
        return operands, None
    network = model.network
    ways = network.backward_layers if column.direction == "backward" else network.layers
    weights = dict(ways[column.layer - 1].named_parameters())
    vectors = [torch.from_numpy(o.values) for o in operands]
    parts = weighted_sum(model.network.cell, weights, column, vectors)
    if parts is None:
        return operands, None
    terms = zip(operands, parts.terms, strict=True)
    return tuple(replace(o, term=term.numpy()) for o, term in terms), parts.bias.numpy()


def _won(long_term: np.ndarray, short_term: np.ndarray) -> Won:
    larger = np.sign(np.abs(long_term) - np.abs(short_term))
    return Won(*(int((larger == sign).sum()) for sign in (1, -1, 0)))
