"""Variables that functions of `tfnp` write to in place of an array, which takes over the new value afterwards.

The value is a tensor, so that gradients are recorded, and a graph or XLA needs no resource.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp.numpy.arrays import Array


class OutputVariable(tf.Variable):
    """A variable whose value is that of an array, until a function assigns another one."""

    def __init__(self, target: Array | np.ndarray) -> None:
        self.target = target
        self._value: tf.Tensor | None = None
        self._is_changed = False

    @property
    def dtype(self) -> tf.DType:
        return dtypes.as_dtype(self.target.dtype)

    @property
    def shape(self) -> tf.TensorShape:
        return self.read_value().shape if self._is_dynamic() else tf.TensorShape(self.target.shape)

    def _is_dynamic(self) -> bool:
        return isinstance(self.target, Array) and not self.target.is_on_host()

    def read_value(self) -> tf.Tensor:
        if self._value is None:
            target = self.target
            self._value = target.tensor() if isinstance(target, Array) else convert.from_numpy(target)
        return self._value

    def value(self) -> tf.Tensor:
        return self.read_value()

    def assign(
        self, value: tf.Tensor, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> None:
        self._value, self._is_changed = convert.to_tensor(value, self.dtype), True

    def __tf_tensor__(self, dtype: tf.DType | None = None, name: str | None = None) -> tf.Tensor:
        return tf.convert_to_tensor(self.read_value(), dtype, name=name)

    def write_back(self) -> None:
        """Write the value to the array, if it was assigned."""
        if not self._is_changed:
            return
        if isinstance(self.target, Array):
            self.target.assign(self._value)
        else:
            self.target[...] = self._value.numpy()  # type: ignore[union-attr] # it was assigned


def make_output_variable(target: Any, what: str = "output") -> OutputVariable:
    """Return a variable for an array. Raise NumPy's errors for what is no array, or read-only."""
    if isinstance(target, Array):
        if target._is_scalar:
            raise TypeError("return arrays must be of ArrayType")
        if not target._writeable:
            raise ValueError(f"{what} array is read-only")
    elif not isinstance(target, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    elif not target.flags.writeable:
        raise ValueError(f"{what} array is read-only")
    return OutputVariable(target)
