"""What the functions of this package are given: stacks of matrices, in the dtypes that NumPy's linear algebra knows.

Everything is calculated in double precision, as in NumPy, and rounded to the dtype of the result. Integers, truths and
bfloat16 become float64; float16 has no linear algebra.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.convert import to_tensor

LinAlgError: Final = np.linalg.LinAlgError
_SINGLES: Final = (tf.float32, tf.complex64)


def common_dtype(*arrays: tf.Tensor) -> tf.DType:
    """The dtype of a result: single precision if all operands have it."""
    for a in arrays:
        if a.dtype == tf.float16:
            raise TypeError("array type float16 is unsupported in linalg")
    single = all(a.dtype in _SINGLES or (_is_exact(a) and dtypes.promotion.prefer_float32) for a in arrays)
    if any(a.dtype.is_complex for a in arrays):
        return tf.complex64 if single else tf.complex128
    return tf.float32 if single else tf.float64


def _is_exact(a: tf.Tensor) -> bool:
    return a.dtype not in (*_SINGLES, tf.float64, tf.complex128)


def upcast(a: tf.Tensor, like: tf.DType | None = None) -> tf.Tensor:
    """In double precision, complex if the result is."""
    is_complex = (a.dtype if like is None else like).is_complex
    return convert.cast(a, tf.complex128 if is_complex else tf.float64)


def as_matrices(a: Any) -> tf.Tensor:
    """A stack of matrices, or one."""
    a = to_tensor(a)
    if shapes.rank(a) < 2:
        raise LinAlgError(f"{shapes.rank(a)}-dimensional array given. Array must be at least two-dimensional")
    return a


def as_squares(a: Any) -> tf.Tensor:
    """A stack of square matrices, or one."""
    a = as_matrices(a)
    rows, columns = a.shape[-2:]
    if None not in (rows, columns) and rows != columns:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a


def check_plane(*arrays: tf.Tensor) -> None:
    for a in arrays:
        if shapes.rank(a) != 2:
            raise LinAlgError(f"{shapes.rank(a)}-dimensional array given. Array must be two-dimensional")
