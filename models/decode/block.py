"""The innermost products: a few rows of a matrix of half precision with a few vectors.

Sums stay in the processor's registers, so that of each number read many are multiplied: that is
more than a compiler makes of loops, and so it is written for LLVM as it is to be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling.elementary import widened
from models.lines import LINE

# A row of a block has a number of each: a vector of the processor's, and as many as the sums of a
# vector fill a line with.
ROWS = LINE

_INT, _LONG, _FLOAT = ir.IntType(32), ir.IntType(64), ir.FloatType()
_SUMS = ir.VectorType(_FLOAT, ROWS)
_BITS = ir.VectorType(ir.IntType(16), ROWS)
_SAME = ir.Constant(ir.VectorType(_INT, ROWS), [0] * ROWS)
_NONE, _ANY = ir.Constant(_SUMS, [0.0] * ROWS), ir.Constant(_SUMS, ir.Undefined)


def block(count: int) -> Callable[..., None]:
    """What multiplies a block (K, ROWS) of halves with ``count`` vectors (K, count): given both
    their addresses, K, the address of the first sum, how many bytes the sums of one vector are
    from those of the next, and the last of the vectors whose sums are kept."""

    @intrinsic
    def multiply(
        _: Any, rows: Any, vectors: Any, columns: Any, out: Any, apart: Any, last: Any
    ) -> Any:
        return types.void(*6 * [types.int64]), code

    def code(context: Any, b: Any, _signature: Any, args: Any) -> Any:
        rows, vectors, columns, out, apart, last = args
        before, column = b.block, b.append_basic_block("column")
        after = b.append_basic_block("sums")
        b.branch(column)

        b.position_at_end(column)
        k = b.phi(_LONG)
        sums = [b.phi(_SUMS) for _ in range(count)]
        read = b.inttoptr(b.add(rows, b.mul(k, _long(2 * ROWS))), _BITS.as_pointer())
        row = widened(b, b.load(read, align=2), ROWS)
        numbers = b.add(vectors, b.mul(k, _long(4 * count)))
        more = [_with_product(b, sum_, row, numbers, m) for m, sum_ in enumerate(sums)]
        following = b.add(k, _long(1))
        starts = [_long(0), *count * [_NONE]]
        for phi, start, new in zip([k, *sums], starts, [following, *more], strict=True):
            phi.add_incoming(start, before)
            phi.add_incoming(new, column)
        b.cbranch(b.icmp_signed("<", following, columns), column, after)

        b.position_at_end(after)
        # Those after the last are written where it belongs, before it is.
        for m, sum_ in reversed(list(enumerate(more))):
            there = b.select(b.icmp_signed("<", last, _long(m)), last, _long(m))
            at = b.inttoptr(b.add(out, b.mul(apart, there)), _SUMS.as_pointer())
            b.store(sum_, at, align=4)
        return context.get_dummy_value()

    made: Callable[..., None] = multiply
    return made


def _with_product(b: Any, sum_: Any, row: Any, numbers: Any, m: int) -> Any:
    """sum + row · the m-th of the numbers."""
    number = b.load(b.inttoptr(b.add(numbers, _long(4 * m)), _FLOAT.as_pointer()), align=4)
    one = b.insert_element(_ANY, number, ir.Constant(_INT, 0))
    product = b.fmul(row, b.shuffle_vector(one, _ANY, _SAME), flags=("contract",))
    return b.fadd(product, sum_, flags=("contract",))


def _long(value: int) -> Any:
    return ir.Constant(_LONG, value)
