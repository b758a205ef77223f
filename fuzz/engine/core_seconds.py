"""The time of a run: seconds of workers by name, mode and phase, and the cases that they bought.

The seconds are wall time of a worker, so that a subject that waits costs what it takes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from fuzz.differences import CHEAPEST_MODE, parse_step

DRAWING, NUMPY, SUBJECT, COMPILING, JUDGING, REDUCING, SCRIPTS = PHASES = (
    "drawing",
    "numpy",
    "subject",
    "compiling",
    "judging",
    "reducing",
    "scripts",
)
"""What a worker does: `compiling` is the first call in a mode that prepares one, `judging` what compares and counts."""

STEPS = {"drawing": DRAWING, "reference": NUMPY}
WORK = {"judge_item": "judging", "reduce_difference": "reducing", "attribute_difference": "reducing"}
WORK |= {"judge_case": "reducing", "answer_case": "reducing", "write_script": "scripts", "run_script": "scripts"}
WORK |= {"survey": "survey"}
"""The work of a worker by the task that it runs."""

NUMBERS = ("structures", "drawn", "judged", "differences", "reduced", "waiting")
WORST = 12  # rows of an explanation

Spent = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Seconds by phase, and NUMBERS, by mode and name."""


READY = "/proc/thread-self/schedstat"  # its second number: nanoseconds in which the thread was ready and others ran
SHORTEST_WAIT = 0.01  # seconds


class Stopwatch:
    """Measures core-seconds: CPU time, and the time in which nothing but a device, a timer or a file was waited for. A
    core that waits for those does nothing else for the run; one that other processes use does.
    """

    ready: ClassVar[float] = -1.0  # as last read: slow to read, it is read after long waits only

    def __init__(self) -> None:
        if Stopwatch.ready < 0:
            Stopwatch.ready = _read_ready()
        self._cpu, self._wall = time.process_time(), time.perf_counter()

    @property
    def elapsed(self) -> float:
        """The core-seconds since the beginning, or the last lap."""
        return self._measure()[0]

    def lap(self) -> float:
        """Return the core-seconds since the last lap, and begin another."""
        spent, ready = self._measure()
        self._cpu, self._wall, Stopwatch.ready = time.process_time(), time.perf_counter(), ready
        return spent

    def _measure(self) -> tuple[float, float]:
        cpu, wall = time.process_time() - self._cpu, time.perf_counter() - self._wall
        if wall - cpu < SHORTEST_WAIT:
            return cpu, Stopwatch.ready
        ready = _read_ready()
        return max(cpu, wall - (ready - Stopwatch.ready)), ready


def _read_ready() -> float:
    """Return for how long this thread was ready to run, and did not; 0 where the kernel does not say."""
    try:
        with open(READY, "rb", buffering=0) as file:
            return int(file.read(100).split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def count_phases(times: Mapping[str, float]) -> Counter[str]:
    """Return the seconds by phase, given those by step of one mode, as `oracle.harness.take_times` does."""
    phases: Counter[str] = Counter()
    for text, seconds in times.items():
        phases[_find_phase(text)] += seconds  # type: ignore[assignment] # a Counter of seconds, which typeshed types as one of ints
    return phases


def _find_phase(text: str) -> str:
    ran = parse_step(text)
    if ran is None:
        return STEPS.get(text.partition(" ")[0], JUDGING)
    mode, sibling = ran
    return SUBJECT if sibling or mode.partition("@")[0] == CHEAPEST_MODE else COMPILING


def round_spent(spent: Spent) -> dict[str, Any]:
    """Return the numbers as summary.json has them: none that is zero, seconds to the millisecond."""
    return {
        name: {
            mode: {key: round(value, 3) for key, value in row.items() if round(value, 3)} for mode, row in modes.items()
        }
        for name, modes in sorted(spent.items())
    }


def list_costs(summary: Mapping[str, Any]) -> list[str]:
    """Return lines that say where the time of a run went: by work, by phase, and the names and modes that cost most."""
    spent: Spent = summary["spent"]
    rows = [(name, mode, row) for name, modes in spent.items() for mode, row in modes.items()]
    totals: Counter[str] = Counter()
    for _, _, row in rows:
        totals.update(row)
    work = ", ".join(f"{what} {seconds:.1f} s" for what, seconds in summary["work"].items())
    phases = ", ".join(f"{phase} {totals[phase]:.1f} s" for phase in PHASES)
    lines = [f"Workers: {work}", f"By phase: {phases}", f"In all: {_count(totals)}"]
    rows.sort(key=lambda row: -_sum_seconds(row[2]))
    return [*lines, *(_describe(*row) for row in rows[:WORST])]


def _sum_seconds(row: Mapping[str, float]) -> float:
    return sum(row.get(phase, 0.0) for phase in PHASES)


def _count(row: Mapping[str, float]) -> str:
    return ", ".join(f"{row[key]:,.0f} {key}" for key in NUMBERS if row.get(key))


def _describe(name: str, mode: str, row: Mapping[str, float]) -> str:
    phases = sorted((phase for phase in PHASES if row.get(phase, 0.0) >= 0.05), key=lambda phase: -row[phase])
    told = ", ".join(f"{phase} {row[phase]:.1f}" for phase in phases)
    return f"  {_sum_seconds(row):6.1f} s  {name} {mode}: {told}; {_count(row)}"
