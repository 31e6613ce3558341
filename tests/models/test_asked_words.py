"""Words that are named apart from a text: watched, or of a class of one's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.asked_words import Missing, OwnClass, Watch, watch_word, with_own_classes
from models.vocabulary import Vocabulary
from tests.fixtures.tiny import tiny_vocabulary

VOCABULARY = tiny_vocabulary()


def id(word: str) -> int:
    return VOCABULARY.ids[word]


@pytest.mark.parametrize(
    ("named", "read"),
    [
        ("key", "key"),
        (" Key ", "key"),
        ("KEY", "key"),
        ("“", '"'),
        ("n’t", "n't"),
        ("1,961", "<num>"),
        ("<eos>", "<eos>"),
        (" <unk>", "<unk>"),
        ("unk", "unk"),
    ],
)
def test_a_watched_word_is_read_by_the_rules_of_the_text(named: str, read: str) -> None:
    assert watch_word(VOCABULARY, named) == Watch(read, id(read), True)


@pytest.mark.parametrize("named", ["zebra", "ﬁ", "🙂", "x" * 100, "\x00"])
def test_a_word_that_the_vocabulary_lacks_is_watched_as_unknown(named: str) -> None:
    assert watch_word(VOCABULARY, named) == Watch("<unk>", id("<unk>"), False)


@pytest.mark.parametrize("named", ["", " ", "\n", "the key", "can't", "<zebra>", "key.\nkeys"])
def test_what_is_not_one_word_is_not_watched(named: str) -> None:
    assert watch_word(VOCABULARY, named) is None


def test_an_abbreviation_is_one_word_though_it_could_end_a_text() -> None:
    words = Vocabulary((*VOCABULARY.words, "mr."), (*VOCABULARY.classes, 0))
    assert watch_word(words, "Mr.") == Watch("mr.", len(words) - 1, True)


def test_an_own_class_takes_its_words_from_their_classes() -> None:
    own = [OwnClass("pronouns", ("he", "SHE", "zebra")), OwnClass("h", ("he", "he", "can't", ""))]
    classes = with_own_classes(VOCABULARY, own)
    before = np.array(VOCABULARY.classes)
    count = len(VOCABULARY.class_names)
    assert classes.names == (*VOCABULARY.class_names, "own:0", "own:1")
    assert classes.missing == (
        Missing("own:0", "pronouns", ("zebra",)),
        Missing("own:1", "h", ("can't", "")),
    )
    changed = {
        VOCABULARY.words[i]: classes.indices[i] for i in np.flatnonzero(classes.indices != before)
    }
    assert changed == {"she": count, "he": count + 1}  # a word is of the last that names it


def test_without_own_classes_nothing_changes() -> None:
    classes = with_own_classes(VOCABULARY, [])
    assert classes.names == VOCABULARY.class_names
    assert classes.indices.tolist() == list(VOCABULARY.classes)
    assert classes.missing == ()


@given(
    named=st.lists(st.lists(st.text(max_size=5) | st.sampled_from(VOCABULARY.words)), max_size=4)
)
def test_every_named_word_is_of_a_class_or_missing(named: list[list[str]]) -> None:
    own = [OwnClass(str(k), tuple(words)) for k, words in enumerate(named)]
    classes = with_own_classes(VOCABULARY, own)
    first = len(VOCABULARY.class_names)
    for k, words in enumerate(named):
        missing = set(classes.missing[k].words)
        assert missing <= set(words)
        for word in set(words) - missing:
            found = watch_word(VOCABULARY, word)
            assert found is not None
            assert found.known
            assert classes.indices[found.id] >= first + k
