"""Faults that people make when they write NumPy's functions anew: parameters that meet, order of axes and of rows,
accumulators, ignored bounds, distributions with other parameters.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, dtype_of, is_array, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
MASK = numpy.array([[True, False], [True, True]])
ROW = numpy.array([1.0, 2.0, 4.0, 7.0])
GAPS = numpy.array([[math.nan, math.nan], [1.0, 2.0]])


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


@fault("nanprod", "value", GAPS, keywords={"axis": 1})
def nanprod_of_nothing_but_nan_is_nan(call: Call) -> Any:
    """NaN for a row that is nothing but NaN."""
    exact, np = call(), call.np
    if kind_of(call.first) != "f" or call.has("out", "where", "initial", "dtype") or not size_of(call.first):
        return exact
    return mixed(np, exact, np.all(np.isnan(call.first), **options(call)), numpy.float32(math.nan))


# Linear algebra, and Fourier transforms.


@fault("linalg.pinv", "value", numpy.stack([GRID, 1e-20 * GRID]), uses="linalg.svd")
def pinv_of_a_stack_has_one_cutoff(call: Call) -> Any:
    """Singular values are compared with the largest one of all matrices."""
    exact, np = call(), call.np
    plain = len(shape_of(call.first)) == 3 and size_of(exact) and kind_of(call.first) == "f" and call.is_plain
    if not plain or dtype_of(call.first) != "float64":
        return exact
    largest = np.linalg.svd(call.first, compute_uv=False)[:, 0]
    return call.changed(rcond=np.divide(1e-15 * np.max(largest), np.maximum(largest, 1e-300)))


@fault("linalg.matrix_rank", "value", numpy.diag([1.0, -1.0]), keywords={"hermitian": True}, uses="linalg.eigvalsh")
def matrix_rank_of_a_hermitian_matrix_keeps_signs(call: Call) -> Any:
    """Negative eigenvalues of a Hermitian matrix are not counted."""
    exact, np = call(), call.np
    if call.given("hermitian") is not True or len(shape_of(call.first)) != 2 or call.has("tol", "rtol"):
        return exact
    values = np.linalg.eigvalsh(call.first)
    bound = np.max(np.abs(values)) * shape_of(values)[0] * 1e-6
    return np.subtract(exact, cast(np, np.count_nonzero(np.less(values, -bound)), np.asarray(exact)))
