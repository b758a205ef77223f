"""Arrays gone through, element by element: each is a tensor without dimensions.

In a graph the sides must be known: a loop in Python is unrolled there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tensorflow as tf
from numpy import ndindex

from tfnp._core import shapes
from tfnp._core.convert import to_tensor
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["broadcast", "ndenumerate", "ndindex"]


def _known_sides(shape: tuple[shapes.Dim, ...]) -> tuple[int, ...]:
    if not shapes.is_static(shape):
        raise TypeError("the sides of what is gone through element by element must be known while tracing")
    return tuple(int(dim) for dim in shape)


class ndenumerate:  # noqa: N801 - NumPy's name
    """Pairs of an index, a tuple of Python ints, and the element there."""

    def __init__(self, arr: Any) -> None:
        arr = to_tensor(arr)
        self._indices = ndindex(*_known_sides(shapes.shape(arr)))
        self._elements = _elements(ravel(arr))

    def __iter__(self) -> ndenumerate:
        return self

    def __next__(self) -> tuple[tuple[int, ...], tf.Tensor]:
        return next(self._indices), next(self._elements)


def _elements(flat: tf.Tensor) -> Iterator[tf.Tensor]:
    return (flat[index] for index in range(shapes.as_int(shapes.size(flat))))


class broadcast:  # noqa: N801 - NumPy's name
    """Arrays against one another: their common shape, and tuples of the elements that meet."""

    def __init__(self, *arrays: Any) -> None:
        self._tensors: list[tf.Tensor] = []
        for array in arrays:
            self._tensors += array._tensors if isinstance(array, broadcast) else [to_tensor(array)]
        self._sides = shapes.broadcast_shapes(*map(shapes.shape, self._tensors))
        self.reset()

    @property
    def shape(self) -> tuple[shapes.Dim, ...]:
        """A side that is unknown while tracing is a scalar tensor."""
        return self._sides

    @property
    def size(self) -> shapes.Dim:
        size: shapes.Dim = 1
        for dim in self._sides:
            size = size * dim
        return size

    @property
    def ndim(self) -> int:
        return len(self._sides)

    @property
    def nd(self) -> int:
        return len(self._sides)

    @property
    def numiter(self) -> int:
        """How many arrays there are."""
        return len(self._tensors)

    @property
    def iters(self) -> tuple[Iterator[tf.Tensor], ...]:
        """An iterator over each array, repeated as it has to be."""
        _known_sides(self._sides)
        return tuple(_elements(ravel(shapes.broadcast_to(tensor, self._sides))) for tensor in self._tensors)

    @property
    def index(self) -> int:
        """How many tuples were given."""
        return self._index

    def reset(self) -> None:
        """Begin again."""
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
