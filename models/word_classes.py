"""Word classes: the twelve universal parts of speech, and how Brown's tags map to them.

The map follows the universal tagset of Petrov, Das and McDonald (2012) except where Brown is
finer than the Penn tags which that map was made for: subordinating conjunctions (cs) are CONJ
rather than ADP, existential *there* (ex) is PRON, pre-qualifiers (abl, abn, abx: quite, all,
both) are DET and *nobody*, *everything* (pn) are PRON.
"""

from __future__ import annotations

import re

# Column order of every class axis. SPECIAL is <unk>, <bos> and <eos>, which no tagger has.
CLASSES = (
    "NOUN",
    "PRON",
    "VERB",
    "ADJ",
    "ADV",
    "DET",
    "ADP",
    "CONJ",
    "NUM",
    "PRT",
    "PUNCT",
    "X",
    "SPECIAL",
)
CLASS_NAMES = {
    "NOUN": "noun",
    "PRON": "pronoun",
    "VERB": "verb",
    "ADJ": "adjective",
    "ADV": "adverb",
    "DET": "determiner",
    "ADP": "adposition",
    "CONJ": "conjunction",
    "NUM": "number",
    "PRT": "particle",
    "PUNCT": "punctuation",
    "X": "other",
    "SPECIAL": "special",
}

_BROWN = {
    "NOUN": "nn nns np nps nr nrs",
    "PRON": "pn ppl ppls ppo pps ppss pp$$ wpo wps ex",
    "VERB": "vb vbd vbg vbn vbz be bed bedz beg bem ben ber bez do dod doz hv hvd hvg hvn hvz md",
    "ADJ": "jj jjr jjs jjt ap od",
    "ADV": "rb rbr rbt rn ql qlp wql wrb *",
    "DET": "at dt dti dts dtx abl abn abx pp$ wdt wp$",
    "ADP": "in",
    "CONJ": "cc cs",
    "NUM": "cd cds",
    "PRT": "to rp uh $",
    "PUNCT": ". , : ( ) -- `` '' '",
    "X": "nil",
}
_CLASS_OF_TAG = {tag: name for name, tags in _BROWN.items() for tag in tags.split()}
_EDITORIAL = re.compile(r"(-(tl|hl|nc))+$")


def piece_classes(pieces: list[str], tag: str) -> list[str]:
    """The class of each piece of a word that Brown tags as a whole.

    ``did n't`` with ``dod*``, ``he 's`` with ``pps+bez``, ``atlanta 's`` with ``np$``: the parts
    of the tag go to the pieces in order. Where they do not tally, punctuation is PUNCT and every
    other piece takes the first part.
    """
    parts = _tag_parts(tag)
    if len(parts) == len(pieces):
        return [class_of_tag(part) for part in parts]
    first = class_of_tag(parts[0])
    return [
        first if any(c.isalnum() for c in piece) or len(pieces) == 1 else "PUNCT"
        for piece in pieces
    ]


def class_of_tag(tag: str) -> str:
    """The class of one simple Brown tag; a tag of no class (foreign, unknown) is X."""
    return _CLASS_OF_TAG.get(tag, _CLASS_OF_TAG.get(tag.removesuffix("$"), "X"))


def _tag_parts(tag: str) -> list[str]:
    tag = _EDITORIAL.sub("", tag.lower())
    if tag.startswith("fw-"):
        return ["fw"]
    parts = []
    for part in tag.split("+"):
        part = _EDITORIAL.sub("", part)
        if len(part) > 1 and part.endswith("*"):
            parts += [part[:-1], "*"]
        elif part.endswith("$") and part.removesuffix("$") in _POSSESSIVE:
            parts += [part[:-1], "$"]
        else:
            parts.append(part)
    return parts


# Tags whose $ is the clitic 's of a noun-like word; that of pp$ and wp$ is part of the word.
_POSSESSIVE = frozenset("nn nns np nps nr pn dt cd jj jjr od ap at rb ben".split())
