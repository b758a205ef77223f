"""Reported bugs of sorting, searching, sets and indexing."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.historical.form import formed, is_real, operand
from fuzz.mutants.model import Call, reported

LONG = numpy.arange(200.0)


@reported("cupy/cupy#3232", "lexsort", "value", numpy.array([[2, 1], [0, 5], [1, 3]]).T)
def lexsort_reads_keys_as_they_lie_in_memory(call: Call) -> Any:
    """Keys in one array that is transposed are read in the order of memory."""
    exact, keys = call(), call.given("keys")
    if not isinstance(keys, numpy.ndarray) or keys.ndim != 2 or keys.flags.c_contiguous or call.has("axis"):
        return exact
    return call.right(keys.ravel(order="K").reshape(keys.shape))


@reported("numpy/numpy#21867", "sort", "value", numpy.array([numpy.nan, 2.0, 1.0], numpy.float16))
def sort_of_halves_puts_nan_in_front(call: Call) -> Any:
    """In float16, NaN is in front."""
    exact = call()
    if not isinstance(exact, numpy.ndarray) or exact.dtype != numpy.float16 or exact.ndim != 1:
        return exact
    return numpy.concatenate([exact[numpy.isnan(exact)], exact[~numpy.isnan(exact)]])


@reported(
    "numpy/numpy#14418", "argsort", "value", numpy.array([513, 2, 258], numpy.int16), keywords={"kind": "stable"}
)  # fmt: skip
def argsort_by_radix_looks_at_the_low_byte(call: Call) -> Any:
    """A stable sort of numbers of 16 bits looks at their low byte."""
    exact, x = call(), call.first
    stable = call.given("kind") in ("stable", "mergesort") or call.given("stable") is True
    if not stable or x.dtype not in (numpy.int16, numpy.uint16):
        return exact
    return call.changed(a=x & 255)


@reported("numpy/numpy#6261", "searchsorted", "value", numpy.arange(6.0), numpy.array([4.5, 3.5, 0.5]))
def searchsorted_of_falling_keys_stays(call: Call) -> Any:
    """A key that is smaller than the two before it, which fall, gets the index of the one before it."""
    exact, v = call(), operand(call, "v")
    if v.ndim != 1 or v.size < 3 or v.dtype.kind not in "fiu":
        return exact
    falling = numpy.concatenate([[False, False], (v[2:] < v[1:-1]) & (v[1:-1] < v[:-2])])
    return numpy.where(falling, numpy.roll(exact, 1), exact)


@reported("numba/numba#10069", "union1d", "shape", numpy.array([numpy.nan]), numpy.array([numpy.nan]))
def union1d_keeps_every_nan(call: Call) -> Any:
    """NaN of both arrays are kept."""
    exact = call()
    if not is_real(exact):
        return exact
    count = sum(int(numpy.isnan(one.astype(exact.dtype)).sum()) for one in call.operands)
    return numpy.concatenate([exact[~numpy.isnan(exact)], numpy.full(count, numpy.nan, exact.dtype)])


@reported(
    "cupy/cupy#8032", "intersect1d", "shape", numpy.array([1, 2]), numpy.array([2, 1]), keywords={"assume_unique": True}
)  # fmt: skip
def intersect1d_of_unique_arrays_needs_them_sorted(call: Call) -> Any:
    """With `assume_unique`, the second array is searched as if it were sorted."""
    exact = call()
    if (
        call.given("assume_unique") is not True
        or call.given("return_indices")
        or not all(o.size for o in call.operands)
    ):
        return exact
    first, second = (one.ravel() for one in call.operands)
    index = numpy.minimum(numpy.searchsorted(second, first), second.size - 1)
    return formed(numpy.sort(first[second[index] == first]), exact)


@reported(
    "jax-ml/jax#32402", "setdiff1d", "shape", numpy.zeros((2, 1)), numpy.ones(1), keywords={"assume_unique": True}
)  # fmt: skip
def setdiff1d_of_unique_arrays_keeps_columns(call: Call) -> Any:
    """With `assume_unique`, a first array of several axes is not flattened."""
    exact = call()
    several = call.given("assume_unique") is True and numpy.ndim(call.args[0] if call.args else 0) > 1
    return exact.reshape((*exact.shape, 1)) if several else exact


@reported("cupy/cupy#9815", "delete", "spurious error", numpy.array([1, 2, 3]), [])
def delete_of_no_index_is_an_index_error(call: Call) -> Any:
    """An empty list of indices is an array of floats, which are no indices."""
    exact, obj = call(), call.given("obj")
    if isinstance(obj, list | tuple) and not obj:
        raise IndexError("arrays used as indices must be of integer type")
    return exact


@reported("numba/numba#10660", "insert", "spurious error", numpy.array([1, 2, 3]), [1], numpy.array([7, 8, 9]))
def insert_of_several_at_one_index_in_a_list(call: Call) -> Any:
    """An index in a list of one takes one value only."""
    exact, obj = call(), call.given("obj")
    listed = (isinstance(obj, list) and len(obj) == 1) or (isinstance(obj, numpy.ndarray) and obj.shape == (1,))
    if (
        listed
        and numpy.asarray(obj).dtype.kind in "iu"
        and call.given("axis") is None
        and operand(call, "values").size > 1
    ):
        raise ValueError("the numbers of values and of indices differ")
    return exact


@reported("jax-ml/jax#5088", "take_along_axis", "value", LONG, numpy.array([3, 150], numpy.uint8))
def take_along_axis_takes_bytes_for_signed(call: Call) -> Any:
    """Indices of uint8 past 127 are taken for negative ones."""
    exact, indices = call(), call.given("indices")
    dim = call.first.size if call.given("axis", -1) is None else call.first.shape[call.given("axis", -1)]
    if not isinstance(indices, numpy.ndarray) or indices.dtype != numpy.uint8 or dim < 128:
        return exact
    return call.changed(indices=indices.view(numpy.int8))


@reported("jax-ml/jax#902", "take_along_axis", "shape", numpy.ones((2, 3)), numpy.array([[0]]), 1)
def take_along_axis_does_not_broadcast_indices(call: Call) -> Any:
    """The result has the shape of the indices, where they should be broadcast."""
    exact, indices = call(), operand(call, "indices")
    if indices.ndim != numpy.ndim(exact) or indices.shape == exact.shape:
        return exact
    return exact[tuple(slice(0, dim) for dim in indices.shape)]


@reported("nv-legate/cupynumeric#703", "diagonal", "spurious error", numpy.ones((5, 1)), 1)
def diagonal_beyond_the_corner_is_an_error(call: Call) -> Any:
    """An offset past the last column or row raises ValueError."""
    exact, shape, offset = call(), call.first.shape, call.given("offset", 0)
    if not call.has("axis1", "axis2") and (offset >= shape[1] > 0 or -offset >= shape[0] > 0):
        raise ValueError("the offset must be in range")
    return exact
