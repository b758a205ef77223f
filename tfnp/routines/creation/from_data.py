"""Arrays from buffers, strings, iterators, functions and other libraries, read on the host by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.arguments import check_like, on_device
from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, ShapeLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.creation.grids import indices

__all__ = ["from_dlpack", "frombuffer", "fromfunction", "fromiter", "fromstring"]


def frombuffer(
    buffer: Any, dtype: DTypeLike | None = None, count: IntLike = -1, offset: IntLike = 0, *, like: None = None
) -> tf.Tensor:
    """Return a copy, which does not change with the buffer. Foreign byte orders are converted."""
    check_like(like)
    if isinstance(buffer, tf.Tensor) and buffer.dtype == tf.string:
        raise TypeError("frombuffer: a tf.string tensor has no buffer: pass bytes, such as tensor.numpy()")
    return convert.from_numpy(np.frombuffer(buffer, _as_stored_dtype(dtype), count, offset))


def _as_stored_dtype(dtype: Any) -> np.dtype:
    """Return the dtype of elements in memory, with its byte order, which `as_numpy` drops."""
    native = dtypes.as_numpy(float if dtype is None else dtype)
    stored = native if dtype is None or (isinstance(dtype, tf.DType | str) and dtype == "bfloat16") else dtype
    has_width = isinstance(stored, str | np.dtype) and np.dtype(stored).kind in "US" and np.dtype(stored).itemsize
    if native == dtypes.TEXT and not has_width:
        raise TypeError(f"dtype {dtype!r} has no width: name the number of bytes of a string, as in 'S8'")
    return native if isinstance(stored, tf.DType) else np.dtype(stored)


def fromstring(
    string: str, dtype: DTypeLike | None = float, count: IntLike = -1, *, sep: str = "", like: None = None
) -> tf.Tensor:
    """Values that are missing in the text are zero, where NumPy leaves them uninitialized. The text must be static."""
    check_like(like)
    convert.as_static(string, "string", "fromstring")
    result = np.fromstring(string, _as_stored_dtype(dtype), count, sep=sep)
    if sep and count > 0:
        result[_count_values(string, result.dtype, sep) :] = 0
    return convert.from_numpy(result)


def _count_values(string: Any, dtype: np.dtype, sep: str) -> int:
    """Return the number of values in a text; one that cannot be read to its end has at least those requested."""
    try:
        return np.fromstring(string, dtype, sep=sep).size
    except ValueError:
        return len(string)


def fromiter(iter: Any, dtype: DTypeLike, count: IntLike = -1, *, like: None = None) -> tf.Tensor:
    """The iterator is read on the host, by NumPy: its items cannot be tensors of a graph."""
    check_like(like)
    dtype, inner = dtypes.split_subarray(dtype)
    return convert.from_numpy(np.fromiter(iter, np.dtype((dtypes.as_numpy(dtype), inner)), count))


def fromfunction(
    function: Callable[..., Any], shape: ShapeLike, *, dtype: DTypeLike | None = float, like: None = None, **kwargs: Any
) -> Any:
    """`function` is called once, with a tensor of coordinates for each axis; its result is returned as it is."""
    check_like(like)
    return function(*tf.unstack(indices(shape, dtype)), **kwargs)


# Upstream bug: tensorflow-dlpack-unaligned
def from_dlpack(x: ArrayLike, /, *, device: str | None = None, copy: bool | None = None) -> tf.Tensor:
    """Return a copy of data on the CPU: TensorFlow's own reader aborts if it is not aligned."""
    result = to_tensor(x if is_tensor(x) else np.from_dlpack(x))
    with on_device(device):
        return result if device is None else tf.identity(result)
