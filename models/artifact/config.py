"""``config.json`` of a model folder: its form (`schema`), and that its task, labels, text rules and
palettes are of use. The architecture is checked against the weights (`models.artifact.network`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from models.artifact.folder import ArtifactError, read_json
from models.artifact.schema import CONFIG_FILE, check
from models.labels import Labels, Outputs
from models.own_text import UNITS, OwnText
from models.palettes import PALETTES
from models.tasks import LANGUAGE, TASKS, is_labelling
from models.text import EOS
from models.text_rules import OWN, RULES


def load_config(path: Path) -> dict[str, Any]:
    """Read and check it. Raises ArtifactError."""
    config = read_json(path)
    check(CONFIG_FILE, config, path)
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
    words = [text.get(key) for key in ("unknown", "sentence_start", "sentence_end")]
    if text.get("unit") not in UNITS or not all(words):
        raise ArtifactError(
            f"{path}: text.unit must be {' or '.join(UNITS)}, and unknown, sentence_start and "
            "sentence_end must be words, as the rules are its own."
        )
    lower = text.get("case") == "lower"
    return OwnText(text["unit"], lower, text.get("written", {}), *map(str, words))


def _check_task(config: Mapping[str, Any], path: Path) -> None:
    """Raises ArtifactError for an unknown task, and for one of labels without them."""
    task, labels = task_of(config), config.get("labels")
    if task not in TASKS:
        raise ArtifactError(f"{path}: the task {task!r} is not known; {', '.join(TASKS)} are.")
    if not is_labelling(task):
        return
    if labels is None:
        raise ArtifactError(f"{path}: labels is missing; the task is {task}.")
    try:
        Labels(tuple(labels))
    except ValueError as error:
        raise ArtifactError(f"{path}: these labels are of no use: {error}.") from error


def check_palettes(config: Mapping[str, Any], outputs: Outputs, path: Path) -> None:
    """Raises ArtifactError for a class that a palette has no colour for; the presets are for parts
    of speech, and a model of other classes has palettes of its own."""
    own = [(palette["name"], palette["colours"]) for palette in config.get("palettes", [])]
    for name, colours in own or [(preset.name, preset.colours) for preset in PALETTES]:
        bare = next((c for c in outputs.class_names if c not in colours), None)
        if bare is not None:
            raise ArtifactError(f"{path}: the palette {name!r} has no colour for {bare!r}.")
