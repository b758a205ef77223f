"""The time limit of a run: it ends at most 10 % and 15 s after the time asked for, counted from its start."""

from __future__ import annotations

import os
import time
from pathlib import Path

LATE_SHARE, LATE_SECONDS = 0.1, 15.0
CONCLUDING = 8.0  # seconds for the reports, on a busy machine
LEAST_SHARE = 0.5  # of the time, which is for cases however long it took to import the subject


def find_deadlines(seconds: float, preparing: float) -> tuple[float, float]:
    """Return the seconds, from the first case on, after which no new case is judged, and those after which reductions
    that have begun are given up. `preparing` are the seconds until the first case.
    """
    latest = seconds * (1 + LATE_SHARE) + LATE_SECONDS - CONCLUDING - preparing
    grace = min(10.0, max(2.0, 0.05 * seconds))
    last_case = max(LEAST_SHARE * seconds, min(seconds, latest - grace))
    return last_case, last_case + grace


def measure_age() -> float:
    """Return the seconds since this process was started; 0 where the system does not say."""
    try:
        started = int(Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
