"""Measuring CPU time and peak memory of calls, in turns in one process."""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Call = Callable[[], Any]
Clock = Callable[[], float]

BATCH = 4e-3
"""CPU seconds that a batch of calls takes at least: what is shorter the clock and cold caches tell badly."""
STABLE = 0.05
"""A minimum is stable when no round of several has made it smaller by more than this part."""
ROUNDS = 2
"""How many rounds in a row have to leave the minima as they are."""
MOST_ROUNDS = 60

_THRESHOLD, _TRIM = -3, -1  # parameters of mallopt: from which size on to map, how much to keep
_EXACT, _USUAL = (1 << 16, 0), (32 << 20, 64 << 20)


def measure_times(calls: Sequence[Call], seconds: float, clock: Clock = time.process_time) -> list[float]:
    """Return the CPU seconds of each call: minima over rounds in which all take turns, until the minima are stable.

    A busy machine slows a round, not the minimum. No round begins after `seconds`, except for the first.
    """
    begun = clock()
    collecting = gc.isenabled()
    gc.disable()
    try:
        counts = [_count(call, clock) for call in calls]
        minima = [_time(call, count, clock) for call, count in zip(calls, counts, strict=True)]
        quiet = 0
        for _ in range(MOST_ROUNDS):
            if quiet >= ROUNDS or clock() - begun >= seconds:
                break
            times = [_time(call, count, clock) for call, count in zip(calls, counts, strict=True)]
            quiet = 0 if any(new < old * (1 - STABLE) for new, old in zip(times, minima, strict=True)) else quiet + 1
            minima = list(map(min, times, minima))
        return minima
    finally:
        if collecting:
            gc.enable()


def _count(call: Call, clock: Clock) -> int:
    """Return how many calls make a batch. The very first call does not count, as it may allocate memory."""
    call()
    count = 1
    while True:
        begun = clock()
        for _ in range(count):
            call()
        spent = clock() - begun
        if spent >= BATCH / 2 or count >= 4096:
            return count
        count *= 2


def _time(call: Call, count: int, clock: Clock) -> float:
    begun = clock()
    for _ in range(count):
        call()
    return (clock() - begun) / count


def measure_peak(call: Call, allocator: Callable[[], tuple[int, int] | None] = lambda: None) -> int | None:
    """Return the bytes that the call holds at its peak, with its result; None if the system does not report it.

    The resident memory of the process is measured, with a malloc that returns freed memory at once. For a library that
    keeps freed memory, `allocator` returns the bytes in use, and their peak since its last call.
    """
    if not _exact_malloc():
        return None
    try:
        gc.collect()
        before_allocator = allocator()
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS")
        result = call()
        peak = _status("VmHWM") - before
        after_allocator = allocator()
        del result
    except OSError:
        return None
    finally:
        _usual_malloc()
    if before_allocator is not None and after_allocator is not None:
        peak = max(peak, after_allocator[1] - before_allocator[0])
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
