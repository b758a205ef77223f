"""Time and memory of growing calls beside NumPy's, measured in workers, one ladder and mode after another.

A worker climbs a ladder while the predicted cost of the next rung is within the budget. A rung that ends its worker or
exhausts its memory ends the climb; the rungs below it still say how the cost grows.
"""

from __future__ import annotations

import math
import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import takewhile
from typing import Any

import numpy as np

from fuzz.engine.tasks import Bench
from fuzz.scale_ladders import STEP, Ladder, count_held_bytes, format_shapes, list_arrays, plan_ladders
from fuzz.sightings import label_mode
from fuzz.triage.ledger import Finding
from oracle import Case, Mode, run_numpy
from oracle.harness import (
    Death,
    Failure,
    Growth,
    Lease,
    Limits,
    Rung,
    Sandbox,
    circumstances,
    count_bytes,
    dtype_class,
    judge_growth,
    measure_peak,
    measure_times,
    memory_curve,
    repeat,
    repeat_in_numpy,
    step,
    time_curve,
)

MODES = ("eager", "graph", "xla")
PATIENT = Limits(seconds=60.0, patience=120.0)
MEMORY = 4 << 30
STEPS = 12
FEWEST = 64
"""A rung whose largest array has fewer elements tells nothing but overhead."""
ROUNDS = 0.12
"""CPU seconds in which a rung's times have to become stable."""


@dataclass(frozen=True)
class Budget:
    """Limits of a climb: elements of the largest array, CPU seconds and bytes of one call."""

    elements: int = 1 << 20
    seconds: float = 1.0
    memory: int = MEMORY // 2


@dataclass(frozen=True)
class Task:
    """One rung of a ladder in one mode. `key` identifies ladder and mode."""

    key: tuple[str, int, str]
    ladder: Ladder
    step: int
    budget: Budget

    @property
    def mode(self) -> str:
        return self.key[2]


@dataclass(frozen=True)
class Skipped:
    """A rung that was not measured, and why."""

    reason: str


@dataclass
class Climb:
    """The result of a ladder in one mode: its rungs, why it ended early, and the costs that grow faster."""

    name: str
    number: int
    mode: str
    ladder: Ladder
    rungs: list[Rung] = field(default_factory=list)
    ended: str = ""
    death: str = ""
    confirmed: bool = True

    @property
    def growths(self) -> list[Growth]:
        """The costs that grow by another power of the size than NumPy's."""
        return judge_growth(self.rungs) if self.confirmed else []

    @property
    def worst(self) -> float:
        """The largest ratio to NumPy's time or memory, at the largest size."""
        curves = (time_curve(self.rungs), memory_curve(self.rungs)) if self.rungs else ()
        return max((curve.ratio for curve in curves if curve.costs), default=0.0)

    def data(self) -> dict[str, Any]:
        """Return the climb as JSON-serializable data."""
        curves = {curve.quantity: curve for curve in (time_curve(self.rungs), memory_curve(self.rungs))}
        return {
            "mode": self.mode,
            "case": str(self.ladder.case) if _is_short(self.ladder.case) else format_shapes(self.ladder.case),
            "grows": self.ladder.label,
            "filling": self.ladder.filling,
            **{
                quantity: {
                    "exponent": _round(curve.exponent),
                    "numpy": _round(curve.reference),
                    "ratio": _round(curve.ratio),
                }
                for quantity, curve in curves.items()
                if curve.costs
            },
            "rungs": [asdict(rung) for rung in self.rungs],
            "ended": self.ended,
            "growth": [str(growth) for growth in self.growths],
        }


def _round(number: float | None) -> float | None:
    return None if number is None or math.isnan(number) else float(f"{number:.4g}")


def _is_short(case: Case) -> bool:
    return sum(array.size for array in case.arrays()) <= 16


# In a worker


@dataclass
class Progress:
    """State of a worker's climb: how far it is, and why it goes no further."""

    rungs: list[Rung] = field(default_factory=list)
    step: int = 0
    ended: str = ""


PROGRESS: dict[tuple[str, int, str], Progress] = {}
SMALL, FAILED = "small", "a smaller one failed"


def plan(bench: Bench, task: tuple[str, int, int]) -> list[Ladder]:
    """Return the ladders of a name that the subject has. Runs in a worker."""
    step("planning", 20.0)
    name, cases, directions = task
    return plan_ladders(name, cases, directions) if bench.subject.has(name) else []


