"""Coordinate grids, and the objects that make arrays when indexed: mgrid, ogrid, r_, c_, s_, index_exp."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import check_no_unknown_dim
from tfnp._core.parameters import ArrayLike, DTypeLike, ShapeLike
from tfnp.routines.creation.ranges import arange, linspace
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["c_", "index_exp", "indices", "meshgrid", "mgrid", "ogrid", "r_", "s_"]


@array_function(weak="each", unknown_rank="each", traces=("xi",))
def meshgrid(*xi: ArrayLike, copy: bool | None = True, sparse: bool = False, indexing: str = "xy") -> Any:
    """Return a tuple of tensors, or a list with `sparse=True, copy=False`, as in NumPy. No result is a view."""
    if not isinstance(indexing, str) or indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    sparse, copy = as_bool(sparse, "sparse"), as_bool(copy, "copy")
    vectors = [ravel(x) for x in xi]
    rank = len(vectors)
    is_swapped = indexing == "xy" and rank > 1
    indices = [1, 0, *range(2, rank)] if is_swapped else list(range(rank))
    grids = [
        shapes.reshape(vector, [shapes.size(vector) if axis == index else 1 for axis in range(rank)])
        for vector, index in zip(vectors, indices, strict=True)
    ]
    if sparse:
        return tuple(grids) if copy else grids
    shape = shapes.broadcast_shapes(*map(shapes.shape, grids))
    return tuple(shapes.broadcast_to(grid, shape) for grid in grids)


@array_function(unknown_rank="each")
def indices(dimensions: ShapeLike, dtype: DTypeLike = int, sparse: bool = False) -> Any:
    """`dimensions` may contain scalar tensors whose values are unknown while tracing."""
    shape = tuple(dimensions)
    check_no_unknown_dim(shape)
    sparse = as_bool(sparse, "sparse")
    if sparse and not shape:
        return ()  # NumPy does not check the dtype then
    tf_dtype = tf.int64 if dtype is None and sparse else dtypes.as_dtype(dtype)
    is_dynamic = any(isinstance(dim, tf.Tensor) and convert.static_value(dim) is None for dim in shape)
    if not is_dynamic:
        static: Any = np.indices(tuple(convert.static_value(dim) for dim in shape), dtypes.as_numpy(tf_dtype), sparse)
        return tuple(map(convert.from_numpy, static)) if sparse else convert.from_numpy(static)
    vectors = [convert.cast(layout.positions(dim), tf_dtype) for dim in shape]
    grids = meshgrid(*vectors, sparse=sparse, indexing="ij")
    return grids if sparse else tf.stack(grids)


class Grid:
    """The class of `mgrid` and `ogrid`: indexed with slices, whose step, if imaginary, is a number of points.

    The bounds of slices may be tensors whose values are unknown while tracing, but not for XLA.
    """

    def __init__(self, numpy_grid: Any) -> None:
        self._numpy = numpy_grid

    def __getitem__(self, key: Any) -> Any:
        if any(map(_is_dynamic, key if isinstance(key, tuple) else (key,))):
            return self._make_dynamic_grid(key)
        result = self._numpy[_as_static_key(key)]
        return tuple(map(to_tensor, result)) if isinstance(result, tuple) else to_tensor(result)

    def _make_dynamic_grid(self, key: Any) -> Any:
        """Return ranges whose bounds are known when the graph runs, as a grid."""
        if not isinstance(key, tuple):
            return _make_dynamic_range(key)
        vectors = [_make_dynamic_range(item) for item in key]
        dtype = dtypes.result_type(*vectors)
        is_sparse = self._numpy is np.ogrid
        grids = meshgrid(*(convert.cast(vector, dtype) for vector in vectors), sparse=is_sparse, indexing="ij")
        return grids if is_sparse else tf.stack(grids)


def _is_dynamic(item: Any) -> bool:
    bounds = (item.start, item.stop, item.step) if isinstance(item, slice) else ()
    return any(isinstance(bound, tf.Tensor) and convert.static_value(bound) is None for bound in bounds)


def _make_dynamic_range(item: slice) -> tf.Tensor:
    """Return the range of a slice; an imaginary step is a number of points."""
    start, step = 0 if item.start is None else item.start, 1 if item.step is None else item.step
    if isinstance(step, complex):
        return linspace(start, item.stop, int(abs(step)))
    return arange(start, item.stop, step)


def _as_static_key(key: Any) -> Any:
    """Replace tensors that are bounds of slices by their static values."""
    if isinstance(key, tuple):
        return tuple(map(_as_static_key, key))
    if not isinstance(key, slice):
        return key
    bounds = (key.start, key.stop, key.step)
    return slice(*(None if x is None else convert.as_static(x, "the slice", "mgrid, ogrid, r_ and c_") for x in bounds))


mgrid: Final = Grid(np.mgrid)
ogrid: Final = Grid(np.ogrid)


class Joiner:
    """The class of `r_` and `c_`: it concatenates what it is indexed with. Slices are ranges, whose
    bounds may be tensors.

    A leading string, such as "0,2", gives directives for axes. "r" and "c" raise TypeError: there is no matrix class.
    """

    def __init__(self, axis: int, min_rank: int, first_axis: int) -> None:
        self._axis, self._min_rank, self._first_axis = axis, min_rank, first_axis

    def __getitem__(self, key: Any) -> tf.Tensor:
        items = list(key) if isinstance(key, tuple) else [key]
        axis, min_rank, first_axis = self._axis, self._min_rank, self._first_axis
        if items and isinstance(items[0], str):
            axis, min_rank, first_axis = _parse_directive(items.pop(0), (axis, min_rank, first_axis))
        if any(isinstance(item, str) for item in items):
            raise ValueError("special directives must be the first entry.")
        scalars = [item for item in items if type(item) in dtypes.PYTHON_SCALARS]
        parts = [
            item if type(item) in dtypes.PYTHON_SCALARS else _as_part(item, min_rank, first_axis) for item in items
        ]
        if not parts:
            raise ValueError("need at least one array to concatenate")
        dtype = dtypes.result_type(*parts) if len(scalars) < len(parts) else dtypes.result_type(*scalars)
        return concatenate([_expand_scalar(to_tensor(part, dtype), min_rank) for part in parts], axis)

    def __len__(self) -> int:
        return 0


def _parse_directive(text: str, default: tuple[int, int, int]) -> tuple[int, int, int]:
    """Parse "axis", "axis,ndmin" or "axis,ndmin,first": the last is the index of the array's own first axis."""
    if text in ("r", "c"):
        raise TypeError("tfnp has no matrix class: index with '0,2' for a row, '1,2,0' for a column")
    try:
        values = [int(value) for value in text.split(",")]
    except ValueError as error:
        raise ValueError(f"unknown special directive {text!r}") from error
    if len(values) > 3:
        raise ValueError(f"unknown special directive {text!r}")
    return (*values, *default[len(values) :])  # type: ignore[return-value]


