"""Differential testing of array libraries against NumPy: one case, every mode, one verdict.

This is what tests and scripts need. `oracle.harness` has what tools need that are built on it, as `fuzz` is.

Importing this imports NumPy, but not TensorFlow: a mode that needs it imports it when it first runs.
"""

from oracle.adapter import OTHER_ERRORS, RETURNED, Adapter, ByDesign, register
from oracle.assertions import assert_agrees, call
from oracle.case.model import Case
from oracle.compare.pipeline import compare_outcomes
from oracle.equality.deviation import Deviation
from oracle.modes import Mode
from oracle.reference.outcome import Outcome, run_numpy
from oracle.subject import Subject, load_subject
from oracle.verdict import DifferenceError, NotJudged, Verdict, check, judge

__all__ = [  # noqa: RUF022 - what everybody needs comes first
    "Case",
    "call",
    "judge",
    "check",
    "assert_agrees",
    "Mode",
    "Subject",
    "Verdict",
    "Deviation",
    "DifferenceError",
    "NotJudged",
    "Outcome",
    "run_numpy",
    "compare_outcomes",
    "load_subject",
    "OTHER_ERRORS",
    "RETURNED",
    "Adapter",
    "ByDesign",
    "register",
]
