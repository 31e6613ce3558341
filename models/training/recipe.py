"""A recipe: every setting that decides what a trained model is. Recipe files are TOML, in
``models/training/recipes/``; a field that a file leaves out has the default given here.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from models.kinds import CELLS
from models.tasks import LANGUAGE, TASKS, is_labelling

RECIPES = Path(__file__).parent / "recipes"


class RecipeError(Exception):
    """A recipe that cannot be used; the message names the file and the field."""


@dataclass(frozen=True)
class CorpusRecipe:
    """format: how the text is read; split: which part of it trains, both ids of
    `models.training.corpus`. minimum_count: a word seen fewer times is ``<unk>``, counted in the
    training part (``train``) or, as some published figures have it, in the whole corpus (``all``).
    """

    format: str = "brown"
    split: str = "documents"
    minimum_count: int = 4
    counted: str = "train"


@dataclass(frozen=True)
class NetworkRecipe:
    """How a network is fitted.

    cell: an id of `models.kinds.CELLS`. projection: of the output states of a cell that has one,
    else 0. embedding: its units; 0 for as many as the output states have, which is what ties the
    decoder of a language model to it. bidirectional: each layer reads in both directions, for a
    tagger or a classifier.

    schedule: ``one-cycle`` (Smith 2018) or ``constant`` after the warm-up. The dropouts hold one
    mask for a whole sentence (Gal and Ghahramani 2016); ``dropped_words`` takes whole words of the
    vocabulary away from the input, ``dropped_weights`` single recurrent weights (DropConnect:
    Merity et al. 2018), both for the length of a batch. averaging: decay per step of the moving
    average of the weights, which is then what is validated and kept; 0 for none.

    state: ``zero`` at the start of every sentence, or ``carried`` through the text, which is then
    read in ``batch_sentences`` places at once, ``stretch`` timesteps at a time.

    The last ``exact_epochs`` compute the softmax's normaliser, those before estimate it
    (`sampled.sampled_cross_entropy`); validation and every reported figure are exact.
    """

    cell: str = "lstm"
    units: int = 300
    layers: int = 2
    projection: int = 0
    embedding: int = 0
    bidirectional: bool = False
    epochs: int = 40
    exact_epochs: int = 40
    sampled_head: int = 2048
    sampled_tail: int = 1024
    batch_sentences: int = 64
    rate: float = 4e-3
    schedule: str = "one-cycle"
    warm_up: float = 0.1
    beta1: float = 0.9
    beta2: float = 0.99
    weight_decay: float = 0.01
    dropout_input: float = 0.3
    dropout_between: float = 0.3
    dropout_output: float = 0.3
    dropped_words: float = 0.0
    dropped_weights: float = 0.0
    averaging: float = 0.0
    forget_bias: float = 1.0
    clip: float = 1.0
    state: str = "zero"
    stretch: int = 70
    seed: int = 1

    @property
    def outputs(self) -> int:
        """Units of an output state."""
        return self.projection or self.units

    def rate_at(self, step: int, steps: int) -> float:
        if self.schedule == "constant":
            return self.rate * min(1.0, (step + 1) / max(1.0, self.warm_up * steps))
        return one_cycle(self.rate, self.warm_up, step, steps)


@dataclass(frozen=True)
class HeadsRecipe:
    """How heads are fitted. tokens: timesteps drawn from the training sentences (0: all of them),
    read ``epochs`` times, once before that for the closed-form start.

    loss: ``labels`` (cross-entropy with the word that the semantic asks for), or ``network``: the
    divergence of Kullback and Leibler from the network's own output, as tuned lenses are fitted
    (Belrose et al. 2023), for the semantic *next* alone. start: ``ridge``, or ``zero``.

    The last ``exact_part`` of the steps compute the softmax's normaliser, those before estimate it.
    """

    tokens: int = 0
    epochs: int = 2
    batch_tokens: int = 2048
    exact_part: float = 1.0
    sampled_head: int = 1024
    sampled_tail: int = 1024
    loss: str = "labels"
    start: str = "ridge"
    rate: float = 1e-3
    warm_up: float = 0.1
    weight_decay: float = 0.01
    ridge: float = 1.0
    seed: int = 1

    def rate_at(self, step: int, steps: int) -> float:
        return one_cycle(self.rate, self.warm_up, step, steps)


@dataclass(frozen=True)
class Recipe:
    """A recipe file. about: one sentence for people. name: the file's, without ``.toml``. task: an
    id of `models.tasks.TASKS`.
    """

    name: str
    about: str = ""
    task: str = LANGUAGE
    corpus: CorpusRecipe = field(default_factory=CorpusRecipe)
    network: NetworkRecipe = field(default_factory=NetworkRecipe)
    heads: HeadsRecipe = field(default_factory=HeadsRecipe)


_SECTIONS = {"corpus": CorpusRecipe, "network": NetworkRecipe, "heads": HeadsRecipe}
_CHOICES = {
    "cell": CELLS,
    "counted": ("train", "all"),
    "schedule": ("one-cycle", "constant"),
    "state": ("zero", "carried"),
    "loss": ("labels", "network"),
    "start": ("ridge", "zero"),
}


def recipe_names() -> list[str]:
    """Names of the built-in recipes."""
    return sorted(str(p.relative_to(RECIPES).with_suffix("")) for p in RECIPES.rglob("*.toml"))


def load_recipe(name: str, changes: Sequence[str] = ()) -> Recipe:
    """The built-in recipe of a name, or the one in a ``.toml`` file, with ``section.field=value``
    changes. A file may begin from another: ``extends = "name"``. Raises RecipeError.
    """
    path = Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml"
    content = _read(path)
    for change in changes:
        key, equals, value = change.partition("=")
        section, dot, entry = key.strip().partition(".")
        if not (equals and dot):
            raise RecipeError(f"`{change}` is not of the form section.field=value.")
        content.setdefault(section, {})[entry] = _literal(value.strip())
    about, task = content.pop("about", ""), content.pop("task", LANGUAGE)
    if not isinstance(task, str) or task not in TASKS:
        raise RecipeError(f"{path}: `task` must be one of {', '.join(TASKS)}.")
    unknown = content.keys() - _SECTIONS.keys()
    if unknown:
        raise RecipeError(f"{path}: a recipe has no section `{min(unknown)}`.")
    parts = {
        section: _section(path, section, kind, content.get(section, {}))
        for section, kind in _SECTIONS.items()
    }
    built_in = path.is_relative_to(RECIPES)
    stem = path.relative_to(RECIPES).with_suffix("") if built_in else path.stem
    _check_task(path, task, parts["network"])
    return Recipe(str(stem), about, task, **parts)


def _check_task(path: Path, task: str, network: NetworkRecipe) -> None:
    """Raises RecipeError for what does not go with the task."""
    if is_labelling(task):
        if network.state == "carried":
            raise RecipeError(
                f"{path}: `network.state` = carried is for a language model: with `task` = {task} "
                "each sentence is read alone."
            )
        return
    if network.bidirectional:
        raise RecipeError(
            f"{path}: `network.bidirectional` = true reads the words to come, which a language "
            "model is to predict: it needs `task` = tagging or classification."
        )
    if network.embedding not in (0, network.outputs):
        raise RecipeError(
            f"{path}: `network.embedding` must be 0 or {network.outputs}, as many as the output "
            "states have: a language model's decoder is tied to its embedding."
        )


def _read(path: Path, depth: int = 0) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        names = ", ".join(recipe_names())
        raise RecipeError(f"{path}: there is no such recipe. Built in: {names}.") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RecipeError(f"{path}: this cannot be read as TOML ({error}).") from error
    base = content.pop("extends", None)
    if base is None:
        return content
    if depth == 8:
        raise RecipeError(f"{path}: the recipes extend each other in a circle.")
    merged = _read(RECIPES / f"{base}.toml", depth + 1)
    for key, value in content.items():
        if isinstance(value, dict):
            merged.setdefault(key, {}).update(value)
        else:
            merged[key] = value
    return merged


def _section(path: Path, section: str, kind: type, given: Any) -> Any:
    if not isinstance(given, Mapping):
        raise RecipeError(f"{path}: `{section}` must be a table of fields.")
    recipe = kind()
    known = {entry.name: type(getattr(recipe, entry.name)) for entry in fields(recipe)}
    for name, value in given.items():
        if name not in known:
            raise RecipeError(f"{path}: `{section}` has no field `{name}`.")
        wanted = known[name]
        if isinstance(value, bool) != (wanted is bool) or not isinstance(
            value, (int, float) if wanted is float else wanted
        ):
            raise RecipeError(f"{path}: `{section}.{name}` must be of type {wanted.__name__}.")
        if name in _CHOICES and value not in _CHOICES[name]:
            raise RecipeError(
                f"{path}: `{section}.{name}` must be one of {', '.join(_CHOICES[name])}."
            )
    return replace(recipe, **{n: known[n](v) for n, v in given.items()})


def _literal(text: str) -> Any:
    """A value as TOML has it; text that is none is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def one_cycle(rate: float, warm_up: float, step: int, steps: int) -> float:
    """Cosine from rate/25 to the rate over the warm-up, then to rate/250,000 (Smith 2018)."""
    peak = warm_up * steps
    if step < peak:
        return _cosine(rate / 25, rate, step / peak)
    return _cosine(rate, rate / 250_000, (step - peak) / max(1.0, steps - 1 - peak))


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) * (1 + math.cos(math.pi * min(1.0, part))) / 2
