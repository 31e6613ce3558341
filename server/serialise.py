"""A model or a `Trace` as the plain data of an answer, ready for orjson.

T tokens, R rows, C columns, B bars, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from models.artifact.heads import form_of
from models.kinds import CELL_NAMES
from models.reading import rows_of, token_count
from models.word_classes import CLASS_NAMES
from server.schema import BARS_LIMIT
from server.settings import Settings

if TYPE_CHECKING:
    from models.artifact import Model
    from models.asked_words import Missing, Watch
    from models.kinds import Column
    from models.reading import ReadSentence, TracedToken
    from models.trace import Trace

Array = NDArray[Any]


def summary(model: Model) -> dict[str, Any]:
    """A row of GET /api/v1/models."""
    return {
        "id": model.id,
        "name": model.name,
        "description": model.description,
        "task": model.task,
        "perplexity": model.metrics.get("perplexity", {}),
        "fingerprint": model.fingerprint,
        "network_fingerprint": model.network_fingerprint,
    } | ({"accuracy": model.metrics["accuracy"]} if "accuracy" in model.metrics else {})


def description(model: Model, settings: Settings) -> dict[str, Any]:
    """GET /api/v1/models/<id>: all that the page needs to draw a grid's frame."""
    outputs = model.outputs
    return summary(model) | {
        "architecture": model.architecture | {"cell_name": CELL_NAMES[model.architecture["cell"]]},
        "unit": model.vocabulary.unit,
        "ends": model.vocabulary.ends,
        "baselines": {} if model.labels else model.metrics.get("baselines", {}),
        "imported": "imported" in model.config,
        "forms": {semantic: form_of(model.heads[semantic]) for semantic in model.semantics},
        "semantics": list(model.semantics),
        "columns": [
            _column(model, column, units)
            for column, units in zip(model.columns, (*model.network.widths, None), strict=True)
        ],
        "classes": [{"id": id, "name": CLASS_NAMES.get(id, id)} for id in outputs.class_names],
        "palettes": list(model.palettes),
        "limits": {
            "tokens": settings.token_limit,
            "bytes": settings.byte_limit,
            "bars": min(BARS_LIMIT, len(outputs)),
        },
        "examples": list(model.examples),
    }


def _column(model: Model, column: Column, units: int | None) -> dict[str, Any]:
    known = {s: model.perplexity(s, column) for s in model.semantics}
    return {
        "kind": column.kind,
        "layer": column.layer,
        "symbol": column.symbol,
        "name": column.name,
        "equation": column.equation,
        "operands": [{"kind": o.kind, "layer": o.layer, "lag": o.lag} for o in column.operands],
        "depth": column.depth,
        "gate": column.gate,
        "direction": column.direction,
        "units": units,
        "perplexity": {s: round(p, 3) for s, p in known.items() if p is not None},
    }


def tokens_answer(
    model: Model, sentences: Sequence[ReadSentence], named: str | None, watch: Watch | None
) -> dict[str, Any]:
    """POST /api/v1/tokens. named: the word to watch as it was asked for."""
    return {
        "model": model.id,
        "fingerprint": model.fingerprint,
        "count": token_count(sentences),
        "tokens": tokens_of(rows_of(sentences)),
    } | ({} if named is None else {"watch": watch and _watch(watch)})


def trace_answer(trace: Trace) -> dict[str, Any]:
    """POST /api/v1/trace. Raises ValueError when a number that must be finite is not."""
    scored = trace.label_ids >= 0  # (R,)
    followed = trace.next_ids >= 0  # (R,)
    return {
        "model": trace.model,
        "fingerprint": trace.fingerprint,
        "semantic": trace.semantic,
        "bars": trace.bars,
        "top": trace.top,
        "top_words": trace.top_words,
        "from": trace.start,
        "tokens": tokens_of(trace.tokens),
        "columns": [{"kind": c.kind, "layer": c.layer} for c in trace.columns],
        "classes": list(trace.classes),
        "words": {str(id): word for id, word in trace.words.items()},
        "word_classes": {str(id): index for id, index in trace.word_classes.items()},
        "rows": {
            "top_ids": np.ascontiguousarray(trace.top_ids),  # (R, C, B)
            "top_probs": significant(trace.top_probs),  # (R, C, B)
            "mass": decimals(trace.mass, 6),  # (R, C, K)
            "entropy": decimals(trace.entropy, 5),  # (R, C)
            "divergence": decimals(trace.divergence, 6),  # (R, C)
            "label_ids": _or_null(trace.label_ids, scored),  # (R,)
            "label_ranks": _or_null(trace.label_ranks, scored),  # (R, C)
            "label_probs": _or_null(trace.label_probs, scored),  # (R, C)
            "next_ids": _or_null(trace.next_ids, followed),  # (R,)
            "next_ranks": _or_null(trace.next_ranks, followed),  # (R,)
            "next_probs": _or_null(trace.next_probs, followed),  # (R,)
            "surprisal": _or_null(trace.surprisal, followed),  # (R,)
            **_watched(trace),
        },
        "perplexity": _scalar(trace.perplexity),
        **_asked(trace),
    }


def tokens_of(tokens: Sequence[TracedToken]) -> list[dict[str, Any]]:
    """A timestep each."""
    return [
        {
            "id": token.id,
            "surface": token.surface,
            "word": token.word,
            "known": token.known,
            "span": token.span,
        }
        for token in tokens
    ]


def missing_words(missing: Sequence[Missing]) -> dict[str, Any]:
    """``missing``, where there are own classes."""
    listed = [{"id": own.id, "name": own.name, "words": list(own.words)} for own in missing]
    return {"missing": listed} if listed else {}


def _asked(trace: Trace) -> dict[str, Any]:
    """What only a trace that was asked for it has."""
    told = missing_words(trace.missing)
    if trace.watch is not None:
        told["watch"] = _watch(trace.watch)
    return told


def _watch(watch: Watch) -> dict[str, Any]:
    return {"word": watch.word, "id": watch.id, "known": watch.known}


def _watched(trace: Trace) -> dict[str, Any]:
    if trace.watch is None:
        return {}
    return {
        "watch_ranks": np.ascontiguousarray(trace.watch_ranks),  # (R, C)
        "watch_probs": significant(trace.watch_probs),  # (R, C)
    }


def significant(values: Array, digits: int = 5) -> Array:
    """Rounded to ``digits`` significant digits, so that a small probability stays one."""
    exact = _finite(values)
    size = np.floor(np.log10(np.abs(exact), where=exact != 0, out=np.zeros_like(exact)))
    scale = 10.0 ** np.minimum(digits - 1 - size, 300)  # beyond it there are no numbers
    return np.ascontiguousarray(np.round(exact * scale) / scale) + 0.0  # no -0.0


def decimals(values: Array, places: int) -> Array:
    """Rounded to ``places`` after the point."""
    return np.ascontiguousarray(np.round(_finite(values), places)) + 0.0  # no -0.0


def _finite(values: Array) -> Array:
    exact = np.asarray(values, dtype=np.float64)
    if not np.isfinite(exact).all():
        raise ValueError("a number of the answer is not finite")
    return exact


def _or_null(values: Array, present: Array) -> list[Any]:
    """``values`` along their first axis, null where not present."""
    rounded = values
    if np.issubdtype(values.dtype, np.floating):
        rounded = significant(np.where(present.reshape(-1, *[1] * (values.ndim - 1)), values, 0))
    rows = rounded.tolist()
    return [row if there else None for row, there in zip(rows, present.tolist(), strict=True)]


def _scalar(value: float | None) -> float | None:
    return None if value is None else float(significant(np.array([value]))[0])
