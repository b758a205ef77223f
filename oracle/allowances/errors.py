"""Allowances for errors: which of several comes first, and of which class it is."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import TRACED, Allowance, Reason, by_error
from oracle.case.model import Case
from oracle.reference.outcome import Raised, run_numpy

CALLING_BY_VALUES = frozenset({"piecewise"})
"""Functions that call others where an array says so: a graph calls them all."""


def _is_of_a_function(case: Case, error: Raised) -> bool:
    """Return whether a function raised it that NumPy calls as well, where all arrays say so."""
    raised = run_numpy(case.map_arrays(np.ones_like)).error
    return case.name in CALLING_BY_VALUES and raised is not None and raised.bases == error.bases


ALLOWANCES = (
    Allowance(
        id="error.of-a-function",
        reason=Reason.DECISION,
        names=("piecewise",),
        modes=TRACED,
        kinds=("spurious error",),
        applies=lambda case, expected: any(map(callable, case.leaves())),
        holds=by_error(_is_of_a_function),
        why="a graph calls the functions that no element chooses, too: their errors are errors",
        most=0.3,
    ),
)
