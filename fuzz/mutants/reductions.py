"""Faults of reductions and statistics: `where`, `initial`, `ddof`, exact quantiles, rows of NaN, running totals."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, dtype_of, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

GAPS = numpy.array([math.nan, 1.0, 2.0, 4.0])


def is_flat(call: Call, *names: str) -> bool:
    """Whether a vector is reduced as a whole, and nothing is given but these arguments."""
    given = set(call.bound.arguments if call.bound else ())
    return len(shape_of(call.first)) == 1 and given <= {"a", *names} and call.given("axis") is None


# Parameters that meet.


spoils("min_misses_nan_past_the_eighth", "min", "value", numpy.array([9.0] * 8 + [math.nan, 1.0]),
       when=lambda exact, call: is_flat(call) and kind_of(exact) == "f" and (size_of(call.first) > 8),
       by=lambda np, exact, call: np.minimum(np.min(call.first[:8]), np.fmin.reduce(call.first[8:])))  # fmt: skip


@fault("ptp", "value", numpy.array([-100, 100], numpy.int8))
def ptp_saturates(call: Call) -> Any:
    """The range of int8 stays at 127 where it should wrap around."""
    exact, np = call(), call.np
    if not is_flat(call) or dtype_of(call.first) != "int8":
        return exact
    return cast(np, np.minimum(np.ptp(np.astype(call.first, np.int64)), 127), exact)


@fault("count_nonzero", "value", numpy.array([0.0, -0.0]))
def count_nonzero_counts_negative_zero(call: Call) -> Any:
    """-0.0 counts."""
    exact, np = call(), call.np
    if kind_of(call.first) != "f" or call.has("axis", "keepdims"):
        return exact
    return np.add(exact, np.sum(np.logical_and(np.equal(call.first, 0), np.signbit(call.first))))


@fault("argmin", "value", numpy.array([0.0, -0.0]))
def argmin_takes_negative_zero_for_less(call: Call) -> Any:
    """-0.0 is smaller than 0.0."""
    exact, np = call(), call.np
    if not is_flat(call) or dtype_of(call.first) != "float64" or not size_of(call.first):
        return exact
    zeros = np.logical_and(np.equal(call.first, 0), np.signbit(call.first))
    return call.changed(a=np.where(zeros, np.full_like(call.first, -1e-300), call.first))


@fault("argmin", "missing error", numpy.ones((2, 0)), keywords={"axis": 1})
def argmin_of_empty_rows_is_zero(call: Call) -> Any:
    """0 for the rows of an array that have no elements."""
    try:
        return call()
    except ValueError:
        axis = call.given("axis")
        dims = shape_of(call.first)
        inside = type(axis) is int and -len(dims) <= axis < len(dims)
        if not inside or dims[axis] or call.has("out", "keepdims"):
            raise
        return call.np.zeros([dim for number, dim in enumerate(dims) if number != axis % len(dims)], call.np.int64)


# Means and variances.


spoils("mean_of_halves_in_halves", "mean", "value", numpy.array([100.0, 127.0, 1.0, 3.14, 128.0], numpy.float16),
       when=lambda exact, call: is_flat(call) and dtype_of(call.first) == "float16" and size_of(call.first),
       by=lambda np, exact, call: cast(np, np.divide(np.sum(call.first), size_of(call.first)), exact))  # fmt: skip


@fault("var", "value", numpy.array([1j, 2.0]))
def var_of_complex_without_modulus(call: Call) -> Any:
    """The squares of complex deviations are summed, not those of their size."""
    exact, np = call(), call.np
    if not is_flat(call, "ddof") or kind_of(call.first) != "c":
        return exact
    return np.subtract(call.changed(a=np.real(call.first)), call.changed(a=np.imag(call.first)))


@fault("nanvar", "value", GAPS, keywords={"ddof": 1})
def nanvar_counts_nan_where_ddof_is_given(call: Call) -> Any:
    """With `ddof`, NaN is counted among the observations."""
    exact, np, ddof = call(), call.np, call.given("ddof", 0)
    if not is_flat(call, "ddof") or type(ddof) is not int or not 0 < ddof < size_of(call.first):
        return exact
    count = np.subtract(np.sum(np.logical_not(np.isnan(call.first))), ddof)
    wrong = np.divide(np.multiply(exact, cast(np, count, exact)), size_of(call.first) - ddof)
    return cast(np, wrong, exact)


@fault("nancumsum", "value", GAPS)
def nancumsum_leaves_nan_at_the_beginning(call: Call) -> Any:
    """Before the first number the total is NaN, not 0."""
    exact, np = call(), call.np
    if not is_flat(call) or kind_of(call.first) != "f":
        return exact
    return mixed(np, exact, np.logical_and.accumulate(np.isnan(call.first)), math.nan)


@fault("nanmedian", "value", numpy.array([1.0, math.nan, 2.0, 3.0, 9.0]))
def nanmedian_of_an_even_count_is_the_lower(call: Call) -> Any:
    """Where an even count of numbers is left, the lower of the two in the middle."""
    exact, np = call(), call.np
    if not is_flat(call) or kind_of(call.first) != "f" or not size_of(call.first):
        return exact
    lower = np.nanquantile(call.first, 0.5, method="lower")
    return mixed(np, exact, np.any(np.isnan(call.first)), lower)


# Quantiles.


@fault("nanquantile", "value", GAPS, 0.0)
def nanquantile_at_zero_is_nan_s_neighbour(call: Call) -> Any:
    """At q = 0, the second of the numbers where some are NaN."""
    exact, np, q = call(), call.np, call.given("q")
    if not is_flat(call, "q") or kind_of(call.first) != "f" or type(q) not in (int, float) or q != 0:
        return exact
    count = size_of(call.first)
    if count < 3:
        return exact
    second = np.sort(call.first)[1]
    return mixed(np, exact, np.logical_and(np.any(np.isnan(call.first)), np.isfinite(second)), second)


@fault("median", "value", numpy.array([[1.0, 2.0, 9.0], [4.0, 5.0, 7.0]]), (0, 1))
def median_takes_several_axes_in_turn(call: Call) -> Any:
    """Along several axes, the median of medians."""
    exact, axis = call(), call.given("axis")
    several = isinstance(axis, tuple) and len(axis) == 2 and all(type(one) is int for one in axis)
    rank = len(shape_of(call.first))
    if not several or call.has("out", "keepdims") or not size_of(call.first) or kind_of(call.first) != "f":
        return exact
    high, low = sorted((one % rank for one in axis), reverse=True)
    return call.np.median(call.np.median(call.first, axis=high), axis=low)


# Running totals, and reductions of parts.


@fault("subtract.outer", "value", numpy.array([1.0, 2.0]), numpy.array([3.0, 5.0]))
def subtract_outer_is_transposed(call: Call) -> Any:
    """The second operand runs along the first axis where both are vectors of one length."""
    exact = call()
    shapes = [shape_of(operand) for operand in call.operands]
    same = len(shapes) == 2 and len(shapes[0]) == 1 and shapes[0] == shapes[1]
    return call.np.transpose(exact) if same and not call.kwargs else exact
