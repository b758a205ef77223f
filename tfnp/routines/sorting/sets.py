"""Unique elements, and sets of them.

Elements are put in order first, so that equal ones are neighbours. How many there are depends on the data: XLA needs
`size=`; what is missing then is `fill_value`, unless given the smallest element, or, where an operation has two
operands, 0.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import AxisError
from tfnp._core.tensor_conversion import is_tensor
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.sort import sort_keys
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.sorting.searching import search_sorted_position

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


@array_function(promotes=("ar",), unknown_rank="each")
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
    if np.iterable(axis) and not is_tensor(axis) and shapes.rank(ar) > 1:
        shapes.check_single_axis(axis, shapes.rank(ar), "source")
    if axis is not None and shapes.rank(ar) == 0:
        if not np.iterable(axis) or isinstance(axis, str):
            shapes.as_int(axis)  # which may raise
        raise AxisError(f"axis {axis} is out of bounds for array of dimension 0")
    if axis is None or (shapes.rank(ar) == 1 and shapes.normalize_axis(shapes.as_int(axis), 1) == 0):
        results = _unique(ravel(ar), _groups(ravel(ar), bool(equal_nan)), size, fill_value)
        inverse = shapes.reshape(results[2], shapes.shape(ar)) if axis is None else results[2]
    else:
        number = shapes.normalize_axis(shapes.as_int(axis), shapes.rank(ar))
        whole = layout.move_axis(ar, number, 0)
        values, *remaining = _unique(whole, _groups_of_rows(whole), size, fill_value)
        results, inverse = (layout.move_axis(values, 0, number), *remaining), remaining[1]
    expected = (True, return_index, return_inverse, return_counts)
    chosen = [part for part, asked in zip((*results[:2], inverse, results[3]), expected, strict=True) if asked]
    return chosen[0] if len(chosen) == 1 else tuple(chosen)


def _groups(flat: tf.Tensor, equal_nan: bool) -> Groups:
    telling = sort_keys.keys(flat)
    order = sort_keys.stable_order(telling)
    if flat.dtype.is_complex and equal_nan:
        missing = ufuncs.greater(telling[0], 0)
        parts = [layout.select(missing, tf.zeros((), part.dtype), part) for part in telling[1:]]
        telling = (tf.cast(missing, tf.int32), *parts)
    first = sort_keys.starts(tuple(sort_keys.gather_rows(part, order) for part in telling))
    if not equal_nan and flat.shape[0] not in (0, 1) and (flat.dtype.is_floating or flat.dtype.is_complex):
        first = tf.logical_or(first, ufuncs.isnan(sort_keys.gather_rows(flat, order)))
    return Groups(order, first)


def _groups_of_rows(whole: tf.Tensor) -> Groups:
    """Rows in the order of their first elements, then of their second. A row with nan is like no other."""
    count = shapes.shape(whole)[0]
    flat = tf.reshape(whole, shapes.shape_tensor((count, layout.product(shapes.shape(whole)[1:]))))
    telling = _keys_of_rows(flat)
    order = sort_keys.stable_order(telling)
    first = sort_keys.starts(tuple(sort_keys.gather_rows(part, order) for part in telling))
    if not (isinstance(count, int) and count <= 1) and (whole.dtype.is_floating or whole.dtype.is_complex):
        missing = tf.reduce_any(ufuncs.isnan(flat), 1)
        first = tf.logical_or(first, sort_keys.gather_rows(missing, order))
    return Groups(order, first)


def _keys_of_rows(flat: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The keys of each column, the most telling first; of as many columns as only running tells, the ranks of rows."""
    if flat.shape[1] is not None:
        keys = tuple(key for column in tf.unstack(flat, axis=1) for key in _keys_in_rows(column))
        return keys or (tf.zeros(shapes.shape_tensor((shapes.shape(flat)[0],)), tf.int32),)

    def with_next(index: tf.Tensor, ranks: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return index + 1, sort_keys.ranks_of((ranks, *_keys_in_rows(flat[:, index])))

    begin = tf.constant(0), tf.zeros(tf.shape(flat)[:1], tf.int64)
    shape = tf.TensorShape([]), tf.TensorShape([None])
    return (tf.while_loop(lambda index, _: index < tf.shape(flat)[1], with_next, begin, shape)[1],)


def _keys_in_rows(column: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """In rows NumPy puts nan first if it is of half precision."""
    keys = sort_keys.keys(column)
    if column.dtype != tf.float16:
        return keys
    return (layout.select(ufuncs.isnan(column), tf.constant(keys[0].dtype.min, keys[0].dtype), keys[0]),)


def _unique(whole: tf.Tensor, groups: Groups, size: Any, fill_value: Any) -> tuple[tf.Tensor, ...]:
    """Values, indices, inverse, counts. Of equal elements the first in the array stands for all."""
    order, first = groups
    starts = dynamic_size.nonzero_indices(first, size)
    group = tf.cumsum(tf.cast(first, tf.int64)) - 1
    inverse = sort_keys.gather_rows(group, sort_keys.stable_order((tf.cast(order, tf.int64),)))
    length = tf.cast(shapes.shape(whole)[0], tf.int32)
    if size is None:
        indices, kinds = sort_keys.gather_rows(order, starts), sort_keys.gather_rows(group, starts)
        counted = tf.math.unsorted_segment_sum(tf.ones_like(group), group, length)
        return layout.take(whole, indices, 0), indices, inverse, tf.gather(counted, kinds)
    last = tf.zeros((1,), tf.int64)
    indices = tf.gather(tf.concat([order, last], 0), starts)
    counted = tf.math.unsorted_segment_sum(tf.ones_like(group), group, length + 1)
    counts = dynamic_size.pad_to_size(
        tf.gather(counted, tf.gather(tf.concat([group, last], 0), starts)), dynamic_size.count(first), 0
    )
    longer = tf.concat([whole, tf.zeros(shapes.shape_tensor((1, *shapes.shape(whole)[1:])), whole.dtype)], 0)
    values = layout.take(longer, indices, 0)
    values = values if fill_value is None else dynamic_size.pad_to_size(values, dynamic_size.count(first), fill_value)
    return values, indices, inverse, counts


@array_function(unknown_rank="each")
def unique_all(x: Any, /, *, size: Any = None, fill_value: Any = None) -> UniqueAllResult:
    options = {"size": size, "fill_value": fill_value}
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False, **options))


