"""The Dockerfile's steps as a plain script, where no container engine is: each stage is made below
a folder that stands for its root, with the Python of this machine for that of the base image.

A path of the image in a command or a variable is rewritten to one below that folder. All stages
have it in turn, so that what one writes into a file (``#!/opt/…``) holds in the next.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from numba.core import caching

from tests.dockerfile import ROOT, is_sent, stages
from tests.stand_ins import base_image

TOPS = ("etc", "home", "opt", "root", "srv", "tmp", "usr", "var")  # of a Debian; others are ours
THIS = ("bin", "dev", "proc")  # of this machine's root, where a command looks
Say = Callable[[str], None]


class StepFailed(Exception):
    """A step that an engine would fail at too; the message begins with it."""


@dataclass
class Image:
    """What the last stage left: its files, and how they are run."""

    root: Path
    environ: dict[str, str] = field(default_factory=dict)
    workdir: str = "/"
    user: str = "root"
    command: list[str] = field(default_factory=list)
    healthcheck: list[str] = field(default_factory=list)
    stop_signal: str = "SIGTERM"

    def path(self, name: str) -> Path:
        """Where a path of the image is on this machine; a relative one is below its workdir."""
        return self.root / os.path.normpath(os.path.join(self.workdir, name))[1:]  # noqa: PTH118

    def rewritten(self, text: str) -> str:
        """The paths of the image in a text, as they are on this machine. Raises StepFailed for one
        that is in neither: nothing may be written to this machine's own root.
        """

        def one(path: re.Match[str]) -> str:
            if (self.root / path[1]).exists():
                return f"{self.root}/{path[1]}"
            if path[1] in THIS:
                return path[0]
            raise StepFailed(f"{path[0]} is not in the image; WORKDIR makes a folder")

        return re.sub(r"(?<![\w./$}])/([\w.-]+)", one, text)


class Build:
    """Makes an image in ``folder``, which is to be empty.

    ``packages``: install them as the Dockerfile says; else those of this environment are taken, and
    what numba compiled here of the same sources.
    """

    def __init__(
        self, folder: Path, text: str = "", context: Path = ROOT, packages: bool = False
    ) -> None:
        self._folder, self._context, self._packages = folder, context, packages
        self._stages = stages(text)
        self._made: dict[str, Path] = {}
        self._arguments: dict[str, str] = {}

    def run(self, say: Say = lambda _: None) -> Image:
        """All steps. Raises StepFailed; ``say`` is told of each step that was done."""
        for steps in self._stages:
            image = Image(self._folder / "root")
            image.root.mkdir()
            for keyword, rest in steps:
                began = time.monotonic()
                self._step(image, keyword, rest)
                say(f"{time.monotonic() - began:6.1f} s  {keyword} {rest}")
            if steps is not self._stages[-1]:
                name = steps[0][1].split()[-1]
                self._made[name] = image.root.rename(self._folder / name)
        return image

    def _step(self, image: Image, keyword: str, rest: str) -> None:
        done = getattr(self, f"_{keyword.lower()}", None)
        if done is None:
            raise StepFailed(f"{keyword}: no such instruction is known here")
        try:
            done(image, rest)
        except StepFailed as failed:
            raise StepFailed(f"{keyword} {rest}: {failed}") from None

    def _from(self, image: Image, rest: str) -> None:
        found = re.fullmatch(r"python:(\d+\.\d+)\.\d+-slim-\w+(?: AS \w+)?", rest)
        if not found:
            raise StepFailed("no stand-in for this base image")
        here = f"{sys.version_info.major}.{sys.version_info.minor}"
        if self._packages and found[1] != here:
            raise StepFailed(f"its packages are for Python {found[1]}; this is {here}")
        for top in TOPS:
            (image.root / top).mkdir()
        image.environ["PATH"] = f"{base_image(image.root, self._packages)}:/usr/bin:/bin"
        self._arguments = {}

    def _arg(self, image: Image, rest: str) -> None:
        name, _, default = rest.partition("=")
        self._arguments[name] = shlex.split(default)[0] if default else ""

    def _env(self, image: Image, rest: str) -> None:
        # Of before this instruction, all through it; what is unknown is empty.
        known = defaultdict(str, self._arguments | image.environ)
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            image.environ[name] = Template(image.rewritten(value)).substitute(known)

    def _workdir(self, image: Image, rest: str) -> None:
        image.workdir = rest
        image.path(".").mkdir(parents=True, exist_ok=True)

    def _user(self, image: Image, rest: str) -> None:
        image.user = rest

    def _copy(self, image: Image, rest: str) -> None:
        words = shlex.split(rest)
        stage = words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else None
        *sources, target = words
        if stage is not None and stage not in self._made:
            raise StepFailed(f"there is no stage {stage}")
        if len(sources) > 1 and not target.endswith("/"):
            raise StepFailed("the target of several files must end with a slash")
        for source in sources:
            base = self._context if stage is None else self._made[stage]
            files = dict(_files(base, source.strip("/"), ignoring=stage is None))
            if not files:
                raise StepFailed(f"{source} is not there, or .dockerignore keeps it back")
            into = image.path(target)
            for below, path in files.items():
                to = into / below if below else (into / path.name if target[-1] == "/" else into)
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, to, follow_symlinks=False)

    def _run(self, image: Image, rest: str) -> None:
        if not self._packages:
            for folder in re.findall(r"NUMBA_CACHE_DIR=(/\S+)", rest):
                _compiled_here(image.path(folder), image.path("."))
        environ = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "UNROLLED"))}
        done = subprocess.run(
            ["sh", "-c", image.rewritten(rest)],
            cwd=image.path("."),
            env=environ | self._arguments | image.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            umask=0o022,
        )
        if done.returncode:
            raise StepFailed(f"status {done.returncode}\n{done.stdout[-2000:]}")

    def _cmd(self, image: Image, rest: str) -> None:
        image.command = json.loads(rest)

    def _healthcheck(self, image: Image, rest: str) -> None:
        image.healthcheck = json.loads(rest.partition("CMD ")[2])

    def _stopsignal(self, image: Image, rest: str) -> None:
        image.stop_signal = rest

    def _expose(self, image: Image, rest: str) -> None:
        int(rest)


def _files(base: Path, source: str, ignoring: bool) -> Iterator[tuple[str, Path]]:
    """The files of a source, each with its path below it; below a file there is none."""
    found = base / source
    if found.is_file() and (not ignoring or is_sent(source, base)):
        yield "", found
    for folder, _, names in os.walk(found):
        for path in (Path(folder, name) for name in names):
            if not ignoring or is_sent(path.relative_to(base).as_posix(), base):
                yield path.relative_to(found).as_posix(), path


def _compiled_here(folder: Path, project: Path) -> None:
    """Give numba, for the sources in ``project``, what it compiled of the very same ones here. It
    tells by their time and size, and compiles what it is not given.
    """
    for source in project.glob("models/**/*.py"):
        kept = (ROOT / source.relative_to(project)).parent / "__pycache__"
        found = [*kept.glob(f"{source.stem}.*.nb[ic]")]
        if found:
            where = caching.UserProvidedCacheLocator.get_suitable_cache_subpath(str(source))
            place = folder / where
            place.mkdir(parents=True, exist_ok=True)
            for path in found:
                shutil.copy2(path, place)
