"""What a network is trained to say: the word that comes next, a label of each word, or one of the
whole sentence (many-to-one).

A recipe and a model's ``config.json`` name the task; where none is named it is ``language``.
"""

from __future__ import annotations

from models.semantics import LABEL, WORD_SEMANTICS

LANGUAGE, TAGGING, CLASSIFICATION = "language", "tagging", "classification"
# Task → what a model of it is called.
TASKS = {
    LANGUAGE: "language model",
    TAGGING: "tagger",
    CLASSIFICATION: "classifier",
}


def is_labelling(task: str) -> bool:
    """Whether the outputs are labels."""
    return task != LANGUAGE


def semantics_of(task: str) -> tuple[str, ...]:
    """What the hidden states of a network of this task can be asked for."""
    return (LABEL,) if is_labelling(task) else WORD_SEMANTICS
