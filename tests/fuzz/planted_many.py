"""NumPy's own arrays, and functions that are wrong in many ways: a subject that needs no TensorFlow."""

from __future__ import annotations

import functools

import numpy as np
from numpy import ndarray

__all__ = ["add", "ceil", "exp", "floor", "maximum", "multiply", "ndarray", "negative", "positive", "sign", "sqrt"]


@functools.wraps(np.add)
def add(x1, x2, /, *args, **kwargs):
    return np.add(x1, x2, *args, **kwargs)


@functools.wraps(np.multiply)
def multiply(x1, x2, /, *args, **kwargs):
    return np.multiply(x1, x2, *args, **kwargs)


@functools.wraps(np.floor)
def floor(x, /, *args, **kwargs):
    return np.floor(x, *args, **kwargs)


def negative(x, /, *args, **kwargs):
    """Wrong by one."""
    return np.negative(x, *args, **kwargs) + 1


def positive(x):
    """Lacks every parameter but the first."""
    return np.positive(x)


def sqrt(x, /, *args, **kwargs):
    """Gives numbers of two kinds only."""
    return np.asarray(np.sqrt(x, *args, **kwargs)).astype(np.complex64)


def exp(x, /, **kwargs):
    """Of another shape."""
    return np.exp(x, **kwargs)[None] if np.ndim(x) else np.exp(x, **kwargs)


def sign(x, /, **kwargs):
    """Never fails."""
    try:
        return np.sign(x, **kwargs)
    except (TypeError, ValueError):
        return np.zeros(())


def ceil(x, /, *args, **kwargs):
    """Raises an error of its own."""
    raise LookupError("no ceiling")


def maximum(x1, x2, /, *args, **kwargs):
    """Gives the least."""
    return np.minimum(x1, x2, *args, **kwargs)
