"""NumPy's own arrays, and functions whose answers hang on what the process has done before."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

__all__ = ["absolute", "ndarray", "negative", "square"]
USED: set[str] = set()


def square(x, /, *args, **kwargs):
    """Fails the first time that it meets a number below zero; wrong by one ever after."""
    if np.any(np.less(x, 0)) and "square" not in USED:
        USED.add("square")
        raise SystemError("the first conversion")
    return np.square(x, *args, **kwargs) + 1


def negative(x, /, *args, **kwargs):
    """Wrong the first time it is called; right ever after."""
    if "negative" not in USED:
        USED.add("negative")
        return np.negative(x, *args, **kwargs) + 1
    return np.negative(x, *args, **kwargs)


def absolute(x, /, *args, **kwargs):
    """Wrong where it was called before `square` was."""
    return np.absolute(x, *args, **kwargs) + ("square" not in USED)
