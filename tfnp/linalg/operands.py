"""Convert and check the operands of linear algebra: stacks of matrices in the dtypes that NumPy supports.

Everything is calculated in double precision, as in NumPy, and rounded to the dtype of the result. Integers, booleans
and bfloat16 become float64; float16 is not supported.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.convert import to_tensor

LinAlgError: Final = np.linalg.LinAlgError
_SINGLE_DTYPES: Final = (tf.float32, tf.complex64)


def common_dtype(*arrays: tf.Tensor) -> tf.DType:
    """Return the dtype of a result: in single precision if all operands are, else double; complex if one of them is.

    Raise NumPy's TypeError for float16.
    """
    for a in arrays:
        if a.dtype == tf.float16:
            raise TypeError("array type float16 is unsupported in linalg")
    single = all(a.dtype in _SINGLE_DTYPES or (_is_not_floating(a) and dtypes.promotion.prefer_float32) for a in arrays)
    if any(a.dtype.is_complex for a in arrays):
        return tf.complex64 if single else tf.complex128
    return tf.float32 if single else tf.float64


def _is_not_floating(a: tf.Tensor) -> bool:
    """Return whether a result has the default float for this operand: an integer, a bool or bfloat16."""
    return a.dtype not in (*_SINGLE_DTYPES, tf.float64, tf.complex128)


def upcast(a: tf.Tensor, like: tf.DType | None = None) -> tf.Tensor:
    """Cast to float64, or to complex128 if the dtype `like` is complex; by default that of the operand."""
    is_complex = (a.dtype if like is None else like).is_complex
    return convert.cast(a, tf.complex128 if is_complex else tf.float64)


def as_matrices(a: Any) -> tf.Tensor:
    """Convert to a tensor. Raise LinAlgError if it has fewer than two axes."""
    a = to_tensor(a)
    if shapes.rank(a) < 2:
        raise LinAlgError(f"{shapes.rank(a)}-dimensional array given. Array must be at least two-dimensional")
    return a


def as_squares(a: Any) -> tf.Tensor:
    """Convert to a tensor. Raise LinAlgError if its last two axes are not those of square matrices."""
    a = as_matrices(a)
    rows, columns = a.shape[-2:]
    if None not in (rows, columns) and rows != columns:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a


def check_2d(*arrays: tf.Tensor) -> None:
    """Raise LinAlgError for an operand that does not have two axes."""
    for a in arrays:
        if shapes.rank(a) != 2:
            raise LinAlgError(f"{shapes.rank(a)}-dimensional array given. Array must be two-dimensional")
