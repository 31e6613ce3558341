"""Readers of corpora: each format by hand, faults by file and line, and what always holds."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nltk import Tree

from models import readers
from models.corpora import CorpusError, Document
from models.readers import (
    LONGEST_LINE,
    class_file,
    read_brown,
    read_conllu,
    read_labelled,
    read_ptb,
    read_ptb_parts,
    read_tagged,
    read_text,
    read_treebank_package,
    read_trees,
)
from models.readers.tagsets import TAGGED_CLASSES, TAGSETS
from models.text import BOS, EOS, tokenise, tokenise_sentence
from models.word_classes import CLASSES

Reader = Callable[[Path], list[Document]]
READERS: dict[str, Reader] = {
    "text": read_text,
    "tagged": read_tagged,
    "penn": lambda path: read_tagged(path, "penn"),
    "brown": lambda path: read_tagged(path, "brown"),
    "conllu": read_conllu,
    "ptb": read_ptb,
    "package": lambda path: read_treebank_package(path, "train"),
    "trees": read_trees,
}
# The tests of one example write to the same folder as those of the next.
shared_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(folder: Path, content: str | bytes, name: str = "corpus.txt") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(documents: list[Document]) -> list[str]:
    """Each sentence of the documents as ``word/CLASS word/CLASS``."""
    return [
        " ".join(f"{w}/{c}" for w, c in zip(s.words, s.classes, strict=True))
        for document in documents
        for s in document.sentences
    ]


def conllu(*rows: str) -> str:
    """A block of ``id form upos [misc]`` rows, the other columns empty."""
    lines = []
    for row in rows:
        identity, form, upos, *misc = row.split()
        lines.append("\t".join([identity, form, "_", upos, *"_____", *(misc or "_")]))
    return "\n".join(lines) + "\n\n"


def test_plain_text_is_read_as_typed_a_line_a_sentence(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffMr. Low can't pay $1,200 – why?\r\n\n \nShe Left\n")
    assert read(read_text(path)) == [
        "mr./X low/X ca/X n't/X pay/X $/X <num>/NUM --/X why/X ?/X",
        "she/X left/X",
    ]
    assert read(read_text(path, raw=True)) == [
        "Mr./X Low/X can't/X pay/X $1,200/X –/X why?/X",
        "She/X Left/X",
    ]
    classes = {"she": "PRON", "left": "VERB", "pay": "VERB"}
    assert read(read_text(path, classes))[1] == "she/PRON left/VERB"


def test_tags_are_what_follows_the_last_slash(tmp_path: Path) -> None:
    path = written(tmp_path, "The/DET either/or/NOUN ended/VERB //PUNCT ./.\n\nWe/PRON did/AUX\n")
    assert read(read_tagged(path, "universal")) == [
        "the/DET either/or/NOUN ended/VERB //PUNCT ./PUNCT",
        "we/PRON did/VERB",
    ]


def test_penn_s_tags_and_escapes(tmp_path: Path) -> None:
    text = (
        r"His/PRP$ dog/NN 's/POS owner/NN has/VBZ n't/RB -LRB-/-LRB- yet/RB -RRB-/-RRB- "
        r"paid/VBN|JJ $/$ 1\/2/CD *T*-1/-NONE- to/TO Al/NNP ./."
    )
    path = written(tmp_path, text)
    assert read(read_tagged(path, "penn")) == [
        "his/DET dog/NOUN 's/PRT owner/NOUN has/VERB n't/ADV (/PUNCT yet/ADV )/PUNCT "
        "paid/VERB $/PUNCT <num>/NUM to/PRT al/NOUN ./PUNCT"
    ]
    assert read(read_tagged(path, "penn", raw=True))[0].startswith("His/DET dog/NOUN")
    assert " 1/2/NUM " in read(read_tagged(path, "penn", raw=True))[0]


def test_brown_s_tags_split_with_their_words_and_raw_do_not(tmp_path: Path) -> None:
    path = written(tmp_path, "He/pps didn't/dod* pay/vb $1,200/nns to/in C'est/fw-pps+bez ./.")
    assert read(read_tagged(path, "brown")) == [
        "he/PRON did/VERB n't/ADV pay/VERB $/PUNCT <num>/NOUN to/ADP c'est/X ./PUNCT"
    ]
    assert read(read_tagged(path, "brown", raw=True)) == [
        "He/PRON didn't/VERB pay/VERB $1,200/NOUN to/ADP C'est/X ./PUNCT"
    ]


def test_brown_raw_is_brown_in_its_own_tokens(tmp_path: Path) -> None:
    written(tmp_path, "\n\n\tThe/at Jury/nn-tl didn't/dod* ./.\n\n\tYes/rb\n", "ca01")
    written(tmp_path, "``/`` No/rb ''/''\n", "cr09")
    written(tmp_path, "not a document", "README")
    documents = read_brown(tmp_path, raw=True)
    assert [(d.name, d.genre) for d in documents] == [("ca01", "a"), ("cr09", "r")]
    assert read(documents) == [
        "The/DET Jury/NOUN didn't/VERB ./PUNCT",
        "Yes/ADV",
        "``/PUNCT No/ADV ''/PUNCT",
    ]
    finer = read_brown(tmp_path)
    assert [len(d.sentences) for d in finer] == [len(d.sentences) for d in documents]


def test_conllu_reads_the_text_that_its_forms_write(tmp_path: Path) -> None:
    text = "# newdoc\n# text = I cannot.\n" + conllu(
        "1 I PRON",
        "2-3 cannot _ SpaceAfter=No",
        "2 can AUX",
        "3 not PART",
        "3.1 go VERB",
        "4 . PUNCT",
    )
    text += conllu("1 Well ADV SpaceAfter=No", "2 - PUNCT x=y|SpaceAfter=No", "3 read ADJ")
    # One written token of two words, where typing cannot know that: their first class.
    text += conllu("1-2 zum _", "1 zu ADP", "2 dem DET", "3 3,50 NUM SpaceAfter=No", "4 $ SYM")
    path = written(tmp_path, text.rstrip("\n"))  # no blank line at the end
    assert read(read_conllu(path)) == [
        "i/PRON can/VERB not/PRT ./PUNCT",
        "well-read/ADV",
        "zum/ADP <num>/NUM $/PUNCT",
    ]
    assert read(read_conllu(path, raw=True)) == [
        "I/PRON can/VERB not/PRT ./PUNCT",
        "Well/ADV -/PUNCT read/ADJ",
        "zu/ADP dem/DET 3,50/NUM $/PUNCT",
    ]


def test_ptb_keeps_its_words_but_for_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, " mr. <unk> paid N \n\n it is n't 's <eos> N\\/N\n", "ptb.train.txt")
    documents = read_ptb(path, {"paid": "VERB", "<unk>": "NOUN"})
    assert read(documents) == [
        "mr./X <unk>/SPECIAL paid/VERB <num>/NUM",
        "it/X is/X n't/X 's/X eos/X N\\/N/X",
    ]
    assert (documents[0].name, documents[0].genre) == ("ptb.train.txt", "")


PACKAGE = '''penn = {}
penn['train'] = """ mr. <unk> paid N
 on 1\\/2 <unk>

