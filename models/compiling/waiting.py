"""How far a thread of compiled code has come, told to others that wait for it.

Who waits looks again and again, since it is for microseconds: a thread that sleeps takes longer to
wake than what it waits for takes. If it is for longer, because the other has no core of its own, it
lets others have its core in between.
"""

from __future__ import annotations

import os
import platform
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling import compiled, loop

_LINE = 8  # numbers of 64 bits: what threads write is not to share a line of the cache
_LOOKS = 2000  # with a pause in each: some 20 µs
_TURN = 128  # looks of which one lets others have the core

_NUMBER = ir.IntType(64)
# What tells a processor that it waits in a loop, so that its other half has all of the core.
_X86, _ARM = platform.machine() in ("x86_64", "AMD64"), platform.machine() in ("aarch64", "arm64")
_GIVES_WAY = hasattr(os, "sched_yield")  # a function of the C library by the same name


def progress(count: int) -> np.ndarray:
    """(count, ·): how far each of so many has come, from 0; told by `tell` of a row's address."""
    return np.zeros((count, _LINE), np.int64)


@intrinsic
def tell(_: Any, address: Any, number: Any) -> Any:
    """What was written before is there for whoever sees this number."""

    def code(context: Any, b: Any, _signature: Any, args: Any) -> Any:
        address, number = args
        b.store_atomic(number, b.inttoptr(address, _NUMBER.as_pointer()), "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic
def _told(_: Any, address: Any) -> Any:
    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        return b.load_atomic(b.inttoptr(args[0], _NUMBER.as_pointer()), "acquire", 8)

    return types.int64(types.int64), code


@intrinsic
def _pause(_: Any) -> Any:
    def code(context: Any, b: Any, _signature: Any, _args: Any) -> Any:
        if _X86:
            b.call(_function(b.module, "llvm.x86.sse2.pause", ir.VoidType()), [])
        elif _ARM:
            hint = _function(b.module, "llvm.aarch64.hint", ir.VoidType(), ir.IntType(32))
            b.call(hint, [ir.Constant(ir.IntType(32), 1)])  # yield
        return context.get_dummy_value()

    return types.void(), code


@intrinsic
def _give_way(_: Any) -> Any:
    def code(context: Any, b: Any, _signature: Any, _args: Any) -> Any:
        if _GIVES_WAY:
            b.call(_function(b.module, "sched_yield", ir.IntType(32)), [])
        return context.get_dummy_value()

    return types.void(), code


def _function(module: Any, name: str, answer: Any, *given: Any) -> Any:
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(answer, given), name)


@loop()
def told(address, least):
    """The number told at an address, once that is at least so much."""
    looks = 0
    while True:
        number = _told(address)
        if number >= least:
            return number
        looks += 1
        if looks < _LOOKS:
            _pause()
        else:
            _give_way()


@compiled("void(int64[::1], int64)")
def announce(place, number):
    """`tell`, for who is not compiled."""
    tell(place.ctypes.data, number)


@compiled("void(int64[::1], int64, int64)")
def look_out(place, least, looks):
    """Wait until at least so much is told; no longer than so many looks take. Who else is to use
    this core has it in between."""
    for look in range(looks):
        if _told(place.ctypes.data) >= least:
            return
        if look % _TURN == _TURN - 1:
            _give_way()
        else:
            _pause()
