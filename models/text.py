"""Text to tokens: the one set of rules by which corpora are read and typed text is understood.

A text is split into sentences, each sentence into Penn-Treebank tokens (nltk's
``NLTKWordTokenizer``), and each token is normalised to the *word* that a vocabulary is asked
for. Every token keeps its ``span``, the code points of the typed text it came from.

Brown's tokens, which are already apart, pass through the same function joined by spaces, so
that a sentence has the same tokens in training as when it is typed. Where a typed sentence ends has
to be found out; a corpus that is in tokens says it (`tokenise_sentence`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from models.penn_tokens import token_spans

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
BREAKS = frozenset("\n\r\u2028\u2029\v\f\u0085")
# What folding changes: a doubled quote, or one character.
_FOLDABLE = re.compile(rf"``|''|‘‘|’’|[{re.escape(''.join(_FOLDED))}{_EN_DASH}]|[^\S ]")

_NUMBER = re.compile(r"[-+.]?\d+(?:[-.,:/']\d+)*")
_TERMINAL = (".", "!", "?", "...")
_CLOSING = ('"', "'", ")", "]", "}")

_ABBREVIATIONS = frozenset(
    "mr mrs ms messrs dr prof st gen sen rep gov col capt lt sgt cmdr rev hon pres jr sr esq vs "
    "etc cf al inc corp co ltd bros jan feb mar apr jun jul aug sep sept oct nov dec mt "
    "ft ave blvd rd ph.d approx dept lb lbs oz hr hrs yr yrs calif fla ala ariz conn ga mich minn "
    "okla tenn va wis".split()
)
_BEFORE_NAME = frozenset("and about at by for from in like of on or to with".split())
_BEFORE_NUMBER = frozenset("no nos vol p pp fig eq sec ch".split())
# J.F. Kennedy, the U.S., 5 p.m.; of one letter an initial.
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
# Where a sentence may end: the mark, what closes after it, white space, what opens, a word.
# A run of marks is taken whole and tried once, so that the search is linear in the text.
_BREAK = re.compile(r"""(?<![.!?])([.!?]++)((?:\s?["')\]}])*)\s+(?=((?:["'(\[{]\s?)*)(\S))""")


# Special tokens as a corpus writes them, and what stands for them meanwhile: characters that are
# for a program's own use.
_WRITTEN = re.compile(r"(?<!\S)(?:<unk>|<num>)(?!\S)")
_STAND_IN = {UNK: "\ufdd0", NUM: "\ufdd1"}
_STOOD_FOR = {character: word for word, character in _STAND_IN.items()}


class Token(NamedTuple):
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
    """The tokens of a text that is known to be one sentence."""
    folded = _fold(text)
    return _tokens(text, folded, 0, len(folded.text))


def corpus_words(line: str) -> list[str]:
    """The words of a line of a corpus: those that typing it gives, of all sentences that are in it.
    But a corpus may write ``<unk>`` and ``<num>`` itself, between spaces."""
    marked = _WRITTEN.sub(lambda special: _STAND_IN[special[0]], line)
    return [_STOOD_FOR.get(t.surface, t.word) for tokens in tokenise(marked) for t in tokens]


def normalise(surface: str) -> str:
    """The word that stands for a token: folded, lower-cased, ``<num>`` for a number in digits.

    A number starts and ends with a digit (after an optional sign or point) and has only
    single ``. , : / - '`` inside: ``1,200.50``, ``24/7``, ``50–50``, ``.5``; not ``3rd``.
    """
    if surface.isascii() and surface.isalpha():
        return surface.lower()
    word = unified(surface).lower()
    if word == "''":
        return '"'
    if word in SPECIALS:  # written by whatever trick of Unicode: still not a special token
        return word.strip("<>")
    return NUM if _NUMBER.fullmatch(word) else word


def unified(surface: str) -> str:
    """The token with each character in the one form it is known in; its case is kept."""
    if surface.isascii():
        return surface.replace("`", "'").strip()  # NFKC leaves ASCII as it is
    if surface.strip() in ("—", "―", _EN_DASH):
        return "--"
    word = unicodedata.normalize("NFKC", surface)
    return "".join(_FOLDED.get(c, c) for c in word).replace(_EN_DASH, "-").strip()


def is_complete(sentence: list[Token]) -> bool:
    """Whether a sentence ends with a terminal mark, so that its end is to be predicted too."""
    for token in reversed(sentence):
        if token.word not in _CLOSING:
            return token.word in _TERMINAL or token.word[-1:] in _TERMINAL
    return False


def _tokens(text: str, folded: _Folded, start: int, end: int) -> list[Token]:
    tokens = []
    starts, ends = folded.starts, folded.ends
    for left, right in token_spans(folded.text[start:end]):
        a, b = starts[start + left], ends[start + right - 1]
        surface = text[a:b]
        tokens.append(Token(surface, normalise(surface), (a, b)))
    return tokens


def _fold(text: str) -> _Folded:
    """Fold quotes, dashes and white space to one form each; doubled ` and ' are a double quote."""
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in _FOLDABLE.finditer(text):
        i, end = match.span()
        out = _folded(text, i, match[0])
        parts += (text[done:i], out)
        starts += range(done, i)
        starts += [i] * len(out)
        ends += range(done + 1, i + 1)
        ends += [end] * len(out)
        done = end
    if not parts:
        return _Folded(text, range(len(text)), range(1, len(text) + 1))
    parts.append(text[done:])
    starts += range(done, len(text))
    ends += range(done + 1, len(text) + 1)
    return _Folded("".join(parts), starts, ends)


def _folded(text: str, i: int, what: str) -> str:
    """What stands for the foldable ``what`` that begins at ``text[i]``."""
    if len(what) == 2:
        return '"'
    if what == _EN_DASH:
        # Between characters an en dash joins (50–50); standing apart it is a dash.
        joined = text[i - 1 : i].strip() and text[i + 1 : i + 2].strip()
        return "-" if joined else " -- "
    if what in BREAKS:
        return "\n"
    return " " if what.isspace() else _FOLDED[what]


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
    # A letter of a script without capitals, such as Georgian, is called lower-case too.
    goes_on = following.islower() and following != following.title()
    word = _word_before(line, match.start())
    if not word:
        # The mark stands apart, as in text that is already in tokens: nothing abbreviated.
        if (mark == "." or not mark.strip("?!")) and not closing and not opening:
            return following.isalnum()
        return following.isupper()
    if mark != ".":
        # Dots trail off, and "What?" he said: what comes may be the same sentence. Else a question
        # or a cry has ended.
        trails = closing or not mark.strip(".")
        return following.isalnum() and not (trails and goes_on)
    if word == "I" and following.isupper() and line[match.start(4) + 1 : match.start(4) + 2] != ".":
        # A pronoun after a small word (It was I. He left.); an initial after a name, before one, or
        # after what a pronoun would be *me* after.
        before = _word_before(line, len(line[: match.start() - 1].rstrip()))
        return before.islower() and before not in _BEFORE_NAME
    if word.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(word):
        return False
    return not (word.lower() in _BEFORE_NUMBER and following.isdigit())


def _word_before(line: str, end: int) -> str:
    """What stands before a mark, from white space or what opens it on. The apostrophe of *don't*
    opens nothing."""
    start = end
    while start and line[start - 1] not in ' "([{':
        if line[start - 1] == "'" and not line[max(0, start - 2) : start - 1].isalnum():
            break
        start -= 1
    return line[start:end]
