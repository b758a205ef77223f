"""Eigenvalues of general matrices, for which XLA has no op."""

from __future__ import annotations

import tensorflow as tf

from tfnp._core import convert
from tfnp._core.edge import array_function
from tfnp._kernels.linalg.checks import assert_valid
from tfnp._kernels.linalg.eigenvectors import general_parts


def find_eigenvalues(a: tf.Tensor) -> tf.Tensor:
    """Return the eigenvalues of general matrices, in no order.

    The result is complex, unless a real matrix has only real eigenvalues, which a graph cannot know. They are computed
    in double precision. Elements that are not finite raise LinAlgError, or an error when the graph runs.
    """
    if a.dtype == tf.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    upcast = convert.cast(a, tf.complex128 if a.dtype.is_complex else tf.float64)
    values = _compute_values(upcast)
    if a.dtype in (tf.float32, tf.complex64):
        values = tf.cast(values, tf.complex64)
    static = None if a.dtype.is_complex or not tf.executing_eagerly() else convert.static_value(values)
    return tf.math.real(values) if static is not None and not static.imag.any() else values


@array_function(traces=("a",))
def _compute_values(a: tf.Tensor) -> tf.Tensor:
    """Return the eigenvalues of matrices in double precision, complex."""
    is_valid = tf.reduce_all(tf.math.is_finite(tf.abs(a)))
    return general_parts(assert_valid(a, is_valid, "Array must not contain infs or NaNs"), vectors=False)[0]
