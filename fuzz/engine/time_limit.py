"""The clock of a run, and its time limit, which is that of the whole run: from its start to its reports."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

CONCLUDING = (2.0, 0.07)  # seconds for the reports, and the share of the time
GRACE = (1.0, 0.04)  # the same for reductions that have begun
LEAST_SHARE, LEAST_SECONDS = 0.1, 2.0  # for cases, however long it took to import the subject


class Clock:
    """The clock of a run that began at a time of `time.monotonic`. `count_waiting` returns the seconds in which there
    was nobody to judge cases: they do not count.
    """

    def __init__(self, begun: float | None = None, count_waiting: Callable[[], float] = lambda: 0.0) -> None:
        self._created = time.monotonic() if begun is None else begun
        self._count_waiting = count_waiting
        self.preparing = self._judging = 0.0
        self.restart()

    def restart(self) -> None:
        """Count from now on: whatever came before was preparation."""
        self._begun, self._waited = time.monotonic(), self._count_waiting()

    def begin_cases(self) -> None:
        """Note how long the preparation took, and count from now on."""
        self.preparing = time.monotonic() - self._created - self._count_waiting()
        self.restart()

    def end_cases(self) -> None:
        """Note how long cases were judged, if there were any."""
        self._judging = self.elapsed if self.preparing else 0.0

    @property
    def age(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._created - self._count_waiting()

    @property
    def elapsed(self) -> float:
        """Seconds since the first case."""
        return time.monotonic() - self._begun - (self._count_waiting() - self._waited)

    def describe(self, seconds: float, work: Mapping[str, float]) -> str:
        """Return in a line where the time of a run went that took so many seconds, and how long workers did what."""
        waiting = self._count_waiting()
        after = max(0.0, seconds - self.preparing - self._judging - waiting)
        phases = {"until the first case": self.preparing, "of cases": self._judging, "until the end": after}
        phases |= {"without workers": waiting} if waiting else {}
        parts = ", ".join(f"{spent:.1f} s {phase}" for phase, spent in phases.items())
        told = ", ".join(f"{what} for {spent:.1f} s" for what, spent in work.items())
        return f"{seconds:.1f} s: {parts}; workers {told}"


def find_deadlines(seconds: float, preparing: float) -> tuple[float, float]:
    """Return the seconds, from the first case on, after which no new case is judged, and those after which nothing runs
    any more. `preparing` are the seconds until the first case.
    """
    concluding, grace = (least + share * seconds for least, share in (CONCLUDING, GRACE))
    least = max(LEAST_SHARE * seconds, min(LEAST_SECONDS, seconds / 2))
    last_case = max(least, seconds - preparing - concluding - grace)
    return last_case, last_case + grace


def measure_age() -> float:
    """Return the seconds since this process was started; 0 where the system does not say."""
    try:
        started = int(Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
        return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError, AttributeError):
        return 0.0
