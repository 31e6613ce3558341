"""The alignment of two token sequences, against the edit distance written from its definition."""

from __future__ import annotations

from functools import cache
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.alignment import Step, align
from models.reading import TracedToken

BOS = TracedToken(2, "", "<bos>", True, None)
WORDS = st.lists(st.sampled_from(["the", "key", "keys", "was", "."]), min_size=1, max_size=5)
TEXTS = st.lists(WORDS, max_size=3)  # of sentences


def tokens(*sentences: list[str] | str) -> list[TracedToken]:
    """As the network reads them; a word's id is that of its lower case."""
    read: list[TracedToken] = []
    for sentence in sentences:
        read.append(BOS)
        for surface in sentence.split() if isinstance(sentence, str) else sentence:
            word = surface.lower()
            id = 10 + crc32(word.encode())
            read.append(TracedToken(id, surface, word, True, (0, len(surface))))
    return read


def told(steps: list[Step]) -> str:
    signs = {"same": "{}={}", "changed": "{}~{}", "inserted": "+{1}", "deleted": "-{0}"}
    return " ".join(signs[op].format(i, j) for i, j, op in steps)


def test_a_changed_word_leaves_the_others_paired() -> None:
    steps = align(tokens("the keys were lost"), tokens("the key was lost"))
    assert told(steps) == "0=0 1=1 2~2 3~3 4=4"
    assert steps[2] == (2, 2, "changed")


def test_words_more_and_words_less() -> None:
    first, second = tokens("the key was lost"), tokens("the old key was lost .")
    assert told(align(first, second)) == "0=0 1=1 +2 2=3 3=4 4=5 +6"
    assert told(align(second, first)) == "0=0 1=1 -2 3=2 4=3 5=4 -6"


def test_of_as_few_changes_those_with_more_words_that_are_the_same() -> None:
    assert told(align(tokens("a b"), tokens("b c"))) == "0=0 -1 2=1 +2"


def test_of_the_same_words_those_that_are_typed_the_same() -> None:
    assert told(align(tokens("The the dog"), tokens("the dog"))) == "0=0 -1 2=1 3=2"
    assert told(align(tokens("the The dog"), tokens("the dog"))) == "0=0 1=1 -2 3=2"


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("the old keys were lost", "the key was lost", "0=0 1=1 -2 3~2 4~3 5=4"),
        ("it were lost", "it was not lost", "0=0 1=1 2~2 +3 3=4"),
        ("it were lost", "it not Was lost", "0=0 1=1 +2 2~3 3=4"),
        ("internationally", "internationalism x", "0=0 1~1 +2"),
    ],
)
def test_a_word_is_changed_into_the_one_that_begins_alike(
    first: str, second: str, wanted: str
) -> None:
    assert told(align(tokens(first), tokens(second))) == wanted


def test_a_sentence_more_is_inserted_whole() -> None:
    steps = align(tokens("the key was lost ."), tokens("he said it .", "the key was lost ."))
    assert told(steps) == "+0 +1 +2 +3 +4 0=5 1=6 2=7 3=8 4=9 5=10"


def test_the_start_of_a_sentence_is_never_paired_with_a_word() -> None:
    # One change would do it if "b" could become the start of a sentence.
    steps = align(tokens("a b c"), tokens("a", "c"))
    assert told(steps) == "0=0 1=1 -2 +2 3=3"


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ([], [], ""),
        ([], tokens("a"), "+0 +1"),
        (tokens("a"), [], "-0 -1"),
        (tokens("a"), tokens("a"), "0=0 1=1"),
    ],
)
def test_texts_with_nothing_to_pair(
    first: list[TracedToken], second: list[TracedToken], wanted: str
) -> None:
    assert told(align(first, second)) == wanted


@given(first=TEXTS, second=TEXTS)
def test_the_steps_turn_one_text_into_the_other(
    first: list[list[str]], second: list[list[str]]
) -> None:
    a, b = tokens(*first), tokens(*second)
    steps = align(a, b)
    assert [i for i, _, _ in steps if i is not None] == list(range(len(a)))
    assert [j for _, j, _ in steps if j is not None] == list(range(len(b)))
    turned = []
    for i, j, op in steps:
        if op == "same":
            assert i is not None
            turned.append(a[i].id)
        elif op in ("changed", "inserted"):
            assert j is not None
            turned.append(b[j].id)
        assert (op == "inserted") == (i is None)
        assert (op == "deleted") == (j is None)
        if i is not None and j is not None:
            assert (a[i].id == b[j].id) == (op == "same")
            assert (a[i] == BOS) == (b[j] == BOS)
    assert turned == [token.id for token in b]


@given(first=TEXTS, second=TEXTS)
def test_the_changes_are_as_few_as_can_be(first: list[list[str]], second: list[list[str]]) -> None:
    a, b = tokens(*first), tokens(*second)

    @cache
    def fewest(i: int, j: int) -> tuple[int, int]:
        """(changes, pairs changed) of the first i and j tokens."""
        if not i or not j:
            return (i + j, 0)
        ways = [_plus(fewest(i - 1, j), 1, 0), _plus(fewest(i, j - 1), 1, 0)]
        if a[i - 1].id == b[j - 1].id:
            ways.append(fewest(i - 1, j - 1))
        elif BOS not in (a[i - 1], b[j - 1]):
            ways.append(_plus(fewest(i - 1, j - 1), 1, 1))
        return min(ways)

    ops = [step.op for step in align(a, b)]
    changes = sum(op != "same" for op in ops)
    assert (changes, ops.count("changed")) == fewest(len(a), len(b))


def _plus(ways: tuple[int, int], changes: int, pairs: int) -> tuple[int, int]:
    return ways[0] + changes, ways[1] + pairs


@given(first=TEXTS, second=TEXTS)
def test_the_other_way_round_the_pairs_are_the_same(
    first: list[list[str]], second: list[list[str]]
) -> None:
    a, b = tokens(*first), tokens(*second)
    there = [(i, j) for i, j, _ in align(a, b) if i is not None and j is not None]
    back = [(i, j) for j, i, _ in align(b, a) if i is not None and j is not None]
    assert there == back
