"""Whole rows of small numbers at once: what LLVM makes of loops over them is not always as good.

The arrays are fields of records; a row is as long as the first of them.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_I16, _I32, _I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)


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
