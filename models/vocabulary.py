"""The vocabulary: words in id order, each with its class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from models.corpora import Sentence
from models.own_text import OwnText
from models.text import BOS, EOS, NUM, SPECIALS, UNK
from models.word_classes import CLASSES


@dataclass(frozen=True)
class Vocabulary:
    """words: V words in id order. classes: for each, an index into `class_names`. rules: an id of
    `models.text_rules.RULES`, by which a typed text is read.

    The special tokens must be among the words: they are what unknown words and the edges of a
    sentence are read as. own: which words these are, and how text is read, where ``rules`` is
    ``own``. ends: whether the end of a sentence is ever predicted; without, ``<eos>`` is in the
    vocabulary and never read nor scored.
    """

    words: tuple[str, ...]
    classes: tuple[int, ...]
    class_names: tuple[str, ...] = CLASSES
    rules: str = "penn"
    own: OwnText | None = None
    ends: bool = True
    ids: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ids = {word: index for index, word in enumerate(self.words)}
        if len(ids) != len(self.words):
            raise ValueError("a word stands in the vocabulary twice")
        own = self.own
        needed = SPECIALS if own is None else (own.unknown, own.start, own.end)
        missing = [word for word in needed if word not in ids]
        if missing:
            raise ValueError(f"the vocabulary lacks {', '.join(missing)}")
        if len(self.classes) != len(self.words):
            raise ValueError(
                f"the vocabulary has {len(self.words)} words but {len(self.classes)} classes"
            )
        if not all(0 <= index < len(self.class_names) for index in self.classes):
            raise ValueError(f"a word's class is not one of the {len(self.class_names)} classes")
        object.__setattr__(self, "ids", ids)

    def __len__(self) -> int:
        return len(self.words)

    @property
    def unit(self) -> str:
        """What a token is: a ``word``, a ``character``, or a ``symbol`` (`models.text_rules`)."""
        if self.own:
            return self.own.unit
        return "symbol" if self.rules == "symbols" else "word"

    @property
    def unk(self) -> int:
        return self.ids[self.own.unknown if self.own else UNK]

    @property
    def bos(self) -> int:
        return self.ids[self.own.start if self.own else BOS]

    @property
    def eos(self) -> int:
        return self.ids[self.own.end if self.own else EOS]

    def encode(self, words: Iterable[str]) -> list[int]:
        """Ids of normalised words, those not in the vocabulary as ``<unk>``."""
        unk, ids = self.unk, self.ids
        return [ids.get(word, unk) for word in words]

    def sentence(self, words: Iterable[str]) -> list[int]:
        """A complete sentence from its start to its end, in ids, where there are ends. A word that
        is the end, where a full stop or the like was made it, is not followed by another."""
        ids = self.encode(words)
        ended = not self.ends or (bool(ids) and ids[-1] == self.eos)
        return [self.bos, *ids] if ended else [self.bos, *ids, self.eos]


def build_vocabulary(sentences: Sequence[Sentence], minimum: int) -> Vocabulary:
    """The words seen at least ``minimum`` times, by falling count, each with its majority class.

    The special tokens come first. Ties of count are in alphabetical order, ties of class in the
    order of CLASSES, so that the same corpus always gives the same ids.
    """
    tagged: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        tagged.update(zip(sentence.words, sentence.classes, strict=True))
    counts: Counter[str] = Counter()
    for (word, _), n in tagged.items():
        counts[word] += n
    kept = [word for word, n in counts.items() if n >= minimum and word not in SPECIALS]
    kept.sort(key=lambda word: (-counts[word], word))

    def class_index(word: str) -> int:
        if word == NUM:
            return CLASSES.index("NUM")
        if word in SPECIALS:
            return CLASSES.index("SPECIAL")
        return max(range(len(CLASSES)), key=lambda i: (tagged[word, CLASSES[i]], -i))

    words = (*SPECIALS, *kept)
    return Vocabulary(words, tuple(class_index(word) for word in words))
