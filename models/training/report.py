"""The figures of `unrolled evaluate` for a terminal."""

from __future__ import annotations

from typing import Any

from models.artifact import Model


def report(model: Model, metrics: dict[str, Any]) -> str:
    """The network and the n-gram models, then a line for each kind with its figure per semantic."""
    rows = [(f"network, {part}", figure) for part, figure in metrics["perplexity"].items()]
    for key, name in (
        ("perplexity_of_words", "words alone"),
        ("perplexity_carried", "state carried over"),
    ):
        rows += [(f"network, {part}, {name}", figure) for part, figure in metrics[key].items()]
    rows += [(f"{name}, test", figure) for name, figure in metrics["baselines"].items()]
    lines = [f"{name:42} {figure:10.2f}" for name, figure in rows]
    if metrics["heads"]:
        lines.append(f"\n{'kind':28}" + "".join(f"{s:>12}" for s in metrics["heads"]))
        for column in model.columns[:-1]:
            figures = (
                kinds[column.kind][str(column.layer)]["perplexity"]
                for kinds in metrics["heads"].values()
            )
            name = f"{column.kind} {column.layer}"
            lines.append(f"{name:28}" + "".join(f"{figure:12.2f}" for figure in figures))
    for part, counts in metrics["counts"].items():
        lines.append(
            f"{part}: {counts['sentences']:,} sentences, {counts['predicted_tokens']:,} predicted "
            f"tokens, {counts['unknown_share']:.2%} unknown words"
        )
    measured = metrics["measured"]
    return "\n".join([*lines, f"{measured['seconds']:.0f} s on {measured['device']}"])
