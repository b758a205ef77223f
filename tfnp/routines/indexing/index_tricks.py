"""Arrays of indices: of diagonals and triangles, of open grids, and to and from positions in the flat array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.arguments import is_columns_first
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.indexing.selection import as_indices

__all__ = [
    "diag_indices",
    "diag_indices_from",
    "ix_",
    "mask_indices",
    "ravel_multi_index",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]

Indices = tuple[tf.Tensor, ...]


@array_function(unknown_rank="each")
def diag_indices(n: IntLike, ndim: int = 2) -> Indices:
    """Return int64 tensors. `n` may be a tensor whose value is unknown while tracing, but not for XLA; `ndim` must be
    static.
    """
    count = convert.as_static(ndim, "ndim", "diag_indices")
    if _is_dynamic(n):
        return (layout.positions(n),) * count
    return (convert.from_numpy(np.arange(convert.as_static(n, "n", "diag_indices"))),) * count


def _is_dynamic(length: Any) -> bool:
    return isinstance(length, tf.Tensor) and length.dtype.is_integer and convert.static_value(length) is None


@array_function(unknown_rank="each", traces=("arr",))
def diag_indices_from(arr: ArrayLike) -> Indices:
    """Return int64 tensors. Dimensions that are unknown while tracing are compared when the graph runs."""
    arr = to_tensor(arr)
    if not shapes.rank(arr) >= 2:
        raise ValueError("input array must be at least 2-d")
    if any(not arr.shape[axis : axis + 1].is_compatible_with(arr.shape[:1]) for axis in range(shapes.rank(arr))):
        raise ValueError("All dimensions of input must be of equal length")
    return (layout.positions(_find_common_dim(shapes.shape(arr))),) * shapes.rank(arr)


def _find_common_dim(shape: tuple[shapes.Dim, ...]) -> shapes.Dim:
    """Return the length of all axes; a graph where they differ fails when it runs."""
    if shapes.is_static(shape):
        return shape[0]
    are_equal = tf.reduce_all(tf.equal(shapes.shape_tensor(shape), shape[0]))
    return check(are_equal, ValueError("All dimensions of input must be of equal length"), shape[0])


@array_function(unknown_rank="each")
def tril_indices(n: IntLike, k: IntLike = 0, m: ArrayLike | None = None) -> Indices:
    """Return int64 tensors. `n` and `m` may be tensors whose values are unknown while tracing, but not for XLA."""
    if _is_dynamic(n) or _is_dynamic(m):
        return _find_nonzero(_make_lower_triangle(n, n if m is None else m, convert.as_static(k, "k", "tril_indices")))
    n, k = convert.as_static(n, "n", "tril_indices"), convert.as_static(k, "k", "tril_indices")
    m = None if m is None else convert.as_static(m, "m", "tril_indices")
    return tuple(map(convert.from_numpy, np.tril_indices(n, k, m)))


@array_function(unknown_rank="each")
def triu_indices(n: IntLike, k: IntLike = 0, m: ArrayLike | None = None) -> Indices:
    """Return int64 tensors. `n` and `m` may be tensors whose values are unknown while tracing, but not for XLA."""
    if _is_dynamic(n) or _is_dynamic(m):
        offset = convert.as_static(k, "k", "triu_indices") - 1
        return _find_nonzero(tf.logical_not(_make_lower_triangle(n, n if m is None else m, offset)))
    n, k = convert.as_static(n, "n", "triu_indices"), convert.as_static(k, "k", "triu_indices")
    m = None if m is None else convert.as_static(m, "m", "triu_indices")
    return tuple(map(convert.from_numpy, np.triu_indices(n, k, m)))


@array_function(unknown_rank="each")
def tril_indices_from(arr: ArrayLike, k: IntLike = 0) -> Indices:
    """Return int64 tensors. `k` must be static; the shape of `arr` may be unknown while tracing."""
    rows, columns = _get_matrix_shape(arr)
    if isinstance(rows, int) and isinstance(columns, int):
        return tril_indices(rows, k, columns)
    mask = _make_lower_triangle(rows, columns, convert.as_static(k, "k", "tril_indices_from"))
    return _find_nonzero(mask, dynamic_size.nonzero_indices_by_shape)


@array_function(unknown_rank="each")
def triu_indices_from(arr: ArrayLike, k: IntLike = 0) -> Indices:
    """Return int64 tensors. `k` must be static; the shape of `arr` may be unknown while tracing."""
    rows, columns = _get_matrix_shape(arr)
    if isinstance(rows, int) and isinstance(columns, int):
        return triu_indices(rows, k, columns)
    mask = _make_lower_triangle(rows, columns, convert.as_static(k, "k", "triu_indices_from") - 1)
    return _find_nonzero(tf.logical_not(mask), dynamic_size.nonzero_indices_by_shape)


def _get_matrix_shape(arr: Any) -> tuple[shapes.Dim, ...]:
    arr = to_tensor(arr)
    if shapes.rank(arr) != 2:
        raise ValueError("input array must be 2-d")
    return shapes.shape(arr)


def _make_lower_triangle(rows: shapes.Dim, columns: shapes.Dim, k: Any) -> tf.Tensor:
    """Return a mask of the elements on and below a diagonal.

    A `k` that is not an integer is truncated as NumPy does.
    """
    start = int(-k)
    step = int(1 - k) - start
    return layout.positions(rows)[:, None] >= start + step * layout.positions(columns)[None, :]


def _find_nonzero(
    mask: tf.Tensor, find_indices: Callable[[tf.Tensor], tf.Tensor] = dynamic_size.nonzero_indices
) -> Indices:
    """Return the row and column indices where a matrix of dynamic shape is true."""
    flat = find_indices(tf.reshape(mask, (-1,)))
    dim = tf.maximum(tf.shape(mask, tf.int64)[1], 1)
    return flat // dim, tf.math.floormod(flat, dim)


@array_function(unknown_rank="each")
def mask_indices(n: IntLike, mask_func: Callable[..., Any], k: IntLike = 0) -> Indices:
    """`mask_func` is called with a tensor of ones and `k`, outside of the graph that is being traced.

    `n` must be static.
    """
    dim = shapes.as_int_not_bool(n)
    if dim < 0:
        raise ValueError("negative dimensions are not allowed")
    with tf.init_scope():
        mask = convert.static_value(to_tensor(mask_func(tf.ones((dim, dim), tf.int64), k)))
    return tuple(map(convert.from_numpy, np.nonzero(mask)))


@array_function(unknown_rank="each")
def ix_(*args: Any) -> Indices:
    """The number of true elements of a boolean argument depends on data: XLA cannot compile that."""
    count = len(args)
    result = []
    for index, arg in enumerate(args):
        indices = to_tensor(arg)
        if shapes.rank(indices) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if indices.shape[0] == 0 and not (is_tensor(arg) or isinstance(arg, np.ndarray)):
            indices = tf.cast(indices, tf.int64)
        if indices.dtype == tf.bool:
            indices = dynamic_size.nonzero_indices(dynamic_size.as_bools(indices))
        result.append(shapes.reshape(indices, [-1 if axis == index else 1 for axis in range(count)]))
    return tuple(result)


@array_function(unknown_rank="each", traces=("multi_index",))
def ravel_multi_index(multi_index: ArrayLike, dims: ShapeLike, mode: str = "raise", order: str = "C") -> tf.Tensor:
    """`dims` must be static.

    Indices out of bounds raise ValueError where they are static, else when the graph runs. XLA does not check them.
    """
    static = convert.as_static(dims, "dims", "ravel_multi_index")
    shape = _as_dims(static)
    if not isinstance(multi_index, list | tuple) and shapes.rank(to_tensor(multi_index)) == 0:
        raise TypeError("the indices must be a sequence of arrays, one for each dimension")
    items = list(multi_index) if isinstance(multi_index, list | tuple) else _unstack_indices(multi_index, len(shape))
    modes = list(mode) if isinstance(mode, tuple | list) else [mode] * len(shape)
    have_elements = all(map(_has_elements, items))
    np.ravel_multi_index(
        tuple(np.zeros(int(have_elements), np.int64) for _ in items), tuple(shape), mode=mode, order=order
    )
    axis_indices = [
        _apply_mode(as_indices(to_tensor(item)), dim, axis_mode)
        for item, dim, axis_mode in zip(items, shape, modes, strict=True)
    ]
    pairs = list(zip(axis_indices, shape, strict=True))
    flat: Any = 0
    for indices, dim in pairs[::-1] if is_columns_first(order) else pairs:
        flat = flat * dim + indices
    return flat


def _as_dims(static: Any) -> list[int]:
    dims = static if np.iterable(static) else (static,)
    if any(isinstance(dim, bool | np.bool_) for dim in dims):
        raise TypeError(f"dimensions must be integers, not bool: {static}")
    return [shapes.as_int(dim) for dim in dims]


def _unstack_indices(multi_index: Any, count: int) -> list[tf.Tensor]:
    table = to_tensor(multi_index)
    return tf.unstack(as_indices(table), num=count) if table.shape[0] is None else tf.unstack(table)


def _has_elements(value: Any) -> bool:
    return to_tensor(value).shape.num_elements() not in (0, None)


def _apply_mode(indices: tf.Tensor, dim: int, mode: Any) -> tf.Tensor:
    letter = (
        "r" if dim == 0 else mode[0].lower() if isinstance(mode, str) else {0: "c", 1: "w", 2: "r", None: "r"}[mode]
    )
    if letter == "w":
        return _wrap(indices, dim)
    if letter == "c":
        return tf.where(
            indices < 0, tf.zeros((), tf.int64), tf.where(indices >= dim, tf.constant(dim - 1, tf.int64), indices)
        )
    return _check_bounds(indices, dim, "invalid entry in coordinates array")


def _wrap(indices: tf.Tensor, dim: int) -> tf.Tensor:
    """Return the remainder for a positive dimension; for others, what NumPy's loop returns."""
    if dim > 0:
        return tf.math.floormod(indices, dim)
    from_below, from_above = indices + dim, indices - dim
    remainder = tf.truncatemod(from_below, tf.constant(dim, tf.int64))
    from_below = tf.where(from_below < 0, tf.where(remainder == 0, remainder, remainder + dim), from_below)
    from_above = tf.where(from_above >= dim, tf.truncatemod(from_above, tf.constant(dim, tf.int64)), from_above)
    return tf.where(indices < 0, from_below, tf.where(indices >= dim, from_above, indices))


