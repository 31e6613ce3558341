"""Decoding against a plain reference, written from the definitions one cell at a time."""

from __future__ import annotations

import math
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models import decode as decode_module
from models.compiling import reads_halves
from models.decode import (
    Classifiers,
    Decoded,
    Output,
    Question,
    Workspace,
    decode,
    halves,
    numbers,
    packed,
)
from models.decode.halves import FEW
from models.heads import Heads, LinearHeads, SharedHeads
from models.team import Team

KINDS, UNITS, CLASSES = 2, 4, 3


class Case:
    """Random states, heads and network (C = 3, the last the output) and a question about them.

    tied: small whole numbers, so that sums are exact, and every word twice: each logit has an
    equal, to the last bit. half: weights of half precision, as they are stored.
    """

    def __init__(
        self,
        words: int,
        rows: int,
        bars: int = 3,
        top_words: int = 5,
        seed: int = 0,
        form: str = "shared",
        tied: bool = False,
        half: bool = False,
    ) -> None:
        generator = torch.Generator().manual_seed(seed)

        def draw(*shape: int) -> torch.Tensor:
            if tied:
                return torch.randint(-2, 3, shape, generator=generator).float()
            return torch.randn(*shape, generator=generator)

        twice = torch.arange(words) // 2 if tied else torch.arange(words)
        self.states = draw(KINDS, rows, UNITS)
        self.decoder, self.decoder_bias = draw(words, UNITS)[twice], draw(words)[twice]
        projection = draw(KINDS, UNITS, UNITS)
        if half:
            self.decoder, projection = self.decoder.half().float(), projection.half().float()
        bias = draw(KINDS, words)[:, twice]
        self.heads: Heads
        if form == "shared":
            self.heads = SharedHeads(projection, draw(KINDS, UNITS), bias)
        else:
            weight = draw(KINDS, words, UNITS)[:, twice]
            self.heads = LinearHeads(weight.half() if half else weight, bias)
        rng = np.random.default_rng(seed)
        self.classes = rng.integers(0, CLASSES, words)
        self.question = Question(
            classes=self.classes,
            class_count=CLASSES,
            labels=rng.integers(-1, words, rows),
            next_ids=rng.integers(-1, words, rows),
            bars=min(bars, words),
            top_words=min(top_words, words),
        )

    def decoded(self, workspace: Workspace | None = None) -> Decoded:
        output = Output(self.decoder, self.decoder_bias, self.classes)
        return decode(Classifiers(self.heads, output), self.states, self.question, workspace)

    def logits(self) -> np.ndarray:
        """(R, C, V) in float64."""
        decoder = self.decoder.double()
        heads = replace(self.heads, **{k: v.double() for k, v in vars(self.heads).items()})
        states = self.states.double()
        columns = [heads.logits(kind, states[kind], decoder) for kind in range(KINDS)]
        columns.append(states[-1] @ decoder.t() + self.decoder_bias.double())
        return torch.stack(columns, 1).numpy()


