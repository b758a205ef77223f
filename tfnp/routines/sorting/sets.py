"""Unique elements, and set operations.

Arrays are sorted, so that equal elements are neighbours; in eager mode, integers of a small span are counted in
tables. The size of the results depends on data: XLA needs `size`. They are then cut off there, or filled with
`fill_value`: by default the smallest element, or 0 where an operation has two operands.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import AxisError
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.sort import sort_keys, tables
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
    """The result of `unique_all`."""

    values: tf.Tensor
    indices: tf.Tensor
    inverse_indices: tf.Tensor
    counts: tf.Tensor


class UniqueCountsResult(NamedTuple):
    """The result of `unique_counts`."""

    values: tf.Tensor
    counts: tf.Tensor


class UniqueInverseResult(NamedTuple):
    """The result of `unique_inverse`."""

    values: tf.Tensor
    inverse_indices: tf.Tensor


class Groups(NamedTuple):
    """A stable order of the elements, and a mask of the first of each group of equal ones in that order."""

    order: tf.Tensor
    is_first: tf.Tensor


@array_function(promotes=("ar",), unknown_rank="each", traces=("ar",))
def unique(
    ar: ArrayLike,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: IntLike | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
    size: ShapeLike | None = None,
    fill_value: ArrayLike | None = None,
) -> Any:
    """The values are sorted, whatever `sorted` says. Their number depends on values, which XLA does not support. With
    `size`, a keyword of tfnp's own, the results have that length: further values are dropped, missing ones are
    `fill_value`, by default the smallest value; missing counts are 0.

    Gradients of the values flow to the first of equal elements.
    """
    ar = to_tensor(ar)
    if np.iterable(axis) and not is_tensor(axis) and shapes.rank(ar) > 1:
        shapes.check_single_axis(axis, shapes.rank(ar), "source")
    if axis is not None and shapes.rank(ar) == 0:
        if not np.iterable(axis) or (isinstance(axis, str) and axis):
            shapes.as_int(axis)  # raises for other types
        raise AxisError(f"axis {axis} is out of bounds for array of dimension 0")
    if axis is None or (shapes.rank(ar) == 1 and shapes.normalize_axis(shapes.as_int(axis), 1) == 0):
        flat = ravel(ar)
        if size is None and (table := tables.make_table(flat)) is not None:
            distinct = _look_up_distinct(table)
        else:
            are_values_enough = size is None and not (return_index or return_inverse)
            is_sorted = are_values_enough and sort_keys.is_sorted_by_numpy(flat)
            flat = sort_keys.sort_rows(flat) if is_sorted else flat
            distinct = _find_distinct(flat, _group_elements(flat, bool(equal_nan), is_sorted), size, fill_value)
        values, shape = distinct.values(), shapes.shape(ar) if axis is None else None
    else:
        axis = shapes.normalize_axis(shapes.as_int(axis), shapes.rank(ar))
        rows = layout.move_axis(ar, axis, 0)
        distinct = _find_distinct(rows, _group_rows(rows), size, fill_value)
        values, shape = layout.move_axis(distinct.values(), 0, axis), None
    results = [values]
    if return_index:
        results.append(distinct.indices())
    if return_inverse:
        results.append(distinct.inverse() if shape is None else shapes.reshape(distinct.inverse(), shape))
    if return_counts:
        results.append(distinct.counts())
    return results[0] if len(results) == 1 else tuple(results)


def _group_elements(flat: tf.Tensor, equal_nan: bool, is_sorted: bool = False) -> Groups:
    """Sort and group the elements of a vector."""
    keys = sort_keys.keys(flat)
    order, sorted_keys = (layout.positions(flat.shape[0]), keys) if is_sorted else sort_keys.sort_stably(keys)
    if flat.dtype.is_complex and equal_nan:
        is_nan = sort_keys.is_nan(sorted_keys)
        value_keys = [layout.select(is_nan, tf.zeros((), key.dtype), key) for key in sorted_keys[1:]]
        sorted_keys = (tf.cast(is_nan, tf.int32), *value_keys)
    is_first = sort_keys.starts(sorted_keys)
    if not equal_nan and flat.shape[0] not in (0, 1) and (flat.dtype.is_floating or flat.dtype.is_complex):
        is_first = tf.logical_or(is_first, sort_keys.is_nan(sorted_keys))
    return Groups(order, is_first)


def _group_rows(rows: tf.Tensor) -> Groups:
    """Sort and group rows lexicographically. A row with nan is equal to no other."""
    count = shapes.shape(rows)[0]
    flat = tf.reshape(rows, shapes.shape_tensor((count, layout.product(shapes.shape(rows)[1:]))))
    keys = _make_row_keys(flat)
    order, sorted_keys = sort_keys.sort_stably(keys)
    is_first = sort_keys.starts(sorted_keys)
    if not (isinstance(count, int) and count <= 1) and (rows.dtype.is_floating or rows.dtype.is_complex):
        has_nan = tf.reduce_any(ufuncs.isnan(flat), 1)
        is_first = tf.logical_or(is_first, sort_keys.gather_rows(has_nan, order))
    return Groups(order, is_first)


def _make_row_keys(flat: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return the sort keys of rows: those of all columns, the most significant first.

    If the number of columns is unknown while tracing, return one key instead: the rank of each row.
    """
    if flat.shape[1] is not None:
        keys = tuple(key for column in tf.unstack(flat, axis=1) for key in _make_column_keys(column))
        return keys or (tf.zeros(shapes.shape_tensor((shapes.shape(flat)[0],)), tf.int32),)

    def rank_next_column(index: tf.Tensor, ranks: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return index + 1, sort_keys.ranks_of((ranks, *_make_column_keys(flat[:, index])))

    initial = tf.constant(0), tf.zeros(tf.shape(flat)[:1], tf.int64)
    shape = tf.TensorShape([]), tf.TensorShape([None])
    return (tf.while_loop(lambda index, _: index < tf.shape(flat)[1], rank_next_column, initial, shape)[1],)


def _make_column_keys(column: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return the sort keys of a column. When NumPy sorts rows, it puts nan of float16 first."""
    keys = sort_keys.keys(column)
    if column.dtype != tf.float16:
        return keys
    return (layout.select(ufuncs.isnan(column), tf.constant(keys[0].dtype.min, keys[0].dtype), keys[0]),)


class Distinct(NamedTuple):
    """The distinct elements of an array; each of these functions calculates one of the results of `unique`."""

    values: Callable[[], tf.Tensor]
    indices: Callable[[], tf.Tensor]
    inverse: Callable[[], tf.Tensor]
    counts: Callable[[], tf.Tensor]


def _look_up_distinct(table: tables.Table) -> Distinct:
    """Return the distinct integers of a table."""
    counts = table.count(0)
    is_present = tf.greater(counts, 0)
    offsets = dynamic_size.nonzero_indices(is_present)

    def find_inverse() -> tf.Tensor:
        return tf.cast(layout.take(tf.cumsum(tf.cast(is_present, tf.int32)) - 1, table.indices[0], 0), tf.int64)

    return Distinct(
        lambda: table.values(offsets),
        lambda: layout.take(table.first_positions(0), offsets, 0),
        find_inverse,
        lambda: tf.cast(layout.take(counts, offsets, 0), tf.int64),
    )


def _find_distinct(elements: tf.Tensor, groups: Groups, size: Any, fill_value: Any) -> Distinct:
    """Return the distinct elements of grouped ones: of equal elements, the first in the array."""
    if size is not None:
        return _find_distinct_of_size(elements, groups, size, fill_value)
    order, is_first = groups
    starts = dynamic_size.nonzero_indices(is_first)
    indices, length = sort_keys.gather_rows(order, starts), tf.cast(shapes.shape(elements)[0], tf.int64)

    def find_inverse() -> tf.Tensor:
        group = tf.cumsum(tf.cast(is_first, tf.int64)) - 1
        return layout.take(group, ops.invert_permutation(order), 0)

    return Distinct(
        lambda: layout.take(elements, indices, 0),
        lambda: indices,
        find_inverse,
        lambda: tf.concat([starts[1:], length[None]], 0)[: tf.size(starts)] - starts,
    )


def _find_distinct_of_size(elements: tf.Tensor, groups: Groups, size: Any, fill_value: Any) -> Distinct:
    """Return the distinct elements, dropped or filled to a size."""
    order, is_first = groups
    starts = dynamic_size.nonzero_indices(is_first, size)
    group = tf.cumsum(tf.cast(is_first, tf.int64)) - 1
    inverse = sort_keys.gather_rows(group, sort_keys.stable_order((tf.cast(order, tf.int64),)))
    length = tf.cast(shapes.shape(elements)[0], tf.int32)
    padding = tf.zeros((1,), tf.int64)
    indices = tf.gather(tf.concat([order, padding], 0), starts)
    group_sizes = tf.math.unsorted_segment_sum(tf.ones_like(group), group, length + 1)
    counts = dynamic_size.pad_to_size(
        tf.gather(group_sizes, tf.gather(tf.concat([group, padding], 0), starts)), dynamic_size.count(is_first), 0
    )
    padded = tf.concat([elements, tf.zeros(shapes.shape_tensor((1, *shapes.shape(elements)[1:])), elements.dtype)], 0)
    values = layout.take(padded, indices, 0)
    values = (
        values if fill_value is None else dynamic_size.pad_to_size(values, dynamic_size.count(is_first), fill_value)
    )
    return Distinct(lambda: values, lambda: indices, lambda: inverse, lambda: counts)


@array_function(unknown_rank="each", traces=("x",))
def unique_all(
    x: ArrayLike, /, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None
) -> UniqueAllResult:
    """The values are sorted, and every nan is a value of its own.

    Their number depends on data: XLA needs `size`, see `unique`.
    """
    options: dict[str, Any] = {"size": size, "fill_value": fill_value}
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False, **options))


@array_function(unknown_rank="each", traces=("x",))
def unique_counts(
    x: ArrayLike, /, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None
) -> UniqueCountsResult:
    """The values are sorted, and every nan is a value of its own.

    Their number depends on data: XLA needs `size`, see `unique`.
    """
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False, size=size, fill_value=fill_value))


@array_function(unknown_rank="each", traces=("x",))
def unique_inverse(
    x: ArrayLike, /, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None
) -> UniqueInverseResult:
    """The values are sorted, and every nan is a value of its own.

    Their number depends on data: XLA needs `size`, see `unique`.
    """
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False, size=size, fill_value=fill_value))


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def unique_values(x: ArrayLike, /, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None) -> tf.Tensor:
    """The values are sorted, and every nan is a value of its own.

    Their number depends on data: XLA needs `size`, see `unique`.
    """
    return unique(x, equal_nan=False, size=size, fill_value=fill_value)


@array_function(unknown_rank="each", traces=("element", "test_elements"))
def isin(
    element: ArrayLike,
    test_elements: ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: str | None = None,
) -> tf.Tensor:
    """The elements are found by binary search in sorted `test_elements`: `kind` and `assume_unique` have no effect."""
    element, tests = to_tensor(element), ravel(test_elements)
    _check_kind(kind, element, tests)
    is_member = _contains(element, tests)
    return tf.logical_not(is_member) if invert else is_member


def _check_kind(kind: Any, element: tf.Tensor, tests: tf.Tensor) -> None:
    if kind not in {None, "sort", "table"}:
        raise ValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    are_integers = all(tensor.dtype.is_integer or tensor.dtype == tf.bool for tensor in (element, tests))
    if kind == "table" and not are_integers:
        raise ValueError("The 'table' method is only supported for boolean or integer arrays. Use None or 'sort'.")


def _contains(element: tf.Tensor, tests: tf.Tensor) -> tf.Tensor:
    if tests.shape[0] == 0 or (element.dtype == tf.string) != (tests.dtype == tf.string):
        return tf.zeros(tf.shape(element), tf.bool)
    element, tests, is_representable = _cast_comparable(element, tests)
    if (is_in_table := _look_up(ravel(element), tests)) is not None:
        return tf.logical_and(shapes.reshape(is_in_table, shapes.shape(element)), is_representable)
    ordered = sort_keys.gather_rows(tests, sort_keys.stable_order(sort_keys.keys(tests)))
    index, last = search_sorted_position(ordered, element, False), tf.cast(shapes.shape(tests)[0], tf.int64) - 1
    if tests.shape[0] is None:  # it may be empty
        is_representable, last = tf.logical_and(is_representable, index <= last), last + 1
        ordered = tf.concat([ordered, tf.zeros((1,), ordered.dtype)], 0)
    return tf.logical_and(_compare(layout.take(ordered, tf.minimum(index, last), 0), element), is_representable)


def _look_up(elements: tf.Tensor, tests: tf.Tensor) -> tf.Tensor | None:
    """Return whether each element is one of `tests`, from a table of these; None where their span is large."""
    if not elements.shape.num_elements() or (table := tables.make_table(elements, tests)) is None:
        return None
    return layout.take(table.is_in(1), table.indices[0], 0)


def _cast_comparable(element: tf.Tensor, tests: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Cast both to one dtype. Return them, and a mask of the elements that this dtype can represent.

    uint64 and signed integers are compared by value, as in NumPy.
    """
    pair = (element.dtype, tests.dtype)
    if tf.uint64 not in pair or not any(dtype.is_integer and not dtype.is_unsigned for dtype in pair):
        return (*_cast_to_common(element, tests), tf.constant(True))
    element, tests = (convert.cast(tensor, tf.int64) for tensor in (element, tests))
    return element, tests, tf.greater_equal(element, 0)


# Upstream bug: tensorflow-subnormals-flushed
def _cast_to_common(*tensors: tf.Tensor) -> list[tf.Tensor]:
    """Cast to the common dtype; subnormal numbers, which TensorFlow's casts flush to zero, remain distinct."""
    dtype = dtypes.result_type(*tensors)
    return [_cast_exactly(tensor, dtype) for tensor in tensors]


def _cast_exactly(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast to a wider dtype, subnormal numbers included."""
    if tensor.dtype == tf.complex64 and dtype == tf.complex128:
        return tf.complex(*(_cast_exactly(component, tf.float64) for component in arithmetic.parts(tensor)))
    if tensor.dtype == tf.float32 and dtype == tf.complex128:
        upcast = _cast_exactly(tensor, tf.float64)
        return tf.complex(upcast, tf.zeros_like(upcast))
    if tensor.dtype == tf.bfloat16 and dtype.size > tensor.dtype.size:  # the bits are the upper half of a float32
        bits = tf.bitwise.left_shift(tf.cast(ops.bitcast(tensor, tf.uint16), tf.uint32), 16)
        tensor = ops.bitcast(bits, tf.float32)
        return tensor if dtype == tf.float32 else _cast_exactly(tensor, dtype)
    if tensor.dtype != tf.float32 or dtype != tf.float64:
        return convert.cast(tensor, dtype)
    bits = ops.bitcast(tensor, tf.int32)
    magnitude = tf.bitwise.bitwise_and(bits, 2**31 - 1)
    subnormal = tf.cast(magnitude, tf.float64) * convert.as_constant(np.array(2.0**-149))
    subnormal = layout.select(tf.less(bits, 0), -subnormal, subnormal)
    return layout.select(tf.less(magnitude, 2**23), subnormal, convert.cast(tensor, dtype))


def _compare(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Return which elements are equal, by their sort keys: TensorFlow compares subnormal numbers as zeros."""
    if first.dtype == tf.string:
        return tf.equal(first, second)
    pairs = zip(sort_keys.keys(first), sort_keys.keys(second), strict=True)
    equal = functools.reduce(tf.logical_and, [tf.equal(*pair) for pair in pairs])
    return tf.logical_and(equal, tf.logical_not(ufuncs.isnan(second)))


@array_function(promotes=("ar1", "ar2"), unknown_rank="each", traces=("ar1", "ar2"))
def union1d(
    ar1: ArrayLike, ar2: ArrayLike, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None
) -> tf.Tensor:
    """The values are sorted. Their number depends on values, which XLA does not support. With `size`, a keyword of
    tfnp's own, the result has that length: further values are dropped, missing ones are `fill_value`, by default the
    smallest value.
    """
    operands = [ar if type(ar) in dtypes.PYTHON_SCALARS else to_tensor(ar) for ar in (ar1, ar2)]
    dtype = dtypes.result_type(*operands)
    return unique(tf.concat([_cast_exactly(ravel(ar), dtype) for ar in operands], 0), size=size, fill_value=fill_value)


class SortedElements(NamedTuple):
    """Sorted elements, their positions in the array, and a mask of the first of each group of equal ones."""

    values: tf.Tensor
    indices: tf.Tensor
    is_first: tf.Tensor


def _sort_elements(ar: Any, assume_unique: Any) -> SortedElements:
    flat = ravel(ar)
    if assume_unique:
        return SortedElements(flat, layout.positions(shapes.shape(flat)[0]), tf.ones(tf.shape(flat), tf.bool))
    order, is_first = _group_elements(flat, equal_nan=True)
    return SortedElements(sort_keys.gather_rows(flat, order), order, is_first)


def _merge(first: SortedElements, second: SortedElements) -> tuple[SortedElements, tf.Tensor]:
    """Merge the distinct elements of both: return them sorted, before all others, and which equal their successor."""
    values = tf.concat(_cast_to_common(first.values, second.values), 0)
    return _sort_by_validity(values, tf.concat([first.is_first, second.is_first], 0))


def _sort_by_validity(values: tf.Tensor, is_valid: tf.Tensor) -> tuple[SortedElements, tf.Tensor]:
    """Return the valid elements sorted, before all others, and a mask of those that equal their successor."""
    order = sort_keys.stable_order((tf.cast(tf.logical_not(is_valid), tf.int32), *sort_keys.keys(values)))
    values, is_valid = sort_keys.gather_rows(values, order), sort_keys.gather_rows(is_valid, order)
    equal = tf.logical_and(_compare(values[1:], values[:-1]), tf.logical_and(is_valid[1:], is_valid[:-1]))
    return SortedElements(values, order, is_valid), equal


class Union(NamedTuple):
    """The sorted elements of two vectors, with masks of the first of equal elements, and of those of the second vector.

    Of equal elements, those of the first vector come first. A nan equals the nans of its own vector only.
    """

    values: tf.Tensor
    order: tf.Tensor
    is_first: tf.Tensor
    is_second: tf.Tensor


def _unite(first: tf.Tensor, second: tf.Tensor) -> Union:
    """Return the union of two vectors of one real dtype."""
    values = tf.concat([first, second], 0)
    order, sorted_keys = sort_keys.sort_stably(sort_keys.keys(values))
    is_first, is_second = sort_keys.starts(sorted_keys), order >= tf.cast(shapes.shape(first)[0], tf.int64)
    if values.dtype.is_floating:
        is_nan = sort_keys.is_nan(sorted_keys)
        differs = sort_keys.starts((tf.cast(is_nan, tf.int32), tf.cast(is_second, tf.int32)))
        is_first = tf.where(is_nan, differs, is_first)
    return Union(sort_keys.gather_rows(values, order), order, is_first, is_second)


def _find_groups(union: Union) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the index of the group of equal elements of each element, and the largest possible number of groups."""
    return tf.cumsum(tf.cast(union.is_first, tf.int64)) - 1, tf.maximum(tf.size(union.order), 1)


def _ravel_same_dtype(ar1: Any, ar2: Any) -> tuple[tf.Tensor, tf.Tensor] | None:
    """Return both as vectors if they have the same real dtype, else None."""
    first, second = ravel(ar1), ravel(ar2)
    return (first, second) if first.dtype == second.dtype and not first.dtype.is_complex else None


def _select(values: tf.Tensor, mask: tf.Tensor, size: Any, fill_value: Any) -> tf.Tensor:
    """Return the elements where a mask is True; with `size`, so many, of which the missing ones are the fill value."""
    indices = dynamic_size.nonzero_indices(mask, size)
    if size is None:
        return layout.take(values, indices, 0)
    padded = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    return dynamic_size.pad_to_size(
        layout.take(padded, indices, 0), dynamic_size.count(mask), 0 if fill_value is None else fill_value
    )


@array_function(promotes=("ar1", "ar2"), unknown_rank="each", traces=("ar1", "ar2"))
def intersect1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    return_indices: bool = False,
    *,
    size: ShapeLike | None = None,
    fill_value: ArrayLike | None = None,
) -> Any:
    """The values are sorted. Their number depends on values, which XLA does not support. With `size`, a keyword of
    tfnp's own, the results have that length: further values are dropped, missing ones are `fill_value`, by default 0;
    missing indices are 0.
    """
    if not assume_unique and (vectors := _ravel_same_dtype(ar1, ar2)) is not None:
        return _find_common(*vectors, return_indices, size, fill_value)
    first, second = _sort_elements(ar1, assume_unique), _sort_elements(ar2, assume_unique)
    merged, equal = _merge(first, second)
    common = _select(merged.values, equal, size, fill_value)
    if not return_indices:
        return common
    indices = tf.concat([first.indices, second.indices], 0)
    positions = (merged.indices[:-1], merged.indices[1:])
    return common, *(_select(layout.take(indices, index, 0), equal, size, 0) for index in positions)


def _find_common(first: tf.Tensor, second: tf.Tensor, return_indices: Any, size: Any, fill_value: Any) -> Any:
    """Return the common elements of two vectors of one dtype, and on request the first index of each in both."""
    if size is None and (table := tables.make_table(first, second)) is not None:
        offsets = dynamic_size.nonzero_indices(tf.logical_and(table.is_in(0), table.is_in(1)))
        if not return_indices:
            return table.values(offsets)
        return table.values(offsets), *(layout.take(table.first_positions(part), offsets, 0) for part in (0, 1))
    union = _unite(first, second)
    values, order, is_first, is_second = union
    is_common = tf.logical_and(tf.logical_not(is_first[1:]), tf.not_equal(is_second[1:], is_second[:-1]))
    common = _select(values[:-1], is_common, size, fill_value)
    if not return_indices:
        return common
    group, group_count = _find_groups(union)
    first_index = layout.take(tf.math.unsorted_segment_min(order, group, group_count), group[1:], 0)
    second_index = order[1:] - tf.cast(shapes.shape(first)[0], tf.int64)
    return common, *(_select(index, is_common, size, 0) for index in (first_index, second_index))


@array_function(promotes=("ar1", "ar2"), unknown_rank="each", traces=("ar1", "ar2"))
def setdiff1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: ShapeLike | None = None,
    fill_value: ArrayLike | None = None,
) -> tf.Tensor:
    """The values are sorted unless `assume_unique` is true. Their number depends on values, which XLA does not support.
    With `size`, a keyword of tfnp's own, the result has that length: further values are dropped, missing ones are
    `fill_value`, by default 0.
    """
    if not assume_unique and size is None and (vectors := _ravel_same_dtype(ar1, ar2)) is not None:
        table = tables.make_table(*vectors)
        if table is not None:
            is_single = tf.logical_and(table.is_in(0), tf.logical_not(table.is_in(1)))
            return table.values(dynamic_size.nonzero_indices(is_single))
    first = _sort_elements(ar1, assume_unique)
    is_absent = tf.logical_not(_contains(first.values, ravel(ar2)))
    return _select(first.values, tf.logical_and(is_absent, first.is_first), size, fill_value)


@array_function(promotes=("ar1", "ar2"), unknown_rank="each", traces=("ar1", "ar2"))
def setxor1d(
    ar1: ArrayLike,
    ar2: ArrayLike,
    assume_unique: bool = False,
    *,
    size: ShapeLike | None = None,
    fill_value: ArrayLike | None = None,
) -> tf.Tensor:
    """The values are sorted. Their number depends on values, which XLA does not support. With `size`, a keyword of
    tfnp's own, the result has that length: further values are dropped, missing ones are `fill_value`, by default 0.
    """
    if not assume_unique and (vectors := _ravel_same_dtype(ar1, ar2)) is not None:
        return _find_in_one(*vectors, size, fill_value)
    if assume_unique:
        values = concatenate((ar1, ar2), axis=None)
        merged, equal = _sort_by_validity(values, tf.ones(tf.shape(values), tf.bool))
    else:
        merged, equal = _merge(_sort_elements(ar1, assume_unique=False), _sort_elements(ar2, assume_unique=False))
    length = shapes.shape(merged.values)[0]
    end = tf.fill([tf.minimum(length, 1)], True)
    differs = tf.logical_not(equal)
    is_single = tf.logical_and(tf.concat([end, differs], 0), tf.concat([differs, end], 0))
    return _select(merged.values, tf.logical_and(is_single, merged.is_first), size, fill_value)


def _find_in_one(first: tf.Tensor, second: tf.Tensor, size: Any, fill_value: Any) -> tf.Tensor:
    """Return the elements that are in one of two vectors of one dtype only."""
    if size is None and (table := tables.make_table(first, second)) is not None:
        return table.values(dynamic_size.nonzero_indices(tf.not_equal(table.is_in(0), table.is_in(1))))
    union = _unite(first, second)
    group, group_count = _find_groups(union)
    has_second = tf.math.unsorted_segment_max(tf.cast(union.is_second, tf.int32), group, group_count)
    is_only_first = tf.equal(layout.take(has_second, group, 0), 0)
    is_single = tf.logical_and(union.is_first, tf.logical_or(union.is_second, is_only_first))
    return _select(union.values, is_single, size, fill_value)
