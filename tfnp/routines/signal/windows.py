"""Window functions, calculated by NumPy on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def bartlett(M: IntLike) -> tf.Tensor:
    """Return float64. `M` must be static."""
    return _make_window(np.bartlett, M)


def blackman(M: IntLike) -> tf.Tensor:
    """Return float64. `M` must be static."""
    return _make_window(np.blackman, M)


def hamming(M: IntLike) -> tf.Tensor:
    """Return float64. `M` must be static."""
    return _make_window(np.hamming, M)


def hanning(M: IntLike) -> tf.Tensor:
    """Return float64. `M` must be static."""
    return _make_window(np.hanning, M)


def kaiser(M: IntLike, beta: ArrayLike) -> tf.Tensor:
    """Return float64. `M` and `beta` must be static, so there is no gradient with respect to `beta`."""
    return _make_window(np.kaiser, M, beta)


def _make_window(window: Any, *arguments: Any) -> tf.Tensor:
    static = [convert.static_value(argument) for argument in arguments]
    if any(value is None and argument is not None for value, argument in zip(static, arguments, strict=True)):
        raise requires_static("every argument", window.__name__)
    return convert.from_numpy(np.asarray(window(*static)))
