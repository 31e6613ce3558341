"""Plain words go round nltk's patterns: its tokens come out all the same."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from models.penn_tokens import spans_of_the_whole, token_spans

PLAIN = 'we Stand x 3 1961 so-called U S , . ; : ? ! ( " --'.split()
OTHER = (
    "cannot GONNA gimme-now wanna 'tis more'n d'ye Mr. U.S. can't dogs' 'hello' man's ) ] ' '' ``"
    ' "no" no" (so) so.) so." - --- .. ... a--b -b b- $5 50% R&D 3:30 1,000 x: x, a_b é Привет * @'
).split()
CHUNKS = st.lists(st.sampled_from(PLAIN * 2 + OTHER), max_size=9)
SPACES = st.sampled_from(["", " ", " ", " ", "  ", "\n"])


@given(CHUNKS.map(" ".join) | st.tuples(CHUNKS, SPACES).map(lambda drawn: drawn[1].join(drawn[0])))
@example("gonna-be , it cannot")
@example('"Co." ( Co. " )')
def test_the_tokens_are_nltk_s_own(text: str) -> None:
    assert list(token_spans(text)) == list(spans_of_the_whole(text))


def test_they_are_so_for_each_two_words_side_by_side() -> None:
    for text in (f"{one} {other}" for one in PLAIN + OTHER for other in PLAIN + OTHER):
        assert list(token_spans(text)) == list(spans_of_the_whole(text)), text


def test_an_opening_single_quote_is_a_token() -> None:
    text = "he said 'never' twice"
    words = [text[start:end] for start, end in token_spans(text)]
    assert words == ["he", "said", "'", "never", "'", "twice"]
