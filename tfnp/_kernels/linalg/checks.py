"""Checks of the elements of matrices.

They raise NumPy's LinAlgError in eager mode, TensorFlow's InvalidArgumentError when a graph runs, nothing under XLA.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core.checks import check
from tfnp._kernels.complex import arithmetic


def assert_valid(tensor: tf.Tensor, is_valid: tf.Tensor, message: str) -> tf.Tensor:
    """Return the tensor if the condition holds, else raise LinAlgError."""
    return check(is_valid, np.linalg.LinAlgError(message), tensor)


def is_finite_each(a: tf.Tensor) -> tf.Tensor:
    """Return for each matrix of a stack whether all its elements are finite."""
    return tf.reduce_all(arithmetic.isfinite(a) if a.dtype.is_complex else tf.math.is_finite(a), (-2, -1))


def has_nan(a: tf.Tensor) -> tf.Tensor:
    """Return whether any element is nan."""
    return tf.reduce_any(arithmetic.isnan(a) if a.dtype.is_complex else tf.math.is_nan(a))
