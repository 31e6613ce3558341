"""Answers that may be asked for again: whoever opens a link twice asks the same question twice."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict


def digest(*parts: str) -> str:
    """A name for a question: equal for equal parts only. 32 hex digits."""
    hashed = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        hashed.update(len(encoded).to_bytes(8, "big") + encoded)
    return hashed.hexdigest()[:32]


class AnswerCache:
    """The bytes of the latest answers by the digest of their question, at most ``limit`` bytes in
    all; what was not asked for longest goes first. An answer that alone is larger is not kept.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: str, answer: bytes) -> None:
        if len(answer) > self._limit:
            return
        with self._lock:
            self._size += len(answer) - len(self._answers.pop(key, b""))
            self._answers[key] = answer
            while self._size > self._limit:
                _, oldest = self._answers.popitem(last=False)
                self._size -= len(oldest)
