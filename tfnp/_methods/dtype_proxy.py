"""What is asked of a NumPy dtype, answered by TensorFlow's: `tensor.dtype.kind`, `tensor.dtype == "f4"`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes

_same: Final = tf.DType.__eq__
_KINDS: Final = (bool, int, float, complex)


def as_numpy_dtype(self: tf.DType) -> np.dtype:
    """What `np.dtype` makes of a TensorFlow dtype; object for what NumPy has no numbers for."""
    return np.dtype(self.as_numpy_dtype)


def equals(self: tf.DType, other: Any) -> bool:
    """Equal to whatever `np.dtype` makes the same of. Python's `float` is the default one, not TensorFlow's float32."""
    if isinstance(other, tf.DType):
        return _same(self, other)
    if other in _KINDS if isinstance(other, type) else isinstance(other, str):
        try:
            return as_numpy_dtype(self) == dtypes.as_numpy(other)
        except TypeError:
            pass
    return _same(self, other)


def _answer(name: str) -> property:
    """The attribute of NumPy's dtype."""

    def answer(self: tf.DType) -> Any:
        return getattr(as_numpy_dtype(self), name)

    answer.__doc__ = f"As `numpy.dtype.{name}`."
    return property(answer)


DTYPES: Final[dict[str, property | Callable[..., Any]]] = {
    "__eq__": equals,
    "__numpy_dtype__": property(as_numpy_dtype),
    "alignment": _answer("alignment"),
    "byteorder": _answer("byteorder"),
    "char": _answer("char"),
    "isnative": _answer("isnative"),
    "itemsize": _answer("itemsize"),
    "kind": _answer("kind"),
    "num": _answer("num"),
    "str": _answer("str"),
    "type": _answer("type"),
}
