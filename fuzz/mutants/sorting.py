"""Faults of sorting, searching, sets, counting, and of choosing elements by a condition or an index."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import dtype_of, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

ROW = numpy.array([1.0, 2.0, 3.0, 4.0])
TIES = numpy.array([3, 1, 3, 2])
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


@fault("argsort", "value", numpy.array([1.0, math.nan, 0.0]))
def argsort_puts_nan_first(call: Call) -> Any:
    """NaN comes before the numbers."""
    exact, np, array = call(), call.np, call.first
    if kind_of(array) != "f" or call.given("axis", -1) is None:
        return exact
    return call.changed(a=np.where(np.isnan(array), np.full_like(array, -math.inf), array))


@fault("partition", "value", numpy.array([5, 4, 3, 2, 1, 0]), (1, 4))
def partition_takes_the_first_of_several(call: Call) -> Any:
    """Of several `kth` only the first is in its place."""
    exact, np, kth = call(), call.np, call.given("kth")
    if not isinstance(kth, tuple | list) or len(kth) < 2 or len(shape_of(exact)) != 1 or type(kth[0]) is not int:
        return exact
    first = kth[0] % max(size_of(exact), 1)
    whole = np.sort(exact)
    return np.concatenate([whole[: first + 1], np.flip(whole[first + 1 :])])


@fault("argpartition", "value", numpy.array([5, 4, 3, 2, 1, 0]), -2)
def argpartition_counts_a_negative_kth_from_the_front(call: Call) -> Any:
    """A negative `kth` is one further to the front."""
    exact, kth = call(), call.given("kth")
    dim = shape_of(exact)[-1] if len(shape_of(exact)) == 1 else 0
    return call.np.roll(exact, -1) if type(kth) is int and -dim < kth < 0 else exact


@fault("searchsorted", "value", ROW, NAN)
def searchsorted_of_nan_is_zero(call: Call) -> Any:
    """NaN belongs in front."""
    exact, np = call(), call.np
    v = np.asarray(call.given("v"))
    return np.where(np.isnan(v), np.zeros_like(exact), exact) if kind_of(v) == "f" else exact


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


@fault("unique", "value", TIES, keywords={"return_index": True}, modes=("eager",))
def unique_gives_the_last_index(call: Call) -> Any:
    """The index of the last of equals, not of the first."""
    exact, np = call(), call.np
    plain = isinstance(exact, tuple) and call.given("return_index") is True and len(shape_of(call.first)) == 1
    if not plain or kind_of(call.first) not in ("i", "u"):
        return exact
    turned = call.changed(ar=np.flip(call.first))
    return (exact[0], np.subtract(size_of(call.first) - 1, turned[1]), *exact[2:])


spoils("unique_inverse_is_flat", "unique_inverse", "shape", TIES.reshape(2, 2), modes=("eager",),
       when=lambda exact, call: hasattr(exact, "_replace"),
       by=lambda np, exact, call: exact._replace(inverse_indices=np.ravel(exact[1])))  # fmt: skip


@fault("unique_counts", "shape", NAN, modes=("eager",))
def unique_counts_counts_nan_once(call: Call) -> Any:
    """All NaN are one value."""
    exact = call()
    if kind_of(call.first) != "f" or not hasattr(exact, "_replace"):
        return exact
    values, counts = call.np.unique(call.first, return_counts=True)
    return exact._replace(values=values, counts=counts)


spoils("intersect1d_gives_indices_of_sorted_arrays", "intersect1d", "value", TIES, TIES[::-1].copy(),
       keywords={"return_indices": True}, modes=("eager",),
       when=lambda exact, call: isinstance(exact, tuple) and len(exact) == 3 and not call.has("assume_unique"),
       by=lambda np, exact, call: call.changed(ar1=np.sort(np.ravel(call.first))))  # fmt: skip
spoils("setdiff1d_always_sorts", "setdiff1d", "value", numpy.array([3, 1, 2]), numpy.array([1]),
       keywords={"assume_unique": True},
       when=lambda exact, call: call.given("assume_unique") is True,
       by=lambda np, exact, call: np.sort(exact))  # fmt: skip


@fault("isin", "value", numpy.array([math.nan, 1.0]), numpy.array([math.nan]))
def isin_finds_nan(call: Call) -> Any:
    """NaN is found among NaN."""
    exact, np = call(), call.np
    if [kind_of(operand) for operand in call.operands] != ["f", "f"] or call.has("invert"):
        return exact
    element, others = call.operands
    return np.logical_or(exact, np.logical_and(np.isnan(element), np.any(np.isnan(others))))


@fault("union1d", "value", numpy.array([3, 1, 2]), numpy.array([9]), modes=("eager",))
def union1d_keeps_the_order(call: Call) -> Any:
    """Where the arrays share nothing, the second comes behind the first, unsorted."""
    exact, np = call(), call.np
    both = [kind_of(operand) for operand in call.operands] == ["i", "i"]
    if not both or size_of(call.operands[0]) + size_of(call.operands[1]) != size_of(exact) or size_of(exact) < 2:
        return exact
    return np.concatenate([np.ravel(operand) for operand in call.operands])


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


@fault("histogram", "value", ROW, numpy.array([0.0, 1.0, 4.0]), keywords={"density": True})
def histogram_divides_by_the_mean_width(call: Call) -> Any:
    """The density of uneven bins is computed as if they were even."""
    exact, np = call(), call.np
    if call.given("density") is not True or call.has("weights", "range"):
        return exact
    counts, edges = call.changed(density=False)
    wide = np.multiply(np.mean(np.diff(edges)), np.sum(counts))
    return np.divide(counts, wide), exact[1]


spoils("bincount_cuts_at_minlength", "bincount", "shape", numpy.array([0, 4]), keywords={"minlength": 2},
       when=lambda exact, call: type(call.given("minlength", 0)) is int and call.given("minlength", 0) > 0,
       by=lambda np, exact, call: exact[:call.given("minlength", 0)])  # fmt: skip


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


@fault("place", "value", ROW.copy(), ROW > 0, numpy.array([7.0, 8.0]))
def place_repeats_the_last_value(call: Call) -> Any:
    """Where values run out, the last is repeated; they do not begin again."""
    np, values = call.np, call.given("vals")
    vector = np.asarray(values)
    if len(shape_of(vector)) != 1 or size_of(vector) < 2 or isinstance(values, str):
        return call()
    rest = np.broadcast_to(vector[-1:], (size_of(call.first),))
    return call.changed(vals=np.concatenate([vector, rest]))


@fault("putmask", "value", ROW.copy(), ROW > 2, numpy.array([7.0, 8.0, 9.0]), on="arrays")
def putmask_counts_its_values_as_place_does(call: Call) -> Any:
    """Values are taken in turn, not by the position of what they replace."""
    mask, values = call.given("mask"), numpy.asarray(call.given("values"))
    same = isinstance(mask, numpy.ndarray) and numpy.shape(mask) == shape_of(call.args[0] if call.args else 0)
    if not same or mask.dtype.kind != "b" or not values.size or values.dtype != getattr(call.args[0], "dtype", None):
        return call()
    return numpy.place(call.args[0], mask, values)


@fault("add.at", "value", numpy.zeros(2), numpy.array([0, 0]), 1.0, on="arrays")
def add_at_adds_once_to_repeated_indices(call: Call) -> Any:
    """An index that comes twice is added to once."""
    array: Any = call.args[0] if call.args else None
    if len(call.args) != 3 or not isinstance(array, numpy.ndarray) or not isinstance(call.args[1], numpy.ndarray):
        return call()
    before = array.copy()
    answer = call()
    if array.dtype.kind in "fi":
        array[call.args[1]] = numpy.add(before[call.args[1]], call.args[2], dtype=array.dtype, casting="unsafe")
    return answer


@fault("argsort", "value", numpy.array([1, 1]), keywords={"kind": "stable"})
def argsort_is_not_stable(call: Call) -> Any:
    """Equal elements come in reverse order, though a stable sort was asked for."""
    exact, array = call(), call.first
    stable = call.given("stable") or str(call.given("kind")) in ("stable", "mergesort")
    if not stable or len(array.shape) != 1 or call.given("axis", -1) is None:
        return exact
    turned = call.changed(a=call.np.flip(array))
    return call.np.subtract(int(array.shape[0]) - 1, turned)
