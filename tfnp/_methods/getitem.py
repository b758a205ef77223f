"""`array[index]`: read elements, and write those of a variable."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import tensorflow as tf

from tfnp._core.eager_tensors import EagerTensor, enum_of
from tfnp._core.indexing.access import read, write
from tfnp._core.text import check_not_for_xla
from tfnp._core.ufunc.operators import SUPPORTED, is_called_by_framework, is_supported

_tf_getitem: Final = tf.Tensor.__getitem__
_tf_variable_getitem: Final = tf.Variable.__getitem__


def get_item(self: tf.Tensor, key: Any, /) -> tf.Tensor:
    """Implement `tensor[key]`."""
    if type(self) is EagerTensor and type(key) is not list and enum_of(self) in SUPPORTED:
        return read(self, key)
    if not is_supported(self) or (type(key) is list and is_called_by_framework()):  # as ragged tensors mean a tuple
        return _tf_getitem(self, key)
    if self.dtype == tf.string:
        check_not_for_xla()
    return read(self, key)


def get_variable_item(self: tf.Variable, key: Any, /) -> tf.Tensor:
    """Implement `variable[key]`. As in TensorFlow, `variable[key].assign(value)` writes to the variable."""
    if not is_supported(self):
        return _tf_variable_getitem(self, key)
    result = read(self, key)
    result.assign = partial(_assign, self, key)
    return result


def _assign(variable: tf.Variable, key: Any, value: Any, name: str | None = None) -> tf.Variable:
    write(variable, key, value)
    return variable


def set_item(self: Any, key: Any, value: Any, /) -> None:
    """Implement `array[key] = value`: for a tensor, which is immutable, the error says what to use instead."""
    write(self, key, value)
