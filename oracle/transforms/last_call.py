"""The last call of a program, by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.outcome import run_numpy


def strip_to_last_call(case: Case) -> Case | None:
    """Return the outermost call over NumPy's results of the calls before it; None of a case that is no program, or of
    one whose calls do not all succeed, or give series, of which an outcome has the parts only, or generators, whose
    numbers are decided by the calls before.
    """
    if len(case.calls()) == 1:
        return None
    results: dict[int, Any] = {}
    for call in _list_inner_calls(case):
        outcome = run_numpy(call)
        if not outcome.ok or isinstance(outcome.value, dict | np.random.Generator):
            return None
        results[id(call)] = outcome.value

    def settle(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)([settle(item) for item in value])
        return results[id(value)] if type(value) is Case else value

    return Case(case.name, tuple(map(settle, case.args)), {key: settle(value) for key, value in case.kwargs.items()})


def _list_inner_calls(value: Case) -> list[Case]:
    """Return the calls whose results are arguments of this one."""
    pending, calls = [*value.args, *value.kwargs.values()], []
    while pending:
        item = pending.pop()
        if type(item) in (list, tuple):
            pending.extend(item)
        elif type(item) is Case:
            calls.append(item)
    return calls