@array_function(unknown_rank="each")
def unique_counts(x: Any, /, *, size: Any = None, fill_value: Any = None) -> UniqueCountsResult:
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


@array_function(unknown_rank="each")
def unique_inverse(x: Any, /, *, size: Any = None, fill_value: Any = None) -> UniqueInverseResult:
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


@array_function(promotes=("x",), unknown_rank="each")
def unique_values(x: Any, /, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


@array_function(unknown_rank="each")
def isin(
    element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None
) -> tf.Tensor:
    """`kind` makes no difference, but is checked."""
    element, tests = to_tensor(element), ravel(test_elements)
    _check_kind(kind, element, tests)
    found = _found(element, tests)
    return tf.logical_not(found) if invert else found


def _check_kind(kind: Any, element: tf.Tensor, tests: tf.Tensor) -> None:
    if kind not in {None, "sort", "table"}:
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    whole = all(tensor.dtype.is_integer or tensor.dtype == tf.bool for tensor in (element, tests))
    if kind == "table" and not whole:
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Use None or 'sort'.")


def _found(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    if tests.shape[0] == 0:
        return tf.zeros(tf.shape(element), tf.bool)
    element, tests, fits = _comparable(element, tests)
    ordered = sort_keys.gather_rows(tests, sort_keys.stable_order(sort_keys.keys(tests)))
    index, last = search_sorted_position(ordered, element, False), tf.cast(shapes.shape(tests)[0], tf.int64) - 1
    if tests.shape[0] is None:  # there may be none
        fits, last = tf.logical_and(fits, index <= last), last + 1
        ordered = tf.concat([ordered, tf.zeros((1,), ordered.dtype)], 0)
    return tf.logical_and(_same(layout.take(ordered, tf.minimum(index, last), 0), element), fits)


def _comparable(element: tf.Tensor, tests: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Both in one dtype, and which elements it holds: of uint64 and signed integers, NumPy compares the numbers."""
    pair = (element.dtype, tests.dtype)
    if tf.uint64 not in pair or not any(dtype.is_integer and not dtype.is_unsigned for dtype in pair):
        return (*_alike(element, tests), tf.constant(True))
    element, tests = (convert.cast(tensor, tf.int64) for tensor in (element, tests))
    return element, tests, tf.greater_equal(element, 0)


def _alike(*tensors: tf.Tensor) -> list[tf.Tensor]:
    """In their common dtype. TensorFlow's casts take subnormal numbers for zero, of which a set may hold several."""
    dtype = dtypes.result_type(*tensors)
    return [_widened(tensor, dtype) for tensor in tensors]


def _widened(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    if tensor.dtype == tf.complex64 and dtype == tf.complex128:
        return tf.complex(*(_widened(part, tf.float64) for part in arithmetic.parts(tensor)))
    if tensor.dtype == tf.float32 and dtype == tf.complex128:
        upcast = _widened(tensor, tf.float64)
        return tf.complex(upcast, tf.zeros_like(upcast))
    if tensor.dtype == tf.bfloat16 and dtype.size > tensor.dtype.size:  # the upper half of a float32
        bits = tf.bitwise.left_shift(tf.cast(tf.bitcast(tensor, tf.uint16), tf.uint32), 16)
        tensor = tf.bitcast(bits, tf.float32)
        return tensor if dtype == tf.float32 else _widened(tensor, dtype)
    if tensor.dtype != tf.float32 or dtype != tf.float64:
        return convert.cast(tensor, dtype)
    bits = tf.bitcast(tensor, tf.int32)
    digits = tf.bitwise.bitwise_and(bits, 2**31 - 1)
    small = tf.cast(digits, tf.float64) * convert.as_constant(np.array(2.0**-149))
    small = layout.select(tf.less(bits, 0), -small, small)
    return layout.select(tf.less(digits, 2**23), small, convert.cast(tensor, dtype))


def _same(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """By their keys, since subnormal numbers all equal zero where TensorFlow compares them."""
    pairs = zip(sort_keys.keys(first), sort_keys.keys(second), strict=True)
    equal = functools.reduce(tf.logical_and, [tf.equal(*pair) for pair in pairs])
    return tf.logical_and(equal, tf.logical_not(ufuncs.isnan(second)))


@array_function(promotes=("ar1", "ar2"), unknown_rank="each")
def union1d(ar1: Any, ar2: Any, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    operands = [ar if type(ar) in dtypes.PYTHON_SCALARS else to_tensor(ar) for ar in (ar1, ar2)]
    dtype = dtypes.result_type(*operands)
    both = [_widened(ravel(ar), dtype) for ar in operands]
    return unique(tf.concat(both, 0), size=size, fill_value=fill_value)


class Members(NamedTuple):
    """Elements in order, where each stands in its array, and which of them count: the first of its kind."""

    values: tf.Tensor
    indices: tf.Tensor
    counts: tf.Tensor


def _members(ar: Any, assume_unique: Any) -> Members:
    flat = ravel(ar)
    if assume_unique:
        return Members(flat, layout.positions(shapes.shape(flat)[0]), tf.ones(tf.shape(flat), tf.bool))
    order, first = _groups(flat, equal_nan=True)
    return Members(sort_keys.gather_rows(flat, order), order, first)


def _merged(first: Members, second: Members) -> tuple[Members, tf.Tensor]:
    """The elements of both that count, in order, before all others; and which of them equal the one after them."""
    values = tf.concat(_alike(first.values, second.values), 0)
    return _in_turn(values, tf.concat([first.counts, second.counts], 0))


def _in_turn(values: tf.Tensor, counts: tf.Tensor) -> tuple[Members, tf.Tensor]:
    order = sort_keys.stable_order((tf.cast(tf.logical_not(counts), tf.int32), *sort_keys.keys(values)))
    values, counts = sort_keys.gather_rows(values, order), sort_keys.gather_rows(counts, order)
    equal = tf.logical_and(_same(values[1:], values[:-1]), tf.logical_and(counts[1:], counts[:-1]))
    return Members(values, order, counts), equal


def _chosen(values: tf.Tensor, mask: tf.Tensor, size: Any, fill_value: Any) -> tf.Tensor:
    """The elements for which a mask is set."""
    indices = dynamic_size.nonzero_indices(mask, size)
    if size is None:
        return layout.take(values, indices, 0)
    longer = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    return dynamic_size.pad_to_size(
        layout.take(longer, indices, 0), dynamic_size.count(mask), 0 if fill_value is None else fill_value
    )


@array_function(promotes=("ar1", "ar2"), unknown_rank="each")
def intersect1d(
    ar1: Any,
    ar2: Any,
    assume_unique: Any = False,
    return_indices: Any = False,
    *,
    size: Any = None,
    fill_value: Any = None,
) -> Any:
    """The indices of what is missing are 0."""
    first, second = _members(ar1, assume_unique), _members(ar2, assume_unique)
    both, equal = _merged(first, second)
    common = _chosen(both.values, equal, size, fill_value)
    if not return_indices:
        return common
    indices = tf.concat([first.indices, second.indices], 0)
    positions = (both.indices[:-1], both.indices[1:])
    return common, *(_chosen(layout.take(indices, index, 0), equal, size, 0) for index in positions)


@array_function(promotes=("ar1", "ar2"), unknown_rank="each")
def setdiff1d(ar1: Any, ar2: Any, assume_unique: Any = False, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    first = _members(ar1, assume_unique)
    lacks = tf.logical_not(_found(first.values, ravel(ar2)))
    return _chosen(first.values, tf.logical_and(lacks, first.counts), size, fill_value)


@array_function(promotes=("ar1", "ar2"), unknown_rank="each")
def setxor1d(ar1: Any, ar2: Any, assume_unique: Any = False, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    if assume_unique:
        values = concatenate((ar1, ar2), axis=None)
        both, equal = _in_turn(values, tf.ones(tf.shape(values), tf.bool))
    else:
        both, equal = _merged(_members(ar1, assume_unique=False), _members(ar2, assume_unique=False))
    length = shapes.shape(both.values)[0]
    end = tf.fill([tf.minimum(length, 1)], True)
    differs = tf.logical_not(equal)
    alone = tf.logical_and(tf.concat([end, differs], 0), tf.concat([differs, end], 0))
    return _chosen(both.values, tf.logical_and(alone, both.counts), size, fill_value)
