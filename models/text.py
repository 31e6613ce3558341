"""Text to tokens: the one set of rules by which corpora are read and typed text is understood.

A text is split into sentences, each sentence into Penn-Treebank tokens (nltk's
``NLTKWordTokenizer``), and each token is normalised to the *word* that a vocabulary is asked
for. Every token keeps its ``span``, the code points of the typed text it came from.

Brown's tokens, which are already apart, pass through the same function joined by spaces, so
that training and typing cannot disagree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nltk.tokenize.destructive import NLTKWordTokenizer

UNK, NUM, BOS, EOS = "<unk>", "<num>", "<bos>", "<eos>"
SPECIALS = (UNK, NUM, BOS, EOS)

# Characters written in several ways, folded to the one that the tokeniser and the vocabulary know.
# A replacement may have any length; spans are kept by `_fold`.
_FOLDED = {
    **dict.fromkeys("“”„‟«»〝〞＂", '"'),
    **dict.fromkeys("‘’‚‛ʼ`´′＇", "'"),
    **dict.fromkeys("—―", " -- "),
    **dict.fromkeys("‐‑−", "-"),
    "…": "...",
    **dict.fromkeys("＜﹤", "<"),
    **dict.fromkeys("＞﹥", ">"),
    "⁄": "/",  # what NFKC makes of ½
    **dict.fromkeys("\ufeff\u00ad", ""),  # byte order mark, soft hyphen: not seen, not read
    "\u200b": " ",
}
_EN_DASH = "–"
# Whether a text needs folding at all: most lines of a corpus do not.
_FOLDABLE = re.compile(rf"[{re.escape(''.join(_FOLDED))}{_EN_DASH}]|''|[^\S ]")

_NUMBER = re.compile(r"[-+.]?\d+(?:[-.,:/']\d+)*")
_TERMINAL = (".", "!", "?", "...")
_CLOSING = ('"', "'", ")", "]", "}")

# An opening single quote: at the start of a word, before a letter, and not one of the words that
# begin with an apostrophe. nltk leaves it on the word ('hello'), where no vocabulary has it.
_OPENING_QUOTE = re.compile(
    r"(?<![^\s(\[{\"])'(?=[^\W\d_])(?!(?:s|re|ve|ll|m|t|d|n|em|tis|twas|cause|til|bout|round)\b)",
    re.IGNORECASE,
)
_ABBREVIATIONS = frozenset(
    "mr mrs ms messrs dr prof st gen sen rep gov col capt lt sgt cmdr rev hon pres jr sr esq vs "
    "etc e.g i.e cf al inc corp co ltd bros jan feb mar apr jun jul aug sep sept oct nov dec mt "
    "ft ave blvd rd u.s u.n a.m p.m b.c a.d ph.d approx".split()
)
_BEFORE_NUMBER = frozenset("no nos vol p pp fig eq sec ch".split())
# Where a sentence may end: the mark, what closes after it, white space, what opens, a word.
# A run of marks is taken whole and tried once, so that the search is linear in the text.
_BREAK = re.compile(r"""(?<![.!?])([.!?]++)((?:\s?["')\]}])*)\s+(?=((?:["'(\[{]\s?)*)(\S))""")

_tokenizer = NLTKWordTokenizer()


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a sentence.

    surface: the characters as typed. word: the normalised form looked up in a vocabulary.
    span: (start, end) in code points of the text given.
    """

    surface: str
    word: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Folded:
    """A folded text with, for each of its characters, the span of the text it stands for."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def tokenise(text: str) -> list[list[Token]]:
    """The sentences of ``text``, each a non-empty list of tokens. Blank text gives no sentence."""
    folded = _fold(text)
    spans = _sentence_spans(folded.text)
    sentences = (_tokens(text, folded, start, end) for start, end in spans)
    return [tokens for tokens in sentences if tokens]


def tokenise_sentence(text: str) -> list[Token]:
    """The tokens of a text that is known to be one sentence (a line of a corpus)."""
    folded = _fold(text)
    return _tokens(text, folded, 0, len(folded.text))


def normalise(surface: str) -> str:
    """The word that stands for a token: folded, lower-cased, ``<num>`` for a number in digits.

    A number starts and ends with a digit (after an optional sign or point) and has only
    single ``. , : / - '`` inside: ``1,200.50``, ``24/7``, ``50–50``, ``.5``; not ``3rd``.
    """
    if surface.isascii() and surface.isalpha():
        return surface.lower()
    if surface.strip() in ("—", "―", _EN_DASH):
        return "--"
    word = unicodedata.normalize("NFKC", surface).lower()
    word = "".join(_FOLDED.get(c, c) for c in word).replace(_EN_DASH, "-").strip()
    if word in ("``", "''"):
        return '"'
    if word in SPECIALS:  # written by whatever trick of Unicode: still not a special token
        return word.strip("<>")
    return NUM if _NUMBER.fullmatch(word) else word


def is_complete(sentence: list[Token]) -> bool:
    """Whether a sentence ends with a terminal mark, so that its end is to be predicted too."""
    for token in reversed(sentence):
        if token.word not in _CLOSING:
            return token.word in _TERMINAL or token.word[-1:] in _TERMINAL
    return False


def _tokens(text: str, folded: _Folded, start: int, end: int) -> list[Token]:
    tokens = []
    for left, right in _token_spans(folded.text, start, end):
        a, b = folded.starts[left], folded.ends[right - 1]
        tokens.append(Token(text[a:b], normalise(text[a:b]), (a, b)))
    return tokens


def _fold(text: str) -> _Folded:
    """Fold quotes, dashes and white space to one form each; doubled ` and ' are a double quote."""
    if not _FOLDABLE.search(text):
        return _Folded(text, range(len(text)), range(1, len(text) + 1))
    chars: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    i = 0
    while i < len(text):
        char, width = text[i], 1
        if text[i : i + 2] in ("``", "''", "‘‘", "’’"):
            out, width = '"', 2
        elif char == _EN_DASH:
            # Between characters an en dash joins (50–50); standing apart it is a dash.
            joined = text[i - 1 : i].strip() and text[i + 1 : i + 2].strip()
            out = "-" if joined else " -- "
        elif char in "\n\r\u2028\u2029\v\f\u0085":
            out = "\n"
        elif char.isspace():
            out = " "
        else:
            out = _FOLDED.get(char, char)
        chars.extend(out)
        starts.extend([i] * len(out))
        ends.extend([i + width] * len(out))
        i += width
    return _Folded("".join(chars), starts, ends)


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a folded text starts and ends. A line break always ends one."""
    offset = 0
    for line in text.split("\n"):
        start = 0
        for match in _BREAK.finditer(line):
            if _ends_sentence(line, match):
                yield offset + start, offset + match.end()
                start = match.end()
        yield offset + start, offset + len(line)
        offset += len(line) + 1


def _ends_sentence(line: str, match: re.Match[str]) -> bool:
    mark, closing, opening, following = match.groups()
    start = match.start()
    while start and line[start - 1] not in " \"'([{":
        start -= 1
    word = line[start : match.start()]
    if not word:
        # The mark stands apart, as in text that is already in tokens: nothing abbreviated.
        if mark == "." and not closing and not opening:
            return following.isalnum()
        return following.isupper()
    if mark != ".":
        # "What?" he said: a question or a cry goes on in lower case.
        return following.isupper() or following.isdigit()
    if word.lower() in _ABBREVIATIONS or re.fullmatch(r"[^\W\d_]", word):
        return False
    return not (word.lower() in _BEFORE_NUMBER and following.isdigit())


def _token_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans of nltk's tokens in ``text[start:end]``."""
    part = text[start:end]
    # Opening single quotes are set apart by a space each; `shifts` says where the spaces went in.
    places = [match.end() for match in _OPENING_QUOTE.finditer(part)]
    spaced, last = [], 0
    for place in places:
        spaced.append(part[last:place])
        last = place
    spaced.append(part[last:])
    inserted = 0
    for left, right in _tokenizer.span_tokenize(" ".join(spaced)):
        while inserted < len(places) and left > places[inserted] + inserted:
            inserted += 1
        yield start + left - inserted, start + right - inserted
