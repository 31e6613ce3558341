"""Vocabularies of others: read from files, understood, and how text is read for them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from models.artifact import ArtifactError, load_network_only
from models.artifact.saving import save_network
from models.asked_words import watch_word
from models.character_classes import CHARACTER_PALETTE
from models.importing import pieces
from models.importing.refused import ImportRefused
from models.importing.word_lists import read_words
from models.importing.words import classes_of_words, understand
from models.language_model import LanguageModel
from models.readers import read_text
from models.reading import read
from models.training.dataset import encode_documents
from models.vocabulary import Vocabulary
from tests.fixtures.checkpoints import VOCABULARY

LOWER = ["the", "lamp", "went", "out", ".", "<eos>", "<unk>", "N", "u.s.", "n't", "did", '"']
CHARACTERS = [*"abcT .,'", "\n", "?"]


def seen(vocabulary: Vocabulary, text: str) -> list[list[str]]:
    return [[token.word for token in sentence.tokens] for sentence in read(vocabulary, text)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.txt", "the\nlamp\n<unk>\n"),
        ("v.txt", "the\r\nlamp\r\n<unk>"),
        ("v.txt", "0 the\n1 lamp\n2 <unk>\n"),
        ("v.txt", "<unk>\t2\nthe\t0\nlamp\t1\n"),
        ("v.txt", "['the', 'lamp', '<unk>']\n"),
        ("v.json", '["the", "lamp", "<unk>"]'),
        ("v.json", '{"lamp": 1, "the": 0, "<unk>": 2}'),
        ("v.json", '{"0": "the", "1": "lamp", "2": "<unk>"}'),
        ("v.json", '{"word2idx": {"lamp": 1, "the": 0, "<unk>": 2}}'),
        ("v.json", '{"idx2word": ["the", "lamp", "<unk>"], "counter": {"0": 3}}'),
    ],
)
def test_a_vocabulary_is_read_in_the_order_of_its_ids(name, content, tmp_path):
    (tmp_path / name).write_bytes(content.encode())
    assert read_words(tmp_path / name) == ["the", "lamp", "<unk>"]


def test_words_that_are_numbers_are_not_ids(tmp_path):
    (tmp_path / "v.txt").write_text("0\n1\nthe\n")
    assert read_words(tmp_path / "v.txt") == ["0", "1", "the"]
    (tmp_path / "v.json").write_text('{"0": 1, "1": 0}')
    assert read_words(tmp_path / "v.json") == ["1", "0"]


@pytest.mark.parametrize(
    "content", ["<unk>\n<eos>\nthe 50000\nof 30000\nand 9", "1 <unk>\n2 the\n3 lamp", "the \nlamp "]
)
def test_counts_and_numbers_that_are_no_ids_are_no_part_of_a_word(content, tmp_path):
    (tmp_path / "v.txt").write_text(content)
    with pytest.raises(ImportRefused, match="most lines have white space in them, such as"):
        read_words(tmp_path / "v.txt")


def test_what_is_in_capitals_throughout_says_nothing_of_the_others_case():
    vocabulary = understand([*LOWER, "URL", ":D"])
    assert seen(vocabulary, "The lamp URL") == [["<eos>", "the", "lamp", "URL"]]
    assert vocabulary.own is not None
    assert vocabulary.own.lower
    assert not understand([*LOWER, "The"]).own.lower
    # Where all is in capitals, that is how its text is written.
    assert not understand(["<unk>", "<eos>", "THE", "OF", "N"]).own.lower


@pytest.mark.parametrize(
    ("typed", "read_as"),
    [
        ("I don't know .", ["i", "don't", "know", "."]),
        ("I don't.", ["i", "don't", "."]),
        ("I don’t, .", ["i", "don't", "<unk>", "."]),
        ('"I (don\'t."', ['"', "i", "<unk>", "don't", ".", '"']),
        ("u.s., know...", ["u.s.", "<unk>", "know", "<unk>"]),
        ("didn't.", ["did", "n't", "."]),
        ("“don’t” don’t…", ['"', "don't", '"', "don't", "<unk>"]),
    ],
)
def test_a_word_of_the_vocabulary_is_one_whatever_marks_are_around_it(typed, read_as):
    vocabulary = understand([*LOWER, "don't", "know", "i"])
    assert seen(vocabulary, typed) == [["<eos>", *read_as]]


def test_the_end_of_a_line_starts_the_next_where_there_is_no_start():
    vocabulary = understand(VOCABULARY)
    assert vocabulary.bos == vocabulary.eos == VOCABULARY.index("<eos>")
    assert vocabulary.words == tuple(VOCABULARY)
    assert seen(vocabulary, "the lamp") == [["<eos>", "the", "lamp"]]


@pytest.mark.parametrize(
    ("start", "end", "unknown"),
    [("<s>", "</s>", "<UNK>"), ("<bos>", "<eos>", "<unk>"), ("<sos>", "<end>", "[UNK]")],
)
def test_special_tokens_are_shown_in_one_way(start, end, unknown):
    words = ["the", start, end, unknown]
    vocabulary = understand(words)
    assert vocabulary.words == ("the", "<bos>", "<eos>", "<unk>")
    assert (vocabulary.bos, vocabulary.eos, vocabulary.unk) == (1, 2, 3)
    names = [vocabulary.class_names[index] for index in vocabulary.classes]
    assert names == ["X", "SPECIAL", "SPECIAL", "SPECIAL"]


def test_special_tokens_are_told():
    vocabulary = understand(["the", "lamp", "."], told={"<unk>": "lamp", "<eos>": "."})
    assert (vocabulary.unk, vocabulary.bos, vocabulary.eos) == (1, 2, 2)
    first, second = read(vocabulary, "the lamp ship .\nthe")
    assert [token.known for token in first.tokens] == [True, True, True, False, True]
    assert not first.complete, "its end was typed"
    assert not second.complete
    assert vocabulary.sentence(["the", "."]) == [2, 0, 2]
    assert vocabulary.sentence(["the"]) == [2, 0, 2]


def test_edges_with_names_of_their_own_stand_only_at_the_edges(tmp_path):
    """As in PyTorch's tutorial of translation, whose words are in lower case but for these."""
    words = ["SOS", "EOS", "UNK", "the", "lamp", "."]
    vocabulary = understand(words, told={"<bos>": "SOS", "<eos>": "EOS"}, classes={"the": "DET"})
    assert (vocabulary.bos, vocabulary.eos, vocabulary.unk) == (0, 1, 2)
    names = [vocabulary.class_names[index] for index in vocabulary.classes]
    assert names == ["SPECIAL", "SPECIAL", "SPECIAL", "DET", "X", "PUNCT"]
    assert seen(vocabulary, "The SOS lamp EOS.") == [["SOS", "the", "<unk>", "lamp", "<unk>", "."]]
    (tmp_path / "my.txt").write_text("SOS the lamp EOS\nthe lamp\n")
    (document,) = read_text(tmp_path / "my.txt", vocabulary=vocabulary)
    encoded = [vocabulary.sentence(sentence.words) for sentence in document.sentences]
    assert encoded == [[0, 3, 4, 1]] * 2


