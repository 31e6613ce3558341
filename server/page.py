"""The built page: static/index.html and the files beside it."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Blueprint, Response, send_from_directory
from werkzeug.exceptions import NotFound

# A name without separators: no path is ever built from an address. Only files of these kinds are
# part of a build.
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.(js|css|svg|png|ico|woff2|txt|webmanifest)")
# What the bundler adds to a name when the content changes: such a file never changes.
_HASHED = re.compile(r".+-[A-Za-z0-9_-]{8}\.[a-z0-9]+")


def page(folder: Path) -> Blueprint:
    """Routes for the page in ``folder`` and its assets/."""
    routes = Blueprint("page", __name__)

    @routes.get("/")
    def index() -> Response:
        return _send(folder, "index.html", "no-cache")

    @routes.get("/<name>")
    def beside(name: str) -> Response:
        return _send(folder, _checked(name), "no-cache")

    @routes.get("/assets/<name>")
    def asset(name: str) -> Response:
        hashed = _HASHED.fullmatch(name)
        cache = "public, max-age=31536000, immutable" if hashed else "no-cache"
        return _send(folder / "assets", _checked(name), cache)

    return routes


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise NotFound
    return name


def _send(folder: Path, name: str, cache: str) -> Response:
    response = send_from_directory(folder, name)
    response.headers["Cache-Control"] = cache
    return response
