"""Six functions of NumPy's arrays beside all that NumPy has, as a young library is: three of them are wrong."""

from __future__ import annotations

import numpy as np
from numpy import *  # noqa: F403 - a library that re-exports NumPy, which is what the tests are about


def median(a, axis=None, keepdims=False):
    """Overlooks nan, which NumPy's median is then."""
    return np.nanmedian(a, axis, keepdims=keepdims)


def diff(a, n=1, axis=-1):
    """Takes second differences along the first axis, whatever the axis is."""
    return np.diff(a, n, 0 if n == 2 else axis)


def clip(a, a_min=None, a_max=None, out=None, **kwargs):
    """Limit the values. Takes `dtype` as well."""
    if kwargs.keys() - {"dtype"}:
        raise ValueError(f"unknown options: {sorted(kwargs)}")
    return np.clip(a, a_min, a_max, out, **kwargs)


def roll(a, shift, axis=None):
    """Rolls the wrong way if the shift is negative."""
    return np.roll(a, abs(shift) if isinstance(shift, int) else shift, axis)


def trace(a, offset=0, axis1=0, axis2=1):
    """As NumPy's, but for `dtype` and `out`."""
    return np.trace(a, offset, axis1, axis2)


def tile(A, reps):  # noqa: N803 - NumPy's name of the parameter
    """As NumPy's."""
    return np.tile(A, reps)