def softmax(logits: np.ndarray) -> np.ndarray:
    e = np.exp(logits - logits.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def check(got: Decoded, logits: np.ndarray, question: Question) -> None:
    rows, columns, words = logits.shape
    probs = softmax(logits)
    for r in range(rows):
        y = probs[r, -1]
        for c in range(columns):
            p = probs[r, c]
            order = sorted(range(words), key=lambda w: (-logits[r, c, w], w))
            assert got.top_ids[r, c].tolist() == order[: question.bars]
            np.testing.assert_allclose(got.top_probs[r, c], p[order[: question.bars]], atol=1e-6)
            mass = np.zeros(question.class_count)
            for w in order[: question.top_words]:
                mass[question.classes[w]] += p[w]
            np.testing.assert_allclose(got.mass[r, c], mass, atol=1e-6)
            entropy = -sum(x * math.log2(x) for x in p if x > 0)
            assert got.entropy[r, c] == pytest.approx(entropy, abs=1e-5)
            m = (p + y) / 2
            kl = [sum(a * math.log2(a / b) for a, b in zip(q, m, strict=True) if a) for q in (p, y)]
            assert got.divergence[r, c] == pytest.approx(sum(kl) / 2, abs=1e-5)
            label = question.labels[r]
            if label < 0:
                assert got.label_ranks[r, c] == 0
                assert math.isnan(got.label_probs[r, c])
            else:
                assert got.label_ranks[r, c] == order.index(label) + 1
                assert got.label_probs[r, c] == pytest.approx(p[label], abs=1e-6)
        following = question.next_ids[r]
        order = sorted(range(words), key=lambda w: (-logits[r, -1, w], w))
        if following < 0:
            assert got.next_ranks[r] == 0
            assert math.isnan(got.next_probs[r])
            assert math.isnan(got.surprisal[r])
        else:
            assert got.next_ranks[r] == order.index(following) + 1
            assert got.next_probs[r] == pytest.approx(y[following], abs=1e-6)
            assert got.surprisal[r] == pytest.approx(-math.log2(y[following]), abs=1e-4)


CASES = {
    "words": st.integers(2, 150),
    "rows": st.integers(1, 5) | st.sampled_from([FEW + 1, packed.FEW // (KINDS + 1) + 1]),
    "bars": st.integers(1, 12),
    "top_words": st.integers(1, 160),
    "seed": st.integers(0, 10_000),
    "form": st.sampled_from(["shared", "linear"]),
}


@settings(max_examples=60, deadline=None)
@given(**CASES, half=st.booleans(), all_packed=st.booleans())
def test_equal_to_the_definitions(half: bool, all_packed: bool, **case: object) -> None:
    """all_packed: as on a processor where many vectors too are not multiplied by a library."""
    made = Case(**case, half=half)  # type: ignore[arg-type]
    with mock.patch.object(packed, "ALWAYS", all_packed):
        check(made.decoded(), made.logits(), made.question)


def test_a_half_is_read_as_the_number_it_is() -> None:
    """All 63,488 that are finite, the smallest too: times one, among others times zero."""
    every = np.arange(2**16, dtype=np.uint16)
    finite = every[np.isfinite(every.view(np.float16))].reshape(-1, 64)
    out = np.empty((64, len(finite)), np.float32)
    halves.products(finite, np.arange(len(finite)), np.eye(64, dtype=np.float32), out)
    assert np.array_equal(out.T, finite.view(np.float16).astype(np.float32))


def test_halves_are_read_where_words_are_of_many_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    products = halves.products
    monkeypatch.setattr(halves, "products", lambda *a: read.append(len(a[0])) or products(*a))
    made = Case(2100, 2, form="linear", half=True)
    check(made.decoded(), made.logits(), made.question)
    assert read == KINDS * [1024, 1024, 52]


@given(
    cells=st.integers(1, FEW),
    units=st.integers(1, 70),
    words=st.integers(1, 40),
    seed=st.integers(0),
)
@settings(max_examples=40, deadline=None)
def test_products_with_halves_are_those_of_their_numbers(
    cells: int, units: int, words: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    weight = rng.standard_normal((words, units)).astype(np.float16)
    left = rng.standard_normal((cells, units)).astype(np.float32)
    places = rng.permutation(words)
    out = np.empty((cells, 2 * words), np.float32)[:, :words]  # rows that are apart
    halves.products(weight.view(np.uint16), places, left, out)
    wanted = left.astype(np.float64) @ weight.astype(np.float64).T
    np.testing.assert_allclose(out[:, places], wanted, rtol=1e-6, atol=1e-5)


def test_what_is_no_number_is_not_read_as_one() -> None:
    made = Case(30, 2, form="linear", half=True)
    assert isinstance(made.heads, LinearHeads)
    made.heads.weight[1, 4, 2] = math.inf
    logits = np.empty((2, KINDS + 1, 32), np.float32)
    classifiers = Classifiers(made.heads, Output(made.decoder, made.decoder_bias, made.classes))
    tasks, _ = classifiers.products(classifiers.vectors(made.states), logits, 1)
    Team().run(tasks)
    place = classifiers.words.places[4]
    assert np.isinf(logits[:, 1, place]).all()


@settings(max_examples=60, deadline=None)
@given(**CASES, half=st.booleans())
def test_ties_are_broken_by_word_id_in_bars_masses_and_ranks(half: bool, **case: object) -> None:
    made = Case(**case, tied=True, half=half)  # type: ignore[arg-type]
    check(made.decoded(), made.logits(), made.question)


@pytest.mark.parametrize("spread", [0.1, 1.0, 4.0])
def test_exact_over_a_large_vocabulary(spread: float) -> None:
    """From nearly even distributions to certain ones: thousands of small numbers are added up."""
    made = Case(20_000, 1, bars=5, top_words=2000, seed=3)
    made.states *= spread
    made.states = made.states.half().float()
    made.decoder_bias.zero_()
    got, logits = made.decoded(), made.logits()
    probs = softmax(logits)
    order = np.argsort(-logits, axis=-1, kind="stable")
    kept = order[..., : made.question.top_words]
    for c in range(KINDS + 1):
        p, y = probs[0, c], probs[0, -1]
        mass = np.bincount(made.classes[kept[0, c]], p[kept[0, c]], minlength=CLASSES)
        np.testing.assert_allclose(got.mass[0, c], mass, atol=1e-6)
        np.testing.assert_allclose(got.top_probs[0, c], p[order[0, c, :5]], atol=1e-6)
        m = (p + y) / 2
        some = p > 0
        assert got.entropy[0, c] == pytest.approx(-(p * np.log2(p))[some].sum(), abs=2e-5)
        parts = [q[q > 0] @ np.log2(q[q > 0] / m[q > 0]) for q in (p, y)]
        assert got.divergence[0, c] == pytest.approx(sum(parts) / 2, abs=2e-5)


def test_when_all_words_are_equal_the_first_ids_are_the_most_likely() -> None:
    made = Case(40, 2, bars=4, top_words=7)
    made.states.zero_()
    made.decoder_bias.zero_()
    made.heads.bias.zero_()
    if isinstance(made.heads, SharedHeads):
        made.heads.offset.zero_()
    got = made.decoded()
    check(got, made.logits(), made.question)
    assert np.all(got.top_ids == np.arange(4))


@settings(max_examples=25, deadline=None)
@given(**CASES, classes=st.integers(1, 6))
def test_classes_of_the_question_go_before_those_the_words_are_sorted_by(
    classes: int, **case: object
) -> None:
    """A person may give words another class: only the question then knows it."""
    made = Case(**case, tied=True)  # type: ignore[arg-type]
    rng = np.random.default_rng(classes)
    moved = np.where(rng.random(len(made.classes)) < 0.3, classes - 1, made.classes)
    made.question = replace(made.question, classes=moved, class_count=max(classes, CLASSES))
    check(made.decoded(), made.logits(), made.question)


@pytest.mark.parametrize("own_products", [True, False])
@pytest.mark.parametrize(
    ("form", "half"), [("shared", False), ("shared", True), ("linear", False), ("linear", True)]
)
@pytest.mark.parametrize("threads", [1, 2, 3, 5])
@pytest.mark.parametrize("cells", [6, 480])  # two timesteps at a time, and all
@pytest.mark.parametrize("columns", [1, 2, 3])  # of which the threads take so many at a time
def test_blocks_of_timesteps_and_threads_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
    own_products: bool,
    form: str,
    half: bool,
    threads: int,
    cells: int,
    columns: int,
) -> None:
    monkeypatch.setattr(packed, "ALWAYS", own_products)
    made = Case(70, 9, form=form, half=half)
    made.question = replace(made.question, watch=7)
    whole = made.decoded()
    monkeypatch.setattr(decode_module, "_CELLS", cells)
    monkeypatch.setattr(decode_module, "_VECTORS", cells)
    monkeypatch.setattr(numbers, "_COLUMNS", columns)
    workspace = Workspace(Team(threads))
    for _ in range(2):  # the second time in memory that was used before
        got = made.decoded(workspace)
        check(got, made.logits(), made.question)
        for name, value in vars(whole).items():
            np.testing.assert_allclose(
                getattr(got, name), value, rtol=2e-6, atol=1e-6, err_msg=name
            )


def test_memory_does_not_grow_with_the_text(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    logits = Workspace.logits

    def spy(self: Workspace, rows: int, columns: int, words: int) -> np.ndarray:
        sizes.append(rows * columns)
        return logits(self, rows, columns, words)

    monkeypatch.setattr(Workspace, "logits", spy)
    Case(10, 512).decoded()
    assert max(sizes) <= decode_module._CELLS
    assert sum(sizes) == 512 * (KINDS + 1)
    if reads_halves():  # then a thread keeps that of a few timesteps only
        sizes.clear()
        monkeypatch.setattr(packed, "ALWAYS", True)
        monkeypatch.setattr(decode_module, "_VECTORS", 100)
        Case(10, 512, half=True).decoded()
        assert len(sizes) == -(-512 // (100 // (KINDS + 1)))
        assert max(sizes) <= 3 * (KINDS + 1)


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_logit_that_is_no_number_harms_its_column_alone(value: float) -> None:
    """What was left in memory by others is not taken for places of words."""
    made = Case(30, 2, top_words=12)
    whole = made.decoded()
    assert isinstance(made.heads, SharedHeads)
    made.heads.bias[1, 3:20] = value
    got = made.decoded(Workspace())
    assert np.isnan(got.mass[:, 1]).all()
    others = [column for column in range(KINDS + 1) if column != 1]
    np.testing.assert_allclose(got.mass[:, others], whole.mass[:, others], atol=1e-6)


def test_places_that_are_not_written_are_places() -> None:
    assert (Workspace().scratch(1000)[0].places == 0).all()


def test_no_timestep_is_an_empty_answer() -> None:
    got = Case(10, 0).decoded()
    assert got.mass.shape == (0, KINDS + 1, CLASSES)
    assert got.top_ids.shape == (0, KINDS + 1, 3)


@pytest.mark.parametrize("field", ["bars", "top_words"])
@pytest.mark.parametrize("value", [0, 11])
def test_what_is_asked_for_must_exist(field: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"{field} is {value}, but there are 10 words"):
        replace(Case(10, 1).question, **{field: value})


def plain(biases: list[list[float]], **asked: object) -> Decoded:
    """One timestep whose logits are ``biases`` (C, V), the last of the output."""
    logits = torch.tensor(biases)
    kinds, words = len(biases) - 1, logits.shape[1]
    heads = SharedHeads(torch.zeros(kinds, 1, 1), torch.zeros(kinds, 1), logits[:-1])
    output = Output(torch.zeros(words, 1), logits[-1], np.arange(words) % 2)
    given = {"labels": np.array([-1]), "next_ids": np.array([-1]), "bars": 1, "top_words": words}
    question = Question(classes=output.words.classes, class_count=2, **(given | asked))  # type: ignore[arg-type]
    return decode(Classifiers(heads, output), torch.zeros(kinds, 1, 1), question)


def test_divergence_of_disjoint_distributions_is_one_bit() -> None:
    """Two certain and different predictions: the bound of Jensen and Shannon, and 0 for equals."""
    got = plain([[100.0, -100.0], [-100.0, 100.0], [100.0, -100.0]])
    assert got.divergence[0].tolist() == pytest.approx([0.0, 1.0, 0.0])
    assert got.entropy[0].tolist() == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


def test_divergence_by_hand() -> None:
    """JS of (¾, ¼) and (¼, ¾): H(½, ½) − H(¾, ¼) = 1 − 0.8113 bits."""
    log3 = math.log(3)
    got = plain([[log3, 0.0], [0.0, log3]], next_ids=np.array([1]))
    assert got.divergence[0, 0] == pytest.approx(1 - 0.811278, abs=1e-5)
    assert got.next_ranks.tolist() == [1]
    assert got.next_probs.tolist() == pytest.approx([0.75])


def test_surprisal_of_a_word_whose_probability_is_zero_in_single_precision() -> None:
    got = plain([[0.0, 0.0], [0.0, -200.0]], next_ids=np.array([1]))
    assert got.next_probs.tolist() == [0.0]
    assert got.surprisal[0] == pytest.approx(200 / math.log(2), rel=1e-6)
    assert np.isfinite(got.entropy).all()
    assert np.isfinite(got.divergence).all()


def test_mass_outside_the_top_words_is_left_out() -> None:
    logits = [math.log(p) for p in (0.5, 0.3, 0.15, 0.05)]
    got = plain([logits, logits], top_words=3, bars=4)
    assert got.mass[0, 0].tolist() == pytest.approx([0.65, 0.3])


@pytest.mark.parametrize("certain", [9.0, 12.0, 15.0, 18.0])
def test_a_nearly_certain_word_does_not_cost_the_others_their_digits(certain: float) -> None:
    """Beside 0.99, single precision loses what thousands of rare words add up to."""
    case = Case(words=14_590, rows=2, top_words=1459, seed=int(certain))
    case.states = case.states * 0.2
    bias = case.decoder_bias.clone()
    bias[[11, 4000]] = torch.tensor([certain, certain - 1])
    case.decoder_bias = bias
    case.heads = replace(case.heads, bias=bias.repeat(KINDS, 1))
    probs = softmax(case.logits())
    got = case.decoded()
    order = np.argsort(-probs, -1, kind="stable")[..., : case.question.top_words]
    for k in range(CLASSES):
        inside = case.classes[order] == k
        exact = (np.take_along_axis(probs, order, -1) * inside).sum(-1)
        np.testing.assert_allclose(got.mass[..., k], exact, atol=4e-7)
