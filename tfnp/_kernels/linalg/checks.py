"""What must hold of the numbers in matrices. In eager what does not raises NumPy's LinAlgError, in a graph TensorFlow's
InvalidArgumentError when it runs, under XLA nothing.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core.errors import checked
from tfnp._kernels.complex import arithmetic


def assert_valid(tensor: tf.Tensor, is_valid: tf.Tensor, message: str) -> tf.Tensor:
    """The tensor, if a truth holds."""
    return checked(tensor, is_valid, np.linalg.LinAlgError(message))


def is_finite_each(a: tf.Tensor) -> tf.Tensor:
    """Of each matrix of a stack, whether all its numbers are finite."""
    return tf.reduce_all(arithmetic.isfinite(a) if a.dtype.is_complex else tf.math.is_finite(a), (-2, -1))


def has_nan(a: tf.Tensor) -> tf.Tensor:
    """Whether any number is nan."""
    return tf.reduce_any(arithmetic.isnan(a) if a.dtype.is_complex else tf.math.is_nan(a))
