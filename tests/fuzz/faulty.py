"""A subject with a planted fault: NumPy itself, but its sine is 0 below -1, and its sum forgets `keepdims`."""

import numpy as np
from numpy import *  # noqa: F403
from numpy import ndarray  # noqa: F401 - a subject whose arrays are NumPy's takes them


def sin(x, /, *args, **kwargs):
    exact = np.sin(x, *args, **kwargs)
    return np.where(np.less(x, -1), np.zeros_like(exact), exact)[()]


def sum(a, axis=None, dtype=None, out=None, keepdims=False, **kwargs):
    return np.sum(a, axis, dtype, out, **kwargs)
