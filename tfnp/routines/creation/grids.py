"""Grids of coordinates, and the objects that are indexed to make arrays: mgrid, ogrid, r_, c_, s_, index_exp."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import check_no_unknown_dim
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["c_", "index_exp", "indices", "meshgrid", "mgrid", "ogrid", "r_", "s_"]


@array_function(weak="each", unknown_rank="each")
def meshgrid(*xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy") -> Any:
    """With `sparse` each has its length along its own axis only. Neither is a view; yet NumPy's answer is a list where
    they are.
    """
    if not isinstance(indexing, str) or indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    sparse, copy = as_bool(sparse, "sparse"), as_bool(copy, "copy")
    vectors = [ravel(x) for x in xi]
    rank = len(vectors)
    swapped = indexing == "xy" and rank > 1
    indices = [1, 0, *range(2, rank)] if swapped else list(range(rank))
    grids = [
        shapes.reshape(vector, [shapes.size(vector) if axis == index else 1 for axis in range(rank)])
        for vector, index in zip(vectors, indices, strict=True)
    ]
    if sparse:
        return tuple(grids) if copy else grids
    shape = shapes.broadcast_shapes(*map(shapes.shape, grids))
    return tuple(shapes.broadcast_to(grid, shape) for grid in grids)


@array_function(unknown_rank="each")
def indices(dimensions: Any, dtype: Any = int, sparse: Any = False) -> Any:
    """Lengths that are known at run time only may stand among the dimensions."""
    shape = tuple(dimensions)
    check_no_unknown_dim(shape)
    sparse = as_bool(sparse, "sparse")
    if sparse and not shape:
        return ()  # and nobody has looked at the dtype
    kind = tf.int64 if dtype is None and sparse else dtypes.as_dtype(dtype)
    unknown = any(isinstance(dim, tf.Tensor) and convert.static_value(dim) is None for dim in shape)
    if not unknown:
        static: Any = np.indices(tuple(convert.static_value(dim) for dim in shape), dtypes.as_numpy(kind), sparse)
        return tuple(map(convert.from_numpy, static)) if sparse else convert.from_numpy(static)
    rows = [convert.cast(layout.positions(dim), kind) for dim in shape]
    grids = meshgrid(*rows, sparse=sparse, indexing="ij")
    return grids if sparse else tf.stack(grids)


class Grid:
    """`mgrid` and `ogrid`: indexed with slices, whose step, if imaginary, counts points. The slices must be known."""

    def __init__(self, numpy_grid: Any) -> None:
        self._numpy = numpy_grid

    def __getitem__(self, key: Any) -> Any:
        result = self._numpy[_known(key)]
        return tuple(map(to_tensor, result)) if isinstance(result, tuple) else to_tensor(result)


def _known(key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(map(_known, key))
    if not isinstance(key, slice):
        return key
    return slice(*(None if bound is None else _known_bound(bound) for bound in (key.start, key.stop, key.step)))


def _known_bound(bound: Any) -> Any:
    static = convert.static_value(bound)
    if static is None:
        raise TypeError("the bounds of a slice decide the shape here, so they must be known while tracing")
    return static


mgrid: Final = Grid(np.mgrid)
ogrid: Final = Grid(np.ogrid)


class Joiner:
    """`r_` and `c_`: joins what it is indexed with. Slices are ranges; a leading string says where axes go.

    The matrices that "r" and "c" ask for are no arrays of TensorFlow's, and raise.
    """

    def __init__(self, axis: int, least: int, index: int) -> None:
        self._axis, self._least, self._place = axis, least, index

    def __getitem__(self, key: Any) -> tf.Tensor:
        items = list(key) if isinstance(key, tuple) else [key]
        axis, least, index = self._axis, self._least, self._place
        if items and isinstance(items[0], str):
            axis, least, index = _directive(items.pop(0), (axis, least, index))
        if any(isinstance(item, str) for item in items):
            raise ValueError("special directives must be the first entry.")
        weak = [item for item in items if type(item) in dtypes.PYTHON_SCALARS]
        parts = [item if type(item) in dtypes.PYTHON_SCALARS else _part(item, least, index) for item in items]
        if not parts:
            raise ValueError("need at least one array to concatenate")
        dtype = dtypes.result_type(*parts) if len(weak) < len(parts) else dtypes.result_type(*weak)
        return concatenate([_raised(to_tensor(part, dtype), least) for part in parts], axis)

    def __len__(self) -> int:
        return 0


def _directive(text: str, default: tuple[int, int, int]) -> tuple[int, int, int]:
    """An axis; an axis and the least rank; an axis, the least rank, and the place of the first own axis."""
    if text in ("r", "c"):
        raise TypeError("tfnp has no matrix class: index with '0,2' for a row, '1,2,0' for a column")
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError as error:
        raise ValueError(f"unknown special directive {text!r}") from error
    if len(numbers) > 3:
        raise ValueError(f"unknown special directive {text!r}")
    return (*numbers, *default[len(numbers) :])  # type: ignore[return-value]


def _part(item: Any, least: int, index: int) -> tf.Tensor:
    if isinstance(item, slice):
        array = to_tensor(np.r_[_known(item)])
    elif isinstance(item, np.generic):
        return to_tensor(item)
    else:
        array = to_tensor(item)
        if shapes.rank(array) == 0:
            return array
    return _placed(array, least, index)


def _placed(array: tf.Tensor, least: int, index: int) -> tf.Tensor:
    """New axes go before the array's own, or about the place that was asked for."""
    own = shapes.rank(array)
    if own >= least:
        return array
    first = index + (least - own) + 1 if index < 0 else index
    shape: list[Any] = [1] * least
    shape[first : first + own] = shapes.shape(array)
    return shapes.reshape(array, shape)


def _raised(array: tf.Tensor, least: int) -> tf.Tensor:
    """A scalar as an array of one element."""
    return shapes.reshape(array, (1,) * max(least, 1)) if shapes.rank(array) == 0 else array


r_: Final = Joiner(0, 1, -1)
c_: Final = Joiner(-1, 2, 0)
s_: Final = np.s_
index_exp: Final = np.index_exp
