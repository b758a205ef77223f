"""Functions of NumPy's arrays: one takes quadratic time, one quadratic memory, one neither; their answers are right."""

from __future__ import annotations

import numpy as np
from numpy import ndarray  # noqa: F401 - says that this takes NumPy's own arrays


def cumsum(a, axis=None, dtype=None, out=None):
    """Right, but by a convolution: by the square of the size in time, not in memory."""
    flat = np.asarray(a, np.float64).ravel()
    return np.convolve(flat, np.ones(flat.size))[: flat.size]


def cumprod(a, axis=None, dtype=None, out=None):
    """Right, but holds a number for each pair of elements meanwhile: the square of the size in memory."""
    flat = np.asarray(a).ravel()
    pairs = np.ones((flat.size, flat.size), np.int32)
    return np.cumprod(flat) * pairs[0, 0]


def flip(m, axis=None):
    """As NumPy's."""
    return np.flip(m, axis)
