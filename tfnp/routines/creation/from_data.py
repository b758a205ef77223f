"""Arrays from elsewhere: bytes, text, iterators, functions, other libraries. Read on the host, by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.arguments import check_like, on_device
from tfnp._core.convert import to_tensor
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.creation.grids import indices

__all__ = ["from_dlpack", "frombuffer", "fromfunction", "fromiter", "fromstring"]


def frombuffer(buffer: Any, dtype: Any = None, count: Any = -1, offset: Any = 0, *, like: Any = None) -> tf.Tensor:
    """A copy: what happens to the buffer later does not show. Big-endian data come out native."""
    check_like(like)
    if isinstance(buffer, tf.Tensor) and buffer.dtype == tf.string:
        raise TypeError("a tensor of texts has no buffer that holds them")
    return convert.from_numpy(np.frombuffer(buffer, _as_stored(dtype), count, offset))


def _as_stored(dtype: Any) -> np.dtype:
    """The dtype with the byte order that was asked for, which `as_numpy` does not keep."""
    own = dtypes.as_numpy(float if dtype is None else dtype)
    stored = own if dtype is None or (isinstance(dtype, tf.DType | str) and dtype == "bfloat16") else dtype
    return own if isinstance(stored, tf.DType) else np.dtype(stored)


def fromstring(string: Any, dtype: Any = float, count: Any = -1, *, sep: Any = "", like: Any = None) -> tf.Tensor:
    """Of numbers that are missing in a text zeros, where NumPy leaves what was in memory."""
    check_like(like)
    if convert.static_value(string) is None:
        raise TypeError("fromstring: the text must be known while tracing")
    result = np.fromstring(string, _as_stored(dtype), count, sep=sep)
    if sep and count > 0:
        result[_count_read(string, result.dtype, sep) :] = 0
    return convert.from_numpy(result)


def _count_read(string: Any, dtype: np.dtype, sep: str) -> int:
    """How many numbers a text has; where it goes on after those that were asked for, at least as many."""
    try:
        return np.fromstring(string, dtype, sep=sep).size
    except ValueError:
        return len(string)


def fromiter(iter: Any, dtype: Any, count: Any = -1, *, like: Any = None) -> tf.Tensor:
    check_like(like)
    return convert.from_numpy(np.fromiter(iter, dtypes.as_numpy(dtype), count))


def fromfunction(
    function: Callable[..., Any], shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """The function is called once, on tensors of coordinates; what it returns is returned."""
    check_like(like)
    return function(*tf.unstack(indices(shape, dtype)), **kwargs)


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None) -> tf.Tensor:
    """A copy, of anything that speaks DLPack on the CPU: TensorFlow's own reader aborts on data that is not aligned."""
    result = to_tensor(x if is_tensor(x) else np.from_dlpack(x))
    with on_device(device):
        return result if device is None else tf.identity(result)
