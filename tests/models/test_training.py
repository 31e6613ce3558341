"""Training: losses, batches, the schedule, and a killed run that ends like an unbroken one."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.torch import load_file

from models.language_model import LanguageModel
from models.semantics import labels
from models.training import checkpoint, losses, sampled
from models.training import heads as heads_module
from models.training import network as network_module
from models.training.checkpoint import DivergedError, ResumeError, save_checkpoint
from models.training.dataset import batches
from models.training.heads import train_heads
from models.training.losses import cross_entropy, nll_sum
from models.training.network import train_network
from models.training.network_run import NetworkRun
from models.training.noise import draw_noise
from models.training.processes import Processes
from models.training.rates import one_cycle
from models.training.recipe import HeadsRecipe, NetworkRecipe
from models.training.sampled import sampled_cross_entropy
from models.training.scoring import mean_nll

WORDS = 20
RECIPE = NetworkRecipe(
    units=6,
    epochs=3,
    exact_epochs=1,
    sampled_head=8,
    sampled_tail=4,
    batch_sentences=4,
    rate=1e-2,
    dropped_words=0.1,
    dropped_weights=0.1,
    averaging=0.9,
)


def corpus(sentences: int, seed: int = 0) -> list[np.ndarray]:
    """Sentences in which each word says which comes next, most of the time."""
    rng = np.random.default_rng(seed)
    result = []
    for _ in range(sentences):
        word = int(rng.integers(4, WORDS))
        words = [word]
        for _ in range(int(rng.integers(0, 9))):
            word = (
                4 + (word - 3) % (WORDS - 4) if rng.random() < 0.9 else int(rng.integers(4, WORDS))
            )
            words.append(word)
        result.append(np.array([2, *words, 3]))
    return result


def problem(seed: int, rows: int = 7) -> tuple[torch.Tensor, ...]:
    generator = torch.Generator().manual_seed(seed)
    h = torch.randn(rows, 5, generator=generator, dtype=torch.float64)
    weight = torch.randn(WORDS, 5, generator=generator, dtype=torch.float64)
    bias = torch.randn(WORDS, generator=generator, dtype=torch.float64)
    targets = torch.randint(WORDS, (rows,), generator=generator)
    return h, weight, bias, targets


@pytest.mark.parametrize("rows", [1, 7, 600])
@pytest.mark.parametrize("numpy_s", [True, False])
def test_blockwise_cross_entropy_equals_torch_s_with_its_gradients(
    rows: int, numpy_s: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether numpy multiplies, where its BLAS has torch's threads, or torch."""
    threads = torch.get_num_threads() + (not numpy_s)
    monkeypatch.setattr(losses, "_BLAS_THREADS", str(threads))
    monkeypatch.setattr(losses, "BY_TORCH", False)
    h, weight, bias, targets = problem(0, rows)
    results = []
    for loss_of in (
        cross_entropy,
        lambda h, w, b, t: torch.nn.functional.cross_entropy(h @ w.t() + b, t),
    ):
        leaves = [x.clone().requires_grad_() for x in (h, weight, bias)]
        loss = loss_of(*leaves, targets)
        loss.backward()
        results.append([loss.detach(), *(leaf.grad for leaf in leaves)])
    for got, expected in zip(*results, strict=True):
        torch.testing.assert_close(got, expected)
    assert nll_sum(h, weight, bias, targets) == pytest.approx(float(results[1][0]) * rows)


def test_sampled_cross_entropy_of_the_whole_tail_is_exact() -> None:
    h, weight, bias, targets = problem(1)
    generator = torch.Generator().manual_seed(0)
    got = sampled_cross_entropy(h, weight, bias, targets, 6, WORDS - 6, generator)
    expected = cross_entropy(h, weight, bias, targets)
    assert (targets >= 6).any()
    torch.testing.assert_close(got, expected)


def test_the_words_that_are_exact_are_those_that_the_corpus_has_most() -> None:
    """Whatever their ids: the rest have no say in the normaliser but for those that are drawn."""
    text = [np.array([2, 19, 7, 19, 3]), np.array([2, 19, 7, 3])]
    order = sampled.frequent_first(text, WORDS)
    assert order[:4].tolist() == [19, 3, 7, 0]  # 3, 2 and 2 times; 2 itself is never predicted
    assert sorted(order.tolist()) == list(range(WORDS))
    h, weight, _, targets = problem(1)
    bias = torch.full((WORDS,), -100.0, dtype=torch.float64)
    bias[order[:3]] = 0  # all of the normaliser
    given = h, weight, bias, order[targets % 3]
    generator = torch.Generator().manual_seed(0)
    got = sampled_cross_entropy(*given, 3, 1, generator, order)
    torch.testing.assert_close(got, cross_entropy(*given))


