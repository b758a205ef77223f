"""TensorFlow's own conversions of objects to tensors.

They are a `keras.Variable`, a sharded variable, a gradient that is `tf.IndexedSlices`, and objects with `__tf_tensor__`
or a conversion of `tf.register_tensor_conversion_function`. This conversion has precedence over `__array__`, which
supports neither gradients nor graphs.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.array_subclasses import check_subclass
from tfnp._core.tensorflow_internals import tensor_conversion_registry as registry


def _list_conversions(*classes: type) -> frozenset[Any]:
    """Return the conversions that TensorFlow has registered for these classes."""
    return frozenset(function for cls in classes for _, function in registry.get(cls))


# NumPy converts these, too, and to the right dtypes: a shape to int64, not int32.
_GENERAL: Final = _list_conversions(object, list, tuple, range, np.ndarray, np.generic, tf.TensorShape)
_COMPOSITE: Final = tf.__internal__.CompositeTensor
_UNCONVERTED: Final = frozenset((bool, int, float, complex, str, bytes, type(None), list, tuple, np.ndarray))


def has_conversion(value: Any) -> bool:
    """Return whether TensorFlow has a conversion for the value that NumPy does not have.

    Raise TypeError for an array of a subclass whose meaning a tensor would lose.
    """
    cls = type(value)
    if cls in _UNCONVERTED:
        return False
    if hasattr(value, "__tf_tensor__") or isinstance(value, _COMPOSITE):
        return True
    if any(function not in _GENERAL for _, function in registry.get(cls)):
        return True
    if isinstance(value, np.ndarray):
        check_subclass(value)
    return False


def is_tensor(value: Any) -> bool:
    """Return whether the value is a tensor, a variable, or an object that TensorFlow converts to a tensor."""
    return type(value) not in _UNCONVERTED and (isinstance(value, tf.Tensor | tf.Variable) or has_conversion(value))


def apply_conversion(value: Any) -> Any:
    """Apply TensorFlow's conversion to a value that has one; return other values unchanged.

    Raise TypeError for ragged and sparse tensors, which TensorFlow converts only explicitly.
    """
    if type(value) in _UNCONVERTED or isinstance(value, tf.Tensor | tf.Variable) or not has_conversion(value):
        return value
    if isinstance(value, tf.RaggedTensor):
        raise TypeError("a RaggedTensor is not an array: convert it by its to_tensor, or take its flat_values")
    if isinstance(value, tf.SparseTensor):
        raise TypeError("a SparseTensor is not an array: convert it by tf.sparse.to_dense")
    return tf.convert_to_tensor(value)
