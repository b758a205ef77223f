"""Looking up NumPy's names in a subject, and comparing signatures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fuzz.coverage.name_coverage import NameCoverage
from fuzz.engine.case_judge import check_modes_found
from fuzz.engine.missing_parameters import inspect_parameters, join_parameters
from fuzz.engine.tasks import WorkerContext
from fuzz.generate.signatures import find_callable, find_object, parameters_of, signature_change, takes_all
from oracle.harness import NAMES, Death, Lease, Sandbox


def look_up(bench: WorkerContext, task: tuple[Sequence[str], bool]) -> list[NameCoverage]:
    """Return what the subject has of some names, and whether the signatures are NumPy's. The task also says whether
    functions are called to find out which parameters they lack. Runs in a worker.
    """
    names, tries = task
    found = [_look_up_name(bench, name) for name in names]
    never = join_parameters(*inspect_parameters(bench.subject, [row.name for row in found if row.present], tries))
    return [replace(row, without=never.get(row.name, ())) for row in found]


def _look_up_name(bench: WorkerContext, name: str) -> NameCoverage:
    try:
        found = bench.subject.find(name)
    except AttributeError:
        return NameCoverage(name)
    if bench.subject.reexports(name):
        return NameCoverage(name, reexported=True)
    parameters: dict[str, dict[str, int]] = {parameter: {} for parameter in parameters_of(name)}
    if name.startswith("ndarray."):
        return NameCoverage(name, True, parameters=parameters)
    expected = found if found is find_object(name) else find_callable(name)
    change = signature_change(expected, found)
    signature = "" if change is None else "different" if change else "same"
    if change and takes_all(expected, found):
        signature = "extended"
    return NameCoverage(name, True, signature, change or "", parameters=parameters)


def look_up_names(sandbox: Sandbox, names: Sequence[str] = NAMES) -> list[NameCoverage]:
    """Return what the subject has of NumPy's names."""
    return _inspect(sandbox, "fuzz.coverage.lookup:look_up", [(names, True), (names, False)], list)


def find_modes(sandbox: Sandbox, asked: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the modes asked for, or the subject's own default; empty if that is the one of libraries of tensors.
    Raises Unusable for a mode that the subject does not have.
    """
    (reply,) = sandbox.run([Lease(0, "fuzz.engine.tasks:find_modes", [tuple(asked)])])
    own = check_modes_found(reply.results[0])
    return tuple(asked) or own


def _inspect(sandbox: Sandbox, function: str, tasks: Sequence[Any], kind: type) -> Any:
    """Return the result of the first of these tasks that does not end its worker."""
    found: Any = None
    for task in tasks:
        (reply,) = sandbox.run([Lease(0, function, [task])])
        found = reply.results[0]
        if not isinstance(found, Death):
            break
    if not isinstance(found, kind):
        raise RuntimeError(f"the subject cannot be inspected: {getattr(found, 'trace', found)}")
    return found