def measure_rung(bench: Bench, task: Task) -> Rung | Skipped:
    """Measure one rung, unless a lower one was not measured or ended another worker. Runs in a worker."""
    if task.step == 0:
        PROGRESS[task.key] = Progress()
    progress = PROGRESS.setdefault(task.key, Progress())
    if progress.ended or progress.step != task.step:
        return Skipped(progress.ended or FAILED)
    progress.step, progress.ended = task.step + 1, FAILED
    result = _climb(bench, task, progress.rungs)
    if isinstance(result, Rung):
        progress.rungs.append(result)
        progress.ended = ""
    else:
        progress.ended = "" if result.reason == SMALL else result.reason
    return result


def _climb(bench: Bench, task: Task, climbed: Sequence[Rung]) -> Rung | Skipped:
    """Measure the next rung, if it is within the budget."""
    step(f"{task.mode} {task.step}")
    budget = task.budget
    reason = _find_excess(climbed, budget)
    if reason:
        return Skipped(reason)
    case = task.ladder.grow(task.step)
    expected = run_numpy(case)
    if not expected.ok:
        return Skipped(f"NumPy refuses it: {expected.error}")
    arrays = [*case.arrays(), *list_arrays(expected.value)]
    elements = max((array.size for array in arrays), default=0)
    if elements > budget.elements:
        return Skipped("the budget of elements")
    if elements < FEWEST:
        return Skipped(SMALL)
    try:
        return _measure(bench, task, case, arrays, elements, count_held_bytes(case, expected))
    except MemoryError:
        raise
    except Exception as error:
        if type(error).__name__ == "ResourceExhaustedError":
            raise
        return Skipped(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200])


def _find_excess(climbed: Sequence[Rung], budget: Budget) -> str:
    """Return the part of the budget that the next rung would exceed, by extrapolation, or an empty string."""
    if not climbed:
        return ""
    last, before = climbed[-1], climbed[-2] if len(climbed) > 1 else climbed[-1]

    def next_of(cost: Callable[[Rung], float]) -> float:
        return cost(last) * max(STEP, cost(last) / max(cost(before), 1e-9))

    if next_of(lambda rung: rung.held) > 4 * 16 * budget.elements:
        return "the budget of elements"
    if next_of(lambda rung: max(rung.seconds, rung.numpy_seconds)) > STEP * budget.seconds:
        return "the budget of time"
    if next_of(lambda rung: max(rung.peak or 0, rung.held)) > budget.memory:
        return "the budget of memory"
    return ""


def _measure(bench: Bench, task: Task, case: Case, arrays: Sequence[np.ndarray], elements: int, held: int) -> Rung:
    subject_call, numpy_call = repeat(case, Mode(task.mode), bench.subject), repeat_in_numpy(case)

    def copy() -> None:
        for array in arrays:
            array.copy()

    begun = time.process_time()
    subject_call()
    first = time.process_time() - begun
    numpy_call()
    copying, numpy_seconds, seconds = measure_times((copy, numpy_call, subject_call), ROUNDS)
    allocator = count_bytes if bench.subject.takes_tensors else lambda: None
    return Rung(
        task.ladder.factor(task.step),
        elements,
        held,
        copying,
        numpy_seconds,
        seconds,
        measure_peak(numpy_call),
        measure_peak(subject_call, allocator),
        max(first - seconds, 0.0),
    )


# In the parent


def plan_all(sandbox: Sandbox, names: Sequence[str], cases: int, directions: int) -> dict[str, list[Ladder]]:
    """Return the ladders of every name that has some."""
    leases = [Lease(i, "fuzz.scale:plan", [(name, cases, directions)], limits=PATIENT) for i, name in enumerate(names)]
    found: dict[str, list[Ladder]] = {}
    for reply in sandbox.run(leases):
        (result,) = reply.results
        if isinstance(result, list) and result:
            found[names[reply.index]] = result
    return {name: found[name] for name in names if name in found}