@pytest.mark.parametrize(
    ("words", "start", "end", "typed", "read_as"),
    [
        (["The", "lamp", "."], "SOS", "EOS", "The SOS lamp EOS.", "The <unk> lamp <unk> ."),
        (["the", "lamp", "."], "sos", "eos", "The sos lamp eos.", "the <unk> lamp <unk> ."),
        (["the", "lamp"], "startseq", "endseq", "the endseq lamp", "the <unk> lamp"),
        (["a", "b"], "S", "E", "aSbE", "a <unk> b <unk>"),
        (["the"], "<s>", ".", "the .", "the ."),
    ],
)
def test_an_edge_cannot_be_typed(words, start, end, typed, read_as):
    told = {"<bos>": start, "<eos>": end}
    vocabulary = understand([*words, start, end, "<unk>"], told=told)
    (sentence,) = read(vocabulary, typed)
    assert [token.word for token in sentence.tokens[1:]] == read_as.split()
    assert [token.known for token in sentence.tokens[1:]] == [w != "<unk>" for w in read_as.split()]
    names = [vocabulary.class_names[index] for index in vocabulary.classes]
    assert names[len(words)].lower() == "special"


def test_an_edge_that_is_a_word_of_english_is_none():
    told = {"<bos>": "START", "<eos>": "END"}
    classes = {"START": "VERB", "END": "NOUN", "the": "DET"}
    vocabulary = understand(["START", "END", "the", "<unk>"], told=told, classes=classes)
    names = [vocabulary.class_names[index] for index in vocabulary.classes]
    assert names == ["SPECIAL", "SPECIAL", "DET", "SPECIAL"]


