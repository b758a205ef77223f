"""Eigenvalues of general matrices, for which XLA has no op."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._kernels.linalg import balancing


def eigenvalues(a: tf.Tensor) -> tf.Tensor:
    """In no order, and complex, but for a real matrix none of whose eigenvalues is complex: that is a real result. A
    graph, which cannot know, has a complex one. They are found in double precision: single is none too many. Raises
    LinAlgError, or in a graph an error when it runs, where numbers are not finite.
    """
    if a.dtype == tf.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    upcast = convert.cast(a, tf.complex128 if a.dtype.is_complex else tf.float64)
    balanced = balancing.balance(_finite(upcast))
    found = tf.linalg.eigvals(balanced.matrix) * tf.cast(balanced.unit, tf.complex128)
    if a.dtype in (tf.float32, tf.complex64):
        found = tf.cast(found, tf.complex64)
    static = None if a.dtype.is_complex or not tf.executing_eagerly() else convert.static_value(found)
    return tf.math.real(found) if static is not None and not static.imag.any() else found


def _finite(a: tf.Tensor) -> tf.Tensor:
    is_valid = tf.reduce_all(tf.math.is_finite(tf.abs(a)))
    message = "Array must not contain infs or NaNs"
    if tf.executing_eagerly():
        if not is_valid:
            raise np.linalg.LinAlgError(message)
        return a
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [message])]):
        return tf.identity(a)