def _check_bounds(indices: tf.Tensor, dim: int, message: str) -> tf.Tensor:
    static = convert.static_value(indices)
    if static is None:
        return layout.check_bounds(indices, 0, dim - 1)
    if np.any((np.asarray(static) < 0) | (np.asarray(static) >= dim)):
        raise ValueError(message)
    return indices


@array_function(unknown_rank="each", traces=("indices",))
def unravel_index(indices: ArrayLike, shape: ShapeLike, order: str = "C") -> Indices:
    """Dims of `shape` may be tensors whose values are unknown while tracing.

    Indices out of bounds raise ValueError where they are static, else when the graph runs. XLA does not check them.
    """
    if isinstance(shape, tuple | list) and any(map(_is_dynamic, shape)):
        return _unravel_by_dynamic_dims(indices, shape, order)
    static, positions = convert.as_static(shape, "shape", "unravel_index"), to_tensor(indices)
    if positions.dtype.is_floating or positions.dtype.is_complex or positions.dtype == tf.bool:
        np.unravel_index(np.zeros(positions.shape, dtypes.as_numpy(positions.dtype)), static)
    dims = _as_dims(static)
    has_elements = _has_elements(positions) and 0 not in dims
    np.unravel_index(np.zeros(() if positions.shape.rank == 0 else int(has_elements), np.int64), static, order=order)
    positions = tf.cast(positions, tf.int64)
    size = int(np.prod(dims, dtype=np.int64))
    if positions.shape.num_elements() != 0:
        message = f"index is out of bounds for array with size {size}"
        if size <= 0 and _has_elements(positions):
            raise ValueError(message)
        positions = _check_bounds(positions, size, message)
    result = []
    is_rows_first = not is_columns_first(order)
    for dim in dims[::-1] if is_rows_first else dims:
        result.append(tf.math.floormod(positions, max(dim, 1)))
        positions = positions // max(dim, 1)
    return tuple(result[::-1] if is_rows_first else result)


def _unravel_by_dynamic_dims(indices: Any, shape: Any, order: str) -> Indices:
    """Return the indices along axes whose lengths are known when the graph runs."""
    dims = [tf.cast(to_tensor(dim), tf.int64) for dim in shape]
    positions = tf.cast(as_indices(to_tensor(indices)), tf.int64)
    positions = layout.check_bounds(positions, 0, tf.reduce_prod(tf.stack(dims)) - 1)
    result = []
    is_rows_first = not is_columns_first(order)
    for dim in dims[::-1] if is_rows_first else dims:
        result.append(tf.math.floormod(positions, tf.maximum(dim, 1)))
        positions = positions // tf.maximum(dim, 1)
    return tuple(result[::-1] if is_rows_first else result)
