"""Compiled functions, kept on disk where that can be written."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding

Function = Callable[..., Any]
_config: Any = numba.config
_njit: Any = numba.njit


def _features() -> Any:
    """What the processor at hand can; nothing, where nothing is known of it, or where a person has
    told numba what to compile for."""
    told = _config.CPU_NAME is not None or _config.CPU_FEATURES is not None
    if told or not _config.ENABLE_AVX:
        return {}
    try:
        return binding.get_host_cpu_features()
    except RuntimeError:
        return {}


def _whole_vectors(features: Any) -> None:
    """Sixteen numbers at a time, where the processor is one that its widest vectors do not slow
    down: of Intel's, LLVM takes all to be slowed."""
    if features.get("avx512fp16"):
        _config.CPU_FEATURES = f"{features.flatten()},-prefer-256-bit"


_FEATURES = _features()
_whole_vectors(_FEATURES)


def reads_halves() -> bool:
    """Whether the processor widens numbers of half precision: without, LLVM would call a function
    that may not be there."""
    return bool(_FEATURES.get("f16c"))


def has_many_registers() -> bool:
    """Whether vectors of sixteen numbers have 32 registers, each a vector's: those of 512 bits."""
    return bool(_FEATURES.get("avx512f"))


def keeps_some() -> bool:
    """Whether, of 32 numbers of sixteen bits, the processor puts those together that are to be
    kept: without, LLVM would look at one after the other."""
    return bool(_FEATURES.get("avx512vbmi2"))


# Sums may be taken in any order; what rounds on purpose (exp, log) is left as it is written.
AS_WRITTEN = {"contract", "nsz"}
ANY_ORDER = {"contract", "nsz", "reassoc"}


def loop(fastmath: bool | set[str] = False, **options: Any) -> Callable[[Function], Function]:
    """A piece of a compiled function. fastmath: LLVM's flags, as numba takes them. A division by
    zero is infinite, as in numpy: were it an error, no loop with one would be taken many numbers at
    a time."""
    made: Callable[[Function], Function] = _njit(
        nogil=True, error_model="numpy", fastmath=fastmath, **options
    )
    return made


def compiled(signature: str) -> Callable[[Function], Function]:
    """Compile a function for one signature, at once: before there are threads or workers.

    That takes seconds, and less than one where an earlier process kept what it made: in
    ``__pycache__`` beside the source, or in the folder that ``NUMBA_CACHE_DIR`` names. Where
    nothing can be written, or the disk is full, each process compiles for itself. It is compiled
    anew when its own folder's sources change, or this one's: its pieces, and the numbers that it is
    made with, are to be in those.
    """
    options = {"nogil": True, "error_model": "numpy"}

    def decorate(function: Function) -> Function:
        # numba itself looks at the function's own file alone. Its name is part of the file's.
        source = Path(function.__code__.co_filename)
        of = _digest(source.parent)
        function.__qualname__ += f"_{of}"
        _config.CACHE_DIR = _writable(_config.CACHE_DIR)
        try:
            made: Function = _njit(signature, cache=True, **options)(function)
        except (RuntimeError, OSError):  # no folder that can be written; no room in it
            made = _njit(signature, **options)(function)
        _forget(made, source.stem, of)
        return made

    return decorate


def _digest(folder: Path) -> str:
    """Of the sources in a folder, and in this one."""
    sources = [*sorted(folder.glob("*.py")), *sorted(Path(__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:12]


def _forget(made: Function, module: str, digest: str) -> None:
    """Take away what is kept of the module's functions as other sources had them."""
    folder = made.stats.cache_path  # type: ignore[attr-defined]
    for path in Path(folder).glob(f"{module}.*.nb[ic]") if folder else ():
        other = re.match(rf"{re.escape(module)}\..*_([0-9a-f]{{{len(digest)}}})-", path.name)
        if other and other[1] != digest:
            with contextlib.suppress(OSError):
                path.unlink()


def _writable(folder: str) -> str:
    """The folder, or a copy of it: an image comes with what was compiled when it was built, and
    numba reads only from where it may write too."""
    if not folder or not Path(folder).is_dir() or os.access(folder, os.W_OK):
        return folder
    try:
        copy = tempfile.mkdtemp()
        atexit.register(_remove, copy, os.getpid())
        return shutil.copytree(folder, copy, dirs_exist_ok=True)
    except OSError:
        return folder


def _remove(copy: str, owner: int) -> None:
    if os.getpid() == owner:  # and not a worker that was forked since
        shutil.rmtree(copy, ignore_errors=True)
