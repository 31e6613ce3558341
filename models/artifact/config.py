"""``config.json`` of a model folder: what it must say, checked; all but the architecture, which is
checked against the weights (`models.artifact.network`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.artifact.folder import ArtifactError, read_json
from models.labels import Labels
from models.own_text import UNITS, OwnText
from models.tasks import LANGUAGE, TASKS, is_labelling
from models.text import EOS
from models.text_rules import OWN, RULES

_EXAMPLE = {"text", "shows", "group", "compare", "unit", "follow"}


def load_config(path: Path) -> dict[str, Any]:
    """Read and check it. Raises ArtifactError."""
    config = read_json(path)
    for key in ("id", "name", "description"):
        if not isinstance(config.get(key), str):
            raise ArtifactError(f"{path}: the {key} is missing, or is not a string.")
    _check_examples(config.get("examples", []), path)
    _check_task(config, path)
    return config


def task_of(config: Mapping[str, Any]) -> str:
    """An id of `models.tasks.TASKS`."""
    return str(config.get("task", LANGUAGE))


def labels_of(config: Mapping[str, Any]) -> Labels | None:
    """What a tagger or a classifier chooses among; None of a language model."""
    return Labels(tuple(config["labels"])) if is_labelling(task_of(config)) else None


def has_ends(config: Mapping[str, Any]) -> bool:
    """Whether sentences have ends that are predicted: ``text.sentence_end`` is null where not."""
    return config.get("text", {}).get("sentence_end", EOS) is not None


def text_rules(config: Mapping[str, Any], path: Path) -> tuple[str, OwnText | None]:
    """The rules by which text is read, by name, and what they are where they are the model's own.
    Raises ArtifactError."""
    text = config.get("text", {})
    rules = text.get("rules", "penn")
    own = _own_text(text, path) if rules == OWN else None
    if rules not in RULES and own is None:
        known = ", ".join((*RULES, OWN))
        raise ArtifactError(f"{path}: the text rules {rules!r} are not known; {known} are.")
    return rules, own


def _own_text(text: Mapping[str, Any], path: Path) -> OwnText:
    """How a model reads text that has rules of its own. Raises ArtifactError."""
    written = text.get("written", {})
    words: list[Any] = [text.get(key) for key in ("unknown", "sentence_start", "sentence_end")]
    sound = (
        text.get("unit") in UNITS
        and isinstance(written, dict)
        and all(isinstance(word, str) for word in (*words, *written.values()))
    )
    if not sound:
        raise ArtifactError(
            f"{path}: text.unit must be {' or '.join(UNITS)}, and unknown, sentence_start, "
            "sentence_end and what written maps to must be words."
        )
    return OwnText(text["unit"], text.get("case") == "lower", written, *words)


def _check_task(config: Mapping[str, Any], path: Path) -> None:
    """Raises ArtifactError for an unknown task, and for one of labels without them."""
    task, labels = task_of(config), config.get("labels")
    if task not in TASKS:
        raise ArtifactError(f"{path}: the task {task!r} is not known; {', '.join(TASKS)} are.")
    if not is_labelling(task):
        return
    if not isinstance(labels, list) or not all(isinstance(one, str) for one in labels):
        raise ArtifactError(f"{path}: labels must be a list of strings, as the task is {task}.")
    try:
        Labels(tuple(labels))
    except ValueError as error:
        raise ArtifactError(f"{path}: these labels are of no use: {error}.") from error


def _check_examples(examples: Any, path: Path) -> None:
    """Raises ArtifactError unless they are a list of objects of strings, with text and shows."""
    sound = isinstance(examples, list) and all(
        isinstance(one, dict)
        and {"text", "shows"} <= one.keys() <= _EXAMPLE
        and all(isinstance(value, str) for value in one.values())
        for one in examples
    )
    if not sound:
        raise ArtifactError(
            f"{path}: examples must be a list of objects with text and shows, and optionally "
            "group, compare, unit and follow, all of them strings."
        )
