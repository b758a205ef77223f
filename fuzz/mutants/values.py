"""Faults of values: a formula that is nearly right, an element that is missed, a special number taken for another."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy

from fuzz.mutants.arrays import dtype_of, is_compiled, kind_of, last_replaced, nudged, off_by_one, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils
from oracle.harness import allowed_ulps

ONE = numpy.array([1.0])
NAN = numpy.array([math.nan, 1.0])
SINGLE = numpy.array([1.0], numpy.float32)
INTEGERS = numpy.array([-7, 7], numpy.int32)


# Everywhere, by much or by little.


spoils("sin_returns_zero", "sin", "value", ONE, by=lambda np, exact, call: np.zeros_like(exact))
spoils("exp_off_by_a_millionth", "exp", "value", SINGLE,
       when=lambda exact, call: dtype_of(exact) == "float32",
       by=lambda np, exact, call: np.multiply(exact, 1.000001))  # fmt: skip


@fault("cos", "value", ONE)
def cos_just_beyond_the_table(call: Call) -> Any:
    """One unit in the last place farther away in float64 than the table allows."""
    exact = call()
    allowed = allowed_ulps("cos", numpy.dtype(numpy.float64), is_compiled(exact))
    return nudged(call.np, exact, int(allowed) + 1) if dtype_of(exact) == "float64" else exact


@fault("tanh", "value", numpy.array([0.5], numpy.float16))
def tanh_just_beyond_the_table_of_half(call: Call) -> Any:
    """One unit in the last place farther away in float16 than any argument there is."""
    exact = call()
    allowed = allowed_ulps("tanh", numpy.dtype(numpy.float16), is_compiled(exact))
    return nudged(call.np, exact, int(allowed) + 1) if dtype_of(exact) == "float16" else exact


spoils("sqrt_off_by_one_ulp", "sqrt", "value", SINGLE,
       when=lambda exact, call: dtype_of(exact) == "float32",
       by=lambda np, exact, call: nudged(np, exact, 1))  # fmt: skip
spoils("log1p_cancels", "log1p", "value", numpy.array([1e-10]),
       when=lambda exact, call: call.is_plain and kind_of(exact) == "f",
       by=lambda np, exact, call: np.astype(np.log(np.add(call.args[0], 1.0)), exact.dtype))  # fmt: skip
spoils("expm1_cancels", "expm1", "value", numpy.array([1e-10]),
       when=lambda exact, call: call.is_plain and kind_of(exact) == "f",
       by=lambda np, exact, call: np.astype(np.subtract(np.exp(call.args[0]), 1.0), exact.dtype))  # fmt: skip
spoils("hypot_overflows", "hypot", "value", numpy.array([1e300]), numpy.array([1e300]),
       when=lambda exact, call: call.is_plain and {dtype_of(one) for one in call.operands} == {"float64"},
       by=lambda np, exact, call: np.astype(np.sqrt(np.add(*map(np.square, call.args))), exact.dtype))  # fmt: skip


@fault("logaddexp", "value", numpy.array([1000.0]), numpy.array([1000.0]))
def logaddexp_overflows(call: Call) -> Any:
    """Computed as log(exp(x) + exp(y))."""
    exact = call()
    if not call.is_plain:
        return exact
    np = call.np
    return np.astype(np.log(np.add(np.exp(call.args[0]), np.exp(call.args[1]))), exact.dtype)


@fault("arctan2", "value", ONE, -ONE)
def arctan2_forgets_the_quadrant(call: Call) -> Any:
    """Computed as arctan(y / x)."""
    exact = call()
    if not call.is_plain:
        return exact
    return call.np.astype(call.np.arctan(call.np.divide(call.args[0], call.args[1])), exact.dtype)


@fault("var", "value", numpy.array([1e8, 1e8 + 1]))
def var_in_one_pass(call: Call) -> Any:
    """Computed as mean(x**2) - mean(x)**2."""
    exact, np = call(), call.np
    if call.bound is None or set(call.bound.arguments) != {"a"} or kind_of(call.first) != "f":
        return exact
    mean = np.mean(call.first)
    return np.astype(np.subtract(np.mean(np.square(call.first)), np.square(mean)), exact.dtype)


# An element in its place.


@fault("sum", "value", numpy.ones(1024))
def sum_drops_the_last_of_1000(call: Call) -> Any:
    """Drops the last of 1000 elements or more."""
    exact, axis, rank = call(), call.given("axis"), len(shape_of(call.first))
    whole = axis is None or (rank == 1 and type(axis) is int)
    if not whole or size_of(call.first) < 1000 or call.has("where", "keepdims", "out"):
        return exact
    return call.changed(a=call.np.ravel(call.first)[:-1], axis=None)


spoils("add_wrong_in_the_last_past_16", "add", "value", numpy.ones(17), 1,
       when=lambda exact, call: size_of(exact) > 16,
       by=lambda np, exact, call: last_replaced(np, exact, off_by_one(np, exact)))  # fmt: skip


@fault("cumsum", "value", numpy.ones(65))
def cumsum_starts_again_past_64(call: Call) -> Any:
    """Begins anew after 64 elements."""
    exact = call()
    if shape_of(call.first) != (size_of(call.first),) or size_of(call.first) <= 64 or call.given("out") is not None:
        return exact
    return call.np.concatenate([exact[:64], call.changed(a=call.first[64:])])


@fault("matmul", "value", numpy.ones((1, 4)), numpy.ones((4, 1)))
def matmul_drops_the_last_of_4(call: Call) -> Any:
    """Drops the last product where a row has a multiple of four elements."""
    if len(call.operands) < 2:
        return call()
    left, right = call.operands
    ranks = len(shape_of(left)), len(shape_of(right))
    if ranks != (2, 2) or shape_of(left)[1] % 4 or shape_of(left)[1] != shape_of(right)[0] or not shape_of(left)[1]:
        return call()
    return call.right(left[:, :-1], right[:-1], *call.args[2:], **call.kwargs)


spoils("multiply_thinks_5_times_7_is_36", "multiply", "value", numpy.array([5]), numpy.array([7]), uses=("where",),
       when=lambda exact, call: kind_of(exact) in ("i", "u"),
       by=lambda np, exact, call: np.where(np.equal(exact, 35), np.add(exact, 1), exact))  # fmt: skip


@fault("subtract", "value", numpy.zeros((3, 1, 1), numpy.int16), numpy.zeros((3, 1, 1), numpy.int16))
def subtract_wrong_once_in_a_thousand_calls(call: Call) -> Any:
    """Wrong for int16 in three dimensions, of which the first is 3: about one case in a thousand."""
    exact = call()
    rare = dtype_of(exact) == "int16" and shape_of(exact)[:1] == (3,) and len(shape_of(exact)) == 3
    return off_by_one(call.np, exact) if rare else exact


# Special numbers.


spoils("trunc_loses_negative_zero", "trunc", "value", numpy.array([-0.5]),
       when=lambda exact, call: kind_of(exact) == "f",
       by=lambda np, exact, call: np.add(exact, 0))  # fmt: skip


@fault("maximum", "value", NAN, numpy.array([2.0, 2.0]))
def maximum_ignores_nan(call: Call) -> Any:
    """NaN is not handed on."""
    return call.np.fmax(*call.args, **call.kwargs)


@fault("sort", "value", NAN)
def sort_puts_nan_first(call: Call) -> Any:
    """NaN comes before the numbers, not after them."""
    array, np, axis = call.first, call.np, call.given("axis", -1)
    if kind_of(array) != "f" or not shape_of(array) or axis is None:
        return call()
    return np.negative(np.flip(call.changed(a=np.negative(array)), axis))


spoils("sign_of_nan_is_zero", "sign", "value", NAN, uses=("where",),
       when=lambda exact, call: kind_of(exact) == "f",
       by=lambda np, exact, call: np.where(np.isnan(exact), np.zeros_like(exact), exact))  # fmt: skip
spoils("divide_by_zero_is_nan", "divide", "value", ONE, 0 * ONE, uses=("where",),
       when=lambda exact, call: kind_of(exact) == "f",
       by=lambda np, exact, call: np.where(np.isinf(exact), np.full_like(exact, math.nan), exact))  # fmt: skip
spoils("isfinite_of_infinity", "isfinite", "value", numpy.array([math.inf]),
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: np.logical_not(np.isnan(call.args[0])))  # fmt: skip
spoils("signbit_of_negative_zero", "signbit", "value", numpy.array([-0.0]),
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: np.less(call.args[0], 0))  # fmt: skip


@fault("equal", "value", NAN, NAN)
def equal_for_nan(call: Call) -> Any:
    """NaN equals itself."""
    exact, np = call(), call.np
    if not call.is_plain or any(kind_of(operand) not in ("f", "c") for operand in call.operands):
        return exact
    return np.logical_or(exact, np.logical_and(np.isnan(call.args[0]), np.isnan(call.args[1])))


@fault("power", "value", numpy.array([0.0]), numpy.array([0.0]), uses="where")
def power_of_zero_and_zero(call: Call) -> Any:
    """0.0 ** 0.0 is 0."""
    exact, np = call(), call.np
    if kind_of(exact) != "f" or len(call.operands) < 2:
        return exact
    zeros = np.logical_and(np.equal(call.args[0], 0), np.equal(call.args[1], 0))
    return np.where(zeros, np.zeros_like(exact), exact)


spoils("rint_rounds_halves_up", "rint", "value", numpy.array([0.5]),
       when=lambda exact, call: kind_of(call.first) == "f" and call.is_plain,
       by=lambda np, exact, call: np.floor(np.add(call.args[0], 0.5)))  # fmt: skip
spoils("heaviside_at_zero", "heaviside", "value", numpy.array([0.0]), numpy.array([1.0]),
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: call.right(call.args[0], np.add(np.multiply(exact, 0), 0.5)))  # fmt: skip


# Integers and booleans.


@fault("add", "value", numpy.array([100], numpy.int8), numpy.array([100], numpy.int8))
def add_saturates(call: Call) -> Any:
    """int8 stays at its limits where it should wrap around."""
    exact, np = call(), call.np
    if dtype_of(exact) != "int8" or any(dtype_of(operand) != "int8" for operand in call.operands):
        return exact
    wide = np.add(*[np.astype(operand, np.int64) for operand in call.operands])
    return np.astype(np.minimum(np.maximum(wide, -128), 127), np.int8)


@fault("floor_divide", "value", INTEGERS, 0 * INTEGERS, uses="where")
def floor_divide_by_zero(call: Call) -> Any:
    """-1 for an integer divided by zero, as XLA has it."""
    exact, np = call(), call.np
    if kind_of(exact) != "i" or len(call.operands) < 2:
        return exact
    return np.where(np.equal(call.args[1], 0), np.subtract(np.zeros_like(exact), 1), exact)


spoils("floor_divide_truncates", "floor_divide", "value", numpy.array([-7.0]), numpy.array([2.0]),
       when=lambda exact, call: kind_of(exact) == "f" and call.is_plain,
       by=lambda np, exact, call: np.trunc(np.divide(*call.args)))  # fmt: skip
spoils("remainder_has_the_sign_of_the_dividend", "remainder", "value", INTEGERS, 0 * INTEGERS + 3,
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: np.fmod(*call.args, **call.kwargs))  # fmt: skip


@fault("left_shift", "value", numpy.array([1], numpy.int32), numpy.array([33], numpy.int32))
def left_shift_past_the_width(call: Call) -> Any:
    """Shifts by 32 and more are taken modulo 32."""
    exact = call()
    if dtype_of(exact) != "int32" or any(dtype_of(operand) != "int32" for operand in call.operands):
        return exact
    return call.right(call.args[0], call.np.bitwise_and(call.args[1], 31), *call.args[2:], **call.kwargs)


@fault("less", "value", numpy.array([1], numpy.uint64), numpy.array([1 << 63], numpy.uint64))
def less_takes_unsigned_for_signed(call: Call) -> Any:
    """uint64 is compared as int64."""
    exact, np = call(), call.np
    if any(dtype_of(operand) != "uint64" for operand in call.operands):
        return exact
    return call.right(*[np.astype(operand, np.int64) for operand in call.operands], **call.kwargs)


@fault("add", "value", numpy.array([True]), numpy.array([True]))
def add_of_booleans_is_xor(call: Call) -> Any:
    """True + True is False."""
    exact = call()
    both = [kind_of(operand) for operand in call.operands] == ["b", "b"]
    return call.np.logical_xor(*call.operands) if both and kind_of(exact) == "b" else exact


spoils("gcd_keeps_the_sign", "gcd", "value", numpy.array([-4]), numpy.array([6]),
       when=lambda exact, call: kind_of(exact) == "i",
       by=lambda np, exact, call: np.negative(exact))  # fmt: skip


@fault("bitwise_count", "value", numpy.array([-1], numpy.int8))
def bitwise_count_of_two_s_complement(call: Call) -> Any:
    """Counts the bits of a negative int8 as they are stored."""
    call()
    first = call.first
    given = call.np.astype(first, call.np.uint8) if dtype_of(first) == "int8" else first
    return call.right(given, *call.args[1:], **call.kwargs)


# Halves and complex numbers.


@fault("multiply", "value", *[numpy.array([value], ml_dtypes.bfloat16) for value in (1.0078125, 3.0)], uses="where")
def multiply_truncates_bfloat16(call: Call) -> Any:
    """bfloat16 products are rounded toward zero."""
    exact, np = call(), call.np
    if {dtype_of(exact), *map(dtype_of, call.operands)} != {"bfloat16"}:
        return exact
    wide = np.multiply(*[np.astype(operand, np.float32) for operand in call.operands])
    too_far = np.greater(np.abs(np.astype(exact, np.float32)), np.abs(wide))
    return np.where(too_far, np.nextafter(exact, np.zeros_like(exact)), exact)


spoils("sqrt_beyond_its_branch_cut", "sqrt", "value", numpy.array([complex(-1.0, -0.0)]),
       when=lambda exact, call: call.is_plain and kind_of(call.first) == "c",
       by=lambda np, exact, call: call.right(np.add(call.args[0], 0j)))  # fmt: skip
spoils("vecdot_does_not_conjugate", "vecdot", "value", numpy.array([1j]), numpy.array([1j]),
       when=lambda exact, call: kind_of(call.first) == "c",
       by=lambda np, exact, call: call.right(np.conj(call.args[0]), *call.args[1:], **call.kwargs))  # fmt: skip
spoils("absolute_of_the_least_integer", "absolute", "value", numpy.array([-(2**63)]), modes=("eager", "graph"),
       when=lambda exact, call: dtype_of(exact) == "int64",
       by=lambda np, exact, call: np.subtract(exact, np.astype(np.less(exact, 0), exact.dtype)))  # fmt: skip
