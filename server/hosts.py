"""Which host names are answered to: a page elsewhere must not reach a server on somebody's own
machine by a name of its own that points there (DNS rebinding).
"""

from __future__ import annotations

from collections.abc import Collection

from flask import Flask, request

from server.errors import ApiError
from server.settings import variable

# Asked for by address, by balancers and by Prometheus; they tell of no model and run no text.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})


def guard(app: Flask, allowed: Collection[str]) -> None:
    """Refuse requests for another host than those ``allowed``, but for the probes."""
    if "*" in allowed:
        return

    @app.before_request
    def known() -> None:
        # Where no Host was sent, Flask's own is the address that is listened on.
        host = request.host if "Host" in request.headers else ""
        if request.path not in PROBES and not matches(host, allowed):
            sentence = (
                "This server does not answer to this host name: whoever runs it names it in "
                f"{variable('hosts')}."
            )
            raise ApiError(400, "unknown_host", sentence)


def matches(header: str, allowed: Collection[str]) -> bool:
    """Whether the value of a Host header is a name of ``allowed``, or below one that starts with
    a dot; the port does not matter.
    """
    name = header.lower()
    if name.startswith("["):  # an IPv6 address
        name = name[1:].partition("]")[0]
    else:
        name = name.partition(":")[0].removesuffix(".")
    return any(name == one or (one[0] == "." and name.endswith(one)) for one in allowed)
