"""Peak memory of a call, by the resident memory of the process."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

_THRESHOLD, _TRIM = -3, -1  # parameters of mallopt: from which size on to map, how much to keep
_EXACT, _USUAL = (1 << 16, 0), (32 << 20, 64 << 20)


def measure_peak(call: Callable[[], Any]) -> int | None:
    """Return the bytes that the call holds at its peak, with its result, by a malloc that returns freed memory at once;
    None if the system does not report it.
    """
    if not _exact_malloc():
        return None
    try:
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS")
        result = call()
        peak = _status("VmHWM") - before
        del result
    except OSError:
        return None
    finally:
        _usual_malloc()
    return max(peak, 0)


def _status(key: str) -> int:
    """Return an entry of /proc/self/status, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(key):
            return int(line.split()[1]) << 10
    raise OSError(f"the system does not tell {key}")


def _exact_malloc() -> bool:
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:
        return False
    is_exact = all(mallopt(key, value) for key, value in zip((_THRESHOLD, _TRIM), _EXACT, strict=True))
    ctypes.CDLL(None).malloc_trim(0)  # what was freed before would be taken again, unnoticed
    return is_exact


def _usual_malloc() -> None:
    """Restore malloc's threshold to what it reaches once large arrays have been freed."""
    for key, value in zip((_THRESHOLD, _TRIM), _USUAL, strict=True):
        ctypes.CDLL(None).mallopt(key, value)
