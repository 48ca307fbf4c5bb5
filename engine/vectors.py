"""Whole rows of small numbers at once: what LLVM makes of loops over them is not always as good.

The arrays are fields of records; a row is as long as the first of them.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
_LANES = 8
"""So many numbers are looked at together by `first_most`."""


def _data(context: Any, builder: Any, kind: Any, array: Any) -> Any:
    """Pointer to the first number of an array."""
    return context.make_array(kind)(context, builder, array).data


def _row(builder: Any, pointer: Any, count: int) -> Any:
    """The pointer as one to a vector of int16."""
    return builder.bitcast(pointer, ir.VectorType(_I16, count).as_pointer())


def _change(operation: str) -> Any:
    """A function that changes a row by the part of another array that begins at an index."""

    def typed(context: Any, row: Any, other: Any, start: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            count = signature.args[0].nitems
            target = _row(builder, _data(context, builder, signature.args[0], args[0]), count)
            source = _data(context, builder, signature.args[1], args[1])
            source = _row(builder, builder.gep(source, [args[2]]), count)
            both = builder.load(target, align=2), builder.load(source, align=2)
            builder.store(getattr(builder, operation)(*both), target, align=2)
            return context.get_dummy_value()

        return types.void(row, other, types.int64), generate

    return intrinsic(typed)


add_row = _change("add")
subtract_row = _change("sub")


@intrinsic
def weigh_squares(context: Any, row: Any, weights: Any, start: Any, top: Any) -> Any:
    """Sum of n * n * weights[start + i] over a row, each number n first brought to 0 to `top`.

    n * weight must have room in 16 bits, the sum in 32.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = signature.args[0].nitems
        number = _data(context, builder, signature.args[0], args[0])
        number = builder.load(_row(builder, number, count), align=2)
        weight = _data(context, builder, signature.args[1], args[1])
        weight = _row(builder, builder.gep(weight, [args[2]]), count)
        zero = ir.Constant(number.type, None)
        first = builder.insert_element(zero, builder.trunc(args[3], _I16), ir.Constant(_I32, 0))
        places = ir.Constant(ir.VectorType(_I32, count), None)
        most = builder.shuffle_vector(first, zero, places)
        number = builder.select(builder.icmp_signed(">", number, zero), number, zero)
        number = builder.select(builder.icmp_signed("<", number, most), number, most)
        part = builder.mul(number, builder.load(weight, align=2))
        wide = ir.VectorType(_I32, count)
        total = builder.mul(builder.sext(part, wide), builder.sext(number, wide))
        while count > 1:  # Neighbours are added, which CPUs have one instruction for.
            count //= 2
            nothing = ir.Constant(total.type, ir.Undefined)
            pairs = []
            for k in range(2):
                places = [ir.Constant(_I32, 2 * i + k) for i in range(count)]
                mask = ir.Constant(ir.VectorType(_I32, count), places)
                pairs.append(builder.shuffle_vector(total, nothing, mask))
            total = builder.add(*pairs)
        return builder.sext(builder.extract_element(total, ir.Constant(_I32, 0)), _I64)

    return types.int64(row, weights, types.int64, types.int64), generate


def _splat(builder: Any, number: Any, count: int) -> Any:
    """A vector of the same number."""
    kind = ir.VectorType(number.type, count)
    first = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.Constant(_I32, 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(_I32, count), None))


@intrinsic
def first_most(context: Any, row: Any, start: Any, end: Any) -> Any:
    """Index of the greatest of the int32 numbers row[start:end], the first of them if there are
    several. There is at least one, and at most 256; up to 7 more behind them are read as well.

    Each number is put in front of how far it is from the last that there could be, so that one
    maximum tells both. A loop that compares one by one has branches that cannot be foreseen.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = _data(context, builder, signature.args[0], args[0])
        start, end = args[1:]
        wide = ir.VectorType(_I64, _LANES)
        steps = ir.Constant(wide, list(range(_LANES)))
        least = ir.Constant(wide, [-(1 << 63)] * _LANES)
        most = cgutils.alloca_once_value(builder, least)
        with cgutils.for_range_slice(builder, start, end, ir.Constant(_I64, _LANES)) as (at, _):
            part = builder.bitcast(
                builder.gep(number, [at]), ir.VectorType(_I32, _LANES).as_pointer()
            )
            part = builder.sext(builder.load(part, align=4), wide)
            part = builder.shl(part, ir.Constant(wide, [8] * _LANES))
            last = builder.sub(builder.add(start, ir.Constant(_I64, 255)), at)
            part = builder.add(part, builder.sub(_splat(builder, last, _LANES), steps))
            left = _splat(builder, builder.sub(end, at), _LANES)
            part = builder.select(builder.icmp_signed("<", steps, left), part, least)
            before = builder.load(most)
            builder.store(
                builder.select(builder.icmp_signed(">", part, before), part, before), most
            )
        total, count = builder.load(most), _LANES
        while count > 1:
            count //= 2
            halves = [
                builder.shuffle_vector(
                    total, total,
                    ir.Constant(ir.VectorType(_I32, count), [k * count + i for i in range(count)]),
                )
                for k in range(2)
            ]  # fmt: skip
            total = builder.select(builder.icmp_signed(">", *halves), *halves)
        best = builder.extract_element(total, ir.Constant(_I32, 0))
        back = builder.and_(best, ir.Constant(_I64, 255))
        return builder.sub(builder.add(start, ir.Constant(_I64, 255)), back)

    return types.int64(row, types.int64, types.int64), generate
