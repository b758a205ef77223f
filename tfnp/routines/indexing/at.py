"""`tensor.at[index].set(value)` and similar methods: updates of a tensor that return a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.autograph import leave_unconverted
from tfnp._core.edge import array_function
from tfnp._core.indexing import access
from tfnp.routines.math import ufuncs


class At:
    """The value of `tensor.at`: indexed like the tensor itself, it returns an `AtIndex`."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: tf.Tensor | tf.Variable) -> None:
        self._tensor: Final = tensor

    def __getitem__(self, index: Any) -> AtIndex:
        return AtIndex(self._tensor, index)

    def __repr__(self) -> str:
        return f"At({self._tensor!r})"


class AtIndex:
    """An index of a tensor, and methods that update there; each returns a new tensor of the same dtype and shape.

    Values broadcast to the shape of the index. `set` casts them like `variable[index] = value`; if an index occurs
    twice, the last value counts. The other methods update like `ufunc.at`: with each value in turn.
    """

    __slots__ = ("_index", "_tensor")

    def __init__(self, tensor: tf.Tensor | tf.Variable, index: Any) -> None:
        self._tensor: Final = tensor
        self._index: Final = index

    def __repr__(self) -> str:
        return f"AtIndex({self._tensor!r}, {self._index!r})"

    def get(self, *, size: Any = None, fill_value: Any = 0) -> tf.Tensor:
        """Return the elements.

        With a mask, XLA needs `size`: they are then cut off there, or filled with `fill_value`.
        """
        if size is None:
            return access.read(self._tensor, self._index)
        return access.read_some(convert.to_tensor(self._tensor), self._index, size, fill_value)

    def set(self, values: Any) -> tf.Tensor:
        """Return the tensor with the elements replaced by values."""
        return access.update_at(self._tensor, self._index, values)

    def apply(self, function: Callable[[tf.Tensor], Any]) -> tf.Tensor:
        """Return the tensor with a function applied to the elements: once, however often the index names them."""
        return _apply(convert.to_tensor(self._tensor), self._index, function)

    def add(self, values: Any) -> tf.Tensor:
        """Return the tensor with values added to the elements."""
        return self._update(ufuncs.add, values)

    def subtract(self, values: Any) -> tf.Tensor:
        """Return the tensor with values subtracted from the elements."""
        return self._update(ufuncs.subtract, values)

    def multiply(self, values: Any) -> tf.Tensor:
        """Return the tensor with the elements multiplied by values."""
        return self._update(ufuncs.multiply, values)

    def divide(self, values: Any) -> tf.Tensor:
        """Return the tensor with the elements divided by values."""
        return self._update(ufuncs.divide, values)

    def power(self, values: Any) -> tf.Tensor:
        """Return the tensor with the elements raised to the power of values."""
        return self._update(ufuncs.power, values)

    def min(self, values: Any) -> tf.Tensor:
        """Return the tensor with the minimum of the elements and values."""
        return self._update(ufuncs.minimum, values)

    def max(self, values: Any) -> tf.Tensor:
        """Return the tensor with the maximum of the elements and values."""
        return self._update(ufuncs.maximum, values)

    def _update(self, ufunc: Any, values: Any) -> tf.Tensor:
        tensor = convert.to_tensor(self._tensor)
        return access.update_at(tensor, self._index, _as_weak(values, tensor.dtype), ufunc)


def _as_weak(values: Any, dtype: tf.DType) -> Any:
    """Convert a Python scalar to the dtype that it has beside a tensor of this dtype."""
    if type(values) not in dtypes.PYTHON_SCALARS:
        return values
    return convert.to_tensor(values, dtypes.result_type(dtype, values))


@array_function(unknown_rank="each")
def _apply(tensor: tf.Tensor, index: Any, function: Callable[[tf.Tensor], Any]) -> tf.Tensor:
    return access.update_at(tensor, index, function(access.read(tensor, index)))


leave_unconverted([At, AtIndex])
