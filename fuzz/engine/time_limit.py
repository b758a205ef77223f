"""The time limit of a run: it ends at most 10 % and 15 s after the time asked for, counted from its start."""

from __future__ import annotations

LATE_SHARE, LATE_SECONDS = 0.1, 15.0
CONCLUDING = 4.0  # seconds for the reports
LEAST_SHARE = 0.5  # of the time, which is for cases however long it took to import the subject


def find_deadlines(seconds: float, preparing: float) -> tuple[float, float]:
    """Return the seconds, from the first case on, after which no new case is judged, and those after which reductions
    that have begun are given up. `preparing` are the seconds until the first case.
    """
    latest = seconds * (1 + LATE_SHARE) + LATE_SECONDS - CONCLUDING - preparing
    grace = min(10.0, max(2.0, 0.05 * seconds))
    last_case = max(LEAST_SHARE * seconds, min(seconds, latest - grace))
    return last_case, last_case + grace
