"""A namespace of NumPy arrays whose functions are right, and take fewer parameters than NumPy's."""

from __future__ import annotations

import functools

import numpy as np

__all__ = ["cumsum", "maximum", "ndarray", "sqrt"]
ndarray = np.ndarray


def cumsum(a, axis=None):
    return np.cumsum(a, axis)


def maximum(x1, x2, /, *, where=True):
    return np.maximum(x1, x2, where=where)


@functools.wraps(cumsum)
def sqrt(*args, **kwargs):
    """Take what NumPy's does, though the signature that is shown has another."""
    return np.sqrt(*args, **kwargs)
