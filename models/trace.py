"""From text to a `Trace`: every number that the grid needs, and nothing about how it is drawn."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from models.artifact import Model
from models.asked_words import Classes, Missing, OwnClass, Watch, watch_word, with_own_classes
from models.decode import Classifiers, Decoded, Output, Question, Workspace, decode
from models.kinds import Column
from models.reading import ReadSentence, TracedToken, read, rows_of, token_count
from models.semantics import LABEL, labels
from models.states import StateMemory, of_text, output_reads, reads_last
from models.tasks import TASKS, semantics_of
from models.typed_states import PackedLayer, packed_layers

__all__ = [
    "LaidOut",
    "Trace",
    "TraceRefused",
    "Tracer",
    "check_length",
    "check_question",
    "lay_out",
    "top_words_of",
    "trace",
]

_FEW = 20  # words: a tenth of so many is one or two


class TraceRefused(ValueError):
    """A request that cannot be answered: ``code``, a sentence, and the ``field`` it is about."""

    def __init__(self, code: str, message: str, field: str) -> None:
        super().__init__(message)
        self.code, self.message, self.field = code, message, field


@dataclass(frozen=True)
class Trace(Decoded):
    """T timesteps of a text, decoded from ``start`` on: R = T − start rows, C columns with the
    output last, B bars, K classes. See `decode.Decoded` for the arrays.

    −1, 0 and nan in label_* and next_* stand for "none": the edge of a sentence, or the place
    where an unfinished text stops. surprisal: (R,) bits. perplexity: 2^(mean surprisal of the
    rows), None where no row has one, or where it is past all numbers.
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
    watch: Watch | None
    missing: tuple[Missing, ...]


@dataclass(frozen=True)
class _Asked:
    """What is asked of a text, checked: see `Tracer.trace`."""

    semantic: str
    bars: int
    top: float
    start: int
    watch: Watch | None
    classes: Classes


class Tracer:
    """A model made ready to read texts: its words sorted for the products, memory to work in, and
    the states of what was read lately. Not to be used by two threads at once.
    """

    def __init__(
        self,
        model: Model,
        workspace: Workspace | None = None,
        laid_out: LaidOut | None = None,
    ) -> None:
        """laid_out: what `lay_out` gave for this model, if that has been done."""
        laid_out = laid_out or lay_out(model)
        self.model = model
        self._workspace = workspace or Workspace()
        self._memory = StateMemory(model.network, laid_out.layers, self._workspace.team)
        self._classes = with_own_classes(model.outputs)
        self._classifiers = laid_out.classifiers

    def states(self, ids: Sequence[int]) -> Tensor:
        """(C − 1, T, H) of a sentence, kept for when it is traced."""
        return self._memory.states(ids)

    def trace(
        self,
        text: str,
        *,
        semantic: str | None = None,
        bars: int = 10,
        top: float = 0.1,
        start: int = 0,
        watch: str | None = None,
        own_classes: Sequence[OwnClass] = (),
        token_limit: int = 512,
    ) -> Trace:
        """Read ``text`` with the model and decode every state from timestep ``start`` on.

        semantic: what is asked for; by default what the network itself says. bars: most likely
        words, or labels, given for each cell. top: fraction of the vocabulary that the class
        masses are summed over (of labels, and of 20 words or fewer, all are). start: past the end,
        no row is decoded, and the trace's own ``start`` is the end. watch: a word whose rank and
        probability are given in each cell. own_classes: they take their words from the vocabulary's
        classes. Raises TraceRefused for a semantic that the model has no heads for, bars, top or
        start out of range, a watch that is not one word, and more than ``token_limit`` tokens.
        """
        model, outputs = self.model, self.model.outputs
        semantic = semantic or model.default_semantic
        check_question(model, semantic, bars, top)
        if start < 0:
            raise TraceRefused("out_of_range", "`from` must be at least 0.", "from")
        watched = _watched(model, watch)
        classes = with_own_classes(outputs, own_classes) if own_classes else self._classes
        question = _Asked(semantic, bars, top, start, watched, classes)
        with self._workspace.team.awake():
            sentences = read(model.vocabulary, text)
            check_length(sentences, token_limit)
            return self._trace(sentences, question)

    def _trace(self, sentences: list[ReadSentence], asked: _Asked) -> Trace:
        model, vocabulary, outputs = self.model, self.model.vocabulary, self.model.outputs
        semantic, top, classes = asked.semantic, asked.top, asked.classes
        tokens = rows_of(sentences)
        label_ids: list[int] = []
        next_ids: list[int] = []
        states: list[Tensor] = []  # of each sentence, (C − 1, T, H)
        reads: list[Tensor] = []  # of each, (T, E), where the decoder reads something else
        for sentence in sentences:
            ids = sentence.ids
            sequence = [*ids, vocabulary.eos] if sentence.complete else ids
            label_ids += labels(sequence, len(ids), semantic)
            # Which label a typed word has nobody said, and words are not what is predicted.
            following = LABEL if semantic == LABEL else "next"
            next_ids += labels(sequence, len(ids), following)
            states.append(self.states(ids))
            if not reads_last(model.network):
                reads.append(output_reads(model.network, ids, states[-1]))

        # Who types on cannot know how many timesteps there are now: tokens may join.
        start = min(asked.start, len(tokens))
        question = Question(
            classes=classes.indices,
            class_count=len(classes.names),
            labels=np.array(label_ids[start:], dtype=np.int64),
            next_ids=np.array(next_ids[start:], dtype=np.int64),
            bars=min(asked.bars, len(outputs)),
            top_words=top_words_of(model, top),
            watch=None if asked.watch is None else asked.watch.id,
        )
        rows = of_text(model.network, states)[:, start:]  # (C − 1, R, H)
        read_out = torch.cat(reads)[start:] if reads else None
        decoded = decode(self._classifiers[semantic], rows, question, self._workspace, read_out)
        scored = decoded.surprisal[~np.isnan(decoded.surprisal)]
        # The ids of tokens are of words: where labels are said, another list.
        words = _words_used(decoded, question, [] if model.labels else [t.id for t in tokens])
        return Trace(
            model=model.id,
            fingerprint=model.fingerprint,
            semantic=semantic,
            bars=question.bars,
            top=top,
            top_words=question.top_words,
            start=start,
            tokens=tokens,
            columns=model.columns,
            classes=classes.names,
            words={id: outputs.words[id] for id in words},
            word_classes={id: int(classes.indices[id]) for id in words},
            label_ids=question.labels,
            next_ids=question.next_ids,
            perplexity=_perplexity(scored),
            watch=asked.watch,
            missing=classes.missing,
            **vars(decoded),
        )


