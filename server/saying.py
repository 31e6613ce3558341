"""What whoever starts the server is told, whatever becomes of the log."""

from __future__ import annotations

import sys
from contextlib import suppress


def say(sentence: str) -> None:
    """To stderr, where that can be written to."""
    with suppress(OSError):
        print(f"unrolled: {sentence}", file=sys.stderr, flush=True)
