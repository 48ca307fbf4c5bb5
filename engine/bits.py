"""64-bit primitives. Every bitboard is an int64 in two's complement.

One integer type throughout keeps Numba from meeting an int64 with a uint64, which it would turn
into a float64. What signed integers lack is here: the logical shift, and `u`, which marks a
number as an unsigned index (a signed one costs a check for negative values at each access).
"""

from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core.cpu import CPUContext
from numba.extending import intrinsic

I64 = types.int64
_WORD = ir.IntType(64)


def has_pext() -> bool:
    """Whether bit extraction is one fast instruction here: BMI2, and not AMD before Zen 3."""
    name: str = llvm.get_host_cpu_name()
    return bool(llvm.get_host_cpu_features().get("bmi2")) and name not in (
        "znver1", "znver2", "bdver4",
    )  # fmt: skip


@intrinsic
def on_device(context: Any) -> Any:
    """Whether this is being compiled for a graphics card. The compiler knows, and drops the branch
    that is not taken."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return ir.Constant(ir.IntType(1), not isinstance(context, CPUContext))

    return types.boolean(), generate


@intrinsic
def popcount(context: Any, bits: Any) -> Any:
    """Number of bits set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return I64(I64), generate


@intrinsic
def lsb(context: Any, bits: Any) -> Any:
    """Index of the lowest bit set; undefined for 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return I64(I64), generate


@intrinsic
def msb(context: Any, bits: Any) -> Any:
    """Index of the highest bit set; undefined for 0."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(zeros, ir.Constant(_WORD, 63))

    return I64(I64), generate


@intrinsic
def shr(context: Any, bits: Any, count: Any) -> Any:
    """Logical shift right by 0 to 63."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.lshr(args[0], args[1])

    return I64(I64, I64), generate


@intrinsic
def pext(context: Any, bits: Any, mask: Any) -> Any:
    """The bits under the mask, packed to the low end. Only where `has_pext()`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not isinstance(context, CPUContext):
            return args[0]  # in a branch that is not taken there
        name = "llvm.x86.bmi.pext.64"
        function = builder.module.globals.get(name)
        if function is None:
            function = ir.Function(builder.module, ir.FunctionType(_WORD, [_WORD, _WORD]), name)
        return builder.call(function, args)

    return I64(I64, I64), generate


@intrinsic
def select(context: Any, condition: Any, yes: Any, no: Any) -> Any:
    """`yes if condition else no`, both computed, without a branch."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.select(*args)

    return I64(types.boolean, I64, I64), generate


@intrinsic
def u(context: Any, index: Any) -> Any:
    """The same 64 bits as an unsigned number, for indexing."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[0]

    return types.uint64(I64), generate


@intrinsic
def atomic_load(context: Any, address: Any) -> Any:
    """The int64 at an address, read anew each time: a plain read would leave the loop."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], _WORD.as_pointer())
        return builder.load_atomic(pointer, "monotonic", 8)

    return I64(I64), generate


@intrinsic
def publish(context: Any) -> Any:
    """What was written before is seen by other threads before what is written after."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("release")
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def load(context: Any, address: Any) -> Any:
    """The int64 at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], _WORD.as_pointer()), align=8)

    return I64(I64), generate


@intrinsic
def store(context: Any, address: Any, value: Any) -> Any:
    """Write an int64 to an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], _WORD.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.void(I64, I64), generate


@intrinsic
def at(context: Any, address: Any, kind: Any) -> Any:
    """What lies at an address: a record, if `kind` is the dtype of records, else numbers of the
    type `kind`, to be indexed without end."""
    found = kind.dtype if isinstance(kind.dtype, types.Record) else types.CPointer(kind.dtype)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(signature.return_type))

    return found(I64, kind), generate


@intrinsic
def put_word(context: Any, address: Any, word: Any) -> Any:
    """Write eight bytes to any address, the lowest first; it need not be a multiple of 8."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[1], builder.inttoptr(args[0], _WORD.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(I64, I64), generate


@intrinsic
def prefetch(context: Any, address: Any) -> Any:
    """Tell the CPU that the cache line at an address will be read soon."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        i32 = ir.IntType(32)
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        name = "llvm.prefetch.p0i8"
        function = builder.module.globals.get(name)
        if function is None:
            kind = ir.FunctionType(ir.VoidType(), [pointer.type, i32, i32, i32])
            function = ir.Function(builder.module, kind, name)
        builder.call(function, [pointer, *(ir.Constant(i32, n) for n in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(I64), generate


_ROW = ir.VectorType(ir.IntType(8), 64)


@intrinsic
def find_bytes(context: Any, address: Any, value: Any) -> Any:
    """Bit i for each of the 64 bytes from an address that is equal to a value of -128 to 127. Only
    on a CPU."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not isinstance(context, CPUContext):
            return args[1]  # in a branch that is not taken there
        row = builder.load(builder.inttoptr(args[0], _ROW.as_pointer()), align=1)
        byte = builder.trunc(args[1], ir.IntType(8))
        nothing = ir.Constant(_ROW, ir.Undefined)
        first = builder.insert_element(nothing, byte, ir.Constant(ir.IntType(32), 0))
        places = ir.Constant(ir.VectorType(ir.IntType(32), 64), None)
        every = builder.shuffle_vector(first, nothing, places)
        return builder.bitcast(builder.icmp_unsigned("==", row, every), _WORD)

    return I64(I64, I64), generate


@intrinsic
def differing(context: Any, a: Any, b: Any) -> Any:
    """Bit i for each of 64 bytes that is not the same in two arrays of 64 bytes, which are fields
    of records."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        rows = []
        for kind, value in zip(signature.args, args, strict=True):
            array = context.make_array(kind)(context, builder, value)
            pointer = builder.bitcast(array.data, _ROW.as_pointer())
            rows.append(builder.load(pointer, align=1))
        return builder.bitcast(builder.icmp_unsigned("!=", *rows), _WORD)

    return I64(a, b), generate


@intrinsic
def spread_bits(context: Any, address: Any, bits: Any) -> Any:
    """Write 64 bytes to an address: byte i is bit i, 0 or 1. Only on a CPU."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if not isinstance(context, CPUContext):
            return context.get_dummy_value()  # in a branch that is not taken there
        flags = builder.bitcast(args[1], ir.VectorType(ir.IntType(1), 64))
        target = builder.inttoptr(args[0], _ROW.as_pointer())
        builder.store(builder.zext(flags, _ROW), target, align=1)
        return context.get_dummy_value()

    return types.void(I64, I64), generate
