# ruff: noqa: E501  (a Markdown table has one line a row)
"""The model card of an imported model, written from what its folder records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.kinds import CELL_NAMES


def imported_card(config: Mapping[str, Any], metrics: Mapping[str, Any] | None = None) -> str:
    """Markdown: where the weights come from, how text is read, and the figures, if there are."""
    architecture, text, imported = config["architecture"], config["text"], config["imported"]
    case = "lower case" if text["case"] == "lower" else "case kept"
    start, end, unknown = (text[k] for k in ("sentence_start", "sentence_end", "unknown"))
    tied = "tied to the embedding" if architecture["tied"] else "its own"
    return f"""# {config["id"]}

{config["description"]}

| | |
|---|---|
| architecture | {CELL_NAMES[architecture["cell"]]}, layers: {architecture["layers"]}, units: {architecture["units"]}; decoder {tied} |
| vocabulary | {architecture["vocabulary"]:,}, a {text["unit"]} each, {case}; unknown ones are read as `{unknown}` |
| input | one line at a time, `{start}` first, `{end}` after it, state zero at its start |
| weights | `{imported["file"]}`, SHA-256 `{imported["sha256"]}`; safetensors, single precision |

## Weights

| here | in the checkpoint |
|---|---|
{_rows(imported["weights"])}

## Figures

{_figures(metrics)}
"""


def _rows(weights: Mapping[str, str | None]) -> str:
    return "\n".join(
        f"| `{ours}` | {'none: zero' if theirs is None else f'`{theirs}`'} |"
        for ours, theirs in weights.items()
    )


def _figures(metrics: Mapping[str, Any] | None) -> str:
    if not metrics:
        return "Not measured yet: `unrolled evaluate` measures them and writes them here."
    told = ", ".join(f"{part} {figure:.1f}" for part, figure in metrics["perplexity"].items())
    carried = ", ".join(
        f"{part} {figure:.1f}" for part, figure in metrics["perplexity_carried"].items()
    )
    heads = " Those of each kind's heads are in `metrics.json`." if metrics["heads"] else ""
    return (
        f"Perplexity, each line read from state zero: {told}; with the state carried over from line "
        f"to line: {carried}.{heads}"
    )
