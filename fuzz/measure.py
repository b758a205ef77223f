"""Measurement of errors in ulps: one function, dtype and mode after another, in workers; and the file of the table."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

import numpy as np

from fuzz.engine.tasks import WorkerContext
from fuzz.measure_grid import DTYPES, is_complete, make_arguments
from oracle import Case, Mode, run_numpy
from oracle.harness import (
    MEASURED,
    Distance,
    Lease,
    Limits,
    Sandbox,
    Unmeasurable,
    circumstances,
    is_measured,
    measure_distance,
    without_subnormals,
)

PATIENT = Limits(seconds=900.0, patience=900.0)
SINGLES = {2: 7, 4: 7, 8: 3}
"""Elements that are fewer than a vector of them has, by their size in bytes: each is calculated by itself."""
FEW = 1 << 14


@dataclass(frozen=True)
class Task:
    """One function with arguments of one dtype, in one mode."""

    name: str
    dtype: str
    mode: str
    samples: int

    def __str__(self) -> str:
        return f"{self.name} {self.dtype} {self.mode}"

    @property
    def operands(self) -> int:
        return count_operands(self.name)

    @property
    def is_complete(self) -> bool:
        return is_complete(DTYPES[self.dtype], self.operands)


@dataclass(frozen=True)
class Measured:
    """The result of a task: the distance, or the reason why there is none."""

    task: Task
    distance: Distance | None
    reason: str = ""


def make_tasks(names: Iterable[str], modes: Sequence[str], samples: int) -> Iterator[Task]:
    """Yield everything to be measured for these functions."""
    for name in names:
        for dtype, kind in DTYPES.items():
            if is_measured(name, kind) and _answers_in(name, kind):
                yield from (Task(name, dtype, mode, samples) for mode in modes)


def _answers_in(name: str, dtype: np.dtype) -> bool:
    """Return whether NumPy's results for these arguments have the same precision. Others are measured with another
    dtype.
    """
    ones = np.ones(1, dtype)
    found = run_numpy(Case(name, (ones,) * count_operands(name)))
    return found.ok and found.value.real.dtype == ones.real.dtype


def count_operands(name: str) -> int:
    """Return how many operands the function takes."""
    return getattr(getattr(np, name), "nin", 1)


def measure_task(bench: WorkerContext, task: Task) -> Measured:
    """Measure over all arguments at once, and over a few at a time: kernels may have two code paths. Runs in a
    worker.
    """
    dtype = DTYPES[task.dtype]
    given = make_arguments(dtype, task.operands, task.samples)
    case = without_subnormals(Case(task.name, given))
    size = case.arrays()[0].size
    found: Distance | None = None
    try:
        for piece in (size, SINGLES[np.empty(0, dtype).real.itemsize]):
            part = case if task.is_complete or piece == size else case.map_arrays(lambda array: array[:FEW])
            distance = measure_distance(part, Mode(task.mode), bench.subject, piece)
            found = distance if found is None else found.join(distance)
    except Unmeasurable as error:
        return Measured(task, None, str(error))
    return Measured(task, found)


def find_measurable(sandbox: Sandbox) -> tuple[str, ...]:
    """Return the measurable functions that the subject has."""
    (reply,) = sandbox.run([Lease(0, "fuzz.measure:look", [MEASURED])])
    found = reply.results[0]
    if not isinstance(found, tuple):
        raise RuntimeError(f"the subject cannot be inspected: {getattr(found, 'trace', found)}")
    return found


def look(bench: WorkerContext, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the subject has. Runs in a worker."""
    return tuple(name for name in names if bench.subject.has(name))


