"""Which sentences train, validate and test: every split keeps whole documents or says why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from models.corpora import CorpusError, Document, Sentence

Parts = Mapping[str, Sequence[Document]]


# What `part_of` does, as model folders record it.
BY_PLACE = "index % 10 == 4 test, index % 20 == 9 validation"


def part_of(index: int) -> str:
    """Of a document or a sentence by its place: 4, 14, 24 … test, 9, 29, 49 … validate."""
    return "test" if index % 10 == 4 else "valid" if index % 20 == 9 else "train"


def by_documents(documents: list[Document]) -> Parts:
    """Each document by its place in its genre, in name order: no text is on both sides."""
    parts: dict[str, list[Document]] = {"train": [], "valid": [], "test": []}
    places: Counter[str] = Counter()
    for document in sorted(documents, key=lambda d: d.name):
        parts[part_of(places[document.genre])].append(document)
        places[document.genre] += 1
    return parts


def by_sentences(documents: list[Document]) -> Parts:
    """Each document's sentences by their places. For a corpus of one or a few documents: neighbours
    of a held-out sentence are trained on."""
    parts: dict[str, list[Document]] = {"train": [], "valid": [], "test": []}
    for document in documents:
        kept: dict[str, list[Sentence]] = {name: [] for name in parts}
        for index, sentence in enumerate(document.sentences):
            kept[part_of(index)].append(sentence)
        _deal(document, kept, parts)
    return parts


def by_running_words(documents: list[Document]) -> Parts:
    """The first 800,000 running words train, the next 200,000 validate, the rest tests, each part
    up to the end of a sentence (Bengio et al. 2003, §4.1)."""
    parts: dict[str, list[Document]] = {"train": [], "valid": [], "test": []}
    seen = 0
    for document in documents:
        kept: dict[str, list[Sentence]] = {name: [] for name in parts}
        for sentence in document.sentences:
            name = "train" if seen < 800_000 else "valid" if seen < 1_000_000 else "test"
            kept[name].append(sentence)
            seen += len(sentence.words)
        _deal(document, kept, parts)
    return parts


def by_shuffled_words(documents: list[Document]) -> Parts:
    """As `by_running_words`, of the documents in a drawn order: every genre is in every part."""
    order = np.random.default_rng(0).permutation(len(documents))
    return by_running_words([documents[i] for i in order])


def all_test(documents: list[Document]) -> Parts:
    """Everything tests: for a text that the model has never seen."""
    return {"train": (), "valid": (), "test": documents}


SPLITS: dict[str, Callable[[list[Document]], Parts]] = {
    "documents": by_documents,
    "sentences": by_sentences,
    "running-words": by_running_words,
    "shuffled-words": by_shuffled_words,
    "test": all_test,
}
# The corpus comes in parts of its own.
GIVEN = "given"


def split_by(name: str, documents: list[Document]) -> Parts:
    """Raises CorpusError for an unknown split, or when a part that is to be trained on is empty."""
    if name not in SPLITS:
        known = ", ".join((*SPLITS, GIVEN))
        raise CorpusError(f"The split {name!r} is not known, or not for this format; {known} are.")
    return SPLITS[name](documents)


def _deal(
    document: Document, kept: Mapping[str, list[Sentence]], parts: Mapping[str, list[Document]]
) -> None:
    """Give each part what it keeps of a document."""
    for name, sentences in kept.items():
        if sentences:
            parts[name].append(replace(document, sentences=tuple(sentences)))
