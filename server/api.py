"""The routes of the API: each reads a request, asks `Inference`, and gives an answer."""

from __future__ import annotations

import logging

from flask import Blueprint, Response, g, request
from werkzeug.exceptions import RequestEntityTooLarge

from models.trace import TraceRefused
from server.answers import json_answer
from server.errors import ApiError, error_answer
from server.inference import Inference
from server.metrics import CONTENT_TYPE, Metrics
from server.openapi import document
from server.schema import parse_trace_request
from server.serialise import description, summary, trace_answer
from server.settings import Settings

_log = logging.getLogger("unrolled")


def api(inference: Inference, settings: Settings, metrics: Metrics, version: str) -> Blueprint:
    """The routes under /api/v1, and those for whoever watches the server."""
    routes = Blueprint("api", __name__)

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

    @routes.post("/api/v1/trace")
    def trace() -> Response:
        if request.mimetype != "application/json":
            sentence = "The body must be JSON, sent with Content-Type: application/json."
            raise ApiError(415, "unsupported_media_type", sentence)
        body = request.get_data(cache=False)
        if len(body) > settings.byte_limit:
            raise RequestEntityTooLarge
        asked = parse_trace_request(body)
        if asked.model is not None and asked.model not in inference.models:
            raise _unknown_model()
        try:
            traced = inference.trace(
                asked.model, asked.text, asked.semantic, asked.bars, asked.top, asked.start
            )
        except TraceRefused as refused:
            raise ApiError(422, refused.code, refused.message, refused.field) from None
        g.tokens = len(traced.tokens)
        return json_answer(trace_answer(traced))

    @routes.get("/healthz")
    def healthz() -> Response:
        return json_answer({"status": "ok"})

    @routes.get("/readyz")
    def readyz() -> Response:
        try:
            inference.check()
        except Exception as error:
            _log.error("not ready: %s", type(error).__name__)
            return error_answer(503, "not_ready", "The server cannot run its model.")
        return json_answer({"status": "ok"})

    @routes.get("/metrics")
    def prometheus() -> Response:
        return Response(metrics.text(), content_type=CONTENT_TYPE)

    return routes


def _unknown_model() -> ApiError:
    return ApiError(404, "unknown_model", "There is no model of this id.", "model")
