# Numba and llvmlite have no annotations for what extends the compiler.
# mypy: disable-error-code="untyped-decorator, import-untyped, misc, no-untyped-call"
"""Vectors of K numbers, one for each state, for compiled code only.

The compiler keeps them in vector registers, which it would not do for a loop over a tuple or over
part of an array. Addition, multiplication and division are elementwise, the right operand may be a
float, and elements can be read: `a * b + c`, `a / 2.0`, `a[1]`. K is the length of the tuple `states`.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import extending as _extending
from numba import float64, types
from numba.core import cgutils

extending: Any = _extending  # untyped: its decorators have no annotations


class Lanes(types.Type):
    """The type of a vector of K numbers."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(name=f"Lanes({size})")


@extending.register_model(Lanes)
class _Vector(extending.models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(ir.DoubleType(), lanes.size))


def _spread(builder: Any, value: Any, size: int) -> Any:
    """The vector that holds a number `size` times."""
    vector = ir.VectorType(value.type, size)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), value, cgutils.int32_t(0))
    zeros = ir.Constant(ir.VectorType(cgutils.int32_t, size), None)
    return builder.shuffle_vector(first, first, zeros)


def _arithmetic(operation: Any, instruction: str) -> None:
    """Define an operator, of two vectors or of a vector and a number."""

    @extending.type_callable(operation)
    def typed(_: Any) -> Any:
        def result(left: Any, right: Any) -> Any:
            if isinstance(left, Lanes) and right in (left, float64):
                return left
            return None

        return result

    def of_two(_: Any, builder: Any, signature: Any, args: Any) -> Any:
        left, right = args
        if signature.args[1] == float64:
            right = _spread(builder, right, signature.args[0].size)
        return getattr(builder, instruction)(left, right)

    extending.lower_builtin(operation, Lanes, Lanes)(of_two)
    extending.lower_builtin(operation, Lanes, types.Float)(of_two)


_arithmetic(operator.add, "fadd")
_arithmetic(operator.iadd, "fadd")
_arithmetic(operator.mul, "fmul")
_arithmetic(operator.truediv, "fdiv")


@extending.type_callable(operator.getitem)
def _typed_getitem(_: Any) -> Any:
    def result(lanes: Any, k: Any) -> Any:
        return float64 if isinstance(lanes, Lanes) and isinstance(k, types.Integer) else None

    return result


@extending.lower_builtin(operator.getitem, Lanes, types.Integer)
def _getitem(_: Any, builder: Any, __: Any, args: Any) -> Any:
    return builder.extract_element(*args)


@extending.intrinsic
def spread(_: Any, x: Any, states: Any) -> Any:
    """The vector that holds `x` K times."""

    def build(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return _spread(builder, args[0], states.count)

    return Lanes(states.count)(x, states), build


@extending.intrinsic
def with_first(_: Any, lanes: Any, x: Any) -> Any:
    """The vector with `x` in place of its first element."""

    def build(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.insert_element(*args, cgutils.int32_t(0))

    return lanes(lanes, x), build


@extending.intrinsic
def at_most(_: Any, lanes: Any, x: Any) -> Any:
    """The elementwise minimum of the vector and `x`."""

    def build(_: Any, builder: Any, __: Any, args: Any) -> Any:
        limit = _spread(builder, args[1], lanes.size)
        return builder.select(builder.fcmp_ordered("<", args[0], limit), args[0], limit)

    return lanes(lanes, x), build


@extending.intrinsic
def are_within(_: Any, lanes: Any, low: Any, high: Any) -> Any:
    """Whether low <= element <= high for all elements."""

    def build(_: Any, builder: Any, __: Any, args: Any) -> Any:
        least, most = (_spread(builder, limit, lanes.size) for limit in args[1:])
        within = builder.and_(
            builder.fcmp_ordered(">=", args[0], least), builder.fcmp_ordered("<=", args[0], most)
        )
        bits = ir.IntType(lanes.size)
        return builder.icmp_unsigned("==", builder.bitcast(within, bits), ir.Constant(bits, -1))

    return types.boolean(lanes, low, high), build


def _place(context: Any, builder: Any, signature: Any, args: Any, size: int) -> Any:
    """The address of a block of an array: its elements from block * K, up to (block + 1) * K."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    block = context.cast(builder, args[1], signature.args[1], types.intp)
    place = builder.gep(array.data, [builder.mul(block, ir.Constant(block.type, size))])
    return builder.bitcast(place, ir.VectorType(ir.DoubleType(), size).as_pointer())


@extending.intrinsic
def load(_: Any, array: Any, block: Any, states: Any) -> Any:
    """array.reshape(-1, K)[block] of an array of float64 in C order."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, signature, args, states.count), align=8)

    return Lanes(states.count)(array, block, states), build


@extending.intrinsic
def store(_: Any, array: Any, block: Any, lanes: Any) -> Any:
    """array.reshape(-1, K)[block] = lanes."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[2], _place(context, builder, signature, args, lanes.size), align=8)
        return context.get_dummy_value()

    return types.void(array, block, lanes), build
