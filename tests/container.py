"""An image of `tests.image`, run: as its user, on files that nobody may write to, with no variable
but its own.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError

from tests.image import Image, StepFailed
from tests.running import Server, free_port
from tests.stand_ins import interpreter, may_be_read


class Container(Server):
    """A running image, with what it logs in a file. ``uid``: whom its processes belong to;
    ``before``: a command that runs its own.
    """

    def __init__(self, image: Image, log: Path, before: Sequence[str] = ()) -> None:
        port = free_port()
        self.image = image
        self.environ = image.environ | {"UNROLLED_PORT": str(port)}
        self.uid = _uid(image)
        self.before = _written(image.root)
        self._found(image.command[0])
        with log.open("wb") as out:
            command = self._as_its_user([*before, *image.command])
            process = subprocess.Popen(**command, stdout=out, stderr=out)
        super().__init__(process, f"http://127.0.0.1:{port}", log)

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(f"{self.url}{path}", timeout=30) as answer:
            body: bytes = answer.read()
            return body

    def health(self) -> int:
        """The exit status of its HEALTHCHECK."""
        check = self._as_its_user(self.image.healthcheck)
        return subprocess.run(**check, capture_output=True, timeout=60).returncode

    def ready(self, seconds: float = 300) -> None:
        """Wait until it is. Raises StepFailed where it ends instead."""
        end = time.monotonic() + seconds
        told = f"CMD {self.image.command}"
        while time.monotonic() < end:
            if self.process.poll() is not None:
                said = self.log.read_text()[-2000:]
                raise StepFailed(f"{told}: status {self.process.returncode}\n{said}")
            try:
                self.get("/readyz")
                return
            except (URLError, OSError):
                time.sleep(0.1)
        raise StepFailed(f"{told}: not ready after {seconds:g} s")

    def stop(self) -> int:
        """By its STOPSIGNAL; the exit status."""
        self.process.send_signal(getattr(signal, self.image.stop_signal))
        return self.process.wait(30)

    def written(self) -> set[str]:
        """The files of the image that are not as they were, but those in /tmp."""
        now = _written(self.image.root)
        return {path for path in now.keys() | self.before if now.get(path) != self.before.get(path)}

    def _as_its_user(self, command: Sequence[str]) -> dict[str, Any]:
        whom = {"user": self.uid, "group": self.uid, "extra_groups": []}
        return {
            "args": command,
            "executable": self._found(command[0]),
            "cwd": self.image.path("."),
            "env": self.environ,
            **(whom if self.uid != os.geteuid() else {}),
        }

    def _found(self, program: str) -> str:
        found = shutil.which(self.image.rewritten(program), path=self.environ["PATH"])
        if found is None:
            raise StepFailed(f"{program} is not in the image")
        return found


@contextmanager
def running(image: Image, before: Sequence[str] = ()) -> Iterator[Container]:
    """Start it, with a file system that is read-only but for /tmp, and end it."""
    (image.root / "tmp").chmod(0o1777)
    subprocess.run(["chmod", "-R", "a-w", *set(image.root.iterdir()) - {image.root / "tmp"}])
    with tempfile.NamedTemporaryFile(suffix=".log") as log:
        container = Container(image, Path(log.name), before)
        try:
            yield container
        finally:
            container.process.kill()
            container.process.wait()
            subprocess.run(["chmod", "-R", "u+w", image.root])


def _uid(image: Image) -> int:
    """Of the image's user: where root asks, and that one may read what is needed from outside the
    image; else of who asks.
    """
    users = [line.split(":") for line in (image.root / "etc" / "passwd").read_text().splitlines()]
    found = [int(uid) for name, _, uid, *_ in users if name == image.user]
    if not found:
        raise StepFailed(f"USER {image.user}: there is no such user")
    outside = (interpreter(), sysconfig.get_path("purelib"), image.root)
    if os.geteuid() or not all(may_be_read(path, found[0]) for path in outside):
        return os.geteuid()
    return found[0]


def _written(root: Path) -> dict[str, tuple[int, int]]:
    """path → when it was last changed, and its size."""
    found = {}
    for folder, _, names in os.walk(root):
        if Path(folder).relative_to(root).parts[:1] != ("tmp",):
            for name in (".", *names):
                status = os.lstat(f"{folder}/{name}")
                found[f"{folder}/{name}"] = (status.st_mtime_ns, status.st_size)
    return found
