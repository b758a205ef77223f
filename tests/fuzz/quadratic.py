"""A small namespace of NumPy's arrays whose costs grow in secret, and one that does not."""

from __future__ import annotations

import numpy as np
from numpy import ndarray  # noqa: F401 - says that this takes NumPy's own arrays


def cumsum(a, axis=None, dtype=None, out=None):
    """Right, but by a triangular matrix: by the square of the size in time and in memory."""
    flat = np.asarray(a, np.float64).ravel()
    return np.tri(flat.size) @ flat


def flip(m, axis=None):
    """As NumPy's."""
    return np.flip(m, axis)
