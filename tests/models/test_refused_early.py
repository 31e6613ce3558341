"""What the commands refuse in one sentence, before the minutes of work, and leave nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from models.training.cli import train


def refusal(folder: Path, *arguments: str) -> str:
    """The one line that is said, after which the folder is as it was."""
    before = sorted(folder.rglob("*"))
    result = CliRunner().invoke(train, [*arguments, "--threads", "1"])
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
    said = refusal(home, "network", "--out", out)
    assert f"Error: {out}: the name of the folder" in said
    assert "is the model's id" in said
