"""At which frequencies the terms of a transform are, and the terms put in the order of those."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.arguments import on_device
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.shapes import Dim
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.manipulation.rearranging import roll
from tfnp.routines.math import ufuncs

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


@array_function(promotes=("x",), unknown_rank="each")
def fftshift(x: Any, axes: Any = None) -> tf.Tensor:
    return _shifted(to_tensor(x), axes, lambda dim: dim // 2)


@array_function(promotes=("x",), unknown_rank="each")
def ifftshift(x: Any, axes: Any = None) -> tf.Tensor:
    return _shifted(to_tensor(x), axes, lambda dim: -(dim // 2))


def fftfreq(n: Any, d: Any = 1.0, device: Any = None) -> tf.Tensor:
    """`d` may be a tensor; `n` must be known while tracing."""
    return _frequencies(np.fft.fftfreq, _ticks, n, d, device)


def rfftfreq(n: Any, d: Any = 1.0, device: Any = None) -> tf.Tensor:
    """`d` may be a tensor; `n` must be known while tracing."""
    return _frequencies(np.fft.rfftfreq, lambda n: np.arange(n // 2 + 1), n, d, device)


def _shifted(x: tf.Tensor, axes: Any, by: Callable[[Dim], Dim]) -> tf.Tensor:
    shape, axes = shapes.shape(x), convert.static_value(axes)
    if axes is None:
        axes = tuple(range(len(shape)))
    shift: Any = by(shape[axes]) if isinstance(axes, int | np.integer) else [by(shape[axis]) for axis in axes]
    if not shape and not shift:
        raise ValueError("there is no axis to shift along")
    if isinstance(shift, list) and not shapes.is_static(shift):
        shift = tf.stack([tf.cast(amount, tf.int64) for amount in shift])
    return roll(x, shift, axes)


def _frequencies(
    made: Callable[..., Any], ticks: Callable[[Any], np.ndarray], n: Any, d: Any, device: Any
) -> tf.Tensor:
    n = _as_count(n)
    with on_device(device):
        if is_tensor(d) and isinstance(n, int | np.integer):
            return ufuncs.multiply(ticks(n), ufuncs.divide(1.0, ufuncs.multiply(n, d)))
        found = convert.from_numpy(np.asarray(made(n, d)))
        return convert.cast(found, dtypes.default_float()) if type(d) in (int, float, bool) else found


def _as_count(n: Any) -> Any:
    """Return the number of points as NumPy takes it: what is no integer it refuses itself."""
    static = convert.static_value(n)
    return shapes.as_int(n) if static is None and n is not None else static


def _ticks(n: Any) -> np.ndarray:
    """0, 1, ... and then the negative ones."""
    indices = np.arange(np.empty(n).size)
    return np.where(indices < (n + 1) // 2, indices, indices - n)