def test_a_word_between_spaces_that_the_vocabulary_has_is_one():
    vocabulary = understand(LOWER)
    assert seen(vocabulary, "The u.s. lamp didn’t go out.") == [
        ["<eos>", "the", "u.s.", "lamp", "did", "n't", "<unk>", "out", "."]
    ]
    assert seen(vocabulary, "“the lamp”") == [["<eos>", '"', "the", "lamp", '"']]


PIECES = {
    "▁": ["▁the", "▁lam", "p", "▁"],
    "Ġ": ["the", "Ġlam", "p"],
    "##": ["the", "lam", "##p"],
    "@@": ["the", "lam@@", "p"],
    "</w>": ["the</w>", "lam", "p</w>"],
}


@pytest.mark.parametrize("mark", PIECES)
def test_pieces_of_words_are_warned_of_and_read_as_typed(mark):
    words = [*PIECES[mark], "<eos>", "<unk>"]
    said = pieces.warning(words, "<unk>")
    assert said is not None
    assert f"pieces of words ({mark})" in said
    assert f" of the {len(words)} words" in said
    vocabulary = understand(words)
    marked = [word for word in words if mark in word and word != mark]
    assert said.startswith(f"Warning: {len(marked)} of")
    assert seen(vocabulary, " ".join(PIECES[mark])) == [["<eos>", *PIECES[mark]]]
    assert seen(vocabulary, "lamp") == [["<eos>", "<unk>"]]


def test_whole_words_are_not_warned_of():
    assert pieces.warning([*LOWER, *CHARACTERS], "<unk>") is None
    assert pieces.warning([*map(str, range(40)), "##", "@@", "▁", "##x"], "<unk>") is None


def test_numbers_are_one_word_where_all_else_is_lower_case():
    vocabulary = understand(LOWER)
    assert vocabulary.words[LOWER.index("N")] == "<num>"
    assert seen(vocabulary, "the 1,200 n") == [["<eos>", "the", "<num>", "<unk>"]]
    assert "<num>" not in understand([*VOCABULARY, "N"]).words


def test_capitals_count_where_the_vocabulary_has_them():
    vocabulary = understand(VOCABULARY)
    assert seen(vocabulary, "Keeper keeper The the") == [
        ["<eos>", "Keeper", "<unk>", "<unk>", "the"]
    ]


def test_capitals_are_found_however_their_characters_are_written():
    """As a telephone's keyboard writes an apostrophe, and some systems an accent."""
    vocabulary = understand(["<eos>", "<unk>", "O'Brien", "\u00c9mile", "met"])
    for typed in ("O'Brien met \u00c9mile", "O\u2019Brien met E\u0301mile"):
        assert seen(vocabulary, typed) == [["<eos>", "O'Brien", "met", "\u00c9mile"]]


def test_lines_are_sentences_and_every_token_has_its_place():
    text = "we saw.  the lamp\n\n  the keeper,\tout"
    sentences = read(understand(VOCABULARY), text)
    assert [[t.surface for t in s.tokens] for s in sentences] == [
        ["", "we", "saw", ".", "the", "lamp"],
        ["", "the", "keeper", ",", "out"],
    ]
    assert [s.complete for s in sentences] == [True, False]
    for token in (t for s in sentences for t in s.tokens if t.span):
        assert text[slice(*token.span)] == token.surface


def test_nothing_typed_is_a_special_token_but_in_a_corpus_it_is(tmp_path):
    vocabulary = understand(LOWER)
    assert {"<eos>", "<num>"}.isdisjoint(*(row[1:] for row in seen(vocabulary, "<eos> N <unk>")))
    (tmp_path / "my.txt").write_text("the <unk> N out <eos>\n")
    documents = read_text(tmp_path / "my.txt", vocabulary=vocabulary)
    (ids,) = encode_documents(documents, vocabulary)
    words = ["<eos>", "the", "<unk>", "<num>", "out", "<eos>"]
    assert [vocabulary.words[id] for id in ids] == words


