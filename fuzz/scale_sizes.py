"""Time and memory of one call of each name at fixed sizes, beside NumPy's and those of other libraries, in turns.

The call is the simplest case of a name, grown until its largest array has about so many elements.
"""

from __future__ import annotations

import math
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from fuzz.engine.tasks import Bench
from fuzz.scale_ladders import Ladder, format_shapes, list_arrays, plan_plainest
from oracle import Case, Mode, Subject, load_subject, run_numpy
from oracle.harness import (
    REPEATS,
    Death,
    Failure,
    Lease,
    Limits,
    Sandbox,
    circumstances,
    count_bytes,
    measure_peak,
    measure_times,
    repeat,
    repeat_in_numpy,
    step,
)

PATIENT = Limits(seconds=60.0, patience=60.0)
ROUNDS = 0.04
"""CPU seconds in which times have to become stable."""
WARM_UP = 0.03
"""CPU seconds of calls that are made before any is timed."""
ENOUGH = 0.5
"""CPU seconds of a call from which on it is timed once."""
MOST = 2.0
"""CPU seconds from which on memory is not measured, and nothing is if NumPy takes them."""
PLANNED = 24
"""How many names are planned before they are measured."""
LEAST_MEMORY = 1 << 20
"""Bytes below which a peak says nothing: pages, not arrays."""
ACCURACY = 0.5
"""How much smaller than asked for the largest array may be."""


@dataclass(frozen=True)
class Task:
    """A case of a name in a mode, grown to a size. `beside` is the module that is measured, too, in eager mode. Nothing
    is measured when the clock (`time.time`) is past `end`.
    """

    name: str
    mode: str
    elements: int
    ladder: Ladder
    beside: str = ""
    end: float = math.inf


@dataclass(frozen=True)
class Cost:
    """CPU seconds and peak bytes of a call, of NumPy's, and of another library's, which may lack the name.

    `least` is the bytes that any library needs: those of the result. `first` is how much longer the first call took.
    """

    elements: int
    case: str
    seconds: float
    numpy_seconds: float
    first: float
    least: int
    peak: int | None = None
    numpy_peak: int | None = None
    beside_seconds: float | None = None

    @property
    def time_ratio(self) -> float:
        return self.seconds / max(self.numpy_seconds, 1e-9)

    @property
    def beside_ratio(self) -> float | None:
        return None if self.beside_seconds is None else self.seconds / max(self.beside_seconds, 1e-9)

    @property
    def memory_ratio(self) -> float | None:
        """The peak in units of NumPy's, or of the result's bytes if NumPy's is smaller."""
        if self.peak is None or self.numpy_peak is None:
            return None
        return self.peak / max(self.numpy_peak, self.least, LEAST_MEMORY)


@dataclass(frozen=True)
class Missing:
    """A call that was not measured, and why."""

    reason: str


def plan(bench: Bench, name: str) -> Ladder | None:
    """Return the ladder of a name that the subject has. Runs in a worker."""
    step("planning", 20.0)
    return plan_plainest(name) if bench.subject.has(name) else None


def measure_size(bench: Bench, task: Task) -> Cost | Missing:
    """Measure one call. Runs in a worker."""
    if time.time() > task.end:
        return Missing("the time is over")
    step(f"{task.mode} {task.elements}")
    begun = time.process_time()
    case = task.ladder.grow_to(task.elements)
    outcome = run_numpy(case)
    if not outcome.ok:
        return Missing(f"NumPy refuses it: {outcome.error}")
    arrays = list_arrays(outcome.value)
    elements = max(array.size for array in [*case.arrays(), *arrays])
    if elements < ACCURACY * task.elements:
        return Missing("its arrays do not grow to this size")
    if time.process_time() - begun > MOST:
        return Missing("NumPy takes too long")
    try:
        return _measure(bench.subject, task, case, elements, sum(array.nbytes for array in arrays))
    except MemoryError:
        raise
    except Exception as error:
        if type(error).__name__ == "ResourceExhaustedError":
            raise
        return Missing(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:160])


def _measure(subject: Subject, task: Task, case: Case, elements: int, least: int) -> Cost:
    call, numpy_call = repeat(case, Mode(task.mode), subject, fetch=False), repeat_in_numpy(case)
    beside = _find_call_beside(case, task)
    calls = [call, numpy_call, *([beside] if beside is not None else [])]
    first = _time(call)
    _warm_up(call)
    once = [_time(each) for each in calls]
    times = once if max(once) > ENOUGH else measure_times(calls, ROUNDS)
    peaks = (None, None) if max(once) > MOST else _measure_peaks(call, numpy_call, subject)
    return Cost(
        elements,
        format_shapes(case),
        times[0],
        times[1],
        max(first - times[0], 0.0),
        least,
        *peaks,
        times[2] if beside is not None else None,
    )