"""
penn['valid'] = """ one line
"""
'''


def test_the_package_s_strings_are_read_and_nothing_in_it_runs(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    hostile = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n1 / 0\n"
    (tmp_path / "treebank").mkdir()
    path = written(
        tmp_path / "treebank",
        hostile + PACKAGE + "penn.update({'test': 'no'})\npenn['test'] = 'a'\n",
        "__init__.py",
    )
    assert read(read_treebank_package(path, "train")) == [
        "mr./X <unk>/SPECIAL paid/X <num>/NUM",
        "on/X 1\\/2/X <unk>/SPECIAL",
    ]
    for way in (path, path.parent):
        parts = read_ptb_parts(way)
        assert list(parts) == ["train", "valid", "test"]
        assert read(parts["valid"]) == ["one/X line/X"]
        assert read(parts["test"]) == ["a/X"]
    assert not mark.exists()


def test_the_package_s_strings_may_stand_in_one_dict(tmp_path: Path) -> None:
    path = written(tmp_path, "penn = {'train': 'a b\\nc', **{}, 'n': 1}", "treebank.py")
    assert read(read_treebank_package(path, "train")) == ["a/X b/X", "c/X"]


def test_ptb_s_three_files(tmp_path: Path) -> None:
    for part in readers.PTB_PARTS:
        written(tmp_path, f"of {part}\n", f"ptb.{part}.txt")
    parts = read_ptb_parts(tmp_path)
    assert {part: read(documents) for part, documents in parts.items()} == {
        part: [f"of/X {part}/X"] for part in readers.PTB_PARTS
    }


def test_trees_on_one_line_or_many(tmp_path: Path) -> None:
    text = r"""( (S (NP-SBJ (DT The) (NN dog))
  (VP (VBZ does) (RB n't)
    (VP (VB bark) (NP (-NONE- *T*-1))))
  (. .)))
(NP (-LRB- -LRB-) (CD 1\/2) (-RRB- -RRB-))(FRAG (NP (-NONE- *)))
(INTJ (UH Oh))"""
    path = written(tmp_path, text, "wsj.mrg")
    assert read(read_trees(path)) == [
        "the/DET dog/NOUN does/VERB n't/ADV bark/VERB ./PUNCT",
        "(/PUNCT <num>/NUM )/PUNCT",
        "oh/PRT",
    ]
    assert read(read_trees(path, raw=True))[:2] == [
        "The/DET dog/NOUN does/VERB n't/ADV bark/VERB ./PUNCT",
        "(/PUNCT 1/2/NUM )/PUNCT",
    ]
    universal = written(tmp_path, "(S (PRON We) (AUX do))", "u.tree")
    assert read(read_trees(universal, "universal")) == ["we/PRON do/VERB"]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name in ("b.txt", "a/2.txt", "a/10.txt", ".hidden.txt", "a/.git/x.txt", "README"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        written(tmp_path, name, name)
    documents = read_text(tmp_path)
    assert [d.name for d in documents] == ["a/10.txt", "a/2.txt", "b.txt"]
    with pytest.raises(CorpusError, match=r"no file in this folder ends in \.conllu"):
        read_conllu(tmp_path)


def test_words_are_held_once(tmp_path: Path) -> None:
    first, second = read_text(written(tmp_path, "Dogs bark\ndogs sleep\n"))[0].sentences
    assert first.words[0] is second.words[0]


def test_a_class_file(tmp_path: Path) -> None:
    path = written(tmp_path, "Dog\tNOUN\n\n1,200\tNUM\r\n#\tPUNCT\nDog\tNOUN\n")
    assert class_file(path) == {"dog": "NOUN", "<num>": "NUM", "#": "PUNCT"}
    assert class_file(path, raw=True) == {"Dog": "NOUN", "1,200": "NUM", "#": "PUNCT"}


ROW = "\t".join(["1", "I", "_", "PRON", *"______"])


@pytest.mark.parametrize(
    ("reader", "content", "said"),
    [
        ("text", b"fine\ncaf\xe9 au lait\n", "line 2: not UTF-8 text (byte 4 of the line is 0xe9)"),
        ("text", "en UTF-16".encode("utf-16"), "line 1: not UTF-8 text (byte 1"),
        ("text", "en UTF-16".encode("utf-16-le"), "line 1: a NUL is in it"),
        ("text", b"", "no sentence in this file"),
        ("text", b"\n \n\xc2\xad\n", "no sentence in this file"),
        ("text", b"a\n" + b"a " * 1_000_000, "line 2: longer than 65,536 bytes"),
        ("tagged", b"A/DET\n\nb/NOUN c\n", "line 3: `c` is not of the form word/tag"),
        ("tagged", b"/NOUN", "line 1: `/NOUN` is not of the form"),
        ("tagged", b"dog/", "line 1: `dog/` is not of the form"),
        ("tagged", b"dog/NN", "line 1: `NN` is not a tag of the universal set"),
        ("penn", b"ok/UH\ndog/nn", "line 2: `nn` is not a tag of the penn set"),
        ("brown", b"dog/nn\ndog", "line 2: `dog` is not of the form"),
        ("tagged", b"a/X " * 1_000_000, "line 1: longer than 65,536 bytes"),
        ("conllu", f"# c\n{ROW}\n2\tx\n".encode(), "line 3: 2 columns parted by tabs"),
        ("conllu", f"{ROW}\tmore\n".encode(), "line 1: 11 columns"),
        ("conllu", ROW.replace("PRON", "_").encode(), "line 1: `_` is not a tag of the universal"),
        ("conllu", ROW.replace("I", " ").encode(), "line 1: the form is empty"),
        ("conllu", f"{ROW}\n{ROW}".encode(), "line 2: the id `1` is not 2, the next word's"),
        ("conllu", ROW.replace("1", "one").encode(), "line 1: the id `one` is not 1"),
        ("conllu", ROW.replace("1", "2-3").encode(), "line 1: the range 2-3 does not begin"),
        ("conllu", ROW.replace("1", "1-1").encode(), "line 1: the range 1-1"),
        (
            "conllu",
            f"{ROW.replace('1', '1-2')}\n{ROW.replace('1', '1-3')}".encode(),
            "line 2: the range 1-3",
        ),
        (
            "conllu",
            f"{ROW.replace('1', '1-2')}\n{ROW}\n\n{ROW}\n".encode(),
            "line 2: the sentence ends before word 2 of a range",
        ),
        ("conllu", b"# nothing\n\n", "no sentence in this file"),
        (
            "conllu",
            "".join(
                f"{i}\t{'x' * 9_000}\t_\tX{chr(9)}{chr(9).join('______')}\n" for i in range(1, 9)
            ).encode(),
            "line 8: the sentence is longer than 65,536 characters",
        ),
        ("ptb", b"a \n\xff\n", "line 2: not UTF-8"),
        ("ptb", b"\n", "no sentence"),
        ("ptb", b"N " * 1_000_000, "line 1: longer than"),
        ("package", b"penn = {}", "no string penn['train'] is in this file"),
        ("package", b"x = 1\npenn[", "line 2: not Python"),
        ("package", b"penn = '\0'", "Python"),
        ("package", b"-" * 100_000 + b"1", "Python"),
        ("package", b"penn['train'] = '''a\n" + b"b " * 40_000 + b"'''", "line 2 of train: longer"),
        ("package", b"penn['train'] = '''\n\n'''", "no sentence"),
        ("trees", b"(S (NN a))\n(S\n(NN b)", "line 2: the tree that begins here is not closed"),
        ("trees", b"(NN a)\n)", "line 2: a bracket closes that was not opened"),
        ("trees", b"(NN a)\nb", "line 2: `b` stands outside every bracket"),
        ("trees", b"(NP\n(DT the) dog)", "line 2: the word `dog` has no tag of its own"),
        ("trees", b"(NP the dog)", "line 1: the word `dog` has no tag of its own"),
        ("trees", b"(NP the (NN dog))", "line 1: a bracket opens behind the word `the`"),
        ("trees", b"(S\n(NN ))", "line 2: nothing stands under the label `NN`"),
        ("trees", b"()", "line 1: nothing stands under the label ``"),
        ("trees", b"(S\n(QQ a))", "line 2: `QQ` is not a tag of the penn set"),
        ("trees", b"(S (NP (-NONE- *)))", "no sentence"),
        ("trees", b"(" * 60_000, "line 1: more than 1,000 brackets are open"),
        ("trees", b"x" * 70_000, "line 1: longer than"),
        (
            "trees",
            b"\n(S\n" + b"(NN " + b"y" * 999 + b")\n" * 1 + (b"(NN " + b"y" * 999 + b")\n") * 70,
            "line 2: the tree that begins here has more than 65,536",
        ),
    ],
)
def test_what_is_wrong_is_one_sentence_with_file_and_line(
    tmp_path: Path, reader: str, content: bytes, said: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(CorpusError) as raised:
        READERS[reader](path)
    message = str(raised.value)
    assert message.startswith(f"{path}"), message
    assert said in message
    assert "\n" not in message
    assert len(message) < 300 + len(str(path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"dog\tNOUN\ncat NOUN\n", "line 2: `cat NOUN` is not of the form word<TAB>CLASS"),
        (b"\tNOUN\n", "line 1: `\tNOUN` is not of the form"),
        (b"dog\tnoun\n", "line 1: `noun` is not a word class; NOUN, PRON"),
        (b"<unk>\tSPECIAL\n", "line 1: `SPECIAL` is not a word class"),
        (b"May\tNOUN\nmay\tVERB\n", "line 2: `may` was NOUN in a line before"),
        (b"\n", "no word in this file"),
        (b"\xff\tNOUN\n", "line 1: not UTF-8"),
    ],
)
def test_a_faulty_class_file_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(CorpusError) as raised:
        class_file(written(tmp_path, content))
    assert said in str(raised.value)


@pytest.mark.parametrize("reader", READERS)
def test_what_is_not_there_is_named(tmp_path: Path, reader: str) -> None:
    with pytest.raises(CorpusError, match="nowhere"):
        READERS[reader](tmp_path / "nowhere")
    for read_folder in (read_brown, read_ptb_parts):
        with pytest.raises(CorpusError, match="nowhere"):
            read_folder(tmp_path / "nowhere")
    with pytest.raises(CorpusError, match="no file named like Brown's"):
        read_brown(tmp_path, raw=True)
    with pytest.raises(CorpusError, match=r"ptb\.train\.txt: there is no such file"):
        read_ptb_parts(tmp_path)


@pytest.mark.parametrize("tags", ["upenn", ""])
def test_a_tagset_that_is_none_is_refused(tmp_path: Path, tags: str) -> None:
    path = written(tmp_path, "a/DT")
    for reader in (read_tagged, read_trees):
        with pytest.raises(ValueError, match="tagset"):
            reader(path, tags)


@pytest.mark.parametrize("reader", ["text", "tagged", "conllu", "ptb", "trees"])
def test_a_line_over_the_limit_is_neither_read_to_its_end_nor_tokenised(
    tmp_path: Path, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: str) -> NoReturn:
        raise AssertionError("tokenised")

    for name in ("text.tokenise", "readers.units.tokenise_sentence"):
        monkeypatch.setattr(f"models.{name}", refuse)
    path = written(tmp_path, "a/X " * 1_000_000)
    with path.open("r+b") as file:
        file.truncate(1 << 34)  # 16 GiB, with nothing on the disk
    with pytest.raises(CorpusError, match="line 1: longer than"):
        READERS[reader](path)


def test_the_longest_line_is_read(tmp_path: Path) -> None:
    for ending in ("", "\n", "\r\n"):
        path = written(tmp_path, "x" * LONGEST_LINE + ending + ("a" if ending else ""))
        words = [s.words for s in read_text(path)[0].sentences]
        assert words == [("x" * LONGEST_LINE,), *([("a",)] if ending else [])]
        with pytest.raises(CorpusError, match="line 1: longer"):
            read_text(written(tmp_path, "x" * (LONGEST_LINE + 1) + ending))


LETTERS = "abXé中.,-'\"()/\\*$%1½<>#_N\u00a0\u2028\r\f"
WORDS = st.text(
    LETTERS.translate({ord(c): None for c in "\u00a0\u2028\r\f"}), min_size=1, max_size=6
)
TAGS = st.sampled_from(sorted(TAGSETS["universal"]))
PAIRS = st.lists(st.tuples(WORDS, TAGS), min_size=1, max_size=8)
SOUP = st.text(LETTERS + " \n\t()/" + "\0", max_size=60)
PIECES = st.lists(
    st.sampled_from(
        ["(", ")", " ", "\n", "\t", "S", "NN", "dog", "-NONE-", "/NOUN", "/nn", "1", "2", "-", "#",
         ROW, ROW.replace("1", "1-2"), "\n\n", "penn['train']=", "'", "<bos>", "<eos>", "N"]
    ),
    max_size=14,
)  # fmt: skip


@shared_folder
@given(st.sampled_from(sorted(READERS)), SOUP | PIECES.map("".join))
def test_any_text_is_sentences_or_a_corpus_error(tmp_path: Path, reader: str, text: str) -> None:
    path = written(tmp_path, text)
    try:
        documents = READERS[reader](path)
    except CorpusError as error:
        fault = str(error)
    else:
        fault = ""
    if fault:
        assert fault.startswith(str(path))
        return
    for sentence in (s for document in documents for s in document.sentences):
        assert len(sentence.words) == len(sentence.classes) > 0
        assert set(sentence.classes) <= set(CLASSES)
        assert not {BOS, EOS} & set(sentence.words)
        assert all(word and not word.isspace() for word in sentence.words)


def test_a_line_has_the_words_that_typing_it_gives_and_the_specials_that_a_corpus_writes(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, "He left. She <unk> stayed.\nIt cost <num> <unks> , <unk>.\n")
    assert [list(s.words) for s in read_text(path)[0].sentences] == [
        ["he", "left", ".", "she", "<unk>", "stayed", "."],
        ["it", "cost", "<num>", "<", "unks", ">", ",", "<", "unk", ">", "."],
    ]


@shared_folder
@given(st.lists(st.text("abé.,'\"$1 -", min_size=1, max_size=20), min_size=1, max_size=5))
def test_plain_text_is_what_typing_each_line_gives(tmp_path: Path, lines: list[str]) -> None:
    expected = [
        tuple(t.word for sentence in tokenise(line) for t in sentence)
        for line in lines
        if line.strip()
    ]
    assume(expected)
    document = read_text(written(tmp_path, "\n".join(lines)))[0]
    assert [s.words for s in document.sentences] == expected


@shared_folder
@given(st.lists(PAIRS, min_size=1, max_size=4))
def test_raw_word_tag_text_comes_back_as_it_was(
    tmp_path: Path, sentences: list[list[tuple[str, str]]]
) -> None:
    text = "\n".join(" ".join(f"{word}/{tag}" for word, tag in pairs) for pairs in sentences)
    document = read_tagged(written(tmp_path, text), "universal", raw=True)[0]
    table = TAGSETS["universal"]
    assert [s.words for s in document.sentences] == [tuple(w for w, _ in p) for p in sentences]
    assert [list(s.classes) for s in document.sentences] == [
        [table[tag] for _, tag in pairs] for pairs in sentences
    ]


@shared_folder
@given(st.lists(st.tuples(WORDS, TAGS, st.booleans()), min_size=1, max_size=8))
def test_conllu_s_words_are_what_typing_its_text_gives(
    tmp_path: Path, rows: list[tuple[str, str, bool]]
) -> None:
    text = "".join(word + ("" if joined else " ") for word, _, joined in rows)
    block = conllu(
        *(
            f"{i} {word} {tag.replace('.', 'PUNCT')} {'SpaceAfter=No' if joined else '_'}"
            for i, (word, tag, joined) in enumerate(rows, 1)
        )
    )
    document = read_conllu(written(tmp_path, block, "x.conllu"))[0]
    assert document.sentences[0].words == tuple(t.word for t in tokenise_sentence(text))


def trees() -> st.SearchStrategy[str]:
    labels = st.sampled_from(["S", "NP-SBJ", "VP"])
    words = st.text("abX.,'$", min_size=1, max_size=5)
    leaves = st.tuples(st.sampled_from(["NN", "VBZ", "DT", ",", "-NONE-"]), words)
    return st.recursive(
        leaves.map(lambda leaf: f"({leaf[0]} {leaf[1]})"),
        lambda below: st.tuples(labels, st.lists(below, min_size=1, max_size=3)).map(
            lambda node: f"({node[0]} {' '.join(node[1])})"
        ),
        max_leaves=8,
    )


@shared_folder
@given(st.lists(trees(), min_size=1, max_size=3), st.sampled_from([" ", "\n", "\n  "]))
def test_leaves_are_those_that_nltk_finds(tmp_path: Path, bracketed: list[str], gap: str) -> None:
    expected = [
        [(word, tag) for word, tag in Tree.fromstring(tree).pos() if tag != "-NONE-"]
        for tree in bracketed
    ]
    expected = [leaves for leaves in expected if leaves]
    assume(expected)
    text = gap.join(tree.replace(" (", f"{gap}(") for tree in bracketed)
    document = read_trees(written(tmp_path, text, "x.mrg"), raw=True)[0]
    assert [list(s.words) for s in document.sentences] == [[w for w, _ in p] for p in expected]
    table = TAGSETS["penn"]
    assert [list(s.classes) for s in document.sentences] == [
        [table[t] for _, t in p] for p in expected
    ]


def test_the_examples_of_the_document_are_read(tmp_path: Path) -> None:
    document = (Path(__file__).parents[2] / "docs" / "corpora.md").read_text()
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)
    blocks = [block for language, block in fenced if not language]
    plain, classes, labelled, tagged, blocked, bracketed = (
        written(tmp_path, block, f"{index}") for index, block in enumerate(blocks)
    )
    assert read(read_text(plain, class_file(classes))) == [
        "the/X keeper/NOUN 's/X lamp/NOUN went/VERB out/X ./X",
        "nobody/X saw/X <num>/NUM ships/X ,/X or/X <num>/NUM ./X",
    ]
    (letters,) = read_labelled(labelled)
    assert [(s.label, len(s.words)) for s in letters.sentences] == [("praise", 7), ("blame", 5)]
    assert read(read_tagged(tagged))[1] == "either/or/NOUN is/VERB fine/ADJ ./PUNCT"
    assert read(read_conllu(blocked)) == ["we/PRON can/VERB not/PRT wait/VERB ./PUNCT"]
    assert read(read_trees(bracketed))[1] == "(/PUNCT <num>/NUM ships/NOUN )/PUNCT"


def test_every_tag_has_a_class_that_words_can_have() -> None:
    assert len(TAGGED_CLASSES) == 12
    assert "SPECIAL" not in TAGGED_CLASSES
    for table in TAGSETS.values():
        assert set(table.values()) == set(TAGGED_CLASSES)
    universal = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
    petrov = "NOUN VERB ADJ ADV PRON DET ADP NUM CONJ PRT . X"
    assert set(universal.split()) | set(petrov.split()) == set(TAGSETS["universal"])
    penn = (
        "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP SYM TO "
        "UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB"
    )
    assert set(penn.split()) <= set(TAGSETS["penn"])
