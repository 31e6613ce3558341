"""Two processes, started as torchrun does, end in the network and the heads that one makes."""

from __future__ import annotations

import json
import multiprocessing
import shutil
import signal
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from torch.distributed.launcher.api import LaunchConfig, elastic_launch

from models.training.cli import running
from models.training.processes import Processes
from tests.fixtures.commands import run

_RECIPE = """
[corpus]
format = "text"
split = "sentences"
minimum_count = 1

[network]
units = 12
epochs = 3
exact_epochs = 2
sampled_head = 6
sampled_tail = 4
batch_sentences = 7
dropped_words = 0.1
dropped_weights = 0.1
averaging = 0.9

[[restarts]]
epochs = 1
exact_epochs = 0
seed = 2

[heads]
batch_tokens = 60
exact_part = 0.5
sampled_head = 6
sampled_tail = 4
"""
_TEXT = "the key is here.\nthe keys are here.\nwho has the keys?\nshe has a key.\nare they old?\n"
_ON_CPU = ["--device", "cpu", "--threads", "1"]
multiprocessing.set_forkserver_preload(["tests.fixtures.commands"])
_INPUT = ["--recipe", "recipe.toml", "--corpus", "text.txt"]


def run_alone(folder: Path, commands: list[list[str]]) -> None:
    """Commands `train …` or `evaluate …`, one after the other, in this process."""
    run(folder, [[*command, *_ON_CPU] for command in commands])


def run_two(folder: Path, commands: list[list[str]]) -> str:
    """The same in two processes of their own; returns what both printed.

    By what `torchrun --standalone --nproc_per_node=2` does with its arguments, but for how the
    processes come to be: of one that has imported torch already, where torchrun starts each anew.
    """
    two = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=2,
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        run_id="test",
        start_method="forkserver",
        max_restarts=0,
    )
    done = elastic_launch(two, run)(folder, [[*command, *_ON_CPU] for command in commands])
    return done[0] + done[1]


def run_until(folder: Path, command: list[str], reached: Path) -> int | None:
    """The same in a process of its own, killed as soon as the file is there; its exit code."""
    context = multiprocessing.get_context("forkserver")
    process = context.Process(target=run, args=(folder, [[*command, *_ON_CPU]]))
    process.start()
    while process.is_alive() and not reached.exists():
        time.sleep(0.001)
    process.kill()
    process.join()
    return process.exitcode


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Number of processes → the folder in which they trained ``model``, gave ``headed`` its heads
    and measured the one process's ``headed`` (``figures.json``)."""
    folders = {n: tmp_path_factory.mktemp(f"by-{n}") for n in (1, 2)}
    headed = folders[1] / "headed"
    network = ["train", "network", *_INPUT, "--checkpoints", "runs/model", "--out"]
    heads = ["train", "heads", *_INPUT, "--model", "headed"]
    evaluate = ["evaluate", "--corpus", "text.txt", "--json", "figures.json", "--model"]
    for folder in folders.values():
        (folder / "recipe.toml").write_text(_RECIPE)
        (folder / "text.txt").write_text(_TEXT * 8)
    # The finished run is written twice, and the second takes heads.
    again = [*network, "headed"]
    run_alone(folders[1], [[*network, "model"], again, heads, [*evaluate, str(headed)]])
    # Heads of one and the same network, figures of one and the same model: rounding apart, they
    # must come out the same.
    shutil.copytree(headed, folders[2] / "headed", ignore=shutil.ignore_patterns("heads-*"))
    printed = run_two(folders[2], [[*network, "model"], heads, [*evaluate, str(headed)]])
    assert printed.count("output_state 2") == 1  # one of the two speaks
    return folders


def test_the_losses_are_those_of_one_process(trained: dict[int, Path]) -> None:
    one, two = (
        [
            epoch
            for cycle in ("model", "model/restart-1")
            for epoch in json.loads((trained[n] / "runs" / cycle / "history.json").read_text())[
                "epochs"
            ]
        ]
        for n in (1, 2)
    )
    assert len(one) == len(two) == 3 + 1
    for alone, shared in zip(one, two, strict=True):
        for figure in ("train_loss", "valid_perplexity"):
            assert shared[figure] == pytest.approx(alone[figure], rel=1e-4)


