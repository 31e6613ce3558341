"""The figures of `unrolled evaluate` for a terminal."""

from __future__ import annotations

from typing import Any

from models.artifact import Model


def report(model: Model, metrics: dict[str, Any]) -> str:
    """The network and the n-gram models, then a line for each kind with its figure per semantic."""
    if model.labels:
        return _of_labels(model, metrics)
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
    return "\n".join([*lines, *_ending(metrics, "predicted_tokens", "predicted tokens")])


def _of_labels(model: Model, metrics: dict[str, Any]) -> str:
    """Perplexity and accuracy of the network, of what knows less, and of each kind."""
    rows = [
        (f"network, {part}", figure, metrics["accuracy"][part])
        for part, figure in metrics["perplexity"].items()
    ]
    rows += [
        (f"{name}, test", known["perplexity"], known["accuracy"])
        for name, known in metrics["baselines"].items()
    ]
    for column in model.columns[:-1]:
        for kinds in metrics["heads"].values():
            figures = kinds[column.kind][str(column.layer)]
            row = (f"{column.kind} {column.layer}", figures["perplexity"], figures["accuracy"])
            rows.append(row)
    lines = [f"{'':42}{'perplexity':>12}{'accuracy':>10}"]
    lines += [f"{name:42}{figure:12.2f}{right:10.1%}" for name, figure, right in rows]
    return "\n".join([*lines, *_ending(metrics, "labels", "labels")])


def _ending(metrics: dict[str, Any], count: str, of: str) -> list[str]:
    lines = [
        f"{part}: {counts['sentences']:,} sentences, {counts[count]:,} {of}, "
        f"{counts['unknown_share']:.2%} unknown words"
        for part, counts in metrics["counts"].items()
    ]
    measured = metrics["measured"]
    return [*lines, f"{measured['seconds']:.0f} s on {measured['device']}"]
