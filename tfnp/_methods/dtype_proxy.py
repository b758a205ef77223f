"""The attributes of numpy.dtype for tf.DType: `tensor.dtype.kind`, `tensor.dtype == "f4"`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes

_tf_equals: Final = tf.DType.__eq__
_PYTHON_TYPES: Final = (bool, int, float, complex, str)
_FORWARDED: Final = (
    *(
        "alignment",
        "base",
        "byteorder",
        "char",
        "descr",
        "fields",
        "flags",
        "hasobject",
        "isalignedstruct",
        "isbuiltin",
    ),
    *("isnative", "itemsize", "kind", "metadata", "names", "ndim", "newbyteorder", "num", "shape", "str", "subdtype"),
    "type",
)


def as_numpy_dtype(self: tf.DType) -> np.dtype:
    """Convert to a NumPy dtype: StringDType for text; object if NumPy has no such dtype."""
    return dtypes.TEXT if self == tf.string else np.dtype(self.as_numpy_dtype)


def equals(self: tf.DType, other: Any) -> bool:
    """Return whether two dtypes are equal; the other may be anything that `np.dtype` accepts.

    Python's `float` is the default float, not TensorFlow's float32.
    """
    if isinstance(other, tf.DType):
        return _tf_equals(self, other)
    if other in _PYTHON_TYPES if isinstance(other, type) else isinstance(other, str):
        try:
            return as_numpy_dtype(self) == dtypes.as_numpy(other)
        except TypeError:
            pass
    return _tf_equals(self, other)


def _forward_attribute(name: str) -> property:
    """Return a property that reads an attribute of the NumPy dtype."""

    def get(self: tf.DType) -> Any:
        return getattr(as_numpy_dtype(self), name)

    get.__doc__ = f"Return `numpy.dtype.{name}`."
    return property(get)


DTYPES: Final[dict[str, property | Callable[..., Any]]] = {
    "__eq__": equals,
    "__numpy_dtype__": property(as_numpy_dtype),
    **{name: _forward_attribute(name) for name in _FORWARDED},
}
