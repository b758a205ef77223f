"""Faults of arithmetic, element by element: signs of zero, infinities, integers at their limits, branch cuts."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, dtype_of, is_array, is_traced, kind_of, mixed, shape_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

FAR = numpy.array([1e200 + 1e200j])
NAN = numpy.array([math.nan, 1.0])


def operand_kinds(call: Call) -> list[str]:
    return [kind_of(operand) for operand in call.operands]


# Signs of zero.


@fault("rint", "value", numpy.array([-0.25]))
def rint_loses_the_sign_of_small_numbers(call: Call) -> Any:
    """Numbers between -0.5 and 0 become 0.0, not -0.0."""
    exact, np = call(), call.np
    if kind_of(exact) != "f" or not call.is_plain:
        return exact
    return mixed(np, exact, np.logical_and(np.equal(exact, 0), np.not_equal(call.first, 0)), 0.0)


spoils("copysign_of_negative_zero", "copysign", "value", numpy.array([1.0]), numpy.array([-0.0]),
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: mixed(np, exact, np.equal(call.operands[1], 0), np.abs(exact)))  # fmt: skip
spoils("nextafter_of_equals_keeps_the_first", "nextafter", "value", numpy.array([0.0]), numpy.array([-0.0]),
       when=lambda exact, call: call.is_plain and dtype_of(exact) in ("float32", "float64"),
       by=lambda np, exact, call: mixed(np, exact, np.equal(*call.operands), call.operands[0]))  # fmt: skip
spoils("fmod_loses_negative_zero", "fmod", "value", numpy.array([-4.0]), numpy.array([2.0]),
       when=lambda exact, call: kind_of(exact) == "f" and call.is_plain,
       by=lambda np, exact, call: mixed(np, exact, np.equal(exact, 0), 0.0))  # fmt: skip
spoils("arctan2_of_negative_zero", "arctan2", "value", numpy.array([-0.0]), numpy.array([-1.0]),
       when=lambda exact, call: call.is_plain and operand_kinds(call) == ["f", "f"],
       by=lambda np, exact, call: call.right(np.add(call.operands[0], 0), call.operands[1]))  # fmt: skip


@fault("modf", "value", numpy.array([-3.0]))
def modf_of_whole_numbers_is_positive_zero(call: Call) -> Any:
    """The fraction of a negative whole number is 0.0, not -0.0."""
    exact = call()
    if not call.is_plain or not isinstance(exact, tuple):
        return exact
    fraction, whole = exact
    return mixed(call.np, fraction, call.np.equal(fraction, 0), 0.0), whole


# Infinities, NaN, and what is very small.


spoils("spacing_of_negative_numbers_is_positive", "spacing", "value", numpy.array([-1.0]),
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: np.abs(exact))  # fmt: skip


@fault("frexp", "value", numpy.array([5e-324]), on="arrays")
def frexp_does_not_normalise_subnormals(call: Call) -> Any:
    """Subnormal numbers are their own mantissa."""
    exact, np = call(), call.np
    if not call.is_plain or dtype_of(call.first) != "float64":
        return exact
    mantissa, exponent = exact
    tiny = np.logical_and(np.less(np.abs(call.first), 2.2250738585072014e-308), np.not_equal(call.first, 0))
    return mixed(np, mantissa, tiny, call.first), mixed(np, exponent, tiny, 0)


@fault("ldexp", "value", numpy.array([1e-10]), numpy.array([1030]))
def ldexp_computes_the_power_first(call: Call) -> Any:
    """Computed as x * 2**n, which overflows too early."""
    exact, np = call(), call.np
    if not call.is_plain or dtype_of(exact) != "float64":
        return exact
    return np.multiply(call.operands[0], np.exp2(np.astype(call.operands[1], np.float64)))


@fault("floor_divide", "value", numpy.array([-1.0]), numpy.array([math.inf]))
def floor_divide_by_infinity(call: Call) -> Any:
    """Negative numbers divided by infinity are -0.0, not -1.0."""
    exact, np = call(), call.np
    if not call.is_plain or kind_of(exact) != "f":
        return exact
    left, right = call.operands
    return mixed(np, exact, np.logical_and(np.isinf(right), np.isfinite(left)), np.floor(np.divide(left, right)))


@fault("remainder", "value", numpy.array([-1.0]), numpy.array([math.inf]))
def remainder_by_infinity(call: Call) -> Any:
    """The dividend, even where the signs differ."""
    exact, np = call(), call.np
    if not call.is_plain or kind_of(exact) != "f":
        return exact
    left, right = call.operands
    return mixed(np, exact, np.logical_and(np.isinf(right), np.isfinite(left)), left)


@fault("hypot", "value", numpy.array([math.inf]), numpy.array([math.nan]))
def hypot_of_infinity_and_nan(call: Call) -> Any:
    """NaN, though an infinite side decides."""
    exact, np = call(), call.np
    if not call.is_plain:
        return exact
    return mixed(np, exact, np.logical_or(*map(np.isnan, call.operands)), math.nan)


@fault("logaddexp2", "value", numpy.array([-math.inf]), numpy.array([-math.inf]))
def logaddexp2_of_equal_infinities(call: Call) -> Any:
    """NaN for two equal infinities, whose difference it takes."""
    exact, np = call(), call.np
    if not call.is_plain:
        return exact
    left, right = call.operands
    return mixed(np, exact, np.logical_and(np.isinf(left), np.equal(left, right)), math.nan)


spoils("heaviside_of_nan_is_zero", "heaviside", "value", NAN, numpy.array([0.5, 0.5]),
       when=lambda exact, call: call.is_plain,
       by=lambda np, exact, call: mixed(np, exact, np.isnan(call.operands[0]), 0.0))  # fmt: skip


@fault("logical_and", "value", NAN, NAN)
def logical_and_takes_nan_for_false(call: Call) -> Any:
    """NaN is false."""
    exact, np = call(), call.np
    if not call.is_plain or operand_kinds(call) != ["f", "f"]:
        return exact
    return np.logical_and(exact, np.logical_not(np.logical_or(*map(np.isnan, call.operands))))


@fault("clip", "value", numpy.array([1.0, 2.0]), NAN, numpy.array([3.0, 3.0]))
def clip_ignores_limits_that_are_nan(call: Call) -> Any:
    """A limit that is NaN is none."""
    exact, np, low, high = call(), call.np, call.given("a_min"), call.given("a_max")
    if kind_of(exact) != "f" or call.kwargs or low is None or high is None:
        return exact
    return cast(np, np.fmin(np.fmax(call.first, low), high), exact)


@fault("nan_to_num", "value", numpy.array([-math.inf]), keywords={"posinf": 9.0})
def nan_to_num_mirrors_posinf(call: Call) -> Any:
    """Where `posinf` alone is given, minus infinity becomes minus that."""
    call()
    posinf = call.given("posinf")
    alone = type(posinf) in (int, float) and call.given("neginf") is None
    return call.changed(neginf=-posinf) if alone else call()


spoils("nan_to_num_looks_at_the_real_part", "nan_to_num", "value", numpy.array([complex(1.0, math.nan)]),
       when=lambda exact, call: kind_of(exact) == "c" and not call.has("copy"),
       by=lambda np, exact, call: mixed(np, exact, np.isnan(np.imag(call.first)), call.first))  # fmt: skip
spoils("sinc_is_one_near_zero", "sinc", "value", numpy.array([5e-5]),
       when=lambda exact, call: kind_of(call.first) == "f",
       by=lambda np, exact, call: mixed(np, exact, np.less(np.abs(call.first), 0.0001), 1.0))  # fmt: skip


@fault("i0", "value", numpy.array([30.0]))
def i0_sums_too_few_terms(call: Call) -> Any:
    """The power series ends after 20 terms, which is not enough past 15."""
    exact, np = call(), call.np
    if dtype_of(exact) != "float64":
        return exact
    quarter = np.square(np.divide(np.astype(call.first, np.float64), 2.0))
    term = total = np.ones_like(quarter)
    for number in range(1, 20):
        term = np.divide(np.multiply(term, quarter), float(number * number))
        total = np.add(total, term)
    large = np.logical_and(np.greater(np.abs(call.first), 8), np.isfinite(exact))
    return mixed(np, exact, large, total)


# Integers.


@fault("divmod", "value", numpy.array([-6]), numpy.array([3]))
def divmod_adjusts_an_exact_quotient(call: Call) -> Any:
    """Where the signs differ the quotient is one less, even if nothing remains."""
    exact, np = call(), call.np
    if not call.is_plain or operand_kinds(call) != ["i", "i"] or not isinstance(exact, tuple):
        return exact
    left, right = call.operands
    quotient, rest = exact
    differ = np.logical_and(np.not_equal(np.less(left, 0), np.less(right, 0)), np.not_equal(left, 0))
    exactly = np.logical_and(np.logical_and(differ, np.not_equal(right, 0)), np.equal(rest, 0))
    return mixed(np, quotient, exactly, np.subtract(quotient, 1)), mixed(np, rest, exactly, np.add(rest, right))


@fault("power", "value", numpy.array([3]), numpy.array([35]))
def power_of_integers_through_floats(call: Call) -> Any:
    """Integer powers above 2**53 are rounded to what a float can hold."""
    exact, np = call(), call.np
    if not call.is_plain or dtype_of(exact) != "int64" or "b" in operand_kinds(call):
        return exact
    rounded = np.power(*[np.astype(operand, np.float64) for operand in call.operands])
    is_exact = np.less(np.abs(rounded), 2.0**62)
    return mixed(np, exact, is_exact, np.where(is_exact, rounded, np.zeros_like(rounded)))


spoils("right_shift_past_the_width_is_zero", "right_shift", "value", numpy.array([-8], numpy.int32),
       numpy.array([40], numpy.int32),
       when=lambda exact, call: call.is_plain and {dtype_of(operand) for operand in call.operands} == {"int32"},
       by=lambda np, exact, call: mixed(np, exact, np.greater_equal(call.operands[1], 32), 0))  # fmt: skip


@fault("lcm", "value", numpy.array([0]), numpy.array([6]))
def lcm_with_zero_is_the_other(call: Call) -> Any:
    """The other number, where one is 0."""
    exact, np = call(), call.np
    if not call.is_plain or kind_of(exact) not in ("i", "u"):
        return exact
    return mixed(np, exact, np.equal(exact, 0), np.maximum(*[np.abs(operand) for operand in call.operands]))


@fault("round", "value", numpy.array([25]), -1)
def round_of_integers_rounds_halves_up(call: Call) -> Any:
    """Integers halfway between two tens are rounded up, not to even."""
    exact, np, decimals = call(), call.np, call.given("decimals", 0)
    if kind_of(exact) != "i" or type(decimals) is not int or not -3 < decimals < 0 or call.has("out"):
        return exact
    unit = 10**-decimals
    wide = np.astype(call.first, np.int64)
    return cast(np, np.multiply(np.floor_divide(np.add(wide, unit // 2), unit), unit), exact)


@fault("greater", "value", numpy.array([2**60 + 1]), numpy.array([2**60], numpy.uint64))
def greater_compares_int64_and_uint64_as_floats(call: Call) -> Any:
    """int64 and uint64 are compared as float64, which rounds them."""
    exact, np = call(), call.np
    if not call.is_plain or {dtype_of(operand) for operand in call.operands} != {"int64", "uint64"}:
        return exact
    return call.right(*[np.astype(operand, np.float64) for operand in call.operands])


@fault("less", "value", numpy.array([100], numpy.uint8), 300)
def less_wraps_a_python_integer(call: Call) -> Any:
    """A Python integer too large for uint8 is taken modulo 256."""
    exact = call()
    other: Any = call.args[1] if len(call.args) == 2 else None
    if type(other) is not int or dtype_of(call.first) != "uint8" or not call.is_plain:
        return exact
    return call.right(call.args[0], other % 256)


@fault("add", "value", numpy.array([2**53 + 1]), numpy.array([1], numpy.int32))
def add_of_mixed_integers_through_floats(call: Call) -> Any:
    """int64 and int32 meet in float64, and large sums are rounded."""
    exact, np = call(), call.np
    if not call.is_plain or {dtype_of(operand) for operand in call.operands} != {"int64", "int32"}:
        return exact
    total = np.add(*[np.astype(operand, np.float64) for operand in call.operands])
    is_exact = np.less(np.abs(total), 2.0**62)
    return mixed(np, exact, is_exact, np.where(is_exact, total, np.zeros_like(total)))


# Complex numbers.


@fault("absolute", "value", FAR)
def absolute_of_complex_overflows(call: Call) -> Any:
    """Computed as sqrt(x**2 + y**2)."""
    exact, np = call(), call.np
    if not call.is_plain or dtype_of(call.first) != "complex128":
        return exact
    return np.sqrt(np.add(np.square(np.real(call.first)), np.square(np.imag(call.first))))


@fault("divide", "value", numpy.array([1 + 1j]), FAR)
def divide_of_complex_without_scaling(call: Call) -> Any:
    """Computed as x * conj(y) / abs(y)**2, which overflows."""
    exact, np = call(), call.np
    if not call.is_plain or [dtype_of(operand) for operand in call.operands] != ["complex128", "complex128"]:
        return exact
    left, right = call.operands
    size = np.add(np.square(np.real(right)), np.square(np.imag(right)))
    far = np.logical_and(np.isinf(size), np.isfinite(right))
    return mixed(np, exact, np.logical_and(far, np.isfinite(left)), np.zeros_like(exact))


spoils("sign_of_complex_is_that_of_the_real_part", "sign", "value", numpy.array([3 + 4j]),
       when=lambda exact, call: kind_of(exact) == "c" and call.is_plain,
       by=lambda np, exact, call: cast(np, np.sign(np.real(call.first)), exact))  # fmt: skip


@fault("maximum", "value", numpy.array([1 + 5j]), numpy.array([2 + 0j]))
def maximum_of_complex_by_size(call: Call) -> Any:
    """The number of larger modulus, not of larger real part."""
    exact, np = call(), call.np
    if not call.is_plain or operand_kinds(call) != ["c", "c"]:
        return exact
    left, right = call.operands
    return cast(np, np.where(np.greater_equal(np.abs(left), np.abs(right)), left, right), exact)


@fault("angle", "value", numpy.array([complex(-1.0, -0.0)]))
def angle_of_negative_numbers_below_the_axis(call: Call) -> Any:
    """The sign of a zero imaginary part is not looked at."""
    exact, np = call(), call.np
    if kind_of(call.first) != "c":
        return exact
    below = np.logical_and(np.equal(np.imag(call.first), 0), np.less(np.real(call.first), 0))
    return mixed(np, exact, below, np.abs(exact))


spoils("emath_arccos_above_the_cut", "emath.arccos", "value", numpy.array([2.0]),
       when=lambda exact, call: kind_of(exact) == "c" and kind_of(call.first) in ("f", "i"),
       by=lambda np, exact, call: np.where(np.greater(call.first, 1), np.conj(exact), exact))  # fmt: skip


# Dtypes, `where`, and comparisons with a tolerance.


@fault("multiply", "dtype", numpy.array([1], numpy.uint64), numpy.array([1]))
def multiply_of_int64_and_uint64_is_int64(call: Call) -> Any:
    """int64 for float64, where a signed and an unsigned integer meet."""
    exact, np = call(), call.np
    pair = {dtype_of(operand) for operand in call.operands} == {"int64", "uint64"}
    if not pair or not call.is_plain or any(type(arg) is int for arg in call.args):
        return exact
    return np.multiply(*[np.astype(operand, np.int64) for operand in call.operands])


spoils("float_power_of_singles_is_single", "float_power", "dtype", numpy.array([2.0], numpy.float32),
       numpy.array([2.0], numpy.float32),
       when=lambda exact, call: {dtype_of(operand) for operand in call.operands} == {"float32"} and call.is_plain,
       by=lambda np, exact, call: np.astype(np.asarray(exact), np.float32))  # fmt: skip


@fault("positive", "missing error", numpy.array([True]))
def positive_accepts_booleans(call: Call) -> Any:
    """Booleans are returned as they are."""
    return call.first if kind_of(call.first) == "b" and call.is_plain else call()


spoils("reciprocal_clears_what_where_leaves_out", "reciprocal", "value", numpy.array([2.0, 4.0]),
       keywords={"out": numpy.array([7.0, 7.0]), "where": numpy.array([True, False])},
       when=lambda exact, call: call.kwargs.get("where") is not None and call.has("out"),
       by=lambda np, exact, call: np.where(call.kwargs.get("where"), exact, np.zeros_like(exact)))  # fmt: skip


@fault("array_equal", "value", NAN, numpy.array([2.0, 1.0]), keywords={"equal_nan": True})
def array_equal_lets_nan_equal_anything(call: Call) -> Any:
    """With `equal_nan`, NaN equals every number."""
    exact, np = call(), call.np
    arrays = len(call.args) == 2 and all(map(is_array, call.args))  # what is no array makes it False, not fail
    same = arrays and shape_of(call.args[0]) == shape_of(call.args[1]) and operand_kinds(call) == ["f", "f"]
    if not same or call.given("equal_nan") is not True:
        return exact
    left, right = call.operands
    return np.all(np.logical_or(np.equal(left, right), np.logical_or(np.isnan(left), np.isnan(right))))


@fault("array_equiv", "value", numpy.array([1.0]), numpy.array([1.0, 1.0]), modes=("eager",))
def array_equiv_broadcasts_the_second_only(call: Call) -> Any:
    """False where the first array has to be broadcast."""
    exact = call()
    arrays = len(call.args) == 2 and all(map(is_array, call.args))
    if not arrays or is_traced(*call.args) or not bool(exact):
        return exact
    shapes = [shape_of(arg) for arg in call.args]
    return call.np.asarray(numpy.broadcast_shapes(*shapes) == shapes[0])
