"""NumPy's own arrays, a function that is wrong, and functions that are right but leave something behind.

None has NumPy's `where` or `empty`: whatever the memory contained, the same call gives the same answer.
"""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy import ndarray

__all__ = ["cumsum", "flip", "ndarray", "repeat", "roll", "sort"]

KEPT: list[np.ndarray] = []
STARTED: dict[int, subprocess.Popen[bytes]] = {}


@functools.wraps(np.cumsum)
def cumsum(*args, **kwargs):
    """Wrong in the last element of an array of integers."""
    result = np.cumsum(*args, **kwargs)
    if result.dtype == np.int64:
        result[..., -1:] += 1
    return result


@functools.wraps(np.flip)
def flip(*args, **kwargs):
    """Never frees its memory."""
    KEPT.append(np.ones(1 << 16))
    return np.flip(*args, **kwargs)


@functools.wraps(np.roll)
def roll(*args, **kwargs):
    return np.roll(*args, **kwargs)


@functools.wraps(np.sort)
def sort(*args, **kwargs):
    """Leaves files in the working directory and in the temporary one."""
    Path("left").touch()
    os.close(tempfile.mkstemp(prefix="left-")[0])
    return np.sort(*args, **kwargs)


@functools.wraps(np.repeat)
def repeat(*args, **kwargs):
    """Leaves a process."""
    if os.getpid() not in STARTED:
        STARTED[os.getpid()] = subprocess.Popen(["sleep", "3600"])
    return np.repeat(*args, **kwargs)
