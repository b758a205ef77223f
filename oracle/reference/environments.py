"""NumPy in other floating-point environments: subnormal numbers flushed to zero, and other rounding modes.

TensorFlow has its kernels flush subnormal results (FTZ) and operands (DAZ). With the same modes set for NumPy, its
answer is that of a calculation which flushes at every step, whatever the function. NumPy's answers in the directed
rounding modes show how far rounding errors go, in intermediate results and inside LAPACK and BLAS, too: W. Kahan, "How
Futile are Mindless Assessments of Roundoff in Floating-Point Computation?".
"""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache

import numpy as np

from oracle.case.model import Case
from oracle.reference.outcome import Outcome, run_numpy

FTZ, DAZ = 1 << 15, 1 << 6
"""The bits of MXCSR, the control register of x86-64's floating-point arithmetic."""

DIRECTED = {
    "x86_64": (0x400, 0x800, 0xC00),
    "AMD64": (0x400, 0x800, 0xC00),
    "aarch64": (0x800000, 0x400000, 0xC00000),
    "arm64": (0x800000, 0x400000, 0xC00000),
}
"""C's FE_DOWNWARD, FE_UPWARD and FE_TOWARDZERO, by machine."""


class _Environment(ctypes.Structure):
    """The `fenv_t` of glibc on x86-64: the state of the x87, which NumPy uses for longdouble only, and MXCSR."""

    _fields_ = (("x87", ctypes.c_uint32 * 7), ("mxcsr", ctypes.c_uint32))


@cache
def can_flush() -> bool:
    """Return whether this processor can be made to flush subnormal numbers."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return False
    with _Modes(FTZ | DAZ):
        return bool(np.multiply(1e-300, np.array([1e-300, 1e-10]))[1] == 0)


def flush_subnormals(operands: bool = True) -> AbstractContextManager[None]:
    """Flush subnormal results to zero in this thread's arithmetic, and with `operands` those as well; where the
    processor's modes cannot be set, do nothing.
    """
    return _Modes(FTZ | DAZ if operands else FTZ) if can_flush() else nullcontext()


class _Modes:
    """Bits of MXCSR that are set in a block."""

    def __init__(self, bits: int) -> None:
        self.bits, self.before = bits, _Environment()

    def __enter__(self) -> None:
        library = _load_library()
        library.fegetenv(ctypes.byref(self.before))
        flushing = _Environment.from_buffer_copy(bytes(self.before))
        flushing.mxcsr |= self.bits
        library.fesetenv(ctypes.byref(flushing))

    def __exit__(self, *_: object) -> None:
        _load_library().fesetenv(ctypes.byref(self.before))


@cache
def _load_library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def run_flushed(case: Case, operands: bool = True) -> Outcome:
    """Return NumPy's outcome where subnormal numbers are flushed to zero."""
    with flush_subnormals(operands):
        return run_numpy(case)


@cache
def find_directed_modes() -> tuple[int, ...]:
    """Return the directed rounding modes of this processor, if it rounds as they say; none where it is unknown."""
    modes = DIRECTED.get(platform.machine(), ()) if platform.system() != "Windows" else ()
    thirds = []
    for mode in modes:
        with _round(mode):
            thirds.append(np.divide([1.0, -1.0], 3.0).tolist())
    nearest, above = 1 / 3, float(np.nextafter(1 / 3, 1.0))  # the nearest number is below a third
    return modes if thirds == [[nearest, -above], [above, -nearest], [nearest, -nearest]] else ()


@contextmanager
def _round(mode: int) -> Iterator[None]:
    library = _load_library()
    before = library.fegetround()
    library.fesetround(mode)
    try:
        yield
    finally:
        library.fesetround(before)


def run_rounded(case: Case) -> list[Outcome]:
    """Return NumPy's outcomes where every operation rounds down, up, and towards zero; none where the processor's
    modes cannot be set.
    """
    outcomes = []
    for mode in find_directed_modes():
        with _round(mode):
            outcomes.append(run_numpy(case))
    return outcomes
