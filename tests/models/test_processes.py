"""Two processes started by torchrun end in the network and the heads that one process makes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

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

[heads]
batch_tokens = 60
exact_part = 0.5
sampled_head = 6
sampled_tail = 4
"""
_TEXT = "the key is here.\nthe keys are here.\nwho has the keys?\nshe has a key.\nare they old?\n"


def run(folder: Path, processes: int, *arguments: str) -> str:
    """`train …` or `evaluate …` in as many processes; returns what was printed."""
    launcher = ["-m", "models.training"]
    if processes > 1:
        launcher = [
            "-m",
            "torch.distributed.run",
            "--standalone",
            f"--nproc_per_node={processes}",
            *launcher,
        ]
    command = [sys.executable, *launcher, *arguments, "--device", "cpu", "--threads", "1"]
    root = Path(__file__).parents[2]
    environment = os.environ | {"PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Number of processes → the folder in which they trained ``model``."""
    folders = {}
    for processes in (1, 2):
        folder = tmp_path_factory.mktemp(f"by-{processes}")
        (folder / "recipe.toml").write_text(_RECIPE)
        (folder / "text.txt").write_text(_TEXT * 8)
        shared = ["--recipe", "recipe.toml", "--corpus", "text.txt"]
        run(folder, processes, "train", "network", *shared, "--out", "model")
        folders[processes] = folder
        # Heads of one and the same network: rounding apart, they must come out the same.
        shutil.copytree(folders[1] / "model", folder / "headed", dirs_exist_ok=True)
        run(folder, processes, "train", "heads", *shared, "--model", "headed")
    return folders


def test_the_losses_are_those_of_one_process(trained: dict[int, Path]) -> None:
    one, two = (
        json.loads((trained[n] / "runs" / "model" / "history.json").read_text())["epochs"]
        for n in (1, 2)
    )
    assert len(one) == len(two) == 3
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
    arguments = ["--recipe", "recipe.toml", "--corpus", "text.txt", "--out", str(tmp_path / "m")]
    run(folder, 1, "train", "network", *arguments, "--checkpoints", "runs/model")
    assert (folder / "runs" / "model" / "checkpoint.safetensors").read_bytes() == before
    kept = load_file(tmp_path / "m" / "network.safetensors")
    for name, tensor in load_file(folder / "model" / "network.safetensors").items():
        assert torch.equal(kept[name], tensor)


def test_the_figures_are_those_of_one_process(trained: dict[int, Path]) -> None:
    arguments = ["evaluate", "--model", "headed", "--corpus", "text.txt", "--json"]
    figures = []
    for processes in (1, 2):
        printed = run(trained[1], processes, *arguments, f"by-{processes}.json")
        assert "output_state 2" in printed
        figures.append(json.loads((trained[1] / f"by-{processes}.json").read_text()))
    for record in figures:
        del record["measured"]
    one, two = figures
    assert one.keys() == two.keys()
    assert one["counts"] == two["counts"]
    assert one["baselines"] == two["baselines"]
    for semantic, kinds in one["heads"].items():
        for kind, layers in kinds.items():
            for layer, alone in layers.items():
                shared = two["heads"][semantic][kind][layer]
                assert shared == pytest.approx(alone, rel=1e-4)
