"""gunicorn's configuration, from the same settings: ``gunicorn -c python:server.gunicorn_conf``.

gevent's workers withstand stalled clients; gthread's failed for over 20 s with 12 of them.

The models are loaded before the fork and shared; threads are started after it, in each worker.
"""

from __future__ import annotations

import errno
import gc
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
from contextlib import suppress
from itertools import count
from typing import Any

from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer

from server.json_lines import JsonLines
from server.saying import say, write_line
from server.settings import Settings

_settings = Settings.from_environment()

wsgi_app = "server.wsgi:application()"
_host = f"[{_settings.host}]" if ":" in _settings.host else _settings.host
bind = f"{_host}:{_settings.port}"
worker_class = "server.worker.Worker"
workers = _settings.workers
worker_connections = 1000
# The app is each worker's own: only the models are loaded before the fork (`on_starting`). A
# forward pass there hung every request: its threads do not come along.
preload_app = False
timeout = _settings.timeout
graceful_timeout = _settings.graceful_timeout
keepalive = 5  # also the seconds that the head of a request may take
max_requests = _settings.recycle
max_requests_jitter = max_requests // 10  # so that the workers are not replaced all at once
# X-Forwarded-… is read by the app, and only when it is told of a proxy.
forwarded_allow_ips = ""
secure_scheme_headers: dict[str, str] = {}
loglevel = "warning"
accesslog = None  # the app writes one line a request, without the typed text
control_socket_disable = True
proc_name = "unrolled"
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190

# What is imported and loaded stays: to look through it for garbage, again and again while it grows,
# takes a fifth of the start. On again once the models are loaded (`server.loading`).
gc.disable()

# A trace shares out its work among threads of its own: read by numpy's BLAS when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# In memory: works where the file system is read-only, and a slow disk cannot stall a heartbeat.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _shared_counts() -> str:
    """A fresh folder for the counts of the workers: those of an earlier run must not be added.
    None, and each worker its own counts, where nothing can be written.
    """
    try:
        folder = tempfile.mkdtemp(prefix="unrolled-metrics-", dir=worker_tmp_dir)
        with open(f"{folder}/probe", "wb") as probe:  # noqa: PTH123
            probe.truncate(1 << 16)
    except OSError as error:
        say(f"/metrics tells each worker's counts alone: nowhere to add them up ({error}).")
        return ""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
    return folder


_metrics_folder = _shared_counts() if workers > 1 else ""


class _Told(logging.Filter):
    """Drops what gunicorn adds once a worker has said why it cannot load its app (`server.wsgi`):
    three lines that name no cause. Drops the traceback of a client that took no answer.
    """

    _told = False

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], TimeoutError):
            return False
        # The first of the three has a worker's process id and its exit status.
        if isinstance(record.args, tuple) and record.args[1:] == (Arbiter.APP_LOAD_ERROR,):
            self._told = True
        return not self._told


def on_starting(server: Any) -> None:
    """Load the models, which the workers then share; end with one sentence if that fails."""
    server.log.error_log.addFilter(_Told())
    if _settings.log == "json":
        for handler in server.log.error_log.handlers:
            handler.setFormatter(JsonLines())
    if not _can_listen() or not _models_kept():
        on_exit(server)
        sys.exit(1)


def _can_listen() -> bool:
    """Before the models are loaded: gunicorn would say after them, and in ten lines."""
    if "GUNICORN_FD" in os.environ:  # SIGUSR2: the sockets are those of the server before this one
        return True
    try:
        address = socket.getaddrinfo(_settings.host, _settings.port, type=socket.SOCK_STREAM)[0]
        with socket.socket(address[0]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address[4])
            probe.listen()
    except UnicodeError:  # of a name with two dots in a row, or with too long a part
        reason = "this is no name of a host"
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.EADDRINUSE:
            reason = "the port is in use; choose another with --port"
    else:
        return True
    say(f"cannot listen on {bind}: {reason}.")
    return False


def on_reload(server: Any) -> None:
    """SIGHUP: the models as they are now; as they were, if these cannot be used. Whatever is
    raised here would end the server.
    """
    try:
        _models_kept()
    except Exception as error:
        say(f"the models cannot be loaded again ({type(error).__name__}: {error}).")


def _models_kept() -> bool:
    from models.artifact import ArtifactError
    from server.loading import keep

    try:
        keep(_settings.model_folder, _settings.default_model)
    except ArtifactError as error:
        say(str(error))
        return False
    return True


def pre_fork(server: Any, worker: Any) -> None:
    """Give the worker the lowest number that no living one has: its counts go on where those of
    the worker before it ended, and the files do not grow in number.
    """
    taken = {living.slot for living in server.WORKERS.values()}
    worker.slot = next(slot for slot in count() if slot not in taken)


def post_fork(server: Any, worker: Any) -> None:
    # Until the worker has its own handlers it has the master's, to which a stop would be lost: the
    # master would wait for it until the graceful timeout.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if _metrics_folder:
        from prometheus_client import values

        slot = worker.slot
        values.ValueClass = values.MultiProcessValue(lambda: slot)  # type: ignore[no-untyped-call]


def post_worker_init(worker: Any) -> None:
    """Say where to go, once the first worker has its models and can answer."""
    if worker.age == 1:
        host, port = worker.sockets[0].getsockname()[:2]
        # What listens on every address is no address to go to.
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        shown = f"[{host}]" if ":" in host else host
        with suppress(OSError):
            write_line(f"Unrolled is at http://{shown}:{port}")


def worker_int(worker: Any) -> None:
    """Ctrl-C: leave at once. gunicorn would end a greenlet by SystemExit, which gevent prints as a
    failure, and the interpreter would then wait for the open connections.
    """
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(0)


def child_exit(server: Any, worker: Any) -> None:
    """A worker that ended no longer counts in the gauges."""
    if _metrics_folder:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.slot)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Tidy up; a server that could not start its app ends with status 1."""
    if _metrics_folder:
        shutil.rmtree(_metrics_folder, ignore_errors=True)
    if isinstance(sys.exc_info()[1], HaltServer):
        sys.exit(1)
