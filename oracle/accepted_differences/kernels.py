"""Allowance for kernels: distances that were measured."""

from __future__ import annotations

import numpy as np

from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.case.model import Case
from oracle.equality import table
from oracle.reference.outcome import Outcome


def _is_measured(case: Case, expected: Outcome) -> bool:
    """Return whether the function's results are rounded."""
    return expected.ok and table.relation_of(case.name).rule not in ("exact", "shape")


def _are_within_measured(query: Query) -> np.ndarray | bool:
    compared = query.deviation.compared
    return compared is not None and query.evidence.within_measured(*compared)


ALLOWANCES = (
    Allowance(
        id="kernel.measured",
        reason=Reason.TENSORFLOW_FAULT,
        names=("*",),
        applies=_is_measured,
        holds=_are_within_measured,
        is_live=False,  # how far a kernel is from the exact value depends on the processor
        why="TensorFlow's kernel is less exact than NumPy's: the error is within what was measured for the "
        "function, dtype and mode",
        link="https://www.tensorflow.org/xla/errors/overview",
        until="2.23",
        most=0.7,
    ),
)
