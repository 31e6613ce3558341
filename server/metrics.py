"""Numbers for Prometheus. With several workers, prometheus-client adds them up through files."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# Computed, found among the latest answers, or already with the client (its ETag).
TRACE_SOURCES = ("computed", "cache", "client")
REFUSALS = ("overloaded", "too_many_requests")  # of questions that there was nothing wrong with
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """One app's counters, in a registry of their own. Labels are routes, never addresses."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "unrolled_requests",
            "Requests answered.",
            ["method", "route", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "unrolled_request_seconds",
            "Seconds from request to answer.",
            ["route"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._tokens = Counter("unrolled_tokens", "Timesteps traced.", registry=self._registry)
        self._traces = Counter(
            "unrolled_traces",
            "Trace requests by where their answer came from.",
            ["source"],
            registry=self._registry,
        )
        self._refused = Counter(
            "unrolled_refusals",
            "Requests refused, by the code of the error.",
            ["code"],
            registry=self._registry,
        )
        self._queue = Gauge(
            "unrolled_queue",
            "Questions that run or wait for the models.",
            multiprocess_mode="livesum",
            registry=self._registry,
        )
        # From the start, so that a rate can be formed.
        for source in TRACE_SOURCES:
            self._traces.labels(source)
        for code in REFUSALS:
            self._refused.labels(code)

    def traced(self, source: str) -> None:
        """A trace was answered; ``source`` is one of `TRACE_SOURCES`."""
        self._traces.labels(source).inc()

    def refused(self, code: str) -> None:
        """A request was refused; ``code`` is one of the API's own words, never the client's."""
        self._refused.labels(code).inc()

    def queued(self, questions: int) -> None:
        """So many questions run or wait in this process."""
        self._queue.set(questions)

    def observe(self, method: str, route: str, status: int, seconds: float, tokens: int) -> None:
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        self._tokens.inc(tokens)

    def text(self) -> bytes:
        """The exposition format, over all workers when there are several."""
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
