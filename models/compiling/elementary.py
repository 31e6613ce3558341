"""exp, log, sigmoid, tanh, and numbers read by their bits, for loops that numba compiles.

What is marked inline is written into the loop that calls it, so that what rounds is the loop's own
choice, and so that LLVM turns it into work on eight or sixteen numbers at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling import loop, reads_halves

_F = np.float32

# exp, log and tanh by the polynomials of the Cephes library (S. Moshier; expf.c, logf.c, tanhf.c):
# to the last digit or the one before. For exp ln 2 is in two parts, the first short enough for its
# multiples to be exact.
_LN2 = _F(0.693147180559945309)
_LOG2E, _LN2_HIGH, _LN2_LOW = _F(1.44269504088896341), _F(0.693359375), _F(-2.12194440e-4)
_E5, _E4, _E3 = _F(1.9875691500e-4), _F(1.3981999507e-3), _F(8.3334519073e-3)
_E2, _E1, _E0 = _F(4.1665795894e-2), _F(1.6666665459e-1), _F(5.0000001201e-1)
_L8, _L7, _L6 = _F(7.0376836292e-2), _F(-1.1514610310e-1), _F(1.1676998740e-1)
_L5, _L4, _L3 = _F(-1.2420140846e-1), _F(1.4249322787e-1), _F(-1.6668057665e-1)
_L2, _L1, _L0 = _F(2.0000714765e-1), _F(-2.4999993993e-1), _F(3.3333331174e-1)
_T4, _T3, _T2 = _F(-5.70498872745e-3), _F(2.06390887954e-2), _F(-5.37397155531e-2)
_T1, _T0 = _F(1.33314422036e-1), _F(-3.33332819422e-1)
_HALF, _ONE, _TWO = _F(0.5), _F(1), _F(2)
_LEAST = _F(-87)  # exp of less is no normal number: 0
_SMALL = _F(0.625)  # below, 1 − exp would lose digits of tanh

_INT, _FLOAT = ir.IntType(32), ir.FloatType()


@intrinsic
def _power_of_two(_: Any, n: Any) -> Any:
    """2ⁿ of a 32-bit n: numba would widen the sum, and eight at a time would be four."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        exponent = b.add(args[0], ir.Constant(_INT, 127))
        return b.bitcast(b.shl(exponent, ir.Constant(_INT, 23)), _FLOAT)

    return types.float32(types.int32), code


@intrinsic
def _exponent(_: Any, x: Any) -> Any:
    """n of x = m · 2ⁿ, √½ ≤ m < √2, for a positive normal x."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        above = b.sub(b.bitcast(args[0], _INT), ir.Constant(_INT, 0x3F3504F3))  # the bits of √½
        return b.ashr(above, ir.Constant(_INT, 23))

    return types.int32(types.float32), code


@intrinsic
def _mantissa(_: Any, x: Any, n: Any) -> Any:
    """m of x = m · 2ⁿ."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        shifted = b.shl(args[1], ir.Constant(_INT, 23))
        return b.bitcast(b.sub(b.bitcast(args[0], _INT), shifted), _FLOAT)

    return types.float32(types.float32, types.int32), code


def _turned(b: Any, bits: Any) -> Any:
    """The bits of a negative number but for its sign turned over, which is its own inverse."""
    negative = b.ashr(bits, ir.Constant(_INT, 31))
    return b.xor(bits, b.and_(negative, ir.Constant(_INT, 0x7FFFFFFF)))


@intrinsic
def key(_: Any, x: Any) -> Any:
    """A whole number that is larger for a larger x. The largest of whole numbers is found eight at
    a time; of floats one after the other, each waiting for the one before."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        return _turned(b, b.bitcast(args[0], _INT))

    return types.int32(types.float32), code


@intrinsic
def of_key(_: Any, key: Any) -> Any:
    """The inverse of `key`."""

    def code(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
        return b.bitcast(_turned(b, args[0]), _FLOAT)

    return types.float32(types.int32), code


def in_all(b: Any, number: Any, count: int) -> Any:
    """Code for a vector of so many numbers, each the same."""
    any_ = ir.Constant(ir.VectorType(number.type, count), ir.Undefined)
    one = b.insert_element(any_, number, ir.Constant(_INT, 0))
    return b.shuffle_vector(one, any_, ir.Constant(ir.VectorType(_INT, count), [0] * count))


def widened(b: Any, bits: Any, count: int = 1) -> Any:
    """Code for the numbers that 16 bits are in half precision, one or a vector of so many."""

    def of(type_: Any, value: float | None = None) -> Any:
        of_all = type_ if count == 1 else ir.VectorType(type_, count)
        if value is None:
            return of_all
        return ir.Constant(of_all, value if count == 1 else [value] * count)

    if reads_halves():
        return b.fpext(b.bitcast(bits, of(ir.HalfType())), of(_FLOAT))
    # A half's exponent counts from 15, a single's from 127: its bits, moved over, say 2⁻¹¹² of it.
    moved = b.shl(b.sext(bits, of(_INT)), of(_INT, 13))
    # Of the sign, spread over all that is in front, the first bit alone.
    return b.fmul(b.bitcast(b.and_(moved, of(_INT, 0x8FFFE000)), of(_FLOAT)), of(_FLOAT, 2.0**112))


@intrinsic
def of_half(_: Any, bits: Any) -> Any:
    """The number that 16 bits are in half precision, exact; of no infinity."""

    return types.float32(types.uint16), lambda _context, b, _signature, args: widened(b, args[0])


@loop()
def widen(bits, row):
    """The numbers of a row of halves."""
    for k in range(len(bits)):
        row[k] = of_half(bits[k])


@loop(inline="always")
def exp(x):
    """Of an x that is not positive."""
    d = x if x > _LEAST else _LEAST
    n = np.int32(d * _LOG2E - _HALF)  # to the nearest
    whole = _F(n)
    r = d - whole * _LN2_HIGH - whole * _LN2_LOW
    p = ((((_E5 * r + _E4) * r + _E3) * r + _E2) * r + _E1) * r + _E0
    power = ((p * r + _ONE) * r + _ONE) * _power_of_two(n)
    return power if x > _LEAST else _F(0)


@loop(inline="always")
def log(x):
    """Of a positive normal x."""
    n = _exponent(x)
    r = _mantissa(x, n) - _ONE
    p = ((((_L8 * r + _L7) * r + _L6) * r + _L5) * r + _L4) * r + _L3
    p = (((p * r + _L2) * r + _L1) * r + _L0) * r - _HALF
    return p * (r * r) + (_F(n) * _LN2 + r)


@loop(inline="always")
def sigmoid(x):
    e = exp(-abs(x))
    y = (_ONE if x > _F(0) else e) / (_ONE + e)
    return y if x == x else x  # what is no number stays none


@loop(inline="always")
def tanh(x):
    e = exp(-_TWO * abs(x))
    far = (_ONE - e) / (_ONE + e)
    z = x * x
    near = ((((_T4 * z + _T3) * z + _T2) * z + _T1) * z + _T0) * z * x + x
    y = near if abs(x) < _SMALL else (far if x > _F(0) else -far)
    return y if x == x else x
