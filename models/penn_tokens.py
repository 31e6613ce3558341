"""Penn-Treebank tokens: nltk's ``NLTKWordTokenizer``, with opening single quotes set apart.

nltk puts a text through two dozen patterns, most of which find nothing in most words. None of them
looks further than one space, so a run of plain words stands before nltk as one letter: the tokens
are the same, in a small part of the time. A test compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from nltk.tokenize.destructive import NLTKWordTokenizer

_tokenizer = NLTKWordTokenizer()

# An opening single quote: at the start of a word, before a letter, and not one of the words that
# begin with an apostrophe. nltk leaves it on the word ('hello'), where no vocabulary has it.
_OPENING_QUOTE = re.compile(
    r"(?<![^\s(\[{\"])'(?=[^\W\d_])(?!(?:s|re|ve|ll|m|t|d|n|em|tis|twas|cause|til|bout|round)\b)",
    re.IGNORECASE,
)
# What is a token wherever it stands between spaces: words in ASCII with single hyphens, but for
# those that nltk splits, and the marks that it sets apart. No mark that may close a sentence after
# its full stop is among them: the full stop is split off for it.
_WORD = r"(?!(?:cannot|gimme|gonna|gotta|lemme|wanna)\b)[a-z0-9]+"
_PLAIN = rf'(?:{_WORD}(?:-{_WORD})*|[,.;:?!("]|--)'
_PLAIN_RUN = re.compile(rf"(?<![^ ]){_PLAIN}(?: {_PLAIN})*(?![^ ])", re.ASCII | re.IGNORECASE)
_STAND_IN = "x"
_KEPT = 80  # characters: what is longer is hardly met again


def is_plain(text: str) -> bool:
    """Whether the tokens of a text are what stands between its spaces, with nothing to fold."""
    return _PLAIN_RUN.fullmatch(text) is not None


def token_spans(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each token of a folded text, in code points."""
    shown, runs = _with_stand_ins(text)
    shift = 0  # how much further on in the text than in what nltk is shown
    run = next(runs, None)
    for left, right in _spans_of_shown(shown):
        if run is None or left + shift != run.start():
            yield left + shift, right + shift
            continue
        start = run.start()
        for word in run[0].split(" "):
            yield start, start + len(word)
            start += len(word) + 1
        shift += run.end() - run.start() - 1
        run = next(runs, None)


def _with_stand_ins(text: str) -> tuple[str, Iterator[re.Match[str]]]:
    """The text with one letter for each run of plain words, and the runs."""
    runs = list(_PLAIN_RUN.finditer(text))
    parts, last = [], 0
    for run in runs:
        parts.append(text[last : run.start()])
        last = run.end()
    parts.append(text[last:])
    return _STAND_IN.join(parts), iter(runs)


def _spans_of_shown(shown: str) -> Sequence[tuple[int, int]]:
    if shown == _STAND_IN:
        return [(0, 1)]
    return _kept_spans(shown) if len(shown) <= _KEPT else list(spans_of_the_whole(shown))


# With its plain words gone, a sentence of a corpus is often one that was met before: x don't x.
@lru_cache(maxsize=2**13)
def _kept_spans(shown: str) -> tuple[tuple[int, int], ...]:
    return tuple(spans_of_the_whole(shown))


def spans_of_the_whole(text: str) -> Iterator[tuple[int, int]]:
    """Spans of nltk's tokens of a text in which each opening single quote is one too."""
    # They are set apart by a space each; `inserted` says how many of these stand before a token.
    places = [match.end() for match in _OPENING_QUOTE.finditer(text)]
    spaced, last = [], 0
    for place in places:
        spaced.append(text[last:place])
        last = place
    spaced.append(text[last:])
    inserted = 0
    for left, right in _tokenizer.span_tokenize(" ".join(spaced)):
        while inserted < len(places) and left > places[inserted] + inserted:
            inserted += 1
        yield left - inserted, right - inserted
