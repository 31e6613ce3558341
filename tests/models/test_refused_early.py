"""What the commands refuse in one sentence, before the minutes of work, and leave nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from models.training.__main__ import main
from models.training.cli import heads
from models.training.processes import Processes
from tests.fixtures.tiny import make_tiny_model


def refusal(folder: Path, *arguments: str) -> str:
    """The one line that is said, after which the folder is as it was."""
    before = sorted(folder.rglob("*"))
    result = CliRunner().invoke(main, [*arguments, "--threads", "1"])
    assert result.exit_code == 1, (result.output, result.exception)
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1
    assert sorted(folder.rglob("*")) == before
    return result.output


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("out", ["my model", "é", "/"])
def test_a_folder_whose_name_is_no_id(home: Path, out: str) -> None:
    said = refusal(home, "train", "network", "--out", out)
    assert f"Error: {out}: the name of the folder" in said
    assert "is the model's id" in said


def test_more_processes_than_kinds(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = make_tiny_model(home)
    monkeypatch.setattr(heads, "processes_for", lambda *_: Processes(rank=3, count=18))
    said = refusal(home, "train", "heads", "--model", str(model), "--corpus", "no-corpus")
    assert "18 processes are more than the 17 kinds of hidden state" in said


def test_figures_for_a_folder_that_is_not_there(home: Path) -> None:
    model = make_tiny_model(home)
    said = refusal(home, "evaluate", "--model", str(model), "--json", "no/such/figures.json")
    assert "--json no/such/figures.json: there is no folder no/such" in said


@pytest.mark.parametrize("told", [[], ["--format", "text"], ["--split", "sentences"]])
def test_a_model_that_does_not_say_what_it_was_trained_on(home: Path, told: list[str]) -> None:
    model = make_tiny_model(home)
    said = refusal(home, "evaluate", "--model", str(model), "--json", "figures.json", *told)
    assert "The config.json of tiny-lstm does not say what it was trained on" in said


@pytest.mark.parametrize("text_format", ["brown", "tagged", "conllu", "trees", "nesting"])
def test_classes_for_a_corpus_that_has_its_own(home: Path, text_format: str) -> None:
    (home / "classes.tsv").write_text("dog\tNOUN\n")
    recipe = ["--set", f"corpus.format={text_format}", "--corpus", "no-corpus"]
    said = refusal(home, "train", "network", *recipe, "--out", "m", "--classes", "classes.tsv")
    assert f"--classes: the format {text_format} has classes of its own" in said


def test_checkpoints_where_no_folder_can_be(home: Path) -> None:
    (home / "text.txt").write_text("the dog barks .\n" * 40)
    small = [f"--set={change}" for change in ("corpus.format=text", "corpus.split=sentences")]
    small += ["--set=network.units=4", "--set=network.epochs=1", "--corpus=text.txt"]
    where = ["--out", "m", "--checkpoints", "text.txt/run"]
    result = CliRunner().invoke(main, ["train", "network", *small, *where, "--threads", "1"])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "Error: text.txt/run: Not a directory."


@pytest.mark.parametrize("command", [("evaluate",), ("train", "heads")])
def test_an_id_where_a_folder_is_asked_for(home: Path, command: tuple[str, ...]) -> None:
    """`trace` and `models` know the built-in models by their ids."""
    said = refusal(home, *command, "--model", "brown-lstm-300x2")
    assert "there is no folder brown-lstm-300x2. The built-in model's is " in said
    assert "there is no folder of/mine." in refusal(home, *command, "--model", "of/mine")
