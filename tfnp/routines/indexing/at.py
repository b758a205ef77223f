"""New tensors from old ones by index: `tensor.at[index].set(value)` and its kin, which leave the tensor as it is."""

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
    """What `tensor.at` is: between brackets it takes any index that the tensor itself takes."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: tf.Tensor | tf.Variable) -> None:
        self._tensor: Final = tensor

    def __getitem__(self, index: Any) -> AtIndex:
        return AtIndex(self._tensor, index)

    def __repr__(self) -> str:
        return f"At({self._tensor!r})"


class AtIndex:
    """An index of a tensor, at which each method puts something: all give a new tensor of the same dtype and shape.

    Values broadcast to what the index names. In `set` they are cast as in `variable[index] = value`, and the last value
    of a place that is named twice counts. The others join values to elements as `ufunc.at` does, each value in turn.
    """

    __slots__ = ("_index", "_tensor")

    def __init__(self, tensor: tf.Tensor | tf.Variable, index: Any) -> None:
        self._tensor: Final = tensor
        self._index: Final = index

    def __repr__(self) -> str:
        return f"AtIndex({self._tensor!r}, {self._index!r})"

    def get(self, *, size: Any = None, fill_value: Any = 0) -> tf.Tensor:
        """The elements. What a mask chooses can be given a size, which XLA needs: more is cut off, less filled up."""
        if size is None:
            return access.read(self._tensor, self._index)
        return access.read_some(convert.to_tensor(self._tensor), self._index, size, fill_value)

    def set(self, values: Any) -> tf.Tensor:
        return access.update_at(self._tensor, self._index, values)

    def apply(self, function: Callable[[tf.Tensor], Any]) -> tf.Tensor:
        """What a function makes of the elements in their place: once, however often the index names it."""
        return _applied(convert.to_tensor(self._tensor), self._index, function)

    def add(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.add, values)

    def subtract(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.subtract, values)

    def multiply(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.multiply, values)

    def divide(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.divide, values)

    def power(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.power, values)

    def min(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.minimum, values)

    def max(self, values: Any) -> tf.Tensor:
        return self._joined(ufuncs.maximum, values)

    def _joined(self, ufunc: Any, values: Any) -> tf.Tensor:
        tensor = convert.to_tensor(self._tensor)
        return access.update_at(tensor, self._index, _weakly(values, tensor.dtype), ufunc)


def _weakly(values: Any, dtype: tf.DType) -> Any:
    """A Python scalar in the dtype that it has beside a tensor of this one."""
    if type(values) not in dtypes.PYTHON_SCALARS:
        return values
    return convert.to_tensor(values, dtypes.result_type(dtype, values))


@array_function(unknown_rank="each")
def _applied(tensor: tf.Tensor, index: Any, function: Callable[[tf.Tensor], Any]) -> tf.Tensor:
    return access.update_at(tensor, index, function(access.read(tensor, index)))


leave_unconverted([*vars(At).values(), *vars(AtIndex).values()])
