"""The last call of a program, given what NumPy gave the calls before it: it leaves open there what it does alone."""

from __future__ import annotations

from typing import Any

from oracle.case import Case
from oracle.outcome import reference

JOINING = "atleast_1d"
"""The call around several results, each of which it hands on."""


def last_call(case: Case) -> Case | None:
    """The outermost call; None of a case that is no program, or of one whose calls do not all succeed, or give series,
    of which an outcome has the parts only.
    """
    if len(case.calls()) == 1:
        return None
    results: dict[int, Any] = {}
    for call in _given(case):
        outcome = reference(call)
        if not outcome.ok or isinstance(outcome.value, dict):
            return None
        results[id(call)] = outcome.value

    def settled(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)([settled(item) for item in value])
        return results[id(value)] if type(value) is Case else value

    return Case(case.name, tuple(map(settled, case.args)), {key: settled(value) for key, value in case.kwargs.items()})


def _given(value: Any) -> list[Case]:
    """The calls whose results are arguments of this one."""
    pending, found = [*value.args, *value.kwargs.values()], []
    while pending:
        item = pending.pop()
        if type(item) in (list, tuple):
            pending.extend(item)
        elif type(item) is Case:
            found.append(item)
    return found
