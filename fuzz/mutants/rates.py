"""How often drawn calls show a planted fault: both functions are run on the same calls, and nothing is judged."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fuzz.engine.drawing import draw
from fuzz.engine.scheduler import INVALID, MIXED, Item
from fuzz.engine.tasks import WorkerContext
from fuzz.generate.call_classes import EDGE, ORDINARY
from fuzz.generate.call_classes import INVALID as REJECTED
from fuzz.generate.edge_properties import classify_call
from fuzz.mutants.generated import find_fault
from fuzz.mutants.subjects import DIFFERENT_ERROR, name_of
from oracle import Case, Mode, Outcome, Subject, load_subject, run_numpy
from oracle.harness import GRADIENTS, run_case, step

CLASSES = (ORDINARY, EDGE, REJECTED)


@dataclass(frozen=True)
class Rate:
    """The number of calls that were drawn of a name, and of those whose answer the fault changes, by their class."""

    drawn: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The share of the drawn calls whose answer the fault changes."""
        return sum(self.changed.values()) / max(1, sum(self.drawn.values()))

    def data(self) -> dict[str, Any]:
        """Return the rate as JSON-serializable data."""
        counts = {name: [self.changed.get(name, 0), self.drawn.get(name, 0)] for name in CLASSES}
        return {"share": round(self.share, 5), "drawn": sum(self.drawn.values()), "changed_of_drawn": counts}


@dataclass(frozen=True)
class Sampling:
    """An item for a worker: a fault, the namespace it is planted in, and how many calls to draw in how many CPU
    seconds.
    """

    fault: str
    ground: str
    draws: int
    seconds: float
    seed: int = 0


def measure(bench: WorkerContext, task: Sampling) -> Rate:
    """Draw calls as a campaign does, and run each without and with the fault, in the first mode that shows it."""
    entry = find_fault(task.fault)
    assert entry is not None
    ground, planted = load_subject(task.ground), load_subject(name_of(task.fault, task.ground))
    mode = Mode(entry.modes[0])
    is_random, has_slope = entry.target.startswith("random."), mode.name in GRADIENTS
    drawn, changed = Counter[str](), Counter[str]()
    begun = time.process_time()
    for number in range(task.draws):
        if time.process_time() - begun > task.seconds:
            break
        step("drawing")
        item = Item(
            number,
            entry.target,
            seed=(task.seed << 32) + number,
            siblings=1,
            runs=(),
            calls=INVALID if entry.kind == DIFFERENT_ERROR else MIXED,
            differentiable=has_slope,
            turn=number if number % 2 and not has_slope else None,
        )
        case = draw(item, 0)
        step("reference")
        expected = run_numpy(case)
        if expected.kind == "unsupported":
            continue
        right = run(case, ground, mode)
        if is_random and not is_same(right, run(case, ground, mode)):
            continue  # a generator without a seed
        call_class = classify_call(case, not expected.ok)
        drawn[call_class] += 1
        changed[call_class] += not is_same(right, run(case, planted, mode))
    return Rate(dict(drawn), dict(changed))


def run(case: Case, subject: Subject, mode: Mode) -> Outcome:
    """Run a case, with NumPy's global generator at its seed."""
    step(mode.name, 30.0)
    np.random.seed(0)  # of the functions that have no generator
    return run_case(mode, case, subject)


def is_same(first: Outcome, second: Outcome) -> bool:
    """Return whether two outcomes are the same values, or errors of the same class, and changed the same arrays."""
    if first.kind != second.kind or first.changed != second.changed:
        return False
    if not first.ok:
        return (first.error and first.error.name) == (second.error and second.error.name)
    return _is_equal((first.value, first.after), (second.value, second.after))


def _is_equal(first: Any, second: Any) -> bool:
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(_is_equal, first, second))
    if isinstance(first, np.ndarray | np.generic) and isinstance(second, np.ndarray | np.generic):
        same_form = first.dtype == second.dtype and first.shape == second.shape
        return same_form and (first.tobytes() == second.tobytes() or _is_rounded(np.asarray(first), np.asarray(second)))
    return type(first) is type(second) and repr(first) == repr(second)  # NaN is equal to itself


def _is_rounded(first: np.ndarray, second: np.ndarray) -> bool:
    """Return whether floats differ as those of a product do whose operands lie elsewhere in memory."""
    if first.dtype.kind == "c":
        return _is_rounded(first.real, second.real) and _is_rounded(first.imag, second.imag)
    if first.dtype.kind != "f":
        return False
    with np.errstate(all="ignore"):
        finite = np.isfinite(first)
        largest = np.max(np.abs(first), where=finite, initial=0)
        near = np.abs(first - second) <= ROUNDINGS * np.finfo(first.dtype).eps * largest
        same = (first == second) | (np.isnan(first) & np.isnan(second)) | (near & (first != 0) & (second != 0))
    return bool(np.all(same & (np.signbit(first) == np.signbit(second))))


ROUNDINGS = 64
