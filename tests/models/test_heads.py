"""Both forms of G against their equations, one state at a time, in float64."""

from __future__ import annotations

import pytest
import torch

from models.heads import Heads, LinearHeads, SharedHeads

KINDS, WORDS, UNITS, STATES = 3, 7, 4, 5


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def shared() -> SharedHeads:
    return SharedHeads(draw(KINDS, UNITS, UNITS), draw(KINDS, UNITS, seed=1), draw(KINDS, WORDS))


def linear() -> LinearHeads:
    return LinearHeads(draw(KINDS, WORDS, UNITS, seed=2), draw(KINDS, WORDS, seed=3))


@pytest.mark.parametrize("kind", range(KINDS))
def test_shared_is_the_decoder_on_a_translated_state(kind: int) -> None:
    heads, decoder, states = shared(), draw(WORDS, UNITS, seed=4), draw(STATES, UNITS, seed=5)
    got = heads.logits(kind, states, decoder)
    for m, v in enumerate(states.double()):
        read = heads.projection[kind].double() @ v + heads.offset[kind].double()
        expected = decoder.double() @ read + heads.bias[kind].double()
        torch.testing.assert_close(got[m].double(), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", range(KINDS))
def test_linear_is_its_own_matrix_and_reads_no_decoder(kind: int) -> None:
    heads, states = linear(), draw(STATES, UNITS, seed=5)
    got = heads.logits(kind, states, torch.full((WORDS, UNITS), torch.nan))
    for m, v in enumerate(states.double()):
        expected = heads.weight[kind].double() @ v + heads.bias[kind].double()
        torch.testing.assert_close(got[m].double(), expected, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("heads", [shared(), linear()], ids=["shared", "linear"])
def test_both_forms_tell_their_sizes(heads: Heads) -> None:
    assert (heads.kinds, heads.words, heads.units) == (KINDS, WORDS, UNITS)


def test_projecting_all_kinds_is_projecting_each() -> None:
    heads, states = shared(), draw(KINDS, STATES, UNITS, seed=6)
    decoder = draw(WORDS, UNITS, seed=4)
    for kind, vectors in enumerate(heads.project(states)):
        logits = vectors @ decoder.t() + heads.bias[kind]
        torch.testing.assert_close(logits, heads.logits(kind, states[kind], decoder))


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: LinearHeads(draw(3, 7, 4), draw(3, 8)), r"\(3, 7, 4\).*\(3, 8\)"),
        (lambda: LinearHeads(draw(3, 7, 4), draw(2, 7)), r"do not fit"),
        (lambda: LinearHeads(draw(7, 4), draw(7)), r"weight \(7, 4\)"),
        (lambda: LinearHeads(draw(3, 7, 4), draw(7)), r"bias \(7,\)"),
        (lambda: SharedHeads(draw(3, 4, 5), draw(3, 5), draw(3, 7)), r"\(3, 4, 5\)"),
        (lambda: SharedHeads(draw(3, 4, 4), draw(2, 4), draw(3, 7)), r"do not fit"),
        (lambda: SharedHeads(draw(3, 4, 4), draw(3, 4), draw(2, 7)), r"3 projections but 2"),
        (lambda: SharedHeads(draw(4, 4), draw(3, 4), draw(3, 7)), r"projection \(4, 4\)"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(build, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=says):
        build()
