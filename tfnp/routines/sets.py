"""Unique elements, and sets of them.

Elements are put in order first, so that equal ones are neighbours. How many there are depends on the data: XLA needs
`size=`, and fills what is missing with `fill_value`, the smallest element unless given.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tfnp._core import convert, dtypes, moves, shapes, sizes
from tfnp._core.convert import to_tensor
from tfnp._core.errors import AxisError
from tfnp.routines import ufuncs
from tfnp.routines.joining import concatenate
from tfnp.routines.kernels import orders
from tfnp.routines.searching import place_among
from tfnp.routines.shaping import ravel

__all__ = [
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    values: tf.Tensor
    indices: tf.Tensor
    inverse_indices: tf.Tensor
    counts: tf.Tensor


class UniqueCountsResult(NamedTuple):
    values: tf.Tensor
    counts: tf.Tensor


class UniqueInverseResult(NamedTuple):
    values: tf.Tensor
    inverse_indices: tf.Tensor


class Groups(NamedTuple):
    """Equal elements together: where each stands in order, and which are the first of their kind."""

    order: tf.Tensor
    first: tf.Tensor


def unique(
    ar: Any,
    return_index: Any = False,
    return_inverse: Any = False,
    return_counts: Any = False,
    axis: Any = None,
    *,
    equal_nan: Any = True,
    sorted: Any = True,
    size: Any = None,
    fill_value: Any = None,
) -> Any:
    """Always in order, whatever `sorted` says."""
    ar = to_tensor(ar)
    if axis is not None and shapes.rank(ar) == 0:
        raise AxisError(f"axis {axis} is out of bounds for array of dimension 0")
    if isinstance(axis, tuple) and shapes.rank(ar) > 1:
        shapes.normalize_axes(axis, shapes.rank(ar), "source")
    if axis is None or (shapes.rank(ar) == 1 and shapes.normalize_axis(shapes.as_int(axis), 1) == 0):
        results = _unique(ravel(ar), _groups(ravel(ar), bool(equal_nan)), size, fill_value)
        inverse = shapes.reshape(results[2], shapes.shape(ar)) if axis is None else results[2]
    else:
        number = shapes.normalize_axis(shapes.as_int(axis), shapes.rank(ar))
        whole = moves.move_axis(ar, number, 0)
        values, *rest = _unique(whole, _groups_of_rows(whole), size, fill_value)
        results, inverse = (moves.move_axis(values, 0, number), *rest), rest[1]
    wanted = (True, return_index, return_inverse, return_counts)
    chosen = [part for part, asked in zip((*results[:2], inverse, results[3]), wanted, strict=True) if asked]
    return chosen[0] if len(chosen) == 1 else tuple(chosen)


def _groups(flat: tf.Tensor, equal_nan: bool) -> Groups:
    telling = orders.keys(flat)
    order = orders.stable_order(telling)
    if flat.dtype.is_complex and equal_nan:
        missing = ufuncs.greater(telling[0], 0)
        parts = [moves.select(missing, tf.zeros((), part.dtype), part) for part in telling[1:]]
        telling = (tf.cast(missing, tf.int32), *parts)
    first = orders.starts(tuple(orders.gather_rows(part, order) for part in telling))
    if not equal_nan and flat.shape[0] not in (0, 1) and (flat.dtype.is_floating or flat.dtype.is_complex):
        first = tf.logical_or(first, ufuncs.isnan(orders.gather_rows(flat, order)))
    return Groups(order, first)


def _groups_of_rows(whole: tf.Tensor) -> Groups:
    """Rows in the order of their first elements, then of their second. A row with nan is like no other."""
    count = shapes.shape(whole)[0]
    flat = tf.reshape(whole, shapes.pack((count, moves.product(shapes.shape(whole)[1:]))))
    width = flat.shape[1]
    if width is None:
        raise ValueError("the length of a row must be known while tracing to put rows in order")
    columns = tf.unstack(flat, axis=1) or [tf.zeros(shapes.pack((count,)), tf.int32)]
    telling = tuple(key for column in columns for key in orders.keys(column))
    order = orders.stable_order(telling)
    first = orders.starts(tuple(orders.gather_rows(part, order) for part in telling))
    if not (isinstance(count, int) and count <= 1) and (whole.dtype.is_floating or whole.dtype.is_complex):
        missing = tf.reduce_any(ufuncs.isnan(flat), 1)
        first = tf.logical_or(first, orders.gather_rows(missing, order))
    return Groups(order, first)


def _unique(whole: tf.Tensor, groups: Groups, size: Any, fill_value: Any) -> tuple[tf.Tensor, ...]:
    """Values, indices, inverse, counts. Of equal elements the first in the array stands for all."""
    order, first = groups
    starts = sizes.places(first, size)
    indices = orders.gather_rows(order, starts) if size is None else tf.gather(order, starts)
    group = tf.cumsum(tf.cast(first, tf.int64)) - 1
    inverse = orders.gather_rows(group, orders.stable_order((tf.cast(order, tf.int64),)))
    length = shapes.shape(whole)[0]
    counted = tf.math.unsorted_segment_sum(tf.ones_like(group), group, tf.cast(length, tf.int32))
    values, counts = moves.take(whole, indices, 0), tf.gather(counted, orders.gather_rows(group, starts))
    if size is not None:
        found = sizes.count(first)
        values = values if fill_value is None else sizes.sized(values, found, fill_value)
        counts = sizes.sized(counts, found, 0)
    return values, indices, inverse, counts


def unique_all(x: Any, /, *, size: Any = None, fill_value: Any = None) -> UniqueAllResult:
    options = {"size": size, "fill_value": fill_value}
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False, **options))


def unique_counts(x: Any, /, *, size: Any = None, fill_value: Any = None) -> UniqueCountsResult:
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_inverse(x: Any, /, *, size: Any = None, fill_value: Any = None) -> UniqueInverseResult:
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


def unique_values(x: Any, /, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


def isin(
    element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None
) -> tf.Tensor:
    """`kind` makes no difference, but is checked."""
    element, tests = to_tensor(element), ravel(test_elements)
    _check_kind(kind, element, tests)
    dtype = dtypes.result_type(element, tests)
    element, tests = convert.cast(element, dtype), convert.cast(tests, dtype)
    if tests.shape[0] == 0:
        found = tf.zeros(tf.shape(element), tf.bool)
    else:
        ordered = orders.gather_rows(tests, orders.stable_order(orders.keys(tests)))
        place = tf.minimum(place_among(ordered, element, False), tf.cast(shapes.shape(tests)[0], tf.int64) - 1)
        found = _same(moves.take(ordered, place, 0), element)
    return tf.logical_not(found) if invert else found


def _same(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """By their keys, since subnormal numbers all equal zero where TensorFlow compares them."""
    if first.dtype.is_complex:
        return ufuncs.equal(first, second)
    return tf.logical_and(tf.equal(orders.key(first), orders.key(second)), tf.logical_not(ufuncs.isnan(second)))


def _check_kind(kind: Any, element: tf.Tensor, tests: tf.Tensor) -> None:
    if kind not in {None, "sort", "table"}:
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    whole = all(tensor.dtype.is_integer or tensor.dtype == tf.bool for tensor in (element, tests))
    if kind == "table" and not whole:
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Use None or 'sort'.")


def union1d(ar1: Any, ar2: Any, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    return unique(concatenate((ar1, ar2), None), size=size, fill_value=fill_value)


def intersect1d(ar1: Any, ar2: Any, assume_unique: Any = False, return_indices: Any = False) -> Any:
    """The size depends on the data, which XLA does not bear."""
    first, second = ravel(ar1), ravel(ar2)
    dtype = dtypes.result_type(first, second)
    first, second = convert.cast(first, dtype), convert.cast(second, dtype)
    values, indices = unique(first, return_index=True)
    kept = sizes.places(isin(values, second))
    common = moves.take(values, kept, 0)
    if not return_indices:
        return common
    others, other_indices = unique(second, return_index=True)
    places = place_among(others, common, False)
    return common, moves.take(indices, kept, 0), moves.take(other_indices, places, 0)


def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> tf.Tensor:
    """The size depends on the data, which XLA does not bear."""
    first = ravel(ar1) if assume_unique else unique(ar1)
    return moves.take(first, sizes.places(isin(first, ar2, invert=True)), 0)


def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False) -> tf.Tensor:
    """The size depends on the data, which XLA does not bear."""
    first, second = (ravel(ar) if assume_unique else unique(ar) for ar in (ar1, ar2))
    dtype = dtypes.result_type(first, second)
    both = tf.concat([convert.cast(first, dtype), convert.cast(second, dtype)], 0)
    values, counts = unique(both, return_counts=True, equal_nan=False)
    return moves.take(values, sizes.places(tf.equal(counts, 1)), 0)