def test_characters_are_tokens_with_classes_of_their_own():
    vocabulary = understand(CHARACTERS, told={"<unk>": "?"})
    assert vocabulary.own.unit == "character"
    assert seen(vocabulary, "Ta b’c\ncx") == [
        ["⏎", "T", "a", "␣", "b", "'", "c"],
        ["⏎", "c", "?"],
    ]
    assert [s.complete for s in read(vocabulary, "a.\nb.")] == [True, False]
    names = [vocabulary.class_names[index] for index in vocabulary.classes]
    assert names == [*["letter"] * 4, "space", *["punctuation"] * 3, "space", "punctuation"]
    assert set(CHARACTER_PALETTE.colours) == set(vocabulary.class_names)


def test_a_corpus_of_characters_is_the_same_as_typed(tmp_path):
    vocabulary = understand(CHARACTERS, told={"<unk>": "?"})
    (tmp_path / "my.txt").write_text("a b.\n\nTab\n")
    documents = read_text(tmp_path / "my.txt", vocabulary=vocabulary)
    shown = [
        "".join(vocabulary.words[id] for id in ids)
        for ids in encode_documents(documents, vocabulary)
    ]
    assert shown == ["⏎a␣b.⏎", "⏎Tab⏎"]


@pytest.mark.parametrize(
    ("words", "told", "named", "word"),
    [
        (LOWER, {}, "Lamp ", "lamp"),
        (LOWER, {}, "<eos>", "<eos>"),
        (LOWER, {}, "17", "<num>"),
        (LOWER, {}, "ship", "<unk>"),
        (LOWER, {}, "the lamp", None),
        (CHARACTERS, {"<unk>": "?"}, " ", "␣"),
        (CHARACTERS, {"<unk>": "?"}, "␣", "␣"),
        (CHARACTERS, {"<unk>": "?"}, "ab", None),
    ],
)
def test_a_watched_word(words, told, named, word):
    watch = watch_word(understand(words, told=told), named)
    assert (watch and watch.word) == word


def test_english_words_take_the_shipped_model_s_classes_where_they_are_english(tmp_path):
    record = {"classes": ["NOUN", "DET"], "words": [["the", 1], ["lamp", 0]]}
    (tmp_path / "vocab.json").write_text(json.dumps(record))
    path = tmp_path / "vocab.json"
    assert classes_of_words(path, ["The", "x"], False) == {"The": "DET"}
    assert classes_of_words(path, ["the", "x", "y"], False) == {}
    assert classes_of_words(path, ["the", "x", "y"], True) == {"the": "DET"}
    vocabulary = understand(["the", "17", "--", "x1", "<eos>", "<unk>"], classes={"the": "DET"})
    names = [vocabulary.class_names[index] for index in vocabulary.classes]
    assert names == ["DET", "NUM", "PUNCT", "X", "SPECIAL", "SPECIAL"]


def written(folder: Path, vocabulary: Vocabulary, **text: object) -> Path:
    own = vocabulary.own
    assert own is not None
    rules = {
        "rules": "own",
        "unit": own.unit,
        "case": "lower" if own.lower else "kept",
        "written": own.written,
        "unknown": own.unknown,
        "sentence_start": own.start,
        "sentence_end": own.end,
    }
    architecture = {"cell": "lstm", "layers": 1, "units": 2, "tied": True}
    architecture |= {"vocabulary": len(vocabulary)}
    config = {"id": "a", "name": "a", "description": "", "architecture": architecture}
    network = LanguageModel(len(vocabulary), 2, 1)
    save_network(folder, config | {"text": rules | text}, vocabulary, network)
    return folder


def test_a_folder_keeps_the_rules(tmp_path):
    vocabulary = understand(LOWER)
    assert load_network_only(written(tmp_path, vocabulary))[1] == vocabulary


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ({"unit": "line"}, "text.unit must be word or character"),
        ({"sentence_end": None}, "sentence_end must be words"),
        ({"written": {"a": 1}}, "text.written.a must be a string"),
        ({"unknown": 3}, "text.unknown must be a string"),
    ],
)
def test_rules_that_are_none_are_refused(text, said, tmp_path):
    with pytest.raises(ArtifactError, match=rf"config\.json: .*{re.escape(said)}"):
        load_network_only(written(tmp_path, understand(LOWER), **text))


def test_a_special_token_that_the_vocabulary_lacks_is_refused(tmp_path):
    with pytest.raises(ArtifactError, match="the vocabulary lacks <bos>"):
        load_network_only(written(tmp_path, understand(LOWER), sentence_start="<bos>"))