@dataclass(frozen=True)
class LaidOut:
    """A model's weights as they are read from text to numbers, which nobody writes to. classifiers:
    what reads the columns, for each semantic, words sorted for the products. layers: None where
    torch computes the states.
    """

    classifiers: dict[str, Classifiers]
    layers: tuple[PackedLayer, ...] | None


def lay_out(model: Model) -> LaidOut:
    network, classes = model.network, np.asarray(model.outputs.classes)
    output = Output(network.decoder_weight, network.decoder_bias, classes)
    classifiers = {semantic: Classifiers(heads, output) for semantic, heads in model.heads.items()}
    return LaidOut(classifiers, packed_layers(network))


def trace(model: Model, text: str, **options: Any) -> Trace:
    """Read one ``text`` with the model: `Tracer.trace`, for whoever reads only one."""
    return Tracer(model).trace(text, **options)


def check_question(model: Model, semantic: str, bars: int, top: float) -> None:
    """Raises TraceRefused for a semantic that the model has no heads for, bars or top out of
    range."""
    if semantic not in semantics_of(model.task):
        message = (
            f"The model {model.id} is a {TASKS[model.task]}: its states can be asked for "
            f"{', '.join(semantics_of(model.task))}."
        )
        raise TraceRefused("semantic_unavailable", message, "semantic")
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


def top_words_of(model: Model, top: float) -> int:
    """Over how many of the most likely the class masses are summed; over all where there are few:
    labels, or the symbols of a small language, of which a tenth is one or two."""
    count = len(model.outputs)
    return count if model.labels or count <= _FEW else max(1, round(top * count))


def check_length(sentences: Sequence[ReadSentence], limit: int) -> None:
    """Raises TraceRefused for a text of more than ``limit`` tokens."""
    count = token_count(sentences)
    if count > limit:
        message = f"The text has {count:,} tokens; the limit is {limit:,}."
        raise TraceRefused("too_many_tokens", message, "text")


def _watched(model: Model, named: str | None) -> Watch | None:
    if named is None:
        return None
    watched = watch_word(model.outputs, named)
    if watched is None:
        message = "The field watch must be one word; this is read as several, or as none."
        if model.labels:
            message = f"The field watch must be one of the labels {', '.join(model.labels.words)}."
        raise TraceRefused("invalid_field", message, "watch")
    return watched


def _perplexity(surprisal: np.ndarray) -> float | None:
    """2 to the mean surprisal in bits; None where nothing is scored, or it is past all numbers."""
    mean = float(surprisal.mean(dtype=np.float64)) if len(surprisal) else math.inf
    return 2.0**mean if mean < sys.float_info.max_exp else None


def _words_used(decoded: Decoded, question: Question, read: list[int]) -> list[int]:
    """Ids of the words that the answer names, by rising id."""
    named = read if question.watch is None else [*read, question.watch]
    used = np.zeros(len(question.classes) + 1, bool)  # the last: of −1, which names none
    for ids in (decoded.top_ids.ravel(), question.labels, question.next_ids, named):
        used[ids] = True
    return np.flatnonzero(used[:-1]).tolist()
