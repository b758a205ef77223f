"""Attributes of arrays: real and imaginary parts, sizes, number of dimensions."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

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


def missing_layout(name: str) -> property:
    """Return an attribute that a tensor lacks, and that says why."""

    def raise_error(self: Any) -> NoReturn:
        raise AttributeError(
            f"a tensor has no {name!r}: it never changes, and its memory layout is not observable", name=name, obj=self
        )

    return property(raise_error)


def get_namespace(self: Any, /, *, api_version: Any = None) -> Any:
    """Return tfnp, the namespace of the array API's functions."""
    np.empty(0).__array_namespace__(api_version=api_version)  # raises for an unknown version
    return sys.modules["tfnp"]