def _measure_peaks(call: Any, numpy_call: Any, subject: Subject) -> tuple[int | None, int | None]:
    """Return the bytes that a call and NumPy's hold at their peaks."""
    measure_peak(numpy_call)  # the first after other calls is too small where they left memory to be freed
    return measure_peak(call, count_bytes if subject.takes_tensors else lambda: None), measure_peak(numpy_call)


def _warm_up(call: Any) -> None:
    """Make the call as often as those that a library traces when they recur, unless that takes long."""
    begun = time.process_time()
    for _ in range(REPEATS):
        call()
        if time.process_time() - begun > WARM_UP:
            return


def _time(call: Any) -> float:
    begun = time.process_time()
    call()
    return time.process_time() - begun


def _find_call_beside(case: Case, task: Task) -> Any:
    """Return the call of the other library; None where it lacks the name, or refuses the call."""
    if not task.beside or task.mode != "eager":
        return None
    library = _load(task.beside)
    if not all(library.has(inner.name) for inner in case.calls()):
        return None
    try:
        call = repeat(case, Mode("eager"), library, fetch=False)
        call()
    except Exception:  # noqa: BLE001 - whatever it raises: it does not take this call
        return None
    return call


@cache
def _load(name: str) -> Subject:
    return load_subject(name)


def plan_all(sandbox: Sandbox, names: Sequence[str]) -> dict[str, Ladder]:
    """Return the ladder of every name that has one."""
    leases = [Lease(index, "fuzz.scale_sizes:plan", [name], limits=PATIENT) for index, name in enumerate(names)]
    found = {names[reply.index]: reply.results[0] for reply in sandbox.run(leases)}
    return {name: found[name] for name in names if isinstance(found.get(name), Ladder)}


def measure_all(
    sandbox: Sandbox,
    names: Sequence[str],
    modes: Sequence[str],
    sizes: Sequence[int],
    beside: str = "",
    seconds: float | None = None,
) -> Iterator[tuple[Task, Cost | Missing]]:
    """Measure the case of each name in every mode and size, a few names after others. Nothing is measured after
    `seconds`: workers get their tasks before.
    """
    end = math.inf if seconds is None else time.time() + seconds
    for first in range(0, len(names), PLANNED):
        if time.time() > end:
            return
        ladders = plan_all(sandbox, names[first : first + PLANNED])
        tasks = [
            Task(name, mode, elements, ladder, beside, end)
            for name, ladder in ladders.items()
            for mode in modes
            for elements in sizes
        ]
        leases = (
            Lease(index, "fuzz.scale_sizes:measure_size", [task], confirm=False, limits=PATIENT)
            for index, task in enumerate(tasks)
        )
        for reply in sandbox.run(leases):
            (result,) = reply.results
            yield tasks[reply.index], _read(result)


def _read(result: Any) -> Cost | Missing:
    if isinstance(result, Death):
        return Missing(f"{result.kind}: {result.detail}")
    if isinstance(result, Failure):
        return Missing(result.trace.strip().rpartition("\n")[2])
    return result


def to_rows(results: Iterable[tuple[Task, Cost | Missing]]) -> list[dict[str, Any]]:
    """Return a row of JSON-serializable data for each call, with ratios, or the reason why there are none."""
    rows = []
    for task, result in results:
        row: dict[str, Any] = {"name": task.name, "mode": task.mode, "size": task.elements}
        if isinstance(result, Missing):
            row["missing"] = result.reason
        else:
            row |= {key: _round(value) for key, value in asdict(result).items()}
            ratios = {"numpy": result.time_ratio, "beside": result.beside_ratio, "memory": result.memory_ratio}
            row["ratios"] = {key: _round(value) for key, value in ratios.items() if value is not None}
        rows.append(row)
    return sorted(rows, key=lambda row: (row["name"], row["size"]))


def _round(value: Any) -> Any:
    return float(f"{value:.4g}") if isinstance(value, float) else value


def to_data(subject: str, beside: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return everything as sizes.json has it."""
    return {
        "subject": subject,
        "beside": beside,
        **circumstances(),
        "cores": len(os.sched_getaffinity(0)),
        "rows": list(rows),
    }


def summarize(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return for each mode and size how many calls were measured, and the medians of their ratios."""
    found = []
    for mode, size in dict.fromkeys((row["mode"], row["size"]) for row in rows):
        ratios = [row["ratios"] for row in rows if (row["mode"], row["size"]) == (mode, size) and "ratios" in row]
        medians = {}
        for key in ("numpy", "beside", "memory"):
            values = [each[key] for each in ratios if key in each]
            if values:
                medians[key] = _round(statistics.median(values))
        found.append({"mode": mode, "size": size, "measured": len(ratios), "medians": medians})
    return found


def count_missing(rows: Sequence[Mapping[str, Any]]) -> Counter[str]:
    """Return how many calls were not measured for each reason."""
    return Counter(f"{row['mode']}: {row['missing']}" for row in rows if "missing" in row)
