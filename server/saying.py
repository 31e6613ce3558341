"""What is written to stderr: whole lines, whatever other threads and processes write."""

from __future__ import annotations

import sys
from contextlib import suppress


def write_line(text: str) -> None:
    """With its end in one piece: where that is written after it, another line may come between, or
    the process may end. Raises OSError where nothing can be written.
    """
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def say(sentence: str) -> None:
    """To whoever starts the server, whatever becomes of the log; where it cannot be, not."""
    with suppress(OSError):
        write_line(f"unrolled: {sentence}")
