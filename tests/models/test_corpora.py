"""Reading Brown, splitting it, and the vocabulary that comes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.corpora import CorpusError, Document, Sentence
from models.readers import LONGEST_LINE, read_brown
from models.readers.brown import retokenise
from models.text import tokenise_sentence
from models.training.splits import split_by
from models.vocabulary import Vocabulary, build_vocabulary
from models.word_classes import CLASS_NAMES, CLASSES, class_of_tag


def parts(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words, _, tags = zip(*(item.rpartition("/") for item in text.split()), strict=True)
    return words, tags


@pytest.mark.parametrize(
    ("text", "words", "classes"),
    [
        ("He/pps didn't/dod* go/vb ./.", "he did n't go .", "PRON VERB ADV VERB PUNCT"),
        ("he's/pps+bez right/jj", "he 's right", "PRON VERB ADJ"),
        ("Atlanta's/np$ jury/nn", "atlanta 's jury", "NOUN PRT NOUN"),
        ("his/pp$ dogs'/nns$ tails/nns", "his dogs ' tails", "DET NOUN PRT NOUN"),
        ("can't/md*", "ca n't", "VERB ADV"),
        ("cannot/md*", "can not", "VERB ADV"),
        ("``/`` Why/wrb ''/''", '" why "', "PUNCT ADV PUNCT"),
        ("$1,200/nns", "$ <num>", "PUNCT NOUN"),
        ("City/nn-tl of/in-tl Rome/np-tl", "city of rome", "NOUN ADP NOUN"),
        ("c'est/fw-pps+bez", "c'est", "X"),
        ("that/cs there/ex nobody/pn", "that there nobody", "CONJ PRON PRON"),
    ],
)
def test_brown_s_tokens_and_tags_split_as_typing_does(text: str, words: str, classes: str) -> None:
    assert retokenise(*parts(text)) == Sentence(tuple(words.split()), tuple(classes.split()))


@given(
    st.lists(
        st.sampled_from(
            ["He", "cannot", "well-to-do", "24", "3rd", "--", '"', ",", ".", "U.S.", "x"]
        )
        | st.text("Aa1-.'", min_size=1, max_size=4),
        min_size=1,
        max_size=6,
    )
)
def test_the_words_are_those_that_typing_the_sentence_gives(words: list[str]) -> None:
    typed = tokenise_sentence(" ".join(words))
    assert retokenise(tuple(words), ("nn",) * len(words)).words == tuple(t.word for t in typed)


def test_every_class_has_a_name_and_unknown_tags_are_other() -> None:
    assert set(CLASS_NAMES) == set(CLASSES)
    assert class_of_tag("zzz") == "X"


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


def test_read_brown(tmp_path: Path) -> None:
    write(tmp_path, "ca01", "\n\n\tThe/at jury/nn said/vbd\n\n\n\tIt/pps did/dod ./.\n")
    write(tmp_path, "cr09", "So/rb what/wdt ?/.\n")
    write(tmp_path, "README", "not a document")
    first, second = read_brown(tmp_path)
    assert (first.name, first.genre, len(first.sentences)) == ("ca01", "a", 2)
    assert second.genre == "r"
    assert first.sentences[0].words == ("the", "jury", "said")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"The/at jury said/vbd", "ca01, line 1: `jury` is not of the form word/tag"),
        (b"ok/uh\n\n/at x/nn", "ca01, line 3: `/at`"),
        (b"a/nn\0", "ca01, line 1: a NUL is in it"),
        (b"a/nn " * LONGEST_LINE, "ca01, line 1: longer than 65,536 bytes"),
        (b"\n\n", "ca01: there is no sentence in this file"),
        (b"caf\xe9/nn", "ca01, line 1: not UTF-8 text"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "ca01").write_bytes(content)
    with pytest.raises(CorpusError, match=said.replace("(", r"\(")):
        read_brown(tmp_path)


def test_a_folder_that_is_not_brown_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no file named like Brown's"):
        read_brown(tmp_path)
    with pytest.raises(CorpusError, match="no such folder"):
        read_brown(tmp_path / "nowhere")


def test_whole_documents_are_held_out_by_genre_and_place() -> None:
    documents = [Document(f"c{g}{i:02}", g, ()) for g in "ab" for i in range(1, 31)]
    parts = split_by("documents", documents)
    assert [d.name for d in parts["test"]] == [f"c{g}{i:02}" for g in "ab" for i in (5, 15, 25)]
    assert [d.name for d in parts["valid"]] == [f"c{g}{i:02}" for g in "ab" for i in (10, 30)]
    assert len(parts["train"]) == 60 - 6 - 4


def test_the_vocabulary_keeps_frequent_words_with_their_majority_class() -> None:
    sentences = [
        Sentence(("b", "a", "to", "rare"), ("NOUN", "DET", "PRT", "X")),
        Sentence(("a", "b", "to", "<num>"), ("DET", "VERB", "ADP", "NUM")),
        Sentence(("to", "<num>", "<num>"), ("ADP", "NUM", "NUM")),
    ]
    vocabulary = build_vocabulary(sentences, 2)
    assert vocabulary.words == ("<unk>", "<num>", "<bos>", "<eos>", "to", "a", "b")
    names = [CLASSES[index] for index in vocabulary.classes]
    # A tie (b: NOUN and VERB) goes to the class that comes first.
    assert names == ["SPECIAL", "NUM", "SPECIAL", "SPECIAL", "ADP", "DET", "NOUN"]
    assert vocabulary.encode(["a", "rare", "<num>"]) == [5, 0, 1]


@pytest.mark.parametrize(
    ("words", "classes", "said"),
    [
        (("<unk>", "<num>", "<bos>"), (0, 0, 0), "<eos>"),
        (("<unk>", "<num>", "<bos>", "<eos>", "a", "a"), (0,) * 6, "twice"),
        (("<unk>", "<num>", "<bos>", "<eos>"), (0,) * 3, "4 words but 3 classes"),
        (("<unk>", "<num>", "<bos>", "<eos>"), (0, 0, 0, 13), "class"),
    ],
)
def test_a_vocabulary_that_cannot_be_right_is_refused(
    words: tuple[str, ...], classes: tuple[int, ...], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        Vocabulary(words, classes)
