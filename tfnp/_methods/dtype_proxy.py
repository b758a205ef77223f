"""The attributes of numpy.dtype for tf.DType: `tensor.dtype.kind`. Equality stays TensorFlow's."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes

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


def _forward_attribute(name: str) -> property:
    """Return a property that reads an attribute of the NumPy dtype."""

    def get(self: tf.DType) -> Any:
        return getattr(as_numpy_dtype(self), name)

    get.__doc__ = f"Return `numpy.dtype.{name}`."
    return property(get)


DTYPES: Final[dict[str, property]] = {
    "__numpy_dtype__": property(as_numpy_dtype),
    **{name: _forward_attribute(name) for name in _FORWARDED},
}
