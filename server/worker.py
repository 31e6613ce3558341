"""gunicorn's gevent worker, for clients that stall or speak no HTTP, and for a quick end."""

from __future__ import annotations

import socket
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import gevent
from gunicorn.workers.base_async import AsyncWorker
from gunicorn.workers.ggevent import GeventWorker

from server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOOK = 0.1  # seconds between looks at whether the worker is to end
_LINGER = 1  # seconds that a client which has its last answer may go on sending


class Worker(GeventWorker):  # type: ignore[misc]
    """Connections that stall are dropped, and those that wait for a next request are closed as
    soon as the worker is to end: by itself it would wait for them until they time out. What is no
    HTTP is refused in the shape of every other refusal.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._stall_timeout = Settings.from_environment().stall_timeout
        self._fresh: set[gevent.Greenlet] = set()  # of a connection that asked nothing yet
        self._idle: dict[gevent.Greenlet, gevent.Timeout] = {}  # of one that waits to ask again

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        # In place of GeventWorker's own, which makes the socket wait for ever.
        client.settimeout(self._stall_timeout)
        self._fresh.add(gevent.getcurrent())
        try:
            AsyncWorker.handle(self, listener, client, addr)
        finally:
            self._fresh.discard(gevent.getcurrent())

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Refuse what gunicorn could not read. Its own answer is HTML, and its own log line quotes
        what was sent.
        """
        if not isinstance(exc, Exception):  # the connection is to end
            return
        from server.malformed import answer  # Flask is a worker's own: patched before imported

        with suppress(OSError), gevent.Timeout(_LINGER, False):
            client.sendall(answer(self.wsgi, exc, addr, self.cfg))
        _see_off(client)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> None:
        try:
            super().handle_request(listener_name, req, sock, addr)
        except StopIteration:  # it is answered, and no other is to be read
            _see_off(sock)
            raise

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Around the wait for the head of a request: ends it quietly when it takes too long."""
        greenlet = gevent.getcurrent()
        with gevent.Timeout(self.cfg.keepalive, False) as timeout:
            if greenlet in self._fresh:
                self._fresh.discard(greenlet)
            else:
                self._idle[greenlet] = timeout
            try:
                yield
            finally:
                self._idle.pop(greenlet, None)

    def run(self) -> None:
        gevent.spawn(self._end_waits)
        super().run()

    def _end_waits(self) -> None:
        while self.alive:
            gevent.sleep(_LOOK)
        while True:
            # In the hub, where nothing comes between the look and the throw: a wait that has
            # become a request is let be.
            gevent.get_hub().loop.run_callback(self._end_those_there_are)
            gevent.sleep(_LOOK)

    def _end_those_there_are(self) -> None:
        for greenlet in list(self._idle):
            if timeout := self._idle.get(greenlet):
                greenlet.throw(timeout)


def _see_off(client: Any) -> None:
    """Before a connection is closed: with bytes unread it would be reset, and the answer lost."""
    with suppress(OSError), gevent.Timeout(_LINGER, False):
        client.shutdown(socket.SHUT_WR)
        while client.recv(65536):
            gevent.sleep(0)  # who sends without a pause would let nobody else have a turn
