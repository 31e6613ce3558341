"""Compiled functions, kept on disk where that can be written."""

from __future__ import annotations

import atexit
import os
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


def _whole_vectors() -> None:
    """Sixteen numbers at a time, where the processor is one that its widest vectors do not slow
    down: of Intel's, LLVM takes all to be slowed. What a person set of numba's is left as it is.
    """
    try:
        features = binding.get_host_cpu_features()
    except RuntimeError:  # nothing is known of it
        return
    unset = _config.ENABLE_AVX and _config.CPU_NAME is None and _config.CPU_FEATURES is None
    if unset and features.get("avx512fp16"):
        _config.CPU_FEATURES = f"{features.flatten()},-prefer-256-bit"


_whole_vectors()


def compiled(signature: str, fastmath: bool | set[str] = False) -> Callable[[Function], Function]:
    """Compile a function for one signature, at once: before there are threads or workers.

    That takes seconds, and less than one where an earlier process kept what it made: in
    ``__pycache__`` beside the source, or in the folder that ``NUMBA_CACHE_DIR`` names. Where
    nothing can be written, or the disk is full, each process compiles for itself.

    fastmath: LLVM's flags, as numba takes them. They are to stand in the function's own file: what
    is kept is compiled anew when that changes.
    """
    options = {"nogil": True, "fastmath": fastmath}

    def decorate(function: Function) -> Function:
        _config.CACHE_DIR = _writable(_config.CACHE_DIR)
        try:
            made: Function = _njit(signature, cache=True, **options)(function)
        except (RuntimeError, OSError):  # no folder that can be written; no room in it
            made = _njit(signature, **options)(function)
        return made

    return decorate


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
