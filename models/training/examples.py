"""Texts to start from for a model that was trained on Brown, grouped by what they show.

A second text, ``compare``, is the other half of a minimal pair: the two differ in as little as what
they show needs. The shipped LSTM knows every word: nothing is read as ``<unk>``.
"""

from __future__ import annotations

from models.reading import read
from models.vocabulary import Vocabulary

_ROOM = "Jane walked into the room. John walked in too."
_LONG = (
    "It was late in the day, and everyone was walking home after a long day at work. "
    "Jane said hi to"
)

_GROUPS: dict[str, tuple[tuple[str, str | None, str], ...]] = {
    "Quotation ends": (
        (
            '"we stand in solidarity," she emphasized.',
            None,
            "A quotation ends: the paper's case study",
        ),
        (
            '"we stand in solidarity," she emphasized.',
            "we stand in solidarity, she emphasized.",
            "Without its marks: what still knows that this was a quotation?",
        ),
    ),
    "Agreement at a distance": (
        (
            "the keys to the cabinet in the hall were lost .",
            "the key to the cabinet in the hall was lost .",
            "Keys or key: which column tells them apart longest?",
        ),
        (
            "the letters from my friend in the city were lost.",
            "the letter from my friend in the city was lost.",
            "Letters or letter, with a friend and a city in between",
        ),
    ),
    "Garden path": (
        ("the old man the boats.", None, "Man is the verb"),
        (
            "while she was reading the book fell.",
            "while she was reading, the book fell.",
            "A comma says where the clause ends",
        ),
        (
            "the horse raced past the barn fell.",
            "the horse ran past the barn.",
            "Raced may be a participle, ran may not",
        ),
    ),
    "Negation": (
        (
            "he did not know that she had never been to the city.",
            None,
            "Two negations, one in a clause within the clause",
        ),
        (
            "he did not know that she had been there.",
            "he did know that she had been there.",
            "With and without not",
        ),
    ),
    "Numbers": (
        (
            "in 1959 the company paid $3.50 a share, 20 per cent more than in 1958.",
            None,
            "Every number in digits is read as one word, <num>",
        ),
        (
            "in 1959 the company paid $3.50 a share.",
            "in 1959 the company paid three dollars a share.",
            "In digits and in words",
        ),
    ),
    "Jane and John": (
        (
            f"{_ROOM} Jane said hi to",
            f"{_ROOM} {_LONG}",
            "Each sentence is read from nothing: nothing says John, near or far",
        ),
        (
            "Jane walked into the room and John walked in too and Jane said hi to",
            "John walked into the room and Jane walked in too and John said hi to",
            "In one sentence: how long does each name last?",
        ),
    ),
}


def brown_examples() -> list[dict[str, str]]:
    """``text``, what it ``shows``, its ``group``, and for a pair the second text, ``compare``."""
    return [
        {"text": text, "shows": shows, "group": group} | ({"compare": other} if other else {})
        for group, members in _GROUPS.items()
        for text, other, shows in members
    ]


def examples_for(vocabulary: Vocabulary) -> list[dict[str, str]]:
    """The examples for a model of Brown with a vocabulary of its own: without those that have a
    word it lacks, but for the paper's case study, the first, which is shown whatever is in it."""
    first, *rest = brown_examples()
    return [first, *(example for example in rest if _known(vocabulary, example))]


def _known(vocabulary: Vocabulary, example: dict[str, str]) -> bool:
    texts = (example["text"], example.get("compare", ""))
    sentences = [sentence for text in texts for sentence in read(vocabulary, text)]
    return all(token.known for sentence in sentences for token in sentence.tokens)
