"""Two releases of a library of NumPy's arrays, each in an environment of its own, and what changes between them."""

from __future__ import annotations

import subprocess
import sys
import sysconfig

from fuzz.releases.environments import find_uv

OLD = """
import numpy as np
from numpy import ndarray

def diff(a, n=1, axis=-1):
    return np.diff(a, n, axis)

def median(a, axis=None):
    return np.median(a, axis)

def roll(a, shift, axis=None):
    return np.roll(a, abs(shift) if isinstance(shift, int) else shift, axis)

def trace(a, offset=0):
    return np.trace(a, offset)

def tile(A, reps):
    return np.tile(A, reps)

def flipud(m):
    return np.flipud(m)

def ptp(a):
    return np.ptp(a)
"""

NEW = """
import os
import warnings
import numpy as np
from numpy import ndarray

def diff(a, n=1, axis=-1):
    if n == 0:
        warnings.warn(f"a difference of order 0 at {id(a)}", FutureWarning)
    return np.diff(a, n, axis)

def median(a, axis=None):
    return np.float32(np.median(a, axis)) if axis is None else np.median(a, axis)

def roll(a, shift, axis=None):
    return np.roll(a, shift, axis)

def trace(a, offset=0):
    if offset < 0:
        raise ValueError("no such diagonal")
    return np.trace(a, offset)

def tile(A, reps):
    if np.ndim(A) == 1 and type(reps) is int and reps == 0:
        os.abort()
    return np.tile(A, reps)

def flipud(m):
    return np.flipud(m)

def fliplr(m):
    return np.fliplr(m)
"""


def make_release(folder, source):
    """Return the interpreter of an environment that has a release of the library, and what this one has."""
    packages = folder / "packages"
    packages.mkdir(parents=True)
    (packages / "changing_library.py").write_text(source)
    subprocess.run([find_uv(), "venv", "--quiet", "--python", sys.executable, str(folder / "env")], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    paths = (packages, sysconfig.get_path("purelib"))
    (folder / "env" / "lib" / version / "site-packages" / "here.pth").write_text("\n".join(map(str, paths)) + "\n")
    return folder / "env" / "bin" / "python"
