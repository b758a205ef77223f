"""Window functions, calculated by NumPy on the host, or in a graph that does not know the length."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.routines.signal.convolution import i0

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def bartlett(M: IntLike) -> tf.Tensor:
    """Return float64. `M` may be a tensor whose value is unknown while tracing, but not for XLA."""
    return _make_window(np.bartlett, M)


def blackman(M: IntLike) -> tf.Tensor:
    """Return float64. `M` may be a tensor whose value is unknown while tracing, but not for XLA."""
    return _make_window(np.blackman, M)


def hamming(M: IntLike) -> tf.Tensor:
    """Return float64. `M` may be a tensor whose value is unknown while tracing, but not for XLA."""
    return _make_window(np.hamming, M)


def hanning(M: IntLike) -> tf.Tensor:
    """Return float64. `M` may be a tensor whose value is unknown while tracing, but not for XLA."""
    return _make_window(np.hanning, M)


def kaiser(M: IntLike, beta: ArrayLike) -> tf.Tensor:
    """Return float64. `M` and `beta` must be static, so there is no gradient with respect to `beta`."""
    return _make_window(np.kaiser, M, beta)


def _make_window(window: Any, M: Any, *others: Any) -> tf.Tensor:
    length, *static = [convert.static_value(argument) for argument in (M, *others)]
    if any(value is None and argument is not None for value, argument in zip(static, others, strict=True)):
        raise requires_static("beta", window.__name__)
    if length is None and M is not None:
        if not M.dtype.is_integer:
            raise requires_static("a length that is no integer", window.__name__)
        return _calculate_window(window, M, *static)
    return convert.from_numpy(np.asarray(window(length, *static)))


def _calculate_window(window: Any, length: tf.Tensor, *others: Any) -> tf.Tensor:
    """Return a window whose length is known when the graph runs, of NumPy's formula at distances from the middle."""
    length = tf.maximum(tf.cast(length, tf.int64), 0)
    distance = tf.cast(2 * layout.positions(length) + 1 - length, tf.float64)
    distance /= tf.cast(tf.maximum(length - 1, 1), tf.float64)  # from -1 to 1
    if window is np.bartlett:
        return 1 - tf.abs(distance)
    if window is np.kaiser:
        (beta,) = others
        return i0(beta * tf.sqrt(1 - distance * distance)) / i0(np.float64(beta))
    values = tf.zeros_like(distance)
    for order, coefficient in enumerate(_COSINES[window]):
        values += coefficient * tf.cos(np.pi * order * distance)
    return values


_COSINES: Final = {np.blackman: (0.42, 0.5, 0.08), np.hamming: (0.54, 0.46), np.hanning: (0.5, 0.5)}
"""The coefficients of cosines of multiples of the distance."""