def test_heads_of_a_vocabulary_of_others_are_fitted_by_the_corpus_s_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = LanguageModel(WORDS, 6, 1).requires_grad_(False)
    network.initialise(torch.Generator().manual_seed(0))
    orders = []

    def watched(*given: Any) -> torch.Tensor:
        orders.append(given[7])
        return sampled_cross_entropy(*given)

    monkeypatch.setattr(heads_module, "sampled_cross_entropy", watched)
    recipe = HeadsRecipe(epochs=1, exact_part=0.0)
    text = corpus(40)
    for by_count in (False, True):
        train_heads(network, text, ("next",), recipe, by_count=by_count)
    assert orders[0] is None
    assert torch.equal(orders[-1], sampled.frequent_first(text, WORDS))


def test_gradients_of_the_sampled_cross_entropy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against finite differences, in several blocks of rows, targets in the head and the tail."""
    monkeypatch.setitem(sampled._ROWS, "cpu", 4)
    h, weight, bias, targets = (t.double() if t.is_floating_point() else t for t in problem(3))
    assert (targets < 6).any()
    assert (targets >= 6).any()

    def loss(*leaves: torch.Tensor) -> torch.Tensor:
        generator = torch.Generator().manual_seed(0)
        return sampled_cross_entropy(*leaves, targets, 6, 5, generator)

    leaves = [leaf.requires_grad_() for leaf in (h, weight, bias)]
    assert torch.autograd.gradcheck(loss, leaves)


def test_the_estimate_of_the_normaliser_is_unbiased() -> None:
    h, weight, bias, _ = problem(2, rows=1)
    exact = float((h @ weight.t() + bias).exp().sum())
    for target in (0, 12):  # in the head, in the tail
        targets = torch.tensor([target])
        at_target = float(h[0] @ weight[target] + bias[target])
        generator = torch.Generator().manual_seed(0)
        estimates = [
            math.exp(
                float(sampled_cross_entropy(h, weight, bias, targets, 6, 5, generator)) + at_target
            )
            for _ in range(500)
        ]
        error = np.std(estimates) / math.sqrt(len(estimates))
        assert abs(np.mean(estimates) - exact) < 4 * error


@settings(max_examples=30)
@given(count=st.integers(1, 40), size=st.integers(1, 9), shuffled=st.booleans())
def test_batches_hold_every_sentence_once(count: int, size: int, shuffled: bool) -> None:
    sentences = corpus(count)
    rng = np.random.default_rng(1) if shuffled else None
    seen = []
    for batch in batches(sentences, size, rng):
        for n in range(batch.inputs.shape[1]):
            steps = int(batch.valid[:, n].sum())
            seen.append((*batch.inputs[:steps, n].tolist(), int(batch.targets[steps - 1, n])))
            assert batch.inputs[1:steps, n].tolist() == batch.targets[: steps - 1, n].tolist()
    assert sorted(seen) == sorted(tuple(s.tolist()) for s in sentences)


@pytest.mark.parametrize(
    ("semantic", "expected"),
    [
        ("next", [7, 8, 3]),
        ("this", [2, 7, 8]),
        ("previous", [-1, 2, 7]),
        ("after_next", [8, 3, -1]),
    ],
)
def test_labels_of_each_semantic_and_the_edges_that_leave_none(
    semantic: str, expected: list[int]
) -> None:
    assert labels([2, 7, 8, 3], 3, semantic) == expected


def test_the_cycle_starts_low_peaks_after_the_warm_up_and_ends_near_zero() -> None:
    rates = [one_cycle(1.0, 0.1, step, 100) for step in range(100)]
    assert rates[0] == pytest.approx(1 / 25)
    assert max(rates) == rates[10] == pytest.approx(1.0)
    assert rates[-1] == pytest.approx(1 / 250_000)


def test_a_killed_run_ends_in_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, valid = corpus(40), corpus(10, seed=1)
    unbroken = train_network(RECIPE, WORDS, train, valid, tmp_path / "unbroken")

    class KilledError(Exception):
        pass

    whole_epoch = network_module._epoch

    def killed_in_the_second(recipe: NetworkRecipe, epoch: int, *rest: object) -> object:
        if epoch == 1:
            raise KilledError
        return whole_epoch(recipe, epoch, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(network_module, "_epoch", killed_in_the_second)
    with pytest.raises(KilledError):
        train_network(RECIPE, WORDS, train, valid, tmp_path / "killed")
    monkeypatch.undo()
    resumed = train_network(RECIPE, WORDS, train, valid, tmp_path / "killed")
    for name, weight in unbroken.state_dict().items():
        assert torch.equal(weight, resumed.state_dict()[name]), name


def test_a_restart_begins_from_the_weights_it_is_given(tmp_path: Path) -> None:
    train, valid = corpus(40), corpus(10, seed=1)
    first = train_network(RECIPE, WORDS, train, valid, tmp_path)
    still = replace(RECIPE, epochs=1, rate=1e-12, seed=2)
    second = train_network(still, WORDS, train, valid, tmp_path / "restart", start=first)
    for name, weight in first.state_dict().items():
        torch.testing.assert_close(weight, second.state_dict()[name], rtol=0, atol=1e-9)
    with pytest.raises(ResumeError, match="another start"):
        train_network(still, WORDS, train, valid, tmp_path / "restart", start=second.double())
    with pytest.raises(ResumeError, match="another start"):
        train_network(still, WORDS, train, valid, tmp_path / "restart")


@pytest.mark.parametrize("restarted", [False, True])
def test_the_average_is_of_trained_weights_and_of_those_gone_on_from(restarted: bool) -> None:
    start = LanguageModel(WORDS, RECIPE.units, RECIPE.layers).requires_grad_(False)
    start.decoder_bias.fill_(5.0)
    recipe = replace(RECIPE, averaging=0.9)
    device = torch.device("cpu")
    run = NetworkRun.begin(recipe, WORDS, device, start=start if restarted else None)
    run.network.requires_grad_(False)
    for step in range(3):
        run.network.decoder_bias.fill_(step + 1.0)
        run.average_in(recipe.averaging, step)
    weights = [0.081, 0.09, 0.1] if restarted else [0.81 / 2.71, 0.9 / 2.71, 1 / 2.71]
    expected = np.dot(weights, [1, 2, 3]) + 0.9**3 * 5 * restarted
    assert float(run.best.decoder_bias[0]) == pytest.approx(expected, rel=1e-6)


def test_few_steps_leave_no_random_weight_in_the_average(tmp_path: Path) -> None:
    """Four sentences are one batch: the mean after one step is what that step has left."""
    recipe = replace(RECIPE, averaging=0.999, rate=0.5, schedule="constant", warm_up=0.0, epochs=1)
    network = train_network(recipe, WORDS, corpus(4), corpus(4), tmp_path)
    last = load_file(tmp_path / "checkpoint.safetensors")
    for name, weight in network.state_dict().items():
        torch.testing.assert_close(weight, last[f"network.{name}"])


@pytest.mark.parametrize("exact", [0, 1])
@pytest.mark.parametrize("cell", ["lstm", "gru", "lstm-peephole"])
def test_a_step_in_bfloat16_is_near_that_in_single_precision(
    tmp_path: Path, cell: str, exact: int
) -> None:
    """Its weights and its figures are in single precision, and so is what comes after it."""
    plain = replace(RECIPE, cell=cell, units=16, epochs=1, exact_epochs=exact, rate=1e-3)
    losses_of = {}
    for rounded in (False, True):
        folder = tmp_path / str(rounded)
        recipe = replace(plain, bfloat16=rounded)
        network = train_network(recipe, WORDS, corpus(40), corpus(10), folder)
        record = json.loads((folder / "history.json").read_text())
        losses_of[rounded] = record["epochs"][0]["train_loss"]
        assert {p.dtype for p in network.parameters()} == {torch.float32}
        assert torch.get_float32_matmul_precision() == "highest"
    assert losses_of[True] == pytest.approx(losses_of[False], rel=1e-2)
    # Without a kernel of torch's there are products alone, rounded where there are instructions.
    if cell != "lstm-peephole":
        assert losses_of[True] != losses_of[False]


def test_progress_tells_loss_speed_and_the_time_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train_network(RECIPE, WORDS, corpus(40), corpus(10), tmp_path)
    bars = [line for line in capsys.readouterr().err.splitlines() if "100%" in line]
    assert len(bars) == RECIPE.epochs
    for bar in bars:
        assert re.search(r"epoch \d/3: .* \d\d:\d\d left, loss \d\.\d{3}, [\d,]+ tokens/s", bar)


def test_a_checkpoint_of_before_there_was_a_setting_was_fitted_with_its_default(
    tmp_path: Path,
) -> None:
    done = train_network(RECIPE, WORDS, corpus(8), corpus(4), tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    with safe_open(path, framework="pt") as file:
        record = json.loads(file.metadata()["record"])
    del record["recipe"]["bfloat16"]
    save_checkpoint(tmp_path, record, load_file(path))
    again = train_network(RECIPE, WORDS, corpus(8), corpus(4), tmp_path)
    for name, weight in done.state_dict().items():
        assert torch.equal(weight, again.state_dict()[name]), name
    with pytest.raises(ResumeError, match="another recipe"):
        train_network(replace(RECIPE, bfloat16=True), WORDS, corpus(8), corpus(4), tmp_path)


def test_the_same_run_started_twice_leaves_whole_checkpoints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second writes while the first does."""
    write = checkpoint.save_file

    def meanwhile(*given: Any) -> None:
        write(*given)
        monkeypatch.setattr(checkpoint, "save_file", write)
        save_checkpoint(tmp_path, {"by": "second"}, {"a": torch.zeros(2)})

    monkeypatch.setattr(checkpoint, "save_file", meanwhile)
    save_checkpoint(tmp_path, {"by": "first"}, {"a": torch.ones(3)})
    assert load_file(tmp_path / "checkpoint.safetensors")["a"].tolist() == [1, 1, 1]
    assert json.loads((tmp_path / "history.json").read_text()) == {"by": "first"}
    assert len(list(tmp_path.iterdir())) == 2


