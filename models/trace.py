"""From text to a `Trace`: every number that the grid needs, and nothing about how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.artifact import Model
from models.decode import Classifiers, Decoded, Output, Question, Workspace, decode
from models.kinds import Column
from models.semantics import SEMANTICS, labels
from models.states import StateMemory
from models.text import BOS, is_complete, tokenise

__all__ = ["SEMANTICS", "Trace", "TraceRefused", "TracedToken", "Tracer", "check_question", "trace"]


class TraceRefused(ValueError):
    """A request that cannot be answered: ``code``, a sentence, and the ``field`` it is about."""

    def __init__(self, code: str, message: str, field: str) -> None:
        super().__init__(message)
        self.code, self.message, self.field = code, message, field


@dataclass(frozen=True, slots=True)
class TracedToken:
    """A timestep's input. surface: as typed, empty for the start of a sentence, whose ``span`` is
    None. word: what the network reads. known: whether the vocabulary has it. span: code points.
    """

    id: int
    surface: str
    word: str
    known: bool
    span: tuple[int, int] | None


@dataclass(frozen=True)
class Trace(Decoded):
    """T timesteps of a text, decoded from ``start`` on: R = T − start rows, C columns with the
    output last, B bars, K classes. See `decode.Decoded` for the arrays.

    −1, 0 and nan in label_* and next_* stand for "none": the edge of a sentence, or the place
    where an unfinished text stops. surprisal: (R,) bits. perplexity: 2^(mean surprisal of the
    rows), None where no row has one.
    """

    model: str
    fingerprint: str
    semantic: str
    bars: int
    top: float
    top_words: int
    start: int
    tokens: tuple[TracedToken, ...]
    columns: tuple[Column, ...]
    classes: tuple[str, ...]
    words: dict[int, str]
    word_classes: dict[int, int]
    label_ids: np.ndarray
    next_ids: np.ndarray
    perplexity: float | None


class Tracer:
    """A model made ready to read texts: its words sorted for the products, memory to work in, and
    the states of what was read lately. Not to be used by two threads at once.
    """

    def __init__(self, model: Model, workspace: Workspace | None = None) -> None:
        self.model = model
        self._workspace = workspace or Workspace()
        self._memory = StateMemory(model.network)
        network, classes = model.network, np.asarray(model.vocabulary.classes)
        output = Output(network.decoder_weight, network.decoder_bias, classes)
        self._classifiers = {name: Classifiers(h, output) for name, h in model.heads.items()}
        self._classes = classes

    def trace(
        self,
        text: str,
        *,
        semantic: str = "next",
        bars: int = 10,
        top: float = 0.1,
        start: int = 0,
        token_limit: int = 512,
    ) -> Trace:
        """Read ``text`` with the model and decode every state from timestep ``start`` on.

        bars: most likely words given for each cell. top: fraction of the vocabulary that the class
        masses are summed over. Raises TraceRefused for a semantic that the model has no heads for,
        bars, top or start out of range, and more than ``token_limit`` tokens.
        """
        model, vocabulary = self.model, self.model.vocabulary
        check_question(model, semantic, bars, top)
        sentences = tokenise(text)
        count = sum(len(sentence) for sentence in sentences)
        if count > token_limit:
            message = f"The text has {count:,} tokens; the limit is {token_limit:,}."
            raise TraceRefused("too_many_tokens", message, "text")

        tokens: list[TracedToken] = []
        label_ids: list[int] = []
        next_ids: list[int] = []
        states: list[Tensor] = []  # of each sentence, (C − 1, T, H)
        for sentence in sentences:
            ids = [vocabulary.bos, *vocabulary.encode(token.word for token in sentence)]
            sequence = [*ids, vocabulary.eos] if is_complete(sentence) else ids
            tokens.append(TracedToken(vocabulary.bos, "", BOS, True, None))
            tokens += [
                TracedToken(id, t.surface, vocabulary.words[id], id != vocabulary.unk, t.span)
                for id, t in zip(ids[1:], sentence, strict=True)
            ]
            label_ids += labels(sequence, len(ids), semantic)
            next_ids += labels(sequence, len(ids), "next")
            states.append(self._memory.states(ids))

        if not 0 <= start <= len(tokens):
            message = f"`from` is {start}, but the text has {len(tokens)} timesteps."
            raise TraceRefused("out_of_range", message, "from")
        question = Question(
            classes=self._classes,
            class_count=len(vocabulary.class_names),
            labels=np.array(label_ids[start:], dtype=np.int64),
            next_ids=np.array(next_ids[start:], dtype=np.int64),
            bars=min(bars, len(vocabulary)),
            top_words=max(1, round(top * len(vocabulary))),
        )
        rows = self._rows(states, start)  # (C − 1, R, H)
        decoded = decode(self._classifiers[semantic], rows, question, self._workspace)
        scored = decoded.surprisal[~np.isnan(decoded.surprisal)]
        words = _words_used(decoded, question, tokens)
        return Trace(
            model=model.id,
            fingerprint=model.fingerprint,
            semantic=semantic,
            bars=question.bars,
            top=top,
            top_words=question.top_words,
            start=start,
            tokens=tuple(tokens),
            columns=model.columns,
            classes=vocabulary.class_names,
            words={id: vocabulary.words[id] for id in words},
            word_classes={id: vocabulary.classes[id] for id in words},
            label_ids=question.labels,
            next_ids=question.next_ids,
            perplexity=float(2 ** scored.mean(dtype=np.float64)) if len(scored) else None,
            **vars(decoded),
        )

    def _rows(self, states: list[Tensor], start: int) -> Tensor:
        if not states:
            return torch.zeros(len(self.model.columns) - 1, 0, self.model.network.units)
        return torch.cat(states, 1)[:, start:]


def trace(model: Model, text: str, **options: Any) -> Trace:
    """Read one ``text`` with the model: `Tracer.trace`, for whoever reads only one."""
    return Tracer(model).trace(text, **options)


def check_question(model: Model, semantic: str, bars: int, top: float) -> None:
    """Raises TraceRefused for a semantic that the model has no heads for, bars or top out of
    range."""
    if semantic not in SEMANTICS:
        message = f"`semantic` must be one of {', '.join(SEMANTICS)}."
        raise TraceRefused("unknown_semantic", message, "semantic")
    if semantic not in model.heads:
        message = (
            f"The model {model.id} has no heads for the semantic {semantic}; "
            f"it has {', '.join(model.semantics)}."
        )
        raise TraceRefused("semantic_unavailable", message, "semantic")
    if bars < 1:
        raise TraceRefused("out_of_range", "`bars` must be at least 1.", "bars")
    if not 0 < top <= 1:
        raise TraceRefused("out_of_range", "`top` must be above 0 and at most 1.", "top")


_check = check_question  # the name that others still import


def _words_used(decoded: Decoded, question: Question, tokens: list[TracedToken]) -> list[int]:
    ids = np.concatenate(
        [decoded.top_ids.ravel(), question.labels, question.next_ids, [t.id for t in tokens]]
    )
    return [int(id) for id in np.unique(ids) if id >= 0]
