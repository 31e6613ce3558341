"""The Dockerfile's steps with all packages as they are locked, and what they make, run:
``make image-steps``. Takes a minute or two, and pip's own place to get packages from.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.container import running
from tests.image import Build


def main() -> None:
    with folder() as empty:
        image = Build(empty, packages=True).run(lambda step: print(step[:100], flush=True))
        with running(image) as container:
            assert container.health() != 0
            container.ready()
            assert container.health() == 0
            assert b"<!doctype html>" in container.get("/")
            assert container.stop() == 0
            assert container.health() != 0
            assert container.written() == set()
        print(f"made, served as user {container.uid}, healthy while it ran, and wrote nothing")


@contextmanager
def folder() -> Iterator[Path]:
    """For an image: one that the image's user can get into."""
    with tempfile.TemporaryDirectory(prefix="unrolled-image-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


if __name__ == "__main__":
    main()
