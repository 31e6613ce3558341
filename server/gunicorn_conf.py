"""gunicorn's configuration, from the same settings: ``gunicorn -c python:server.gunicorn_conf``.

gevent's workers withstand stalled clients; gthread's failed for over 20 s with 12 of them.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
from typing import Any

from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer

from server.settings import Settings

_settings = Settings.from_environment()

wsgi_app = "server.wsgi:application()"
_host = f"[{_settings.host}]" if ":" in _settings.host else _settings.host
bind = f"{_host}:{_settings.port}"
worker_class = "gevent"
workers = _settings.workers
worker_connections = 512
# The app is each worker's own: only the models are loaded before the fork (`on_starting`). A
# forward pass there hung every request: its threads do not come along.
preload_app = False
timeout = _settings.timeout
graceful_timeout = _settings.graceful_timeout
keepalive = 5
loglevel = "warning"
accesslog = None  # the app writes one line a request, without the typed text
control_socket_disable = True
proc_name = "unrolled"
limit_request_line = 4094
limit_request_fields = 64

# A trace shares out its work among threads of its own: read by numpy's BLAS when it is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# In memory: works where the file system is read-only, and a slow disk cannot stall a heartbeat.
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

_metrics_folder = ""
if workers > 1:
    # A fresh folder: counts of an earlier run must not be added to this one's.
    _metrics_folder = tempfile.mkdtemp(prefix="unrolled-metrics-", dir=worker_tmp_dir)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = _metrics_folder


class _Told(logging.Filter):
    """Drops what gunicorn adds once a worker has said why it cannot load its app (`server.wsgi`):
    three lines that name no cause.
    """

    _told = False

    def filter(self, record: logging.LogRecord) -> bool:
        # The first of the three has a worker's process id and its exit status.
        if isinstance(record.args, tuple) and record.args[1:] == (Arbiter.APP_LOAD_ERROR,):
            self._told = True
        return not self._told


def on_starting(server: Any) -> None:
    """Load the models, which the workers then share; end with one sentence if that fails."""
    server.log.error_log.addFilter(_Told())
    if not _models_kept():
        on_exit(server)
        sys.exit(1)


def on_reload(server: Any) -> None:
    """SIGHUP: the models as they are now; as they were, if these cannot be used."""
    _models_kept()


def _models_kept() -> bool:
    from models.artifact import ArtifactError
    from server.loading import keep

    try:
        keep(_settings.model_folder)
    except ArtifactError as error:
        print(f"unrolled: {error}", file=sys.stderr, flush=True)
        return False
    return True


def post_worker_init(worker: Any) -> None:
    """Say where to go, once the first worker has its models and can answer."""
    if worker.age == 1:
        host, port = worker.sockets[0].getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        print(f"Unrolled is at http://{shown}:{port}", file=sys.stderr, flush=True)


def worker_int(worker: Any) -> None:
    """Ctrl-C: leave at once. gunicorn would end a greenlet by SystemExit, which gevent prints as a
    failure, and the interpreter would then wait for the open connections.
    """
    sys.stderr.flush()
    os._exit(0)


def child_exit(server: Any, worker: Any) -> None:
    """A worker that ended no longer counts in the gauges."""
    if _metrics_folder:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def on_exit(server: Any) -> None:
    """Tidy up; a server that could not start its app ends with status 1."""
    if _metrics_folder:
        shutil.rmtree(_metrics_folder, ignore_errors=True)
    if isinstance(sys.exc_info()[1], HaltServer):
        sys.exit(1)