def _as_part(item: Any, min_rank: int, first_axis: int) -> tf.Tensor:
    """Return a slice as a range, an array with at least `min_rank` axes, a scalar as it is."""
    if isinstance(item, slice):
        array = _make_dynamic_range(item) if _is_dynamic(item) else to_tensor(np.r_[_as_static_key(item)])
    elif isinstance(item, np.generic):
        return to_tensor(item)
    else:
        array = to_tensor(item)
        if shapes.rank(array) == 0:
            return array
    return _pad_rank(array, min_rank, first_axis)


def _pad_rank(array: tf.Tensor, min_rank: int, first_axis: int) -> tf.Tensor:
    """Add axes of length one before the array's own, or around them as `first_axis` says."""
    rank = shapes.rank(array)
    if rank >= min_rank:
        return array
    start = first_axis + (min_rank - rank) + 1 if first_axis < 0 else first_axis
    shape: list[Any] = [1] * min_rank
    shape[start : start + rank] = shapes.shape(array)
    return shapes.reshape(array, shape)


def _expand_scalar(array: tf.Tensor, min_rank: int) -> tf.Tensor:
    """Return a scalar as an array of one element, any other array as it is."""
    return shapes.reshape(array, (1,) * max(min_rank, 1)) if shapes.rank(array) == 0 else array


r_: Final = Joiner(0, 1, -1)
c_: Final = Joiner(-1, 2, 0)
s_: Final = np.s_
index_exp: Final = np.index_exp
