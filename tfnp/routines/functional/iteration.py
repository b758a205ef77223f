"""Iteration over the elements of arrays, each a scalar tensor.

In a graph the shape must be static: a loop in Python is unrolled there.
"""

from __future__ import annotations

from collections.abc import Iterator

import tensorflow as tf
from numpy import ndindex

from tfnp._core import shapes
from tfnp._core.convert import to_tensor
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["broadcast", "ndenumerate", "ndindex"]


def _require_static_shape(shape: tuple[shapes.Dim, ...], function: str) -> tuple[int, ...]:
    if not shapes.is_static(shape):
        raise requires_static("the shape", function)
    return tuple(int(dim) for dim in shape)


class ndenumerate:  # noqa: N801 - NumPy's name
    """Iterate over pairs of an index, a tuple of Python ints, and a scalar tensor. The shape must be static."""

    def __init__(self, arr: ArrayLike) -> None:
        arr = to_tensor(arr)
        self._indices = ndindex(*_require_static_shape(shapes.shape(arr), "ndenumerate"))
        self._iterate_elements = _iterate_elements(ravel(arr))

    def __iter__(self) -> ndenumerate:
        return self

    def __next__(self) -> tuple[tuple[int, ...], tf.Tensor]:
        return next(self._indices), next(self._iterate_elements)


def _iterate_elements(flat: tf.Tensor) -> Iterator[tf.Tensor]:
    return (flat[index] for index in range(shapes.as_int(shapes.size(flat))))


class broadcast:  # noqa: N801 - NumPy's name
    """Elements are scalar tensors. To iterate, the shape must be static."""

    def __init__(self, *arrays: ArrayLike) -> None:
        self._tensors: list[tf.Tensor] = []
        for array in arrays:
            self._tensors += array._tensors if isinstance(array, broadcast) else [to_tensor(array)]
        self._shape = shapes.broadcast_shapes(*map(shapes.shape, self._tensors))
        self.reset()

    @property
    def shape(self) -> tuple[shapes.Dim, ...]:
        """The common shape; a dimension that is unknown while tracing is a scalar tensor."""
        return self._shape

    @property
    def size(self) -> shapes.Dim:
        """The number of elements of the common shape."""
        size: shapes.Dim = 1
        for dim in self._shape:
            size = size * dim
        return size

    @property
    def ndim(self) -> int:
        """The rank of the common shape."""
        return len(self._shape)

    @property
    def nd(self) -> int:
        """The rank of the common shape."""
        return len(self._shape)

    @property
    def numiter(self) -> int:
        """The number of arrays."""
        return len(self._tensors)

    @property
    def iters(self) -> tuple[Iterator[tf.Tensor], ...]:
        """An iterator over each array, broadcast to the common shape."""
        _require_static_shape(self._shape, "broadcast")
        return tuple(_iterate_elements(ravel(shapes.broadcast_to(tensor, self._shape))) for tensor in self._tensors)

    @property
    def index(self) -> int:
        """The number of tuples that were returned."""
        return self._index

    def reset(self) -> None:
        """Start again."""
        self._index = 0
        self._rows: Iterator[tuple[tf.Tensor, ...]] | None = None

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[tf.Tensor, ...]:
        if self._rows is None:
            self._rows = zip(*self.iters, strict=True) if self._tensors else iter([()])
        row = next(self._rows)
        self._index += 1
        return row
