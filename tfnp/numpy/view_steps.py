"""Views as pairs of functions: `get` reads a view from the array below it, `put` returns that array with the view
replaced.

For NumPy's memory a third function, `view`, makes NumPy's own view. The view steps of an array form a chain from its
storage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.indexing import access
from tfnp._methods import views
from tfnp.routines.indexing import windows
from tfnp.routines.manipulation import shaping, transposition
from tfnp.routines.math import rounding


class ViewStep(Protocol):
    """A view of an array, as NumPy's memory or as a tensor."""

    def view(self, memory: np.ndarray) -> np.ndarray:
        """Return NumPy's view."""
        ...

    def get(self, array: tf.Tensor) -> tf.Tensor:
        """Return the view's elements."""
        ...

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        """Return the array with the view's elements replaced. `new` has the view's shape and dtype."""
        ...


@dataclass(slots=True)
class Index:
    """A basic index: integers, slices, None and an ellipsis. It is made at each `x[i]`, and not frozen, which costs."""

    key: Any

    def __hash__(self) -> int:
        """Return a hash of slices, too, which have none before Python 3.12."""
        items = self.key if type(self.key) is tuple else (self.key,)
        return hash(tuple([(i.start, i.stop, i.step) if type(i) is slice else i for i in items]))

    def view(self, memory: np.ndarray) -> np.ndarray:
        result = memory[self.key]
        return result if isinstance(result, np.ndarray) else memory[(*self.key, ...)]

    def get(self, array: tf.Tensor) -> tf.Tensor:
        return windows.read(array, self.key)

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        return windows.update_at(array, self.key, new)


@dataclass(frozen=True, slots=True)
class Transpose:
    """A permutation of the axes."""

    axes: tuple[int, ...]

    def view(self, memory: np.ndarray) -> np.ndarray:
        return memory.transpose(self.axes)

    def get(self, array: tf.Tensor) -> tf.Tensor:
        return transposition.transpose(array, self.axes)

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        return transposition.transpose(new, tuple(map(int, np.argsort(self.axes))))


@dataclass(frozen=True, slots=True)
class Axes:
    """Axes permuted, reversed or added, by a function of NumPy's that returns such a view of any array of a rank.

    A probe of which all dims differ shows what the function does.
    """

    function: Callable[[np.ndarray], np.ndarray]
    rank: int

    def view(self, memory: np.ndarray) -> np.ndarray:
        return self.function(memory)

    def get(self, array: tf.Tensor) -> tf.Tensor:
        axes, reverse, new_axes = self._find_axes()
        array = tf.reverse(array, reverse) if reverse else array
        array = transposition.transpose(array, axes)
        return access.read(array, new_axes) if None in new_axes else array

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        axes, reverse, new_axes = self._find_axes()
        if None in new_axes:
            new = access.read(new, tuple(0 if item is None else item for item in new_axes))
        new = transposition.transpose(new, tuple(map(int, np.argsort(axes))))
        return tf.reverse(new, reverse) if reverse else new

    def _find_axes(self) -> tuple[tuple[int, ...], list[int], tuple[Any, ...]]:
        """Return the order of the axes, those to reverse, and an index that adds the new ones."""
        dims = tuple(range(2, 2 + self.rank))
        shown = self.function(make_probe(dims))
        axes = tuple(dims.index(dim) for dim in shown.shape if dim != 1)
        reverse = [
            axis
            for dim, step in zip(shown.shape, shown.strides, strict=True)
            if dim != 1 and step < 0
            for axis in [dims.index(dim)]
        ]
        return axes, reverse, tuple(None if dim == 1 else slice(None) for dim in shown.shape)


@lru_cache(maxsize=64)
def make_probe(dims: tuple[int, ...]) -> np.ndarray:
    """Return an array of these dims, in C order, that holds one element only, and is not to be read."""
    steps = np.cumprod([1, *dims[:0:-1]])[::-1] if dims else ()
    return np.lib.stride_tricks.as_strided(np.empty(1, np.int8), dims, steps)


