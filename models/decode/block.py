"""The innermost products: a few rows of a matrix of half precision with a few vectors.

Sums stay in the processor's registers, so that of each number read many are multiplied: that is
more than a compiler makes of loops, and so it is written for LLVM as it is to be.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from models.compiling import has_many_registers
from models.compiling.elementary import in_all, widened
from models.compiling.lines import LINE, PAIR

# A row of a block has a number of each. Two lines of them where the registers hold their sums: a
# processor reads two numbers while it multiplies two, and of each vector's number both lines make
# use.
ROWS = PAIR if has_many_registers() else LINE
# So many vectors at a time. The most whose sums stay in 32 registers, or in 16 that hold half as
# much; and fewer, so that of most counts few have to be filled up.
SIZES = (4, 6, 9, 10, 12) if has_many_registers() else (4, 6)

_LONG, _FLOAT = ir.IntType(64), ir.FloatType()
_SUMS = ir.VectorType(_FLOAT, LINE)
_BITS = ir.VectorType(ir.IntType(16), LINE)
_FUSED = ("contract",)  # a product and its sum: rounded once


@intrinsic
def multiply(
    _: Any,
    count: Any,
    rows: Any,
    vectors: Any,
    columns: Any,
    starts: Any,
    place: Any,
    out: Any,
    apart: Any,
    last: Any,
) -> Any:
    """Multiply a block (K, ROWS) of halves with ``count`` vectors (K, count), one of `SIZES`: given
    both their addresses, K, the address of those of what is added to the products of each vector,
    how many bytes into those, and into the products, the block's are; the address of the first
    vector's products, how many bytes those of the next are from them, and the last of the vectors
    whose products are kept."""

    def code(context: Any, b: Any, _signature: Any, args: Any) -> Any:
        count, *others = args
        done = b.append_basic_block("done")
        which = b.switch(count, done)
        for size in SIZES:
            start = b.append_basic_block(f"of_{size}")
            which.add_case(_long(size), start)
            b.position_at_end(start)
            _sums(b, size, others)
            b.branch(done)
        b.position_at_end(done)
        return context.get_dummy_value()

    return types.void(*9 * [types.int64]), code


def _sums(b: Any, count: int, arguments: Any) -> None:
    """What `multiply` does for so many vectors, of its arguments after the count."""
    rows, vectors, columns, starts, place, out, apart, last = arguments
    before, column = b.block, b.append_basic_block("column")
    after = b.append_basic_block("sums")
    cells = [(m, line) for m in range(count) for line in range(ROWS // LINE)]
    added = [b.load(_at(b, starts, _long(m), 8, 0, _LONG)) for m in range(count)]
    first = [
        b.load(_at(b, b.add(added[m], place), _long(0), 0, 4 * LINE * line, _SUMS), align=4)
        for m, line in cells
    ]
    b.branch(column)

    b.position_at_end(column)
    k = b.phi(_LONG)
    sums = [b.phi(_SUMS) for _ in cells]
    row = [
        widened(b, b.load(_at(b, rows, k, 2 * ROWS, 2 * LINE * line, _BITS), align=2), LINE)
        for line in range(ROWS // LINE)
    ]
    numbers = [
        in_all(b, b.load(_at(b, vectors, k, 4 * count, 4 * m, _FLOAT), align=4), LINE)
        for m in range(count)
    ]
    more = [
        b.fadd(b.fmul(row[line], numbers[m], flags=_FUSED), sum_, flags=_FUSED)
        for (m, line), sum_ in zip(cells, sums, strict=True)
    ]
    following = b.add(k, _long(1))
    begun = [_long(0), *first]
    for phi, start, new in zip([k, *sums], begun, [following, *more], strict=True):
        phi.add_incoming(start, before)
        phi.add_incoming(new, column)
    b.cbranch(b.icmp_signed("<", following, columns), column, after)

    b.position_at_end(after)
    # Those after the last are written where it belongs, before it is.
    for (m, line), sum_ in reversed(list(zip(cells, more, strict=True))):
        vector = b.select(b.icmp_signed("<", last, _long(m)), last, _long(m))
        to = _at(b, b.add(out, place), vector, apart, 4 * LINE * line, _SUMS)
        b.store(sum_, to, align=4)


def _at(b: Any, address: Any, index: Any, apart: Any, offset: int, type_: Any) -> Any:
    apart = _long(apart) if isinstance(apart, int) else apart
    there = b.add(b.add(address, b.mul(index, apart)), _long(offset))
    return b.inttoptr(there, type_.as_pointer())


def _long(value: int) -> Any:
    return ir.Constant(_LONG, value)
