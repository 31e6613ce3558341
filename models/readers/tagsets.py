"""Tags to word classes: the Penn Treebank's, and the two universal sets. Brown's are in
`models.word_classes`.

Penn's tags follow the universal map of Petrov, Das and McDonald (2012), except where Brown is
read otherwise: existential *there* (EX) is PRON, interjections (UH) are PRT, *his* and *whose*
(PRP$, WP$) are DET. IN stays ADP, for it does not tell *that* from *of*.

The tags of Universal Dependencies fold into the twelve: PROPN is NOUN, AUX is VERB, CCONJ and
SCONJ are CONJ, PART and INTJ are PRT. SYM is PUNCT, as ``$`` and ``#`` are in Penn's map.
"""

from __future__ import annotations

from collections.abc import Mapping

from models.corpora import CorpusError
from models.readers.files import shown
from models.word_classes import CLASSES

_UNIVERSAL = {
    "NOUN": "PROPN",
    "PRON": "",
    "VERB": "AUX",
    "ADJ": "",
    "ADV": "",
    "DET": "",
    "ADP": "",
    "CONJ": "CCONJ SCONJ",
    "NUM": "",
    "PRT": "PART INTJ",
    "PUNCT": ". SYM",
    "X": "",
}
_PENN = {
    "NOUN": "NN NNS NNP NNPS",
    "PRON": "PRP WP EX",
    "VERB": "VB VBD VBG VBN VBP VBZ MD BES HVS",
    "ADJ": "JJ JJR JJS AFX",
    "ADV": "RB RBR RBS WRB",
    "DET": "DT PDT WDT PRP$ WP$",
    "ADP": "IN",
    "CONJ": "CC",
    "NUM": "CD",
    "PRT": "POS RP TO UH",
    "PUNCT": ". , : `` '' \" ' ( ) $ # -LRB- -RRB- -LSB- -RSB- -LCB- -RCB- HYPH NFP",
    "X": "FW LS SYM ADD GW XX",
}


def _table(tags: Mapping[str, str]) -> dict[str, str]:
    return {tag: name for name, listed in tags.items() for tag in listed.split()}


# The classes that a tag can have: all but the one of the special tokens.
TAGGED_CLASSES = CLASSES[:-1]
TAGSETS: dict[str, dict[str, str]] = {
    "universal": {name: name for name in TAGGED_CLASSES} | _table(_UNIVERSAL),
    "penn": _table(_PENN),
}


def class_of(tag: str, tags: str, place: str) -> str:
    """The class of a tag of one of the TAGSETS. A tag that is not in the set is an error rather
    than X: another tagset would else be read as all X. Penn's ``VBG|NN`` is the first of the two.

    Raises CorpusError, which begins with the place.
    """
    known = TAGSETS[tags]
    name = known.get(tag) or known.get(tag.partition("|")[0])
    if name is None:
        raise CorpusError(f"{place}: {shown(tag)} is not a tag of the {tags} set.")
    return name
