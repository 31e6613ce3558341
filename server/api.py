"""The routes of the API: each reads a request, asks `Inference`, and gives an answer."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from contextlib import suppress

from flask import Blueprint, Response, g, request
from gevent import Timeout
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from models.asked_words import OwnClass
from models.trace import TraceRefused
from server.admission import Queue, Rate
from server.answers import json_answer, packed, tagged_answer
from server.cache import AnswerCache, digest
from server.cells import cell_answer, comparison_answer, unit_answer
from server.errors import ApiError, error_answer, misunderstood
from server.inference import Inference
from server.metrics import CONTENT_TYPE, Metrics
from server.openapi import document
from server.readiness import Readiness
from server.schema import (
    Body,
    CellRequest,
    CompareRequest,
    OwnClassRequest,
    TokensRequest,
    TraceRequest,
    UnitRequest,
    parse,
)
from server.serialise import description, summary, tokens_answer, trace_answer
from server.settings import Settings

_log = logging.getLogger("unrolled")
_CACHE_BYTES = 16_000_000  # gzipped, some two hundred traces of a sentence, in each worker


def api(inference: Inference, settings: Settings, metrics: Metrics, version: str) -> Blueprint:
    """The routes under /api/v1, and those for whoever watches the server."""
    routes = Blueprint("api", __name__)
    answers = AnswerCache(_CACHE_BYTES)
    queue, rate = Queue(settings.queue, metrics), Rate(settings.rate)
    beside = Queue(settings.queue, None)
    ready = Readiness(inference.check)

    @routes.get("/api/v1/openapi.json")
    def openapi() -> Response:
        return json_answer(document(version))

    @routes.get("/api/v1/models")
    def models() -> Response:
        listed = [summary(model) for model in inference.models.values()]
        return json_answer({"default": inference.default, "models": listed})

    @routes.get("/api/v1/models/<id>")
    def model(id: str) -> Response:
        if id not in inference.models:
            raise _unknown_model()
        return json_answer(description(inference.models[id], settings))

    def asked(kind: type[Body]) -> Body:
        """The question in the body. Raises ApiError, RequestEntityTooLarge."""
        rate.count(request.remote_addr)
        if request.mimetype != "application/json":
            sentence = "The body must be JSON, sent with Content-Type: application/json."
            raise ApiError(415, "unsupported_media_type", sentence)
        try:
            # In all: a byte now and then would keep a connection for days.
            with Timeout(settings.stall_timeout):
                body = request.get_data(cache=False)
        except (ClientDisconnected, Timeout):
            _hear_no_more()
            raise ApiError(408, "request_timeout", "The body did not arrive in time.") from None
        except ParseException:  # a chunk of no size, or that does not end where it says
            raise misunderstood() from None
        if len(body) > settings.byte_limit:
            raise RequestEntityTooLarge
        question = parse(kind, body)
        g.texts = question.texts if isinstance(question, CompareRequest) else [question.text]
        if question.model is not None and question.model not in inference.models:
            raise _unknown_model()
        return question

    @routes.post("/api/v1/tokens")
    def tokens() -> Response:
        q = asked(TokensRequest)
        with beside.place():
            sentences, watch = inference.read(q.model, q.text, q.watch)
        return json_answer(tokens_answer(inference.model(q.model), sentences, q.watch, watch))

    @routes.post("/api/v1/trace")
    def trace() -> Response:
        q = asked(TraceRequest)
        model = inference.model(q.model)
        # Spelt out, so that who leaves it out asks the same question as who does not.
        q = q.model_copy(update={"semantic": q.semantic or model.default_semantic})
        tag = digest(version, model.id, model.fingerprint, q.model_dump_json(exclude={"model"}))
        # Nothing is changed by a trace: what RFC 9110 says of GET fits, though the method is POST.
        # Not `*`, which werkzeug finds in any: no question is there before it is asked.
        has = request.if_none_match
        if has.is_weak(tag) or has.is_strong(tag):
            metrics.traced("client")
            return tagged_answer(tag, None, status=304)
        body = answers.get(tag)
        metrics.traced("computed" if body is None else "cache")
        if body is None:
            own = _own(q.classes)
            options = (q.semantic, q.bars, q.top, q.start, q.watch, own)
            with queue.place():
                traced = inference.trace(model.id, q.text, *options)
                body = inference.beside(lambda: packed(trace_answer(traced)))
            g.tokens = len(traced.tokens) - traced.start
            answers.put(tag, body)
        return tagged_answer(tag, body)

    @routes.post("/api/v1/cell")
    def cell() -> Response:
        q = asked(CellRequest)
        where = (q.timestep, q.kind, q.layer)
        own = _own(q.classes)
        with queue.place():
            found = inference.cell(q.model, q.text, *where, q.semantic, q.bars, q.top, own)
        g.tokens = 1
        return json_answer(cell_answer(found))

    @routes.post("/api/v1/unit")
    def unit() -> Response:
        q = asked(UnitRequest)
        which = (q.kind, q.layer, q.unit)
        with queue.place():
            line = inference.unit(q.model, q.text, *which, q.follow, q.all_kinds)
        g.tokens = len(line.values)
        return json_answer(unit_answer(line, inference.model(q.model).columns))

    @routes.post("/api/v1/compare")
    def compare() -> Response:
        q = asked(CompareRequest)
        with queue.place():
            compared = inference.compare(q.model, q.texts, q.semantic)
        g.tokens = sum(map(len, compared.tokens))
        return json_answer(comparison_answer(compared))

    @routes.errorhandler(TraceRefused)
    def refused(error: TraceRefused) -> Response:
        return error_answer(422, error.code, error.message, error.field)

    @routes.get("/healthz")
    def healthz() -> Response:
        return json_answer({"status": "ok"})

    @routes.get("/readyz")
    def readyz() -> Response:
        try:
            ready.check()
        except Exception as error:
            _log.error("not ready: %s", type(error).__name__)
            return error_answer(503, "not_ready", "The server cannot run its model.")
        return json_answer({"status": "ok"})

    @routes.get("/metrics")
    def prometheus() -> Response:
        return Response(metrics.text(), content_type=CONTENT_TYPE)

    return routes


def _hear_no_more() -> None:
    """gunicorn would read on to the end of the body, to find the next request behind it."""
    if client := request.environ.get("gunicorn.socket"):
        with suppress(OSError):
            client.shutdown(socket.SHUT_RD)


def _own(classes: Sequence[OwnClassRequest]) -> list[OwnClass]:
    return [OwnClass(own.name, tuple(own.words)) for own in classes]


def _unknown_model() -> ApiError:
    return ApiError(404, "unknown_model", "There is no model of this id.", "model")
