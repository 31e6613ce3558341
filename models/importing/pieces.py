"""A vocabulary of pieces of words: BPE, WordPiece, SentencePiece."""

from __future__ import annotations

from collections.abc import Sequence

# How their tokenisers mark a piece: where a word begins, or where one goes on.
_BEGINNINGS = ("▁", "Ġ", "##")
_ENDS = ("@@", "</w>")
# Of the words, how many must be marked for this to be said: a vocabulary of whole words may have a
# few that only look so.
_MANY = 0.05


def warning(words: Sequence[str], unknown: str) -> str | None:
    """What is to be known of a vocabulary where many words are marked as pieces; None of others.

    unknown: the word that unknown ones are read as."""
    marks = [mark for word in words if (mark := _mark(word))]
    if len(marks) < _MANY * len(words):
        return None
    return (
        f"Warning: {len(marks):,} of the {len(words):,} words are marked as pieces of words "
        f"({', '.join(dict.fromkeys(marks))}). Text is not split into pieces here: a word is read "
        f"as {unknown}, unless the vocabulary has it whole and without a mark, or it is typed in "
        "its pieces, each with its mark, a space between them."
    )


def _mark(word: str) -> str | None:
    return next(
        (
            mark
            for mark in (*_BEGINNINGS, *_ENDS)
            if word != mark and (word.startswith if mark in _BEGINNINGS else word.endswith)(mark)
        ),
        None,
    )
