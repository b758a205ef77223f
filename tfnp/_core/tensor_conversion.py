"""TensorFlow's own conversions to a tensor: which objects have one, and its result.

They are a `keras.Variable`, a sharded variable, a gradient that is `tf.IndexedSlices`, and whatever has `__tf_tensor__`
or a function of `tf.register_tensor_conversion_function`. This conversion goes before `__array__`, which knows
neither gradients nor graphs.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf
from tensorflow.python.framework import tensor_conversion_registry as registry


def _registered(*kinds: type) -> frozenset[Any]:
    """Return the conversions that TensorFlow has registered for these classes."""
    return frozenset(function for kind in kinds for _, function in registry.get(kind))


# What these convert NumPy reads as well, and its dtypes are the right ones: a shape is int64, not int32.
_GENERAL: Final = _registered(object, list, tuple, range, np.ndarray, np.generic, tf.TensorShape)
_COMPOSITE: Final = tf.__internal__.CompositeTensor
_PLAIN: Final = frozenset((bool, int, float, complex, str, bytes, type(None), list, tuple, np.ndarray))


def has_conversion(value: Any) -> bool:
    """Return whether TensorFlow alone knows how the value becomes a tensor, if it does at all."""
    kind = type(value)
    if kind in _PLAIN:
        return False
    if hasattr(value, "__tf_tensor__") or isinstance(value, _COMPOSITE):
        return True
    return any(function not in _GENERAL for _, function in registry.get(kind))


def is_tensor(value: Any) -> bool:
    """Return whether the value is a tensor, a variable, or what TensorFlow converts to a tensor."""
    return type(value) not in _PLAIN and (isinstance(value, tf.Tensor | tf.Variable) or has_conversion(value))


def apply_conversion(value: Any) -> Any:
    """Return the tensor that TensorFlow makes of the value; a tensor, a variable and all else as it is.

    Raises TypeError for ragged and sparse tensors, which TensorFlow does not make dense unless it is told to.
    """
    if type(value) in _PLAIN or isinstance(value, tf.Tensor | tf.Variable) or not has_conversion(value):
        return value
    if isinstance(value, tf.RaggedTensor | tf.SparseTensor):
        raise TypeError(f"a {type(value).__name__} is no array: convert it with its to_tensor or tf.sparse.to_dense")
    return tf.convert_to_tensor(value)
