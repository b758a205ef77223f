"""NumPy with flush-to-zero (FTZ) arithmetic: subnormal results, and subnormal operands (DAZ), are zeros.

TensorFlow sets these modes of the processor for its kernels. With them set for NumPy, too, its answer is that of a
calculation which flushes at every step, whatever the function.
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np

from oracle.case.model import Case
from oracle.reference.outcome import Outcome, run_numpy

FTZ, DAZ = 1 << 15, 1 << 6
"""The bits of MXCSR, the control register of x86-64's floating-point arithmetic."""


class _Environment(ctypes.Structure):
    """The `fenv_t` of glibc on x86-64: the state of the x87, which NumPy uses for longdouble only, and MXCSR."""

    _fields_ = (("x87", ctypes.c_uint32 * 7), ("mxcsr", ctypes.c_uint32))


@cache
def is_available() -> bool:
    """Return whether this processor's modes can be set here."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return False
    with _set_modes(FTZ | DAZ):
        return bool(np.multiply(1e-300, np.array([1e-300, 1e-10]))[1] == 0)


@contextmanager
def flush_subnormals(operands: bool = True) -> Iterator[None]:
    """Flush subnormal results to zero in this thread's arithmetic, and with `operands` those as well; where the
    processor's modes cannot be set, do nothing.
    """
    if not is_available():
        yield
        return
    with _set_modes(FTZ | DAZ if operands else FTZ):
        yield


@contextmanager
def _set_modes(bits: int) -> Iterator[None]:
    library, before = ctypes.CDLL(None), _Environment()
    library.fegetenv(ctypes.byref(before))
    flushing = _Environment.from_buffer_copy(bytes(before))
    flushing.mxcsr |= bits
    library.fesetenv(ctypes.byref(flushing))
    try:
        yield
    finally:
        library.fesetenv(ctypes.byref(before))


def run_flushed(case: Case, operands: bool = True) -> Outcome:
    """Return NumPy's outcome where subnormal numbers are flushed to zero."""
    with flush_subnormals(operands):
        return run_numpy(case)
