"""Allowances for programs of several calls."""

from __future__ import annotations

from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.transforms.last_call import strip_to_last_call


def _is_of_a_call(query: Query) -> bool:
    """Return whether one of the calls may raise the error by itself, on NumPy's results of the calls before it."""
    return any(not query.compare(strip_to_last_call(call) or call) for call in query.case.calls())


ALLOWANCES = (
    Allowance(
        id="program.error-of-a-call",
        reason=Reason.DECISION,
        names=("*",),
        kinds=("spurious error",),
        applies=lambda case, expected: len(case.calls()) > 1,
        holds=_is_of_a_call,
        asks_again=True,
        why="an error that one call of a program may raise by itself is an error of the program",
        most=0.3,
        link="docs/verdicts.md",
    ),
)
