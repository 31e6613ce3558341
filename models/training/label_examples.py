"""Texts to start from for a tagger or a classifier that was trained on Brown."""

from __future__ import annotations

from models.tasks import TAGGING

_TAGGER = (
    (
        "he will report it. the report is here.",
        None,
        "Report twice: a verb, then a noun. Which columns know it?",
    ),
    (
        "I know that that man is here.",
        None,
        "That twice: what was read tells the first, what comes tells the second",
    ),
    (
        "they park near the house.",
        "the park is near the house.",
        "Park as a verb and as a noun",
    ),
    (
        "she wanted to water the plants.",
        "she wanted the water for the plants.",
        "Water as a verb and as a noun",
    ),
    (
        "the old man the boats.",
        None,
        "A garden path: man is the verb here, and the network does not see it",
    ),
)
_CLASSIFIER = (
    (
        "the mayor said yesterday that the city council will meet on Tuesday.",
        None,
        "Press: which word settles it?",
    ),
    (
        "he looked at her, and she smiled.",
        None,
        "Fiction, known from the first words on",
    ),
    (
        "the function of the cell is shown in the table.",
        None,
        "Learned: surer with each technical word",
    ),
    (
        "the experiment was over, and she went home.",
        None,
        "A sentence that changes its mind half-way",
    ),
    (
        "the president said that he would not go.",
        "the girl said that he would not go.",
        "One word changed: do the two meet again?",
    ),
)


def label_examples(task: str) -> list[dict[str, str]]:
    """``text``, what it ``shows``, and for a pair the second text, ``compare``."""
    return [
        {"text": text, "shows": shows} | ({"compare": other} if other else {})
        for text, other, shows in (_TAGGER if task == TAGGING else _CLASSIFIER)
    ]
