"""Faults of sorting, searching, sets, counting, and of choosing elements by a condition or an index."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import dtype_of, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault

ROW = numpy.array([1.0, 2.0, 3.0, 4.0])
NAN = numpy.array([math.nan, 1.0, math.nan])


# Sorting and searching.


@fault("sort", "value", numpy.array([2**60 + 1, 5]))
def sort_of_large_integers_through_floats(call: Call) -> Any:
    """int64 is sorted as float64, which rounds what is above 2**53."""
    exact, np = call(), call.np
    if dtype_of(exact) != "int64":
        return exact
    rounded = np.astype(np.asarray(exact), np.float64)
    is_exact = np.less(np.abs(rounded), 2.0**62)
    return np.where(is_exact, np.astype(np.where(is_exact, rounded, np.zeros_like(rounded)), np.int64), exact)


@fault("digitize", "value", numpy.array([2.0]), ROW[::-1].copy())
def digitize_of_falling_bins_takes_right_for_left(call: Call) -> Any:
    """Where bins fall, `right` means left."""
    exact, np = call(), call.np
    bins = np.asarray(call.given("bins"))
    if len(shape_of(bins)) != 1 or not size_of(bins) or type(call.given("right", False)) is not bool:
        return exact
    turned = call.changed(right=not call.given("right", False))
    return np.where(np.greater(bins[0], bins[-1]), turned, exact)


# Sets.


@fault("unique_counts", "shape", NAN, modes=("eager",))
def unique_counts_counts_nan_once(call: Call) -> Any:
    """All NaN are one value."""
    exact = call()
    if kind_of(call.first) != "f" or not hasattr(exact, "_replace"):
        return exact
    values, counts = call.np.unique(call.first, return_counts=True)
    return exact._replace(values=values, counts=counts)


@fault("isin", "value", numpy.array([math.nan, 1.0]), numpy.array([math.nan]))
def isin_finds_nan(call: Call) -> Any:
    """NaN is found among NaN."""
    exact, np = call(), call.np
    if [kind_of(operand) for operand in call.operands] != ["f", "f"] or call.has("invert"):
        return exact
    element, others = call.operands
    return np.logical_or(exact, np.logical_and(np.isnan(element), np.any(np.isnan(others))))


# Counting.


@fault("histogram", "value", ROW, ROW)
def histogram_leaves_the_last_bin_open(call: Call) -> Any:
    """With bins given, what lies on the last edge is in none."""
    exact, np = call(), call.np
    bins = call.given("bins")
    plain = set(call.bound.arguments if call.bound else ()) == {"a", "bins"} and len(shape_of(np.asarray(bins))) == 1
    if not plain or kind_of(exact[0]) != "i" or not size_of(exact[0]):
        return exact
    counts, edges = exact
    lost = np.astype(np.asarray(np.sum(np.equal(call.first, edges[-1]))), counts.dtype)
    return np.concatenate([counts[:-1], np.reshape(np.subtract(counts[-1], lost), (1,))]), edges


# Choosing.


@fault("where", "dtype", numpy.array([True]), numpy.ones(1, numpy.float32), 1.0)
def where_takes_a_weak_float_for_a_strong_one(call: Call) -> Any:
    """A Python float makes float64 of float32."""
    exact, np = call(), call.np
    weak = len(call.args) == 3 and any(type(arg) is float for arg in call.args[1:])
    return np.astype(np.asarray(exact), np.float64) if weak and dtype_of(exact) == "float32" else exact


@fault("take", "value", ROW, numpy.array([-7]), keywords={"mode": "wrap"})
def take_wraps_once(call: Call) -> Any:
    """`mode="wrap"` adds the length once, and then clips."""
    exact, np = call(), call.np
    dims = shape_of(call.first)
    if call.given("mode") != "wrap" or len(dims) != 1 or not dims[0]:
        return exact
    indices = np.asarray(call.given("indices"))
    if kind_of(indices) != "i":
        return exact
    return call.changed(indices=np.minimum(np.maximum(indices, -dims[0]), 2 * dims[0] - 1))
