"""What an array says of itself: how much there is of it, and its parts."""

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
    """The bytes of one element."""
    return dtypes.as_numpy(self.dtype).itemsize


def nbytes(self: Any) -> shapes.Dim:
    """The bytes of all elements."""
    return size(self) * itemsize(self)


def ndim(self: Any) -> int | tf.Tensor:
    """A number where it is known, else a tensor."""
    static = self.shape.rank
    return tf.rank(self) if static is None else static


def numpy_dtype(self: Any) -> np.dtype:
    """What `np.result_type` asks for."""
    return np.dtype(self.dtype.as_numpy_dtype)


def size(self: Any) -> shapes.Dim:
    """The number of elements: an int where the shape is known, else a tensor."""
    static = self.shape.num_elements()
    return shaping.size(self) if static is None else static


def refuse_layout(name: str) -> property:
    """Return an attribute that a tensor lacks, and that says why."""

    def refuse(self: Any) -> NoReturn:
        raise AttributeError(
            f"a tensor has no {name!r}: it never changes, and its memory layout is not observable", name=name, obj=self
        )

    return property(refuse)


def namespace(self: Any, /, *, api_version: Any = None) -> Any:
    """The module of the array API's functions: tfnp."""
    np.empty(0).__array_namespace__(api_version=api_version)  # refuses a version that there is not
    return sys.modules["tfnp"]
