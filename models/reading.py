"""From text to what the network reads: sentences of traced tokens, each from its ``<bos>`` on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.own_text import WORD
from models.text import Token, is_complete
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
    bos = vocabulary.bos
    start = TracedToken(bos, "", vocabulary.words[bos], True, None)
    sentences = []
    for sentence, complete in sentences_of(vocabulary, text):
        ids = vocabulary.encode(token.word for token in sentence)
        tokens = (
            TracedToken(id, t.surface, vocabulary.words[id], t.word in vocabulary.ids, t.span)
            for id, t in zip(ids, sentence, strict=True)
        )
        ended = bool(ids) and ids[-1] == vocabulary.eos  # its end was typed
        ends = vocabulary.ends and complete and not ended
        sentences.append(ReadSentence((start, *tokens), ends))
    return sentences


def sentences_of(vocabulary: Vocabulary, text: str) -> Iterable[tuple[list[Token], bool]]:
    """The tokens of each sentence, and whether it is complete."""
    own = vocabulary.own
    if own is None:
        return RULES[vocabulary.rules].sentences(text)
    return (
        (tokens, broken or (own.unit == WORD and is_complete(tokens)))
        for tokens, broken in own.sentences(text, vocabulary.ids)
    )


def token_count(sentences: Sequence[ReadSentence]) -> int:
    """Without the sentence starts: what the limit is about."""
    return sum(len(sentence.tokens) - 1 for sentence in sentences)


def rows_of(sentences: Sequence[ReadSentence]) -> tuple[TracedToken, ...]:
    """The timesteps of all sentences, in order: the rows of a grid."""
    return tuple(token for sentence in sentences for token in sentence.tokens)
