"""What a corpus says for each task: the labels of a tagger's words, of a classifier's sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from models.corpora import CorpusError, Document, Sentence
from models.labels import Labels
from models.readers.tagsets import TAGGED_CLASSES
from models.tasks import CLASSIFICATION, LANGUAGE, TAGGING
from models.training.labelled import Labelled, classified, tagged
from models.vocabulary import Vocabulary

# Brown's genres in the four groups of its manual (Francis and Kučera 1964).
_GROUPS = {
    "press": "abc",
    "general prose": "defgh",
    "learned": "j",
    "fiction": "klmnpr",
}
_GROUP_OF = {genre: group for group, genres in _GROUPS.items() for genre in genres}

# The corpus formats that have labels, by task.
_HAVE = {
    TAGGING: ("brown", "brown-raw", "conllu", "tagged", "trees"),
    CLASSIFICATION: ("brown", "brown-raw", "labelled"),
}
_LACK = {TAGGING: "a tag for each word", CLASSIFICATION: "a label for each sentence"}


def check_format(task: str, text_format: str) -> None:
    """Raises CorpusError where a corpus of this format has no labels for the task."""
    if task != LANGUAGE and text_format not in _HAVE[task]:
        raise CorpusError(
            f"A corpus of the format {text_format} has not {_LACK[task]}, which `task` = {task} "
            f"needs; {', '.join(_HAVE[task])} have."
        )


def labels_in(task: str, text_format: str, train: Sequence[Document]) -> Labels:
    """The labels that a network of this task is to tell apart: a fixed set, or for text of one's
    own those of the training part in the order of the alphabet. Raises CorpusError.
    """
    if task == TAGGING:
        return Labels(TAGGED_CLASSES)
    if text_format != "labelled":
        return Labels(tuple(_GROUPS))
    found = sorted({label for _, _, label in _sentences(train)})
    try:
        return Labels(tuple(found))
    except ValueError as error:
        raise CorpusError(f"The training part has no use: {error}.") from error


def encode_labelled(
    task: str,
    documents: Sequence[Document],
    vocabulary: Vocabulary,
    labels: Labels,
    whose: str = "the model's",
) -> list[Labelled]:
    """Each sentence as ``<bos> w₁ … wₙ`` with its labels. whose: the labels are, for who is told of
    another one. Raises CorpusError for such."""
    return [
        tagged(
            ids, (labels.ids[name] for name in _known(document, sentence.classes, labels, whose))
        )
        if task == TAGGING
        else classified(ids, labels.ids[_known(document, [label], labels, whose)[0]])
        for document, sentence, label in _sentences(documents)
        for ids in [[vocabulary.bos, *vocabulary.encode(sentence.words)]]
    ]


def _sentences(documents: Sequence[Document]) -> Iterator[tuple[Document, Sentence, str]]:
    """Document, sentence, and its label: its own, or its genre's group."""
    for document in documents:
        for sentence in document.sentences:
            yield document, sentence, sentence.label or _GROUP_OF.get(document.genre, "")


def _known(document: Document, names: Sequence[str], labels: Labels, whose: str) -> Sequence[str]:
    for name in names:
        if name not in labels.ids:
            raise CorpusError(
                f"{document.name}: the label `{name}` is not one of {whose}: "
                f"{', '.join(labels.words)}."
            )
    return names
