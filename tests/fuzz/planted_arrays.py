"""NumPy's own arrays and a few of its functions, one of them wrong: a subject that needs no TensorFlow."""

from __future__ import annotations

import numpy as np
from numpy import absolute, add, multiply, ndarray, sqrt

__all__ = ["absolute", "add", "multiply", "ndarray", "negative", "sqrt"]


def negative(x, /, *args, **kwargs):
    """Wrong by one, but for booleans, and where it fails."""
    return np.negative(x, *args, **kwargs) + 1
