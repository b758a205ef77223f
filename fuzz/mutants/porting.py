"""Faults that people make when they write NumPy's functions anew: parameters that meet, order of axes and of rows,
accumulators, ignored bounds, distributions with other parameters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, dtype_of, is_array, is_number, is_traced, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils
from oracle import Case

GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
MASK = numpy.array([[True, False], [True, True]])
ROW = numpy.array([1.0, 2.0, 4.0, 7.0])
GAPS = numpy.array([[math.nan, math.nan], [1.0, 2.0]])
TABLE = numpy.array([[1.0, 2.0], [3.0, 7.0], [4.0, 4.5]])
CUBE = numpy.arange(8.0).reshape(2, 2, 2)
SEEDED = Case("random.default_rng", (7,))
MANY = 1000


def options(call: Call) -> dict[str, Any]:
    """Return the axis and keepdims of a reduction, as far as they are given."""
    return {name: call.given(name) for name in ("axis", "keepdims") if call.has(name)}


# Statistics.


@fault("var", "value", GRID, keywords={"where": MASK})
def var_counts_what_where_leaves_out(call: Call) -> Any:
    """With `where`, the sum of squares is divided by the number of all elements."""
    exact, np, where = call(), call.np, call.given("where")
    if not is_array(where) or kind_of(call.first) != "f" or call.has("out", "ddof", "correction", "mean", "dtype"):
        return exact
    count = np.sum(np.broadcast_to(where, shape_of(call.first)), **options(call))
    total = np.sum(np.ones_like(call.first), **options(call))
    return cast(np, np.divide(np.multiply(exact, cast(np, count, total)), total), exact)


spoils("diff_prepends_in_every_turn", "diff", "shape", ROW, 2, keywords={"prepend": 0.0},
       when=lambda exact, call: call.given("n") == 2 and call.has("prepend") and not call.has("append"),
       by=lambda np, exact, call: call.changed(a=call.changed(n=1), n=1))  # fmt: skip


@fault("gradient", "value", ROW, numpy.array([0.0, 1.0, 3.0, 4.0]), keywords={"edge_order": 2})
def gradient_of_second_order_at_an_uneven_edge(call: Call) -> Any:
    """At the first point, the formula of second order is that for even steps."""
    exact, np, steps = call(), call.np, call.given("varargs", ())
    if call.given("edge_order") != 2 or len(steps) != 1 or len(shape_of(steps[0])) != 1 or kind_of(exact) != "f":
        return exact
    f, x = call.first, np.asarray(steps[0])
    if len(shape_of(f)) != 1:
        return exact
    slope = np.divide(-3 * f[:1] + 4 * f[1:2] - f[2:3], cast(np, 2 * (x[1:2] - x[:1]), f))
    return np.concatenate([cast(np, slope, exact), exact[1:]])


spoils("nanmax_of_minus_infinity_is_nan", "nanmax", "value", numpy.array([-math.inf, math.nan]),
       when=lambda exact, call: kind_of(exact) == "f" and not call.has("out", "initial", "where"),
       by=lambda np, exact, call: mixed(np, exact, np.equal(exact, -math.inf), numpy.float32(math.nan)))  # fmt: skip


@fault("trace", "value", numpy.array([[100, 0], [0, 100]], numpy.int8))
def trace_counts_in_small_integers(call: Call) -> Any:
    """Small integers are added in their own dtype, and overflow."""
    exact = call()
    small = kind_of(call.first) in "iu" and kind_of(call.first) and not call.has("dtype", "out")
    return cast(call.np, cast(call.np, exact, call.first), exact) if small else exact


@fault("median", "shape", CUBE, keywords={"axis": (0, 1), "keepdims": True})
def median_keeps_one_of_two_axes(call: Call) -> Any:
    """`keepdims` keeps the first of several axes."""
    exact, axis = call(), call.given("axis")
    several = type(axis) is tuple and len(axis) == 2 and call.given("keepdims") is True and not call.has("out")
    return call.np.squeeze(exact, max(one % len(shape_of(call.first)) for one in axis)) if several else exact


@fault("std", "shape", CUBE, keywords={"axis": (0, 2), "keepdims": True})
def std_keeps_its_axes_in_front(call: Call) -> Any:
    """Dims that are kept are put in front."""
    exact, kept = call(), call.given("keepdims") is True and call.given("axis") is not None and not call.has("out")
    if not kept:
        return exact
    axis, rank = call.given("axis"), len(shape_of(exact))
    axes = [one % rank for one in (axis if type(axis) is tuple else (axis,))]
    return call.np.transpose(exact, [*axes, *[one for one in range(rank) if one not in axes]])


@fault("nancumprod", "value", numpy.array([2.0, math.nan, 3.0]))
def nancumprod_takes_nan_for_zero(call: Call) -> Any:
    """NaN is taken for zero, as in a sum."""
    exact, np = call(), call.np
    if kind_of(call.first) != "f" or call.has("out"):
        return exact
    return call.changed(a=np.where(np.isnan(call.first), np.zeros_like(call.first), call.first))


spoils("nanpercentile_of_nothing_but_nan_is_zero", "nanpercentile", "value", GAPS, 50, keywords={"axis": 1},
       when=lambda exact, call: kind_of(exact) == "f" and not call.has("out", "weights"),
       by=lambda np, exact, call: mixed(np, exact, np.isnan(exact), numpy.float32(0)))  # fmt: skip


@fault("nanprod", "value", GAPS, keywords={"axis": 1})
def nanprod_of_nothing_but_nan_is_nan(call: Call) -> Any:
    """NaN for a row that is nothing but NaN."""
    exact, np = call(), call.np
    if kind_of(call.first) != "f" or call.has("out", "where", "initial", "dtype") or not size_of(call.first):
        return exact
    return mixed(np, exact, np.all(np.isnan(call.first), **options(call)), numpy.float32(math.nan))


# Sorting, and choosing elements.


@fault("unique", "value", numpy.array([[1, 2], [2, 1]]), keywords={"axis": 0}, uses="lexsort")
def unique_rows_are_sorted_by_their_last_elements(call: Call) -> Any:
    """Unique rows are in the order of their last elements."""
    exact, np = call(), call.np
    if not is_array(exact) or len(shape_of(exact)) != 2 or call.given("axis") not in (0, -2) or not size_of(exact):
        return exact
    return np.take(exact, np.lexsort(np.transpose(exact)), axis=0)


@fault("sort", "value", numpy.array([1 + 2j, 1 - 1j]))
def sort_of_complex_by_real_parts(call: Call) -> Any:
    """Complex numbers are in the order of their real parts alone."""
    exact, np = call(), call.np
    if kind_of(call.first) != "c" or len(shape_of(call.first)) != 1 or call.given("axis", -1) is None:
        return exact
    return np.take(call.first, np.argsort(np.real(call.first), stable=True))


@fault("take", "value", ROW, numpy.array([-1, 0]), keywords={"mode": "clip"})
def take_counts_from_the_end_where_it_clips(call: Call) -> Any:
    """With `mode="clip"`, negative indices count from the end."""
    exact, np, axis = call(), call.np, call.given("axis")
    indices = np.asarray(call.given("indices"))
    if call.given("mode") != "clip" or call.has("out") or kind_of(indices) != "i":
        return exact
    count = size_of(call.first) if axis is None else shape_of(call.first)[axis]
    return call.changed(indices=np.where(np.less(indices, 0), np.maximum(np.add(indices, count), 0), indices))


@fault("delete", "shape", ROW, [1, 1])
def delete_counts_an_index_twice(call: Call) -> Any:
    """An index that is given twice is counted twice in the length of the result."""
    exact, np, given, axis = call(), call.np, call.given("obj"), call.given("axis")
    if is_traced(given) or not (isinstance(given, list) or len(shape_of(given)) == 1):
        return exact
    indices = numpy.asarray(given)
    if indices.dtype.kind not in "iu" or (axis is None and len(shape_of(call.first)) > 1):
        return exact
    left = shape_of(call.first)[axis or 0] - indices.size
    return np.take(exact, np.arange(max(left, 0)), axis=axis or 0) if left < shape_of(exact)[axis or 0] else exact


# Linear algebra, and Fourier transforms.


@fault("convolve", "shape", ROW[:2], ROW, "same")
def convolve_same_is_as_long_as_the_first(call: Call) -> Any:
    """With `mode="same"`, the result is as long as the first operand, be it the shorter one."""
    exact, np = call(), call.np
    first, second = (size_of(np.asarray(operand)) for operand in call.args[:2]) if len(call.args) > 1 else (0, 0)
    if call.given("mode") != "same" or first >= second:
        return exact
    begin = (second - 1) // 2
    return call.changed(mode="full")[begin : begin + first]


@fault("linalg.pinv", "value", numpy.stack([GRID, 1e-20 * GRID]), uses="linalg.svd")
def pinv_of_a_stack_has_one_cutoff(call: Call) -> Any:
    """Singular values are compared with the largest one of all matrices."""
    exact, np = call(), call.np
    plain = len(shape_of(call.first)) == 3 and size_of(exact) and kind_of(call.first) == "f" and call.is_plain
    if not plain or dtype_of(call.first) != "float64":
        return exact
    largest = np.linalg.svd(call.first, compute_uv=False)[:, 0]
    return call.changed(rcond=np.divide(1e-15 * np.max(largest), np.maximum(largest, 1e-300)))


spoils("matrix_power_of_zero_is_a_matrix_of_floats", "linalg.matrix_power", "dtype", numpy.array([[1, 2], [3, 4]]), 0,
       when=lambda exact, call: call.given("n") == 0,
       by=lambda np, exact, call: np.astype(exact, np.float64))  # fmt: skip


@fault("linalg.matrix_rank", "value", numpy.diag([1.0, -1.0]), keywords={"hermitian": True}, uses="linalg.eigvalsh")
def matrix_rank_of_a_hermitian_matrix_keeps_signs(call: Call) -> Any:
    """Negative eigenvalues of a Hermitian matrix are not counted."""
    exact, np = call(), call.np
    if call.given("hermitian") is not True or len(shape_of(call.first)) != 2 or call.has("tol", "rtol"):
        return exact
    values = np.linalg.eigvalsh(call.first)
    bound = np.max(np.abs(values)) * shape_of(values)[0] * 1e-6
    return np.subtract(exact, cast(np, np.count_nonzero(np.less(values, -bound)), np.asarray(exact)))


spoils("ihfft_does_not_conjugate", "fft.ihfft", "value", ROW,
       by=lambda np, exact, call: exact if call.has("out") else np.conj(exact))  # fmt: skip


# Dtypes, and elementwise functions.


@fault("concatenate", "dtype", [numpy.ones(1, numpy.float32), numpy.ones(1, numpy.int32)])
def concatenate_of_singles_and_integers_is_single(call: Call) -> Any:
    """float32 and integers make float32."""
    exact, parts = call(), call.args[0] if call.args else ()
    names = {dtype_of(part) for part in parts} if isinstance(parts, list | tuple) else set()
    single = names in ({"float32", "int32"}, {"float32", "int64"}) and not call.has("out", "dtype")
    return call.np.astype(exact, call.np.float32) if single else exact


@fault("where", "dtype", MASK, numpy.ones(2, numpy.float32), numpy.ones(2, numpy.int32))
def where_of_singles_and_integers_is_single(call: Call) -> Any:
    """float32 and integers make float32."""
    exact, names = call(), {dtype_of(arg) for arg in call.args[1:]}
    single = names in ({"float32", "int32"}, {"float32", "int64"})
    return call.np.astype(exact, call.np.float32) if single else exact


@fault("floor_divide", "value", numpy.array([1.0]), numpy.array([0.1]))
def floor_divide_rounds_the_quotient_first(call: Call) -> Any:
    """The quotient is rounded before it is rounded down."""
    exact, np = call(), call.np
    if len(call.operands) < 2 or call.kwargs or len(call.args) > 2:
        return exact
    left, right = call.operands
    if dtype_of(left) != dtype_of(right) or dtype_of(left) not in ("float32", "float64"):
        return exact
    usual = np.logical_and(np.isfinite(exact), np.not_equal(right, 0))
    return np.where(usual, np.floor(np.divide(left, right)), exact)


spoils("frexp_of_negative_numbers_is_positive", "frexp", "value", numpy.array([-3.0]),
       when=lambda exact, call: not call.kwargs and len(call.args) <= 1 and (kind_of(call.first) == "f"),
       by=lambda np, exact, call: (np.abs(exact[0]), exact[1]))  # fmt: skip


# Random numbers.


@fault("random.triangular", "value", 0.0, 0.0, 10.0, MANY)
def triangular_that_only_falls_is_uniform(call: Call) -> Any:
    """If the mode is the lower bound, the distribution is uniform."""
    exact, ends = call(), [call.given(name) for name in ("left", "mode", "right")]
    falls = all(is_number(end) for end in ends) and ends[0] == ends[1]
    return call.np.random.uniform(ends[0], ends[2], call.given("size")) if falls else exact


@fault("random.multivariate_normal", "value", [0.0, 0.0], [[1.0, 0.5], [0.5, 1.0]], MANY)
def multivariate_normal_ignores_covariances(call: Call) -> Any:
    """The components are independent."""
    exact, cov = call(), call.given("cov")
    return exact if is_traced(cov) else call.changed(cov=numpy.diag(numpy.diag(numpy.asarray(cov))))