def test_a_checkpoint_that_cannot_be_written_leaves_the_one_before_and_no_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_checkpoint(tmp_path, {"step": 1}, {"a": torch.ones(3)})

    def full(_: object, path: Path, *rest: object) -> None:
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(OSError, match="No space left"):
        save_checkpoint(tmp_path, {"step": 2}, {"a": torch.zeros(3)})
    assert load_file(tmp_path / "checkpoint.safetensors")["a"].tolist() == [1, 1, 1]
    assert len(list(tmp_path.iterdir())) == 2


def test_what_a_killed_run_was_writing_is_removed_once_nobody_can_be_at_it(tmp_path: Path) -> None:
    left, being_written = tmp_path / "checkpoint.safetensors.1.part", tmp_path / "x.2.part"
    for part in (left, being_written):
        part.write_bytes(b"half")
    os.utime(left, (0, 0))
    save_checkpoint(tmp_path, {"step": 1}, {"a": torch.ones(3)})
    assert being_written.exists()
    assert not left.exists()


def test_a_run_that_breaks_off_leaves_products_exact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        assert torch.get_float32_matmul_precision() == "medium"
        raise KeyboardInterrupt

    monkeypatch.setattr(network_module, "_epoch", broken)
    with pytest.raises(KeyboardInterrupt):
        train_network(replace(RECIPE, bfloat16=True), WORDS, corpus(8), corpus(4), tmp_path)
    assert torch.get_float32_matmul_precision() == "highest"


