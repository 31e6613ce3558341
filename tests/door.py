"""A door in front of a server: while it is shut, its address answers nobody.

To a client that is a server which was stopped, and started again when it opens; but it takes no
time. It may also stand at a sub-path, as a reverse proxy does.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit


class Door:
    """Passes connections on to the server at ``url`` from when it is first opened: unchanged, but
    that a ``path`` of its own, ``/tools/unrolled``, is taken off the addresses that are asked for.
    """

    def __init__(self, url: str, path: str = "") -> None:
        self._path = path.encode()
        parts = urlsplit(url)
        self._server = (str(parts.hostname), int(parts.port or 80))
        self._port = 0
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """Its own address, the same each time that it opens."""
        return f"http://127.0.0.1:{self._port}{self._path.decode()}"

    def open(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self._port))
        self._port = self._listener.getsockname()[1]
        Thread(target=self._welcome, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Refuse new connections, and cut those that there are."""
        assert self._listener is not None
        for end in (self._listener, *self._open):
            # Closing alone does not wake a thread that waits for it.
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._open.clear()

    def _welcome(self, listener: socket.socket) -> None:
        with suppress(OSError):  # it was shut
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(self._server)
                self._open |= {client, server}
                for ends in ((client, server, self._path), (server, client, b"")):
                    Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket, path: bytes) -> None:
    with suppress(OSError):  # either end was cut
        while data := source.recv(65536):
            if path and (asked := re.match(rb"[A-Z]+ (\S*)", data)):
                if not asked[1].startswith(path + b"/"):
                    break  # not below its own path: there is nobody
                data = data.replace(path, b"", 1)
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