def measure_all(sandbox: Sandbox, tasks_left: Iterable[Task], seconds: float | None = None) -> Iterator[Measured]:
    """Run the tasks in any order, and yield the results. None is started after `seconds`."""
    begun = time.monotonic()
    leases = (
        Lease(index, "fuzz.measure:measure_task", [task], confirm=False, limits=PATIENT)
        for index, task in enumerate(tasks_left)
    )
    in_time = takewhile(lambda _: seconds is None or time.monotonic() - begun < seconds, leases)
    for reply in sandbox.run(in_time):
        (result,) = reply.results
        if not isinstance(result, Measured):
            raise RuntimeError(f"measuring came to an end: {getattr(result, 'trace', result)}")
        yield result


def to_data(subject: str, results: Iterable[Measured]) -> dict[str, Any]:
    """Return everything as the table's file has it. Of argument dtypes with one result dtype, the largest distance
    counts.
    """
    joined: dict[tuple[str, str, str], tuple[Distance, bool]] = {}
    for result in results:
        if result.distance is not None:
            key = (result.task.name, result.distance.dtype, result.task.mode)
            earlier = joined.get(key)
            distance = result.distance if earlier is None else earlier[0].join(result.distance)
            joined[key] = distance, result.task.is_complete and (earlier is None or earlier[1])
    functions: dict[str, Any] = {}
    for (name, dtype, mode), (distance, complete) in sorted(joined.items(), key=_rank):
        functions.setdefault(name, {}).setdefault(dtype, {})[mode] = to_entry(distance, complete)
    return {"date": datetime.now(UTC).date().isoformat(), "subject": subject, **circumstances(), "functions": functions}


def _rank(item: tuple[tuple[str, str, str], Any]) -> tuple[str, int, str]:
    name, dtype, mode = item[0]
    return name, list(DTYPES).index(dtype), mode


def to_entry(distance: Distance, complete: bool) -> dict[str, Any]:
    """Return one distance as the table's file has it."""
    return {
        "ulps": _round_up(distance.ulps),
        "at": list(distance.at),
        "error": _round_up(distance.error),
        "numpy_error": _round_up(distance.numpy_error),
        "arguments": distance.count,
        "exhaustive": complete,
        **({"unlike": distance.unlike, "first_unlike": list(distance.first)} if distance.unlike else {}),
    }


def _round_up(number: float | None) -> float | None:
    """Round up to three digits, so that no measured value exceeds the table."""
    if number is None or number == int(number):
        return None if number is None else int(number)
    return float(np.ceil(number * 1000) / 1000)


def format_table(data: Mapping[str, Any]) -> str:
    """Return the text of the table's file: JSON with a line for each distance."""
    head = {key: value for key, value in data.items() if key != "functions"}
    lines = json.dumps(head, indent=1).removesuffix("\n}").splitlines()
    lines[-1] += ","
    lines.append(' "functions": {')
    for name, dtypes in data["functions"].items():
        lines.append(f"  {json.dumps(name)}: {{")
        for dtype, modes in dtypes.items():
            lines.append(f"   {json.dumps(dtype)}: {{")
            lines += [f"    {json.dumps(mode)}: {json.dumps(found)}," for mode, found in modes.items()]
            lines[-1] = lines[-1].removesuffix(",")
            lines.append("   },")
        lines[-1] = "   }"
        lines.append("  },")
    lines[-1] = "  }" if data["functions"] else lines[-1]
    return "\n".join([*lines, " }", "}"]) + "\n"


def merge_tables(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the earlier table with the new measurements in place of its own.

    Raises ValueError if versions or processor differ: the whole table must then be measured again.
    """
    for key in ("subject", "versions", "machine"):
        if old.get(key) != new[key]:
            raise ValueError(f"it was measured with other {key}: {old.get(key)}, not {new[key]}")
    functions = {name: {dtype: dict(modes) for dtype, modes in rows.items()} for name, rows in old["functions"].items()}
    for name, dtypes in new["functions"].items():
        for dtype, modes in dtypes.items():
            functions.setdefault(name, {}).setdefault(dtype, {}).update(modes)
    return {**new, "functions": dict(sorted(functions.items()))}
