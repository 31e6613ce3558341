"""A door in front of a server: while it is shut, its address answers nobody.

To a client that is a server which was stopped, and started again when it opens; but it takes no
time.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread
from urllib.parse import urlsplit


class Door:
    """Passes connections on to the server at ``url``, unchanged, from when it is first opened."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._server = (str(parts.hostname), int(parts.port or 80))
        self._port = 0
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """Its own address, the same each time that it opens."""
        return f"http://127.0.0.1:{self._port}"

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
                for ends in ((client, server), (server, client)):
                    Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):  # either end was cut
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