def test_a_run_of_another_recipe_is_not_taken_up(tmp_path: Path) -> None:
    train_network(RECIPE, WORDS, corpus(8), corpus(4), tmp_path)
    with pytest.raises(ResumeError, match="another recipe"):
        train_network(NetworkRecipe(units=6), WORDS, corpus(8), corpus(4), tmp_path)
    with pytest.raises(ResumeError, match="another corpus"):
        train_network(RECIPE, WORDS, corpus(8, seed=5), corpus(4), tmp_path)


@pytest.mark.parametrize("epoch", [0, 1])
def test_a_loss_that_is_no_number_ends_the_run_and_spoils_no_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, epoch: int
) -> None:
    whole_epoch = network_module._epoch

    def diverging(recipe: NetworkRecipe, now: int, run: NetworkRun, *rest: Any) -> Any:
        if now == epoch:
            run.network.decoder_bias.data[5] = float("inf")
        return whole_epoch(recipe, now, run, *rest)

    monkeypatch.setattr(network_module, "_epoch", diverging)
    said = rf"in epoch {epoch + 1} of restarts\.1: .* A lower restarts\.1\.rate"
    with pytest.raises(DivergedError, match=said):
        train_network(RECIPE, WORDS, corpus(40), corpus(10), tmp_path, section="restarts.1")
    monkeypatch.undo()
    resumed = train_network(RECIPE, WORDS, corpus(40), corpus(10), tmp_path)
    assert all(torch.isfinite(weight).all() for weight in resumed.parameters())


