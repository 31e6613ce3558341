"""The Dockerfile's steps with all packages as they are locked, and what they make, run:
``make image-steps``. Takes a minute or two, and pip's own place to get packages from.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.container import Container, running
from tests.image import Build


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="unrolled-image-"))
    folder.chmod(0o755)  # the image's user has to get in
    try:
        image = Build(folder, packages=True).run(lambda step: print(step[:100], flush=True))
        with running(image) as container:
            held(container)
        print(f"made, served as user {container.uid}, healthy while it ran, and wrote nothing")
    finally:
        shutil.rmtree(folder)


def held(container: Container) -> None:
    """That it is not healthy before it runs, serves, and ends by its signal; nothing is written."""
    assert container.health() != 0
    container.ready()
    assert container.health() == 0
    assert b"<!doctype html>" in container.get("/")
    assert container.stop() == 0
    assert container.health() != 0
    assert container.written() == set()


if __name__ == "__main__":
    main()
