"""Recipe files: TOML, in ``models/training/recipes/`` or wherever a person keeps one. A field that
a file leaves out has the default of `recipe`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from models.kinds import CELL_NAMES
from models.tasks import LANGUAGE, TASKS, is_labelling
from models.training.recipe import SHAPE, CorpusRecipe, HeadsRecipe, NetworkRecipe, Recipe
from models.training.recipe_bounds import BOUNDS, LARGEST, projection_fault

RECIPES = Path(__file__).parent / "recipes"
_SECTIONS = {"corpus": CorpusRecipe, "network": NetworkRecipe, "heads": HeadsRecipe}
_RESTARTS = "restarts"
_CHOICES = {
    "cell": CELL_NAMES,
    "counted": ("train", "all"),
    "schedule": ("one-cycle", "constant"),
    "state": ("zero", "carried"),
    "loss": ("labels", "network"),
    "start": ("ridge", "zero"),
}


class RecipeError(Exception):
    """A recipe that cannot be used; the message names the file and the field."""


def recipe_names() -> list[str]:
    """Names of the built-in recipes."""
    return sorted(str(p.relative_to(RECIPES).with_suffix("")) for p in RECIPES.rglob("*.toml"))


def load_recipe(name: str, changes: Sequence[str] = ()) -> Recipe:
    """The built-in recipe of a name, or the one in a ``.toml`` file, with ``section.field=value``
    changes; of the n-th restart, ``restarts.n.field=value``. A file may begin from another:
    ``extends = "name"``. Raises RecipeError.
    """
    path = Path(name) if name.endswith(".toml") else RECIPES / f"{name}.toml"
    content = _read(path)
    for change in changes:
        _change(content, change)
    about, task = content.pop("about", ""), content.pop("task", LANGUAGE)
    if not isinstance(about, str):
        raise RecipeError(f"{path}: `about` must be a string.")
    if not isinstance(task, str) or task not in TASKS:
        raise RecipeError(f"{path}: `task` must be one of {', '.join(TASKS)}.")
    unknown = content.keys() - _SECTIONS.keys() - {_RESTARTS}
    if unknown:
        raise RecipeError(f"{path}: a recipe has no section `{min(unknown)}`.")
    parts = {
        section: _section(path, section, kind(), content.get(section, {}))
        for section, kind in _SECTIONS.items()
    }
    parts[_RESTARTS] = _restarts(path, parts["network"], content.get(_RESTARTS, []))
    built_in = path.is_relative_to(RECIPES)
    stem = path.relative_to(RECIPES).with_suffix("") if built_in else path.stem
    recipe = Recipe(str(stem), about, task, **parts)
    _check_task(path, recipe)
    return recipe


def _check_task(path: Path, recipe: Recipe) -> None:
    """Raises RecipeError for what does not go with the task, or with the cell."""
    network = recipe.network
    fault = projection_fault(network)
    if fault:
        raise RecipeError(f"{path}: `network.projection` {fault}.")
    if is_labelling(recipe.task):
        for place, cycle in enumerate(recipe.cycles):
            if cycle.state == "carried":
                section = f"{_RESTARTS}.{place}" if place else "network"
                raise RecipeError(
                    f"{path}: `{section}.state` = carried is for a language model: with `task` = "
                    f"{recipe.task} each sentence is read alone."
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
    except (OSError, RecursionError, ValueError) as error:
        raise RecipeError(f"{path}: this cannot be read as TOML ({error}).") from error
    base = content.pop("extends", None)
    if base is None:
        return content
    if depth == 8:
        raise RecipeError(f"{path}: the recipes extend each other in a circle.")
    merged = _read(RECIPES / f"{base}.toml", depth + 1)
    for key, value in content.items():
        if isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key].update(value)
        else:
            merged[key] = value
    return merged


def _change(content: dict[str, Any], change: str) -> None:
    """Carry out a ``section.field=value``; a restart after the last one is a new one."""
    key, equals, value = change.partition("=")
    *section, entry = key.strip().split(".")
    restarts = content.setdefault(_RESTARTS, []) if section[:1] == [_RESTARTS] else []
    if not isinstance(restarts, list):
        raise RecipeError(f"`{change}`: `{_RESTARTS}` is not a list of tables.")
    numbers = [str(n) for n in range(1, len(restarts) + 2)]
    if not equals or len(section) != (2 if section[:1] == [_RESTARTS] else 1):
        raise RecipeError(
            f"`{change}` is not of the form section.field=value, or {_RESTARTS}.1.field=value."
        )
    table: Any
    if len(section) == 1:
        table = content.setdefault(section[0], {})
    elif section[1] in numbers:
        restarts += [{}] * (int(section[1]) > len(restarts))
        table = restarts[int(section[1]) - 1]
    else:
        raise RecipeError(
            f"`{change}`: a restart is one of 1 to {len(numbers)}, the last a new one."
        )
    if not isinstance(table, dict):
        raise RecipeError(f"`{change}`: `{'.'.join(section)}` is not a table of fields.")
    table[entry] = _literal(value.strip())


def _restarts(path: Path, network: NetworkRecipe, given: Any) -> tuple[NetworkRecipe, ...]:
    """Each cycle's recipe: that of the cycle before with what a restart changes in it."""
    if not isinstance(given, list):
        raise RecipeError(f"{path}: `{_RESTARTS}` must be a list of tables: `[[{_RESTARTS}]]`.")
    cycles = [network]
    for number, changed in enumerate(given, 1):
        section = f"{_RESTARTS}.{number}"
        cycle: NetworkRecipe = _section(path, section, cycles[-1], changed)
        for name in SHAPE:
            if getattr(cycle, name) != getattr(network, name):
                raise RecipeError(
                    f"{path}: `{section}.{name}` cannot be another than `network.{name}`: a "
                    "restart goes on from the network's weights."
                )
        cycles.append(cycle)
    return tuple(cycles[1:])


def _section(path: Path, section: str, recipe: Any, given: Any) -> Any:
    """The recipe with the fields that are given."""
    if not isinstance(given, Mapping):
        raise RecipeError(f"{path}: `{section}` must be a table of fields.")
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
        bounds = BOUNDS[section.partition(".")[0]].get(name)
        if bounds is not None and not bounds.hold(value):
            past = isinstance(value, int) and abs(value) > LARGEST  # by hundreds of digits
            said = f"past {LARGEST:.1e}, the largest number" if past else value
            raise RecipeError(f"{path}: `{section}.{name}` must be {bounds}; it is {said}.")
    return replace(recipe, **{n: known[n](v) for n, v in given.items()})


def _literal(text: str) -> Any:
    """A value as TOML has it; text that is none is a string."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (RecursionError, ValueError):
        return text
