"""From text to what the network reads: sentences of traced tokens, each from its ``<bos>`` on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.text import BOS
from models.text_rules import RULES
from models.vocabulary import Vocabulary


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


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """tokens: a timestep each, the first ``<bos>``. complete: whether its end is to be predicted
    too."""

    tokens: tuple[TracedToken, ...]
    complete: bool

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]


def read(vocabulary: Vocabulary, text: str) -> list[ReadSentence]:
    """The sentences of ``text``. Blank text has none."""
    start = TracedToken(vocabulary.bos, "", BOS, True, None)
    sentences = []
    for sentence, complete in RULES[vocabulary.rules].sentences(text):
        ids = vocabulary.encode(token.word for token in sentence)
        tokens = (
            TracedToken(id, t.surface, vocabulary.words[id], id != vocabulary.unk, t.span)
            for id, t in zip(ids, sentence, strict=True)
        )
        sentences.append(ReadSentence((start, *tokens), complete))
    return sentences


def token_count(sentences: Sequence[ReadSentence]) -> int:
    """Without the sentence starts: what the limit is about."""
    return sum(len(sentence.tokens) - 1 for sentence in sentences)


def rows_of(sentences: Sequence[ReadSentence]) -> tuple[TracedToken, ...]:
    """The timesteps of all sentences, in order: the rows of a grid."""
    return tuple(token for sentence in sentences for token in sentence.tokens)