def climb_all(
    sandbox: Sandbox,
    ladders: Mapping[str, Sequence[Ladder]],
    modes: Sequence[str],
    budget: Budget,
    seconds: float | None = None,
) -> Iterator[Climb]:
    """Climb every ladder in every mode: the first ladder of each name, then the second. None is started after
    `seconds`.

    Whatever grows faster is measured once more, in a fresh worker, and counts if it does so again.
    """
    pending = [
        Climb(name, number, mode, ladder)
        for number in range(max(map(len, ladders.values()), default=0))
        for name, own in ladders.items()
        for ladder in own[number : number + 1]
        for mode in modes
    ]
    suspects = []
    for climb in _climb_pending(sandbox, pending, budget, seconds):
        if climb.growths:
            suspects.append(climb)
        else:
            yield climb
    same = [Climb(climb.name, climb.number, climb.mode, climb.ladder) for climb in suspects]
    again = {
        (climb.name, climb.number, climb.mode): climb
        for climb in _climb_pending(sandbox, same, budget, None, fresh=True)
    }
    for climb in suspects:
        quantities = {growth.quantity for growth in again[climb.name, climb.number, climb.mode].growths}
        climb.confirmed = any(growth.quantity in quantities for growth in climb.growths)
        yield climb


def _climb_pending(
    sandbox: Sandbox, pending: Sequence[Climb], budget: Budget, seconds: float | None, *, fresh: bool = False
) -> Iterator[Climb]:
    begun = time.monotonic()
    leases = (_lease(index, climb, budget, fresh=fresh) for index, climb in enumerate(pending))
    for reply in sandbox.run(takewhile(lambda _: seconds is None or time.monotonic() - begun < seconds, leases)):
        climb = pending[reply.index]
        for result in reply.results:
            _take(climb, result)
        yield climb


def _lease(index: int, climb: Climb, budget: Budget, *, fresh: bool) -> Lease:
    key = (climb.name, climb.number, climb.mode)
    tasks = [Task(key, climb.ladder, number, budget) for number in range(STEPS)]
    return Lease(index, "fuzz.scale:measure_rung", tasks, confirm=False, fresh=fresh, limits=PATIENT)


def _take(climb: Climb, result: Any) -> None:
    """Enter the result of one rung; rungs above a failed one do not count."""
    if climb.ended:
        return
    if isinstance(result, Rung):
        climb.rungs.append(result)
    elif isinstance(result, Death):
        climb.ended, climb.death = f"{result.kind}: {result.detail}", result.kind
    elif isinstance(result, Failure):
        climb.ended = result.trace.strip().rpartition("\n")[2]
    elif result.reason != SMALL:
        climb.ended = result.reason


def make_findings(climbs: Iterable[Climb]) -> list[Finding]:
    """Return a finding for each cost that grows by another power than NumPy's, and for each call that exhausts time or
    memory where NumPy does not. Modes that do so in the same case share a finding.
    """
    seen: dict[tuple[str, str, int], Finding] = {}
    for climb in climbs:
        kind = "growth" if climb.growths else climb.death
        if not kind:
            continue
        key = (climb.name, kind, climb.number)
        detail = f"{climb.ladder.label}: {'; '.join(map(str, climb.growths)) or climb.ended}"
        if key in seen:
            seen[key].modes = (*seen[key].modes, label_mode(climb.mode))
            seen[key].detail += f" | {climb.mode}: {detail}"
        else:
            case = climb.ladder.case
            dtype = dtype_class(case, run_numpy(case))
            seen[key] = Finding(climb.name, kind, (climb.mode,), dtype, f"{climb.mode}: {detail}", case, climb.number)
    return list(_merge_findings(seen.values()))


def _merge_findings(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Yield one finding for each key, with the case of the first."""
    found: dict[tuple[str, ...], Finding] = {}
    for finding in findings:
        if finding.key in found:
            found[finding.key].count += 1
        else:
            found[finding.key] = finding
    yield from found.values()


def to_data(subject: str, climbs: Sequence[Climb], findings: Sequence[Finding]) -> dict[str, Any]:
    """Return everything as scale.json has it."""
    names: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for climb in sorted(climbs, key=lambda climb: (climb.name, climb.number, MODES.index(climb.mode))):
        names[climb.name].append(climb.data())
    return {
        "subject": subject,
        **circumstances(),
        "cores": len(os.sched_getaffinity(0)),
        "findings": [{**finding.data(), "minimal": format_shapes(finding.call)} for finding in findings],
        "names": names,
    }
