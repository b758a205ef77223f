"""Faulty namespaces as subjects, by name: `fuzz.mutants.subjects.sin_returns_zero_on_tfnp` is tfnp with a wrong sine.

A dot in the ground's name is written as two underscores, and each sign in a generated fault's id as one:
`sum_axis_off_by_one_on_numpy`. Several faults are joined: `sum_axis_ignored_plus_sum_where_ignored_on_numpy` has both.
They can be imported like modules, and so judged: `python -m fuzz run sin --subject
fuzz.mutants.subjects.sin_returns_zero_on_numpy`. One sandbox can judge many of them.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType
from typing import Any

from fuzz.engine import tasks
from fuzz.engine.tasks import WorkerContext
from fuzz.generate.calls import generated_names
from fuzz.mutants.generated import find_fault, generate_faults
from fuzz.mutants.model import FAULTS, Fault, plant
from oracle import Subject, load_subject

DIFFERENT_ERROR = "different error"
AND = "_plus_"  # between the faults of a subject that has several


def name_of(faults: str | Sequence[str], ground: str) -> str:
    """Return the name of the subject that has the fault, or several, planted in this ground."""
    names = [faults] if isinstance(faults, str) else faults
    return f"{__name__}.{AND.join(map(_make_identifier, names))}_on_{ground.replace('.', '__')}"


def _make_identifier(text: str) -> str:
    return re.sub(r"\W", "_", text)


@cache
def _find(identifier: str) -> Fault | None:
    """Return the fault that an identifier stands for; that of a generated fault begins with its function's."""
    if identifier in FAULTS:
        return FAULTS[identifier]
    names = [name for name in generated_names() if identifier.startswith(f"{_make_identifier(name)}_")]
    faults = (entry for name in names for entry in generate_faults(name).values())
    return next((entry for entry in faults if _make_identifier(entry.name) == identifier), None)


@cache
def __getattr__(name: str) -> ModuleType:
    identifiers, _, ground = name.rpartition("_on_")
    names = identifiers.split(AND)
    faults = [fault for one in names if (fault := _find(one)) is not None]
    if len(faults) < len(names):
        raise AttributeError(f"no fault {name!r}: names are FAULT_on_GROUND")
    under = load_subject(ground.replace("__", "."))
    module = under.module
    for fault in faults:
        module = plant(fault, module, f"{__name__}.{name}")
    if under.adapter is not None:
        imports = f"{under.adapter.imports}\nimport {__name__}"
        vars(module)["ADAPTER"] = replace(under.adapter, imports=imports, module=f"{__name__}.{name}")
    return module


@dataclass(frozen=True)
class MutantTask:
    """An item for a function of `fuzz.engine.tasks`, with another subject than the bench's."""

    subject: str
    names: tuple[str, ...]
    function: str
    item: Any


@dataclass(frozen=True)
class TimedResult:
    """The result of a task, and the CPU seconds that it took."""

    result: Any
    seconds: float


def answer(bench: WorkerContext, task: MutantTask) -> TimedResult:
    """Run the task by `fuzz.engine.tasks`. A worker keeps its subjects, and the memory of their faults."""
    begun = time.process_time()
    function: Callable[..., Any] = getattr(tasks, task.function)
    own = replace(bench, subject=_subject(task.subject), names=task.names)
    return TimedResult(function(own, task.item), time.process_time() - begun)


@cache
def _subject(name: str) -> Subject:
    """Return the subject of a name; errors of a fault that raises another class must be NumPy's own."""
    subject = load_subject(name)
    fault = _find(name.removeprefix(f"{__name__}.").rpartition("_on_")[0])
    subject.exact_errors = fault is not None and fault.kind == DIFFERENT_ERROR
    return subject


def fitting(bench: WorkerContext, faults: list[str]) -> list[str]:
    """Return the faults that can be planted in the bench's own subject."""
    return [name for name in faults if (fault := find_fault(name)) and fault.fits(bench.subject.module)]