@pytest.mark.parametrize(
    "file", ["network", "heads-next", "heads-this", "heads-previous", "heads-after_next"]
)
def test_the_weights_are_those_of_one_process(trained: dict[int, Path], file: str) -> None:
    name = "model" if file == "network" else "headed"
    one, two = (load_file(trained[n] / name / f"{file}.safetensors") for n in (1, 2))
    assert one.keys() == two.keys()
    for name, tensor in one.items():
        # Kept in half precision: a last bit may fall either way.
        torch.testing.assert_close(two[name], tensor, rtol=4e-3, atol=4e-3)
        assert torch.isfinite(tensor).all()


def test_a_run_of_two_processes_goes_on_as_one(trained: dict[int, Path], tmp_path: Path) -> None:
    """A finished run is taken up whole, whoever made it: nothing is trained again."""
    folder = trained[2]
    before = (folder / "runs" / "model" / "checkpoint.safetensors").read_bytes()
    out = ["--out", str(tmp_path / "m"), "--checkpoints", "runs/model"]
    run_alone(folder, [["train", "network", *_INPUT, *out]])
    assert (folder / "runs" / "model" / "checkpoint.safetensors").read_bytes() == before
    kept = load_file(tmp_path / "m" / "network.safetensors")
    for name, tensor in load_file(folder / "model" / "network.safetensors").items():
        assert torch.equal(kept[name], tensor)


def test_the_figures_are_those_of_one_process(trained: dict[int, Path]) -> None:
    one, two = (json.loads((trained[n] / "figures.json").read_text()) for n in (1, 2))
    for record in (one, two):
        del record["measured"]
    assert one.keys() == two.keys()
    assert one["counts"] == two["counts"]
    assert one["baselines"] == two["baselines"]
    for semantic, kinds in one["heads"].items():
        for kind, layers in kinds.items():
            for layer, alone in layers.items():
                shared = two["heads"][semantic][kind][layer]
                assert shared == pytest.approx(alone, rel=1e-4)


@pytest.mark.parametrize("cycle", ["", "restart-1"])
def test_a_process_that_is_killed_and_started_again_ends_as_one_that_was_not(
    tmp_path: Path, cycle: str
) -> None:
    """Killed once the cycle has an epoch behind it, with many before it."""
    (tmp_path / "recipe.toml").write_text(_RECIPE)
    (tmp_path / "text.txt").write_text(_TEXT * 8)
    longer = ["--set", "network.epochs=30", "--set", "restarts.1.epochs=30"]
    command = ["train", "network", *_INPUT, *longer]
    killed = [*command, "--out", "killed", "--checkpoints", "runs/killed"]
    history = tmp_path / "runs" / "killed" / cycle / "history.json"
    assert run_until(tmp_path, killed, history) == -signal.SIGKILL
    assert not (tmp_path / "killed").exists()
    before = json.loads(history.read_text())["epochs"]
    assert 1 <= len(before) < 30
    run_alone(tmp_path, [killed, [*command, "--out", "whole", "--checkpoints", "runs/whole"]])
    after = json.loads(history.read_text())["epochs"]
    assert len(after) == 30
    assert after[: len(before)] == before  # their seconds too: they were not run again
    again, whole = (
        load_file(tmp_path / name / "network.safetensors") for name in ("killed", "whole")
    )
    assert again.keys() == whole.keys()
    assert all(torch.equal(again[name], whole[name]) for name in whole)


@pytest.mark.parametrize(("beside", "threads"), [("2", 4), (None, 2)])
def test_a_machine_s_cores_are_shared_by_its_own_processes(
    monkeypatch: pytest.MonkeyPatch, beside: str | None, threads: int
) -> None:
    """Four processes: two on each of two machines with 8 cores, or all on one."""
    told: list[int] = []
    monkeypatch.setattr(running, "cores", lambda: 8)
    monkeypatch.setattr(running, "join", lambda _: Processes(0, 4))
    monkeypatch.setattr(torch, "set_num_threads", told.append)
    monkeypatch.delenv("LOCAL_WORLD_SIZE", raising=False)
    if beside:
        monkeypatch.setenv("LOCAL_WORLD_SIZE", beside)
    running.processes_for("cpu", None)
    assert told == [threads]
