"""The attributes of numpy.dtype for tf.DType: `tensor.dtype.kind`. Equality stays TensorFlow's."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes


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
    "alignment": _forward_attribute("alignment"),
    "byteorder": _forward_attribute("byteorder"),
    "char": _forward_attribute("char"),
    "isnative": _forward_attribute("isnative"),
    "itemsize": _forward_attribute("itemsize"),
    "kind": _forward_attribute("kind"),
    "num": _forward_attribute("num"),
    "str": _forward_attribute("str"),
    "type": _forward_attribute("type"),
}
