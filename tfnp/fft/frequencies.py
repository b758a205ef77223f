"""Sample frequencies, and shifts of the zero-frequency component."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.arguments import on_device
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike
from tfnp._core.shapes import Dim
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.manipulation.rearranging import roll
from tfnp.routines.math import ufuncs

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def fftshift(x: ArrayLike, axes: AxisLike = None) -> tf.Tensor:
    """Return a copy. Dimensions may be unknown while tracing; `axes` must be static."""
    return _shift(to_tensor(x), axes, lambda dim: dim // 2)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def ifftshift(x: ArrayLike, axes: AxisLike = None) -> tf.Tensor:
    """Return a copy. Dimensions may be unknown while tracing; `axes` must be static."""
    return _shift(to_tensor(x), axes, lambda dim: -(dim // 2))


def fftfreq(n: IntLike, d: ArrayLike = 1.0, device: str | None = None) -> tf.Tensor:
    """`n` may be a tensor whose value is unknown while tracing, which XLA cannot compile; `d` may be any tensor."""
    return _compute_frequencies(np.fft.fftfreq, _compute_indices, n, d, device)


def rfftfreq(n: IntLike, d: ArrayLike = 1.0, device: str | None = None) -> tf.Tensor:
    """`n` may be a tensor whose value is unknown while tracing, which XLA cannot compile; `d` may be any tensor."""
    return _compute_frequencies(np.fft.rfftfreq, lambda n: _count_to(n // 2 + 1), n, d, device)


def _shift(x: tf.Tensor, axes: Any, compute_shift: Callable[[Dim], Dim]) -> tf.Tensor:
    """Roll each axis by a shift that depends on its length."""
    shape, axes = shapes.shape(x), convert.static_value(axes)
    if axes is None:
        axes = tuple(range(len(shape)))
    shift: Any = (
        compute_shift(shape[axes])
        if isinstance(axes, int | np.integer)
        else [compute_shift(shape[axis]) for axis in axes]
    )
    if not shape and not shift:
        raise ValueError("x must have at least one axis, got a 0-d array")
    if isinstance(shift, list) and not shapes.is_static(shift):
        shift = tf.stack([tf.cast(amount, tf.int64) for amount in shift])
    return roll(x, shift, axes)


def _compute_frequencies(
    numpy_function: Callable[..., Any], compute_indices: Callable[[Any], Any], n: Any, d: Any, device: Any
) -> tf.Tensor:
    """Return NumPy's frequencies, or if `n` or `d` is a tensor, the indices divided by `n * d`."""
    static_n = convert.static_value(n)
    with on_device(device):
        if static_n is None and n is not None:
            length = convert.cast(n, tf.int64)
            result = ufuncs.multiply(compute_indices(length), ufuncs.divide(1.0, ufuncs.multiply(length, d)))
        elif is_tensor(d) and isinstance(static_n, int | np.integer):
            return ufuncs.multiply(compute_indices(static_n), ufuncs.divide(1.0, ufuncs.multiply(static_n, d)))
        else:
            result = convert.from_numpy(np.asarray(numpy_function(static_n, d)))
        return convert.cast(result, dtypes.default_float()) if type(d) in (int, float, bool) else result


def _compute_indices(n: Any) -> Any:
    """Return 0, 1, ..., followed by the negative indices."""
    if isinstance(n, tf.Tensor):
        return roll(_count_to(n) - n // 2, -(n // 2))
    indices = np.arange(np.empty(n).size)
    return np.where(indices < (n + 1) // 2, indices, indices - n)


def _count_to(stop: Any) -> Any:
    """Return the integers from zero."""
    return tf.range(stop) if isinstance(stop, tf.Tensor) else np.arange(stop)
