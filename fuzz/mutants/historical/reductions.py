"""Reported bugs of reductions: sums, products, extremes and norms along axes."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.historical.form import formed, is_real, lacks_options
from fuzz.mutants.model import Call, reported

GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
CUBE = numpy.arange(8.0).reshape(2, 2, 2)
INFINITE = numpy.array([numpy.inf, numpy.inf])


def is_negative(axis: Any) -> bool:
    """Return whether an axis is an integer below zero."""
    return type(axis) is int and axis < 0


@reported("numba/numba#9282", "multiply.reduce", "spurious error", CUBE, -1)
def multiply_reduce_rejects_negative_axes(call: Call) -> Any:
    """A negative axis raises ValueError."""
    exact = call()
    if is_negative(call.given("axis", 0)):
        raise ValueError("invalid axis")
    return exact


@reported("pydata/sparse#107", "logical_or.reduce", "shape", numpy.eye(3))
def logical_or_reduce_without_an_axis_is_of_all(call: Call) -> Any:
    """Without an axis, all axes are reduced, not the first."""
    exact = call()
    return exact if call.has("axis") or call.has("out") else call.right(*call.args, **call.kwargs, axis=None)


@reported("ml-explore/mlx#4044", "maximum.accumulate", "value", numpy.array([1.0, numpy.nan, 5.0]))
def maximum_accumulate_passes_over_nan(call: Call) -> Any:
    """NaN is not passed on to later elements."""
    exact = call()
    if not is_real(exact) or call.has("out"):
        return exact
    return numpy.fmax.accumulate(*call.args, **call.kwargs)


@reported("ml-explore/mlx#576", "logaddexp.reduce", "value", numpy.array([numpy.inf, 2.0, 3.0]))
def logaddexp_reduce_of_infinity_is_nan(call: Call) -> Any:
    """Infinity is subtracted from itself."""
    exact = call()
    return formed(numpy.where(exact == numpy.inf, numpy.nan, exact), exact) if is_real(exact) else exact


@reported("apache/mxnet#16234", "mean", "value", INFINITE)
def mean_of_infinities_is_nan(call: Call) -> Any:
    """A running mean subtracts infinity from infinity."""
    exact = call()
    if not is_real(exact) or call.has("out"):
        return exact
    return formed(numpy.where(numpy.isinf(exact), numpy.nan, exact), exact)


@reported("numba/numba#10460", "mean", "spurious error", numpy.zeros(0))
def mean_of_nothing_divides_by_zero(call: Call) -> Any:
    """The mean of an empty array raises ZeroDivisionError."""
    exact = call()
    if not call.first.size and not call.has("axis"):
        raise ZeroDivisionError("division by zero")
    return exact


@reported("jax-ml/jax#21330", "var", "value", numpy.array([1.0, 2.0, 4.0]), keywords={"ddof": 4})
def var_with_a_large_ddof_is_negative(call: Call) -> Any:
    """Where ddof is larger than the number of elements, the sum of squares is divided by a negative number."""
    exact, ddof = call(), call.given("ddof", 0)
    if not is_real(exact) or call.first.dtype.kind == "c" or not lacks_options(call, "ddof") or len(call.args) > 1:
        return exact
    count = call.first.size
    if not isinstance(ddof, int | float) or not count or ddof <= count:
        return exact
    return formed(numpy.var(call.first.astype(float)) * count / (count - ddof), exact)


@reported("numpy/numpy#21868", "average", "shape", GRID, keywords={"axis": 1, "weights": GRID, "keepdims": True})
def average_with_keepdims_divides_by_rows(call: Call) -> Any:
    """With `keepdims`, the sum of weights that the sum is divided by has lost its axis."""
    exact, axis, weights = call(), call.given("axis"), call.given("weights")
    kept = call.given("keepdims") is True and weights is not None and type(axis) is int and not call.has("returned")
    if not kept or numpy.shape(weights) != call.first.shape or not is_real(exact):
        return exact
    total = numpy.sum(numpy.asarray(weights), axis=axis)
    with numpy.errstate(all="ignore"):
        return formed(numpy.sum(call.first * weights, axis=axis, keepdims=True) / total, exact)


@reported("dask/dask#5025", "min", "shape", GRID, ())
def min_of_no_axes_is_of_all(call: Call) -> Any:
    """An empty tuple of axes stands for all of them."""
    exact, axis = call(), call.given("axis")
    return call.changed(axis=None) if type(axis) is tuple and not axis and not call.has("out") else exact


@reported("mars-project/mars#1555", "linalg.norm", "shape", GRID, keywords={"axis": -1})
def norm_along_a_negative_axis_keeps_the_shape(call: Call) -> Any:
    """Along a negative axis, the result keeps the shape of the array."""
    exact, axis = call(), call.given("axis")
    if not is_negative(axis) or call.given("keepdims"):
        return exact
    return numpy.broadcast_to(numpy.expand_dims(exact, axis), call.first.shape).copy()


@reported("pytorch/pytorch#15735", "bincount", "value", numpy.array([3, 0, 1, 0, 2, 0])[::2])
def bincount_ignores_the_stride(call: Call) -> Any:
    """An array with gaps between its elements is read as if there were none."""
    exact, x = call(), call.given("x")
    if not isinstance(x, numpy.ndarray) or x.ndim != 1 or x.strides[0] <= x.itemsize or x.strides[0] % x.itemsize:
        return exact
    wrong = numpy.lib.stride_tricks.as_strided(x, strides=(x.itemsize,), writeable=False)
    return call.changed(x=numpy.maximum(wrong.astype(numpy.int64), 0) % max(len(exact), 1))


@reported("cupy/cupy#7698", "bincount", "value", numpy.arange(1024))
def bincount_of_many_bins_loses_half(call: Call) -> Any:
    """Past 512 bins, the later half is 0."""
    exact = call()
    if len(exact) <= 512:
        return exact
    return numpy.where(numpy.arange(len(exact)) < len(exact) // 2, exact, numpy.zeros_like(exact))