@dataclass(frozen=True, slots=True)
class Reshape:
    """Another shape in C order; in a graph a dim may be a scalar tensor, or -1."""

    shape: tuple[Any, ...]

    def view(self, memory: np.ndarray) -> np.ndarray:
        return memory.reshape(self.shape, copy=False)

    def get(self, array: tf.Tensor) -> tf.Tensor:
        return shaping.reshape(array, self.shape)

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        return shapes.reshape(new, shapes.shape(array))


@dataclass(frozen=True, slots=True)
class Bits:
    """The bits of the elements as another dtype."""

    dtype: np.dtype

    def view(self, memory: np.ndarray) -> np.ndarray:
        return memory.view(self.dtype)

    def get(self, array: tf.Tensor) -> tf.Tensor:
        return views.view(array, self.dtype)

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        return views.view(new, array.dtype.as_numpy_dtype)


@dataclass(frozen=True, slots=True)
class Part:
    """The real or the imaginary part of complex numbers."""

    is_imaginary: bool

    def view(self, memory: np.ndarray) -> np.ndarray:
        return memory.imag if self.is_imaginary else memory.real

    def get(self, array: tf.Tensor) -> tf.Tensor:
        return rounding.imag(array) if self.is_imaginary else rounding.real(array)

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        return tf.complex(rounding.real(array), new) if self.is_imaginary else tf.complex(new, rounding.imag(array))


@dataclass(frozen=True, slots=True)
class ReadOnly:
    """A view that cannot be written to, such as a diagonal, windows, or an array broadcast to a larger shape."""

    of_memory: Callable[[np.ndarray], np.ndarray]
    of_tensor: Callable[[tf.Tensor], tf.Tensor]

    def view(self, memory: np.ndarray) -> np.ndarray:
        return self.of_memory(memory)

    def get(self, array: tf.Tensor) -> tf.Tensor:
        return self.of_tensor(array)

    def put(self, array: tf.Tensor, new: tf.Tensor) -> tf.Tensor:
        raise ValueError("assignment destination is read-only")


def extend_chain(chain: tuple[ViewStep, ...], view_step: ViewStep) -> tuple[ViewStep, ...]:
    """Return a chain with one more view step, without two permutations that cancel each other."""
    if isinstance(view_step, Transpose) and chain and isinstance(chain[-1], Transpose):
        axes = chain[-1].axes
        if all(axes[axis] == position for position, axis in enumerate(view_step.axes)):
            return chain[:-1]
    return (*chain, view_step)


def view_memory(memory: np.ndarray, view_steps: Sequence[ViewStep]) -> np.ndarray:
    """Return NumPy's view through a chain of view steps."""
    for view_step in view_steps:
        memory = view_step.view(memory)
    return memory


def get_view(tensor: tf.Tensor, view_steps: Sequence[ViewStep]) -> tf.Tensor:
    """Read a tensor through a chain of view steps."""
    for view_step in view_steps:
        tensor = view_step.get(tensor)
    return tensor


def put_view(tensor: tf.Tensor, view_steps: Sequence[ViewStep], new: tf.Tensor) -> tf.Tensor:
    """Return a tensor with what a chain of view steps shows replaced."""
    if not view_steps:
        return new
    first, *others = view_steps
    return first.put(tensor, put_view(first.get(tensor), others, new) if others else new)


def convert_new(new: Any, dtype: tf.DType, shape: tuple[Any, ...]) -> tf.Tensor:
    """Convert what is assigned to a view's dtype and shape: as NumPy does, without leading axes of length one."""
    value = convert.to_tensor(new)
    if value.dtype != dtype:
        value = convert.to_tensor(value, dtype)
    return shapes.broadcast_to(shapes.drop_leading_ones(value, len(shape)), shape)
