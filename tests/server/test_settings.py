"""The one table of settings: environment, limits, and the docs that show it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from server.settings import Settings, SettingsError, table, variable

DOCS = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_environment_overrides_a_default_in_its_own_type():
    environ = {
        "UNROLLED_PORT": "9",
        "UNROLLED_MODEL_DIR": "/x",
        "UNROLLED_LOG": "json",
        "PORT": "1",
    }
    settings = Settings.from_environment(environ)
    assert (settings.port, settings.model_dir, settings.log) == (9, Path("/x"), "json")
    assert settings.model_folder == Path("/x")
    assert Settings.from_environment({}) == Settings()
    for word, value in (("yes", True), ("TRUE", True), ("0", False), ("no", False)):
        assert Settings.from_environment({"UNROLLED_LOG_TEXT": word}).log_text is value


@pytest.mark.parametrize(
    ("name", "value", "part"),
    [
        ("PORT", "many", "UNROLLED_PORT must be a whole number"),
        ("PORT", "-1", "port must be 0 or more"),
        ("PORT", "70000", "at most 65535"),
        ("WORKERS", "0", "workers must be 1 or more"),
        ("TOKEN_LIMIT", "", "UNROLLED_TOKEN_LIMIT must be a whole number"),
        ("LOG_TEXT", "maybe", "UNROLLED_LOG_TEXT must be yes or no, not 'maybe'"),
        ("QUEUE", "-1", "queue must be 0 or more"),
        ("LOG", "loud", "console, json, off"),
    ],
)
def test_a_wrong_value_is_refused_in_one_sentence(name, value, part):
    with pytest.raises(SettingsError, match=re.escape(part)):
        Settings.from_environment({f"UNROLLED_{name}": value})


def test_workers_times_threads_stay_within_the_cores(monkeypatch):
    monkeypatch.setattr("models.separate_cores.cores", lambda: 4)
    assert [Settings(workers=n).torch_threads for n in (1, 2, 3, 8)] == [4, 2, 1, 1]
    assert Settings(workers=2, threads=1).torch_threads == 1


def test_the_docs_show_the_table():
    rows = re.findall(r"^\| `(UNROLLED_\w+)` \| `?(.*?)`? \| (.*?) \|$", DOCS.read_text(), re.M)
    assert rows == table()
    assert [name for name, _, _ in rows] == [variable(row.name) for row in fields(Settings)]