@pytest.mark.parametrize("nats", [710.0, float("nan")])
def test_a_validation_loss_past_all_perplexities_is_said_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nats: float
) -> None:
    monkeypatch.setattr(network_module, "mean_nll", lambda *_: nats)
    with pytest.raises(DivergedError, match=r"in epoch 1 of network: .* A lower network\.rate"):
        train_network(RECIPE, WORDS, corpus(40), corpus(10), tmp_path)


def test_heads_that_diverge_are_told() -> None:
    network = LanguageModel(WORDS, 6, 1)
    network.initialise(torch.Generator().manual_seed(0))
    network.requires_grad_(False)
    recipe = HeadsRecipe(batch_tokens=60, rate=1e30, start="zero")
    told = pytest.raises(DivergedError, match=r"in step \d+. A lower heads.rate")
    with np.errstate(invalid="ignore"), told:
        train_heads(network, corpus(40), ("next",), recipe)


@pytest.mark.parametrize("sampled_epochs", [0, 1])
def test_a_process_without_a_sentence_draws_as_the_others_do(sampled_epochs: int) -> None:
    """Nine sentences in batches of four: of two processes the second has nothing of the last."""
    recipe = replace(RECIPE, epochs=1, exact_epochs=1 - sampled_epochs)
    ends = []
    for rank in range(2):
        run = NetworkRun.begin(recipe, WORDS, torch.device("cpu"))
        drawn = []

        def watched(*given: Any, drawn: list[torch.Tensor] = drawn) -> Any:
            drawn.append(given[-1].get_state())
            return draw_noise(*given)

        with (
            patch.object(network_module, "draw_noise", watched),
            patch.object(Processes, "add_up", lambda *_: None),
        ):
            network_module._epoch(recipe, 0, run, corpus(9), Processes(rank, 2))
        ends.append(torch.stack(drawn))
    assert len(ends[0]) == 3
    assert torch.equal(*ends)


def test_processes_that_do_not_share_a_folder_do_not_go_on(tmp_path: Path) -> None:
    """Two machines, of which the first alone has the checkpoint that it wrote."""
    with (
        patch.object(Processes, "agree", lambda _, number: number == 0),
        patch.object(Processes, "add_up", lambda *_: None),
        patch.object(Processes, "wait", lambda _: None),
    ):
        two = Processes(0, 2)
        train_network(RECIPE, WORDS, corpus(8), corpus(4), tmp_path, two)
        with pytest.raises(ResumeError, match="not the same for every process"):
            train_network(RECIPE, WORDS, corpus(8), corpus(4), tmp_path, two)


def test_the_network_learns_what_there_is_to_learn(tmp_path: Path) -> None:
    recipe = NetworkRecipe(
        units=16,
        layers=1,
        epochs=8,
        exact_epochs=8,
        batch_sentences=8,
        rate=2e-2,
        dropout_input=0.0,
        dropout_output=0.0,
    )
    network = train_network(recipe, WORDS, corpus(300), corpus(50, seed=1), tmp_path)
    fresh = LanguageModel(WORDS, 16, 1)
    fresh.initialise(torch.Generator().manual_seed(0))
    held_out = corpus(50, seed=2)
    assert math.exp(mean_nll(fresh, held_out)) > 15
    assert math.exp(mean_nll(network, held_out)) < 7


def test_heads_find_the_word_that_a_state_holds() -> None:
    """The embedding says which word was read; a head trained for it must say so too."""
    network = LanguageModel(WORDS, 16, 1)
    network.initialise(torch.Generator().manual_seed(0))
    network.embedding.weight.data.normal_(generator=torch.Generator().manual_seed(1))
    network.requires_grad_(False)
    recipe = HeadsRecipe(tokens=2000, batch_tokens=100, epochs=2, rate=1e-2)
    heads = train_heads(network, corpus(500), ("this",), recipe)["this"]
    words = torch.arange(4, WORDS)
    projected = network.embedding(words) @ heads.projection[0].t() + heads.offset[0]
    nll = nll_sum(projected, network.decoder_weight, heads.bias[0], words) / len(words)
    assert math.exp(nll) < 1.2
