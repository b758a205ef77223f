"""Sets and searches: no sort but the one that is needed, tables for integers of a small range, halving under XLA."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import compilation, moves, ops, shapes, sizes
from tfnp.routines import sets, ufuncs
from tfnp.routines.kernels import orders
from tfnp.routines.searching import place_among
from tfnp.routines.sets import Groups

FEW = 16
"""Elements to look for one by one: each costs two passes, a search as many as the logarithm of the length."""
SPARSE = 4
"""How many times more places a table may have than there are elements, as NumPy takes it."""

# Searching: tfnp/routines/searching.py


def place_by_halving(first: tf.Tensor, second: tf.Tensor, after: bool) -> tf.Tensor:
    """Under XLA replaces `LowerBound` and `UpperBound` in `place_among`, which compare each with each: n x m.

    Binary search: from the largest power of two down, a step is taken if what lies before it is less.
    """
    length = shapes.shape(first)[0]
    if isinstance(length, int) and length == 0:
        return tf.zeros(tf.shape(second), tf.int64)
    length64 = tf.cast(length, tf.int64)
    comes_before = tf.less_equal if after else tf.less

    def stride(place: tf.Tensor, step: Any) -> tf.Tensor:
        further = place + step
        is_within = further <= length64
        item = tf.gather(first, tf.minimum(further, length64) - 1)
        return tf.where(is_within & comes_before(item, second), further, place)

    place = tf.zeros(tf.shape(second), tf.int64)
    bits = length.bit_length() if isinstance(length, int) else 32
    return tf.while_loop(
        lambda step, _: step > 0,
        lambda step, place: (step // 2, stride(place, step)),
        (tf.constant(1 << (bits - 1), tf.int64), place),
        maximum_iterations=bits,
    )[1]


# Orders: tfnp/routines/kernels/orders.py


def invert_order(order: tf.Tensor) -> tf.Tensor:
    """Where each place of an order is, which `dense_ranks`, `ranks_of` and `_unique` find by another sort."""
    if compilation.is_for_xla():  # whose InvertPermutation is wrong
        return tf.scatter_nd(order[:, None], moves.positions(shapes.shape(order)[0]), shapes.pack(shapes.shape(order)))
    return tf.raw_ops.InvertPermutation(x=order)


# Unique: tfnp/routines/sets.py


def unique_of(
    whole: tf.Tensor, groups: Groups, *, inverse: bool = False, counts: bool = False
) -> tuple[tf.Tensor | None, ...]:
    """Replaces `_unique` where no size is asked for: what is not asked for is not made."""
    order, first = groups
    starts = sizes.places(first)
    indices = orders.gather_rows(order, starts)
    found_inverse = found_counts = None
    if inverse:
        group = tf.cumsum(tf.cast(first, tf.int64)) - 1
        found_inverse = tf.gather(group, invert_order(order))
    if counts:
        ends = tf.concat([starts[1:], tf.cast(shapes.shape(whole)[:1], tf.int64)], 0)
        found_counts = ends[: tf.size(starts)] - starts
    return moves.take(whole, indices, 0), indices, found_inverse, found_counts


def table_of(*tensors: tf.Tensor) -> tuple[tf.Tensor, int] | None:
    """The least number of eager integers, and how many there may be from it on, if they are dense; else None."""
    first = tensors[0]
    if not tf.executing_eagerly() or not first.dtype.is_integer or any(x.dtype != first.dtype for x in tensors):
        return None
    if any(x.shape.num_elements() == 0 for x in tensors):
        return None
    low = functools.reduce(tf.minimum, map(_least, tensors))
    high = functools.reduce(tf.maximum, map(_most, tensors))
    width = int(high) - int(low) + 1
    if width > SPARSE * sum(x.shape.num_elements() for x in tensors) + 1024 or width >= 2**31:
        return None
    return low, width


def _least(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_min(x)


def _most(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_max(x)


def _in_table(x: tf.Tensor, low: tf.Tensor) -> tf.Tensor:
    """Places in the table (int32). What wraps in a narrow dtype is wide before."""
    if x.dtype.size < 4:
        return tf.cast(x, tf.int32) - tf.cast(low, tf.int32)
    return tf.cast(x - low, tf.int32)


def _count(places: tf.Tensor, width: int) -> tf.Tensor:
    none = tf.zeros((0,), tf.int32)
    return tf.raw_ops.DenseBincount(input=places, size=width, weights=none, binary_output=False)


def unique_by_table(
    flat: tf.Tensor, low: tf.Tensor, width: int, *, index: bool, inverse: bool, counts: bool
) -> tuple[tf.Tensor | None, ...]:
    """Unique integers of a small range, by counting."""
    places = _in_table(flat, low)
    counted = _count(places, width)
    there = tf.not_equal(counted, 0)
    kinds = tf.where(there)[:, 0]
    values = tf.cast(kinds + tf.cast(low, tf.int64), flat.dtype) if flat.dtype != tf.uint64 else (
        tf.bitcast(kinds, tf.uint64) + low
    )
    found_index = found_inverse = None
    if index:
        firsts = tf.math.unsorted_segment_min(moves.positions(flat.shape[0]), places, width)
        found_index = tf.gather(firsts, kinds)
    if inverse:
        found_inverse = tf.gather(tf.cumsum(tf.cast(there, tf.int64)) - 1, places)
    return values, found_index, found_inverse, tf.cast(tf.gather(counted, kinds), tf.int64) if counts else None


def unique(flat: tf.Tensor, index: bool = False, inverse: bool = False, counts: bool = False, equal_nan: bool = True) -> Any:
    """The body of `unique` of a vector, as it would be."""
    table = table_of(flat)
    if table is not None:
        results = unique_by_table(flat, *table, index=index, inverse=inverse, counts=counts)
    else:
        results = unique_of(flat, sets._groups(flat, equal_nan), inverse=inverse, counts=counts)
    chosen = [part for part, asked in zip(results, (True, index, inverse, counts), strict=True) if asked]
    return chosen[0] if len(chosen) == 1 else tuple(chosen)


# isin and intersect1d: tfnp/routines/sets.py


def found(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    """Replaces `_found`: a table for integers of a small range, one by one for few, else as before."""
    if tests.shape[0] == 0:
        return tf.zeros(tf.shape(element), tf.bool)
    if element.dtype == tests.dtype:
        table = table_of(tests) if element.dtype.is_integer else None
        if table is not None:
            return _found_in_table(element, tests, *table)
        if (tests.shape[0] or FEW + 1) <= FEW:
            return _found_one_by_one(element, tests)
    return _found_by_search(element, tests)


def _found_in_table(element: tf.Tensor, tests: tf.Tensor, low: tf.Tensor, width: int) -> tf.Tensor:
    there = tf.not_equal(_count(_in_table(tests, low), width), 0)
    high = tf.reduce_max(tests)
    is_within = (element >= low) & (element <= high)
    places = _in_table(tf.where(is_within, element, low), low)
    return is_within & tf.gather(there, places)


def _found_one_by_one(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    own, others = orders.keys(element), orders.keys(tests)
    counts = tf.logical_not(ufuncs.isnan(tests)) if not tests.dtype.is_integer else None
    result = None
    for i in range(tests.shape[0]):
        equal = functools.reduce(tf.logical_and, [tf.equal(key, other[i]) for key, other in zip(own, others, strict=True)])
        equal = equal if counts is None else equal & counts[i]
        result = equal if result is None else result | equal
    return result


def _found_by_search(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    element, tests, fits = sets._comparable(element, tests)
    ordered = orders.gather_rows(tests, orders.stable_order(orders.keys(tests)))
    place, last = place_among(ordered, element, False), tf.cast(shapes.shape(tests)[0], tf.int64) - 1
    if tests.shape[0] is None:  # there may be none
        fits, last = tf.logical_and(fits, place <= last), last + 1
        ordered = tf.concat([ordered, tf.zeros((1,), ordered.dtype)], 0)
    return tf.logical_and(sets._same(moves.take(ordered, tf.minimum(place, last), 0), element), fits)


def intersect(ar1: tf.Tensor, ar2: tf.Tensor, return_indices: bool = False) -> Any:
    """Replaces the body of `intersect1d` where no size is asked for and the arrays are not assumed to be unique: the
    unique elements of one are looked up among those of the other, instead of a third sort, of both.
    """
    first, second = sets._alike(ar1, ar2)
    values, indices = unique(first, index=True)
    others, other_indices = unique(second, index=True)
    place = place_among(others, values, False)
    count = tf.cast(shapes.shape(others)[0], tf.int64)
    longer = tf.concat([others, tf.zeros((1,), others.dtype)], 0)
    equal = sets._same(moves.take(longer, tf.minimum(place, count), 0), values) & (place < count)
    where = sizes.places(equal)
    common = moves.take(values, where, 0)
    if not return_indices:
        return common
    return common, tf.gather(indices, where), tf.gather(other_indices, tf.gather(place, where))
