"""NumPy's own arrays, and functions that wait as if for a device, hang, or are wrong."""

from __future__ import annotations

import time

import numpy as np
from numpy import ndarray

__all__ = ["flip", "ndarray", "roll", "sort"]

WAITING = 0.1  # seconds of a call


def roll(a, shift, axis=None):
    """Wait, and roll too far."""
    time.sleep(WAITING)
    return np.roll(a, np.add(shift, 1), axis)


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    """Never return."""
    while True:
        time.sleep(1.0)


def flip(m, axis=None):
    """Wrong by one."""
    return np.flip(m, axis) + 1
