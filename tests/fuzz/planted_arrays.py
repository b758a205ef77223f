"""NumPy's own arrays and a few of its functions, one of them wrong: a subject that needs no TensorFlow."""

from __future__ import annotations

import functools

import numpy as np
from numpy import ndarray

__all__ = ["absolute", "add", "multiply", "ndarray", "negative", "sqrt"]


@functools.wraps(np.absolute)
def absolute(x, /, *args, **kwargs):
    return np.absolute(x, *args, **kwargs)


@functools.wraps(np.add)
def add(x1, x2, /, *args, **kwargs):
    return np.add(x1, x2, *args, **kwargs)


@functools.wraps(np.multiply)
def multiply(x1, x2, /, *args, **kwargs):
    return np.multiply(x1, x2, *args, **kwargs)


@functools.wraps(np.sqrt)
def sqrt(x, /, *args, **kwargs):
    return np.sqrt(x, *args, **kwargs)


def negative(x, /, *args, **kwargs):
    """Wrong by one, but for booleans, and where it fails."""
    return np.negative(x, *args, **kwargs) + 1
