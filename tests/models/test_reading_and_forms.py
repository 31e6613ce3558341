"""The training's forward pass, its noise, text that runs on, and the two forms of heads."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from models.language_model import LanguageModel
from models.training import heads as heads_module
from models.training.dataset import stretches
from models.training.forms import as_form, classifier
from models.training.heads import train_heads
from models.training.losses import cross_entropy
from models.training.noise import draw_noise
from models.training.reading import read, zero_state
from models.training.recipe import HeadsRecipe, NetworkRecipe
from models.training.scoring import mean_nll, mean_nlls
from models.training.start import ridge_start
from models.training.state_batches import ALL, state_batch

WORDS, UNITS = 15, 6


@pytest.fixture
def network() -> LanguageModel:
    made = LanguageModel(WORDS, UNITS, 2)
    made.initialise(torch.Generator().manual_seed(3))
    return made


def sentences(count: int, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [np.array([2, *rng.integers(4, WORDS, rng.integers(1, 7)), 3]) for _ in range(count)]


def test_without_noise_it_is_the_network(network: LanguageModel) -> None:
    ids = torch.randint(WORDS, (5, 3), generator=torch.Generator().manual_seed(0))
    h, _ = read(network, ids)
    torch.testing.assert_close(h, network(ids))


def test_a_text_read_in_two_parts_is_the_text_read_in_one(network: LanguageModel) -> None:
    ids = torch.randint(WORDS, (8, 3), generator=torch.Generator().manual_seed(0))
    whole, _ = read(network, ids)
    first, state = read(network, ids[:5])
    second, _ = read(network, ids[5:], None, state)
    torch.testing.assert_close(torch.cat([first, second]), whole)


def test_noise_is_a_network_with_those_weights_and_inputs_left_out(network: LanguageModel) -> None:
    recipe = NetworkRecipe(
        units=UNITS,
        dropout_input=0.4,
        dropout_between=0.4,
        dropout_output=0.4,
        dropped_words=0.3,
        dropped_weights=0.3,
    )
    noise = draw_noise(recipe, WORDS, 3, torch.Generator().manual_seed(1))
    ids = torch.randint(WORDS, (5, 3), generator=torch.Generator().manual_seed(0))
    h, _ = read(network, ids, noise)

    other = copy.deepcopy(network)
    assert noise.words is not None
    x = torch.nn.functional.embedding(ids, other.embedding.weight * noise.words[:, None])
    for u, layer in enumerate(other.layers):
        factor, mask = noise.recurrent[u], noise.masks[u]
        assert factor is not None
        assert mask is not None
        layer.weight_hh_l0.data.mul_(factor)
        x, _ = layer(x * mask)
    last = noise.masks[-1]
    assert last is not None
    torch.testing.assert_close(h, x * last)
    # One mask for the whole sentence: a unit that is out at one timestep is out at all.
    out = h == 0
    assert (out.all(0) == out.any(0)).all()


def test_nothing_is_drawn_for_what_is_not_dropped() -> None:
    recipe = NetworkRecipe(units=4, dropout_input=0.0, dropout_between=0.0, dropout_output=0.0)
    noise = draw_noise(recipe, WORDS, 2, torch.Generator().manual_seed(0))
    assert noise.masks == (None, None, None)
    assert noise.words is None
    assert noise.recurrent == (None, None)


@settings(max_examples=40)
@given(count=st.integers(1, 12), places=st.integers(1, 5), steps=st.integers(1, 6))
def test_a_text_that_runs_on_has_every_token_once_and_in_order(
    count: int, places: int, steps: int
) -> None:
    given_sentences = sentences(count)
    columns: list[list[int]] = [[] for _ in range(places)]
    for batch in stretches(given_sentences, places, steps):
        assert len(batch.inputs) <= steps
        for n in range(places):
            columns[n] += batch.targets[:, n][batch.valid[:, n]].tolist()
    expected = [int(w) for s in given_sentences for w in s[1:]]
    assert [word for column in columns for word in column] == expected


def test_the_carried_figure_is_that_of_one_long_text(network: LanguageModel) -> None:
    text = sentences(9)
    state = zero_state(network, 1)
    total, count = 0.0, 0
    with torch.no_grad():
        for s in text:
            ids = torch.from_numpy(s)[:, None]
            h, state = read(network, ids[:-1], None, state)
            nll = torch.nn.functional.cross_entropy(network.logits(h[:, 0]), ids[1:, 0])
            total += float(nll) * (len(s) - 1)
            count += len(s) - 1
    assert mean_nll(network, text, carried=True) == pytest.approx(total / count, rel=1e-5)
    assert mean_nll(network, text) != pytest.approx(total / count, rel=1e-5)


def test_the_figure_of_words_alone_leaves_the_ends_out(network: LanguageModel) -> None:
    text = sentences(9)
    words = sum(len(s) - 2 for s in text)
    ends = [np.array([*s[:-1], 0]) for s in text]  # the same with another last target
    (whole, alone), (_, same) = mean_nlls(network, text, 3), mean_nlls(network, ends, 0)
    assert whole == pytest.approx(mean_nll(network, text), rel=1e-9)
    assert same == pytest.approx(alone, rel=1e-5)
    assert whole * (words + 9) > alone * words


def test_a_word_that_is_the_end_too_is_a_word_inside_a_sentence(network: LanguageModel) -> None:
    """Such as the full stop of a model of characters, which stands between its lines."""
    text = [np.array([3, 5, 3, 6, 3]), np.array([3, 3, 7, 3])]
    ends = [np.array([*s[:-1], 0]) for s in text]  # the same with another last target
    (_, alone), (_, same) = mean_nlls(network, text, 3), mean_nlls(network, ends, 0)
    assert same == pytest.approx(alone, rel=1e-5)


def test_the_linear_form_starts_as_the_shared_one(network: LanguageModel) -> None:
    network.requires_grad_(False)
    recipe = HeadsRecipe(batch_tokens=50)
    shared = ridge_start(network, sentences(60), ("next",), recipe, ALL, True)["next"]
    linear = as_form(shared, "linear", network)
    states = state_batch(network, sentences(5, 1), ("next",)).states
    for kind in (0, 7, 16):
        logits = []
        for heads in (shared, linear):
            x, weight, bias = classifier(heads, kind, states[kind], network)
            logits.append(x @ weight.t() + bias)
        torch.testing.assert_close(logits[0], logits[1], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("semantic", ["previous", "after_next"])
def test_the_closed_form_start_is_of_what_is_asked_for_alone(
    network: LanguageModel, semantic: str
) -> None:
    """Where the edge of a sentence leaves no label, nothing pulls at the regression."""
    network.requires_grad_(False)
    text, recipe = sentences(40), HeadsRecipe(batch_tokens=50, ridge=0.5)
    start = ridge_start(network, text, (semantic,), recipe, ALL, True)[semantic]
    batch = state_batch(network, text, (semantic,))
    asked = batch.labels[semantic].numpy()
    assert (asked < 0).sum() == 40
    decoder = network.decoder_weight.double().numpy()
    pointers = decoder @ np.linalg.pinv(decoder.T @ decoder / len(decoder))
    for kind in (0, 7, 16):
        x = batch.states[kind].double().numpy()[asked >= 0]
        x = np.concatenate([x, np.ones((len(x), 1))], 1)
        left = x.T @ x + 0.5 * np.eye(x.shape[1])
        expected = np.linalg.solve(left, x.T @ pointers[asked[asked >= 0]]).T
        got = torch.cat([start.projection[kind], start.offset[kind][:, None]], 1).numpy()
        gain = np.linalg.norm(got) / np.linalg.norm(expected)
        assert np.log2(gain) == pytest.approx(round(np.log2(gain)), abs=1e-3)
        np.testing.assert_allclose(got, gain * expected, rtol=2e-3, atol=1e-4)


def test_the_loss_against_another_head_is_kullback_leibler_s() -> None:
    generator = torch.Generator().manual_seed(0)
    h, weight, bias, goal, goal_weight, goal_bias = (
        torch.randn(*shape, generator=generator, dtype=torch.float64)
        for shape in ((300, 5), (WORDS, 5), (WORDS,), (300, 4), (WORDS, 4), (WORDS,))
    )
    y = (goal @ goal_weight.t() + goal_bias).softmax(1)
    results = []
    for loss_of in (
        lambda h, w, b: cross_entropy(h, w, b, (goal, goal_weight, goal_bias)),
        lambda h, w, b: torch.nn.functional.cross_entropy(h @ w.t() + b, y),
    ):
        leaves = [x.clone().requires_grad_() for x in (h, weight, bias)]
        loss = loss_of(*leaves)
        loss.backward()
        results.append([loss.detach(), *(leaf.grad for leaf in leaves)])
    for got, expected in zip(*results, strict=True):
        torch.testing.assert_close(got, expected)
    entropy = -(y * y.log()).sum(1).mean()
    kl = torch.nn.functional.kl_div(
        (h @ weight.t() + bias).log_softmax(1), y, reduction="batchmean"
    )
    torch.testing.assert_close(results[0][0] - entropy, kl)


@pytest.mark.parametrize("form", ["shared", "linear"])
def test_heads_that_were_killed_end_like_those_that_were_not(
    network: LanguageModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    network.requires_grad_(False)
    monkeypatch.setattr(heads_module, "_CHECKPOINT_STEPS", 3)
    recipe = HeadsRecipe(
        batch_tokens=40, epochs=2, exact_part=0.5, sampled_head=4, sampled_tail=4, rate=1e-2
    )
    semantics = ("next", "after_next")
    unbroken = train_heads(network, sentences(60), semantics, recipe, form)

    class KilledError(Exception):
        pass

    step = heads_module._Run._step

    def killed(self: object, batch: object, number: int, steps: int) -> object:
        if number == 5:
            raise KilledError
        return step(self, batch, number, steps)  # type: ignore[arg-type]

    monkeypatch.setattr(heads_module._Run, "_step", killed)
    with pytest.raises(KilledError):
        train_heads(network, sentences(60), semantics, recipe, form, tmp_path)
    monkeypatch.setattr(heads_module._Run, "_step", step)
    resumed = train_heads(network, sentences(60), semantics, recipe, form, tmp_path)
    for semantic in semantics:
        for name, tensor in vars(unbroken[semantic]).items():
            assert torch.equal(tensor, vars(resumed[semantic])[name]), name


def test_a_linear_head_learns_from_nothing_which_word_an_embedding_is(
    network: LanguageModel,
) -> None:
    network.embedding.weight.data.normal_(generator=torch.Generator().manual_seed(1))
    network.requires_grad_(False)
    recipe = HeadsRecipe(batch_tokens=60, epochs=4, rate=0.3, start="zero")
    only = slice(0, 1)
    trained = train_heads(network, sentences(200), ("this",), recipe, "linear", only=only)["this"]
    assert trained.kinds == 1
    batch = state_batch(network, sentences(40, seed=1), ("this",), only)
    rows, targets = batch.scored("this")
    x, weight, bias = classifier(trained, 0, batch.states[0, rows], network)
    assert math.exp(float(cross_entropy(x, weight, bias, targets))) < 2
