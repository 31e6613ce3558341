"""One set of text rules for corpora and for typing."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.text import is_complete, normalise, tokenise, tokenise_sentence


def words(text: str) -> list[list[str]]:
    return [[token.word for token in sentence] for sentence in tokenise(text)]


@pytest.mark.parametrize(
    "text",
    [
        '"We stand in solidarity," she emphasized.',
        "“We stand in solidarity,” she emphasized.",
        '" We stand in solidarity , " she emphasized .',
        "`` We stand in solidarity , '' she emphasized .",
        "«We stand in solidarity,» she emphasized.",
    ],
)
def test_every_way_to_write_the_paper_s_sentence_gives_the_same_words(text: str) -> None:
    expected = '" we stand in solidarity , " she emphasized .'.split()
    assert words(text) == [expected]


UNREAD = "\x1c\x1d\x1e\x1f\u0085\u00ad\u200b\ufeff"


@given(st.text(st.sampled_from("ab.'`\"’”-—–…<>$%! \t\n\u00a0\u3000½é\0" + UNREAD)))
def test_white_space_always_parts_tokens(text: str) -> None:
    """The page says that a text is too long by counting these pieces: never more than tokens."""
    pieces = text.translate(dict.fromkeys(map(ord, UNREAD))).split()
    assert sum(len(sentence) for sentence in tokenise(text)) >= len(pieces)


def test_the_paper_s_own_tokens_are_left_as_they_are() -> None:
    text = 'we stand in solidarity , " she emphasized .'
    assert words(text) == [text.split()]


@pytest.mark.parametrize(
    "text", ["I can't afford that", "I can’t afford that", "I ca n't afford that"]
)
def test_contractions_split_alike_with_either_apostrophe(text: str) -> None:
    assert words(text) == [["i", "ca", "n't", "afford", "that"]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24/7", ["<num>"]),
        ("R&D", ["r", "&", "d"]),
        ("50–50", ["<num>"]),
        ("$1,200.50", ["$", "<num>"]),
        ("3rd", ["3rd"]),
        ("50% off", ["<num>", "%", "off"]),
        ("the 1960's", ["the", "<num>", "'s"]),
        ("½ of it", ["<num>", "of", "it"]),
        ("-5 or .5", ["<num>", "or", "<num>"]),
        ("<unk>", ["<", "unk", ">"]),
        ("<b>x</b>", ["<", "b", ">", "x", "<", "/b", ">"]),
        ("a<b<c", ["a", "<", "b", "<", "c"]),
        ("<num> <eos>", ["<", "num", ">", "<", "eos", ">"]),
        ("Привет, мир!", ["привет", ",", "мир", "!"]),
        ("你好 世界", ["你好", "世界"]),
        ("👩‍👩‍👧 ok", ["👩‍👩‍👧", "ok"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("well—no", ["well", "--", "no"]),
        ("pre–war", ["pre-war"]),
        ("wait…", ["wait", "..."]),
        ("he said 'never' twice", ["he", "said", "'", "never", "'", "twice"]),
        ("the dogs' tails", ["the", "dogs", "'", "tails"]),
        ("caf\u0065\u0301", ["café"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert words(text) == [expected]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("He left. She stayed.", 2),
        ("he left. she stayed.", 2),
        ("the keys were lost . the door was open .", 2),
        ("Mr. Smith met Dr. Jones on Nov. 3 in the U.S. in 1961.", 1),
        ("He lives in Washington, D.C. in winter.", 1),
        ("The U.S.S.R. is large. J.F. Kennedy spoke of it.", 2),
        ("It weighs 3 lbs. in Sacramento, Calif. and 2 in Tampa, Fla. today.", 1),
        ("It was I. He left.", 2),
        ("A novel by I. Asimov appeared.", 1),
        ("Henry I. Miller and I. M. Pei left.", 1),
        ('"What?" he asked.', 1),
        ('" what ? " he asked .', 1),
        ("Is it so? It is.", 2),
        ("is it so? it is.", 2),
        ("is it so ? it is .", 2),
        ("Так ли это? Да.", 2),
        ("ნამდვილად? არა.", 2),
        ("is it so?! it is.", 2),
        ("is it so ?! it is .", 2),
        ('"კი?" არა.', 2),
        ("ნამდვილად... არა.", 2),
        ("I don't. You do.", 2),
        ("It was John's. We left it.", 2),
        ("They are 'J. Smith' and his.", 1),
        ('He said "no." And then he left.', 2),
        ('" no . " and he left .', 1),
        ('"No!" and he left.', 1),
        ("J. Smith wrote it.", 1),
        ("see vol. 3 of it", 1),
        ("one line\nanother line", 2),
        ("one line\r\n\r\nanother line\u2028third", 3),
        ("(He left.) She stayed.", 2),
        ("wait... he said", 1),
        ("", 0),
        (" \t\n\u00a0\u200b", 0),
    ],
)
def test_sentences(text: str, sentences: int) -> None:
    assert len(tokenise(text)) == sentences


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("it rained.", True),
        ('"it rained."', True),
        ("did it rain?", True),
        ("(it rained!)", True),
        ("it rained", False),
        ("it rained,", False),
        ('"', False),
    ],
)
def test_only_a_sentence_with_a_terminal_mark_is_complete(text: str, complete: bool) -> None:
    assert is_complete(tokenise(text)[0]) is complete


@given(st.text(max_size=200))
def test_spans_are_the_surfaces_in_order_and_cover_all_that_is_seen(text: str) -> None:
    tokens = [token for sentence in tokenise(text) for token in sentence]
    end = 0
    gaps = []
    for token in tokens:
        start, stop = token.span
        assert end <= start < stop
        assert text[start:stop] == token.surface
        assert token.word
        gaps.append(text[end:start])
        end = stop
    gaps.append(text[end:])
    unseen = "".join(gaps).translate(dict.fromkeys([0xFEFF, 0xAD, 0x200B]))
    assert not unseen.strip()


@given(st.text(alphabet=st.sampled_from("ab '\"`.?!,–—-()1\n’“”"), max_size=40))
def test_hostile_punctuation_is_tokenised_with_sound_spans(text: str) -> None:
    for sentence in tokenise(text):
        for token in sentence:
            assert text[token.span[0] : token.span[1]] == token.surface


@given(st.lists(st.sampled_from("the keys were n't lost 's , . \" <num>".split()), min_size=1))
def test_text_that_is_already_in_tokens_stays_so(tokens: list[str]) -> None:
    """What training reads is what typing gives: words joined by spaces come back."""
    typed = ["7" if token == "<num>" else token for token in tokens]
    assert [token.word for token in tokenise_sentence(" ".join(typed))] == [
        normalise(token) for token in typed
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1" * 16_000 + "x",
        "1," * 8_000,
        ". " * 8_000,
        "a. " * 5_400,
        'a ." ' * 3_200,
        "." * 16_000,
        "?!" * 8_000,
        '"' * 16_000,
        "'" * 16_001,
        "-" * 16_000,
    ],
    ids=lambda text: text[:5],
)
def test_no_text_within_the_limit_of_bytes_takes_long(text: str) -> None:
    """Each of these took from ten seconds to minutes while a pattern could go back over itself."""
    started = time.process_time()
    tokenise(text)
    assert time.process_time() - started < 3


@pytest.mark.parametrize("text", ["<bos>", "＜bos＞", "﹤eos﹥", "<unk>", "＜num＞", "<EOS>"])
def test_no_typed_text_is_read_as_a_special_token(text: str) -> None:
    assert not {"<bos>", "<eos>", "<unk>", "<num>"} & set(words(text)[0])
