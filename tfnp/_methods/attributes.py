"""Attributes of arrays: real and imaginary parts, sizes, number of dimensions."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp.routines.manipulation import shaping
from tfnp.routines.math import rounding


def imag(self: Any) -> tf.Tensor:
    return rounding.imag(self)


def real(self: Any) -> tf.Tensor:
    return rounding.real(self)


def itemsize(self: Any) -> int:
    """Return the number of bytes of one element."""
    return dtypes.as_numpy(self.dtype).itemsize


def nbytes(self: Any) -> shapes.Dim:
    """Return the number of bytes of all elements."""
    return size(self) * itemsize(self)


def ndim(self: Any) -> int | tf.Tensor:
    """Return the rank: an int if it is static, else a tensor."""
    static = self.shape.rank
    return tf.rank(self) if static is None else static


def get_numpy_dtype(self: Any) -> np.dtype:
    """Return the dtype for `np.result_type`."""
    return dtypes.as_numpy(self.dtype)


def size(self: Any) -> shapes.Dim:
    """Return the number of elements: an int if the shape is static, else a tensor."""
    static = self.shape.num_elements()
    return shaping.size(self) if static is None else static


def base(self: Any) -> None:
    """Return None: a tensor is no view of another array."""


def strides(self: Any) -> tuple[int, ...]:
    """Return the strides in bytes of an array in C order. Raise AttributeError where the shape is not static."""
    return _make_template(self, "strides").strides


def flags(self: Any) -> Any:
    """Return the flags of an array of this shape in C order, which owns no memory.

    Those of a tensor are NumPy's of a read-only array; those of a variable, which can be written to, cannot be changed.
    """
    is_variable = isinstance(self, tf.Variable)
    numpy_flags = _make_template(self, "flags", writeable=is_variable).flags
    return Flags(numpy_flags) if is_variable else numpy_flags


class Flags:
    """The flags of a variable: NumPy's, which cannot be changed."""

    __slots__ = ("_flags",)

    def __init__(self, flags: Any) -> None:
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "_flags"), name)

    def __getitem__(self, name: str) -> bool:
        return self._flags[name]

    def __repr__(self) -> str:
        return repr(self._flags)


def _make_template(array: Any, name: str, *, writeable: bool = False) -> np.ndarray:
    """Return an array of a shape and dtype in C order, which holds one element only. The first dim may be unknown."""
    dims = array.shape.as_list() if array.shape.rank is not None else [None, None]
    if None in dims[1:]:
        message = f"a tensor has no {name!r} inside tf.function unless its shape is static: set it with tf.ensure_shape"
        raise AttributeError(message, name=name, obj=array)
    steps = [itemsize(array)]
    for dim in reversed(dims[1:]):
        steps.append(steps[-1] * max(dim, 1))
    element = np.empty(1, np.dtype((np.void, steps[0])))
    element.flags.writeable = writeable
    shape = [2 if dim is None else int(dim) for dim in dims]
    return np.lib.stride_tricks.as_strided(element, shape, steps[: len(dims)][::-1], writeable=writeable)


def get_namespace(self: Any, /, *, api_version: Any = None) -> Any:
    """Return tfnp, the namespace of the array API's functions."""
    np.empty(0).__array_namespace__(api_version=api_version)  # raises for an unknown version
    return sys.modules["tfnp"]
