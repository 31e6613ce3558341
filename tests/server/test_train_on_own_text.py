"""docs/corpora.md, "Train on your own text": its recipe and commands, followed to the letter."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from random import Random

import pytest
import torch
from click.testing import CliRunner

from server import create_app
from server.cli import main
from server.settings import Settings

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "corpora.md").read_text("utf-8").split("\n## Train on your own text\n")[1]
[RECIPE], [COMMANDS] = (
    re.findall(rf"^```{language}\n(.*?)^```$", DOC.split("\n## ")[0], re.M | re.S)
    for language in ("toml", "sh")
)
STEPS = [line.removeprefix(".venv/bin/") for line in COMMANDS.splitlines()]


def next_of(printed: str) -> str:
    """The command that another says comes next."""
    [command] = re.findall(r"Next: (.+)$", printed, re.M)
    return command


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory):
    """The folder in which every command but the server was run, with what each printed."""
    folder = tmp_path_factory.mktemp("own")
    told = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("models.training.cli.running.cores", lambda: 1)
        torch.set_num_threads(1)
        (folder / "mine.toml").write_text(RECIPE)
        draw = Random(0).choice
        drawn = [(draw(["keeper", "sailor"]), draw(["saw", "lit"])) for _ in range(600)]
        (folder / "my.txt").write_text("".join(f"the {a} {b} a lamp .\n" for a, b in drawn))
        for step in STEPS[:-1]:
            program, *arguments = shlex.split(step)
            assert program == "unrolled"
            result = CliRunner().invoke(main, arguments)
            assert result.exit_code == 0, result.output
            told.append(result.output)
    return folder, told


def test_each_command_prints_the_next(followed):
    _, told = followed
    for printed, step in zip(told, STEPS[1:3], strict=False):
        said = shlex.split(next_of(printed))
        assert sorted(said) == sorted(shlex.split(step))


def test_options_of_a_path_with_a_space_are_told_as_a_shell_reads_them(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("my text.txt").write_text("the lamp went out .\n" * 20)
    arguments = ["--corpus", "my text.txt", "--out", "a folder/mine", "--set", "network.epochs=1"]
    for change in ("corpus.format=text", "corpus.split=sentences", "network.units=2"):
        arguments += ["--set", change]
    arguments += ["--set", "network.exact_epochs=1"]
    result = CliRunner().invoke(main, ["train", "network", *arguments])
    assert result.exit_code == 0, result.output
    said = shlex.split(next_of(result.output))
    expected = ["--model" if word == "--out" else word for word in arguments]
    assert sorted(said) == sorted(["unrolled", "train", "heads", *expected])


def test_the_page_has_the_model_with_its_figures(followed):
    folder, _ = followed
    client = create_app(Settings(model_dir=folder / "models" / "mine", threads=1)).test_client()
    (listed,) = client.get("/api/v1/models").json["models"]
    assert listed["id"] == "letters"
    # Two of a line's six words are drawn, a bit each, and its end is told too: seven predictions.
    assert 2 ** (2 / 7) * 0.98 < listed["perplexity"]["test"] < 1.5
    config = json.loads((folder / "models" / "mine" / "letters" / "config.json").read_text())
    assert (config["corpus"]["format"], config["corpus"]["split"]) == ("text", "sentences")


def test_a_text_is_not_taken_for_brown_unsaid(tmp_path):
    text = tmp_path / "my.txt"
    text.write_text("the lamp went out .\n")
    arguments = ["train", "network", "--corpus", str(text), "--out", str(tmp_path / "x")]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 1
    assert f"{text}: this is a file" in result.output
    assert "docs/corpora.md" in result.output
