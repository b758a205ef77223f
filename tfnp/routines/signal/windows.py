"""Windows for signals: made on the host, as NumPy makes them, of a length that must be known while tracing."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert

__all__ = ["bartlett", "blackman", "hamming", "hanning", "kaiser"]


def bartlett(M: Any) -> tf.Tensor:
    return _made(np.bartlett, M)


def blackman(M: Any) -> tf.Tensor:
    return _made(np.blackman, M)


def hamming(M: Any) -> tf.Tensor:
    return _made(np.hamming, M)


def hanning(M: Any) -> tf.Tensor:
    return _made(np.hanning, M)


def kaiser(M: Any, beta: Any) -> tf.Tensor:
    return _made(np.kaiser, M, beta)


def _made(window: Any, *arguments: Any) -> tf.Tensor:
    static = [convert.static_value(argument) for argument in arguments]
    if any(value is None and argument is not None for value, argument in zip(static, arguments, strict=True)):
        raise TypeError("the length of a window must be known while tracing")
    return convert.from_numpy(np.asarray(window(*static)))
