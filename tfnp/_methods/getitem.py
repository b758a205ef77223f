"""`array[index]`: elements read, and those of a variable written."""

from __future__ import annotations

import sys
from functools import partial
from types import FrameType
from typing import Any, Final

import tensorflow as tf

from tfnp._core.convert import EagerTensor, enum_of
from tfnp._core.indexing.access import read, write
from tfnp._core.ufunc.operators import NUMERIC, is_numeric

_theirs: Final = tf.Tensor.__getitem__
_theirs_of_variable: Final = tf.Variable.__getitem__


def element(self: tf.Tensor, key: Any, /) -> tf.Tensor:
    """A tensor's."""
    if type(self) is EagerTensor and type(key) is not list and enum_of(self) in NUMERIC:
        return read(self, key)
    if not is_numeric(self) or (type(key) is list and _is_theirs(sys._getframe(1))):
        return _theirs(self, key)
    return read(self, key)


def _is_theirs(caller: FrameType) -> bool:
    """Whether TensorFlow itself asks, to which a list is a tuple: ragged tensors index their parts with lists."""
    return str(caller.f_globals.get("__name__")).startswith("tensorflow.python.")


def element_of_variable(self: tf.Variable, key: Any, /) -> tf.Tensor:
    """A variable's. As from TensorFlow, `variable[key].assign(value)` writes there."""
    if not is_numeric(self):
        return _theirs_of_variable(self, key)
    found = read(self, key)
    found.assign = partial(_assign, self, key)
    return found


def _assign(variable: tf.Variable, key: Any, value: Any, name: str | None = None) -> tf.Variable:
    write(variable, key, value)
    return variable


def put_element(self: Any, key: Any, value: Any, /) -> None:
    """A variable's; a tensor, which never changes, says what to do instead."""
    write(self, key, value)
