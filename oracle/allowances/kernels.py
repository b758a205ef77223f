"""Allowances for kernels: distances that were measured, and orders of sums and products."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome
from oracle.relations import table


def _is_measured(case: Case, expected: Outcome) -> bool:
    """Return whether the function's results are rounded."""
    return expected.ok and table.relation_of(case.name).rule not in ("exact", "shape")


def _are_within_measured(question: Question) -> np.ndarray | bool:
    compared = question.departure.compared
    return compared is not None and question.evidence.within_measured(*compared)


def _has_order(case: Case, expected: Outcome) -> bool:
    """Return whether terms or factors are joined in an order, or parts of complex products are added."""
    rules = {table.relation_of(case.name, kind).rule for kind in "fc"}
    return expected.ok and not rules.isdisjoint({"sum", "product", "ulps"})


def _are_within_order(question: Question) -> np.ndarray | bool:
    compared = question.departure.compared
    return compared is not None and is_inexact(compared[1].dtype) and question.evidence.within_order(*compared)


ALLOWANCES = (
    Allowance(
        id="kernel.measured",
        reason=Reason.TENSORFLOW_FAULT,
        names=("*",),
        applies=_is_measured,
        holds=_are_within_measured,
        is_live=False,  # how far a kernel is from the exact value depends on the processor
        why="a kernel of TensorFlow's is less exact than NumPy's: no farther away than was measured, by function, "
        "dtype and mode",
        link="https://www.tensorflow.org/xla/errors/overview",
        until="2.23",
        most=0.7,
    ),
    Allowance(
        id="order.of-terms",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        applies=_has_order,
        holds=_are_within_order,
        why="terms or factors overflow on the way in some orders and not in others: the result is one that some order "
        "gives",
        most=0.2,
        link="https://numpy.org/doc/stable/reference/generated/numpy.sum.html",
    ),
)
