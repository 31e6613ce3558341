"""The real server as a subprocess on a free port."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError


@dataclass
class Server:
    """A running server: its process (gunicorn's master), its address, what it has logged."""

    process: subprocess.Popen[bytes]
    url: str
    log: Path

    def stop(self) -> int:
        """SIGTERM, and the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def workers(self) -> set[int]:
        """Process ids of those that answer."""
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
        )
        pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
        return {child for child, parent in pairs if parent == self.process.pid}


def command(model_dir: Path, port: int) -> list[str]:
    serve = [sys.executable, "-m", "server", "serve", "--port", str(port)]
    return [*serve, "--model-dir", str(model_dir)]


@contextmanager
def serving(
    model_dir: Path, port: int = 0, before: Sequence[str] = (), **settings: object
) -> Iterator[Server]:
    """Start the server, wait until it answers, and stop it at the end. ``before``: a command that
    runs the server's.
    """
    environ = os.environ | {f"UNROLLED_{name.upper()}": str(v) for name, v in settings.items()}
    port = port or free_port()
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        arguments = [*before, *command(model_dir, port)]
        process = subprocess.Popen(arguments, env=environ, stderr=log, stdout=log)
        server = Server(process, f"http://127.0.0.1:{port}", Path(log.name))
        try:
            _wait(server)
            yield server
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)  # at once: nothing is in flight
                try:
                    process.wait(30)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()


def free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(server: Server, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.process.poll() is not None:
            raise RuntimeError(f"the server ended: {server.log.read_text()}")
        try:
            with urllib.request.urlopen(f"{server.url}/healthz", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the server does not answer: {server.log.read_text()}")
