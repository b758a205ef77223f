"""Allowances for errors: which of several comes first, and of which class it is."""

from __future__ import annotations

import re

import numpy as np

from oracle.allowances.model import TRACED, Allowance, Question, Reason, by_error
from oracle.case.model import Case
from oracle.reference.error_classes import RUN_TIME_ERRORS, is_argument_error
from oracle.reference.outcome import Outcome, Raised, run_numpy

_BYTES_OR_WIDTHS = re.compile(
    r"^(zero-size array to reduction|the signature object to ufunc|translation table must be 256)"
    r"|cannot use operands with types dtype\('[<|]?[US]\d*'\) and dtype\('[<|]?[US]\d*'\)"
)
_DTYPE_CLASS = re.compile(r"numpy\.dtypes\.(\w+)DType")


def _mixes_bytes_and_text(case: Case, expected: Outcome) -> bool:
    if not case.name.startswith("strings.") or expected.error is None:
        return False
    named = set(_DTYPE_CLASS.findall(expected.error.message))
    mixed = "Bytes" in named and named <= {"Bytes", "Str", "Int64", "_PyInt", "_PyLong"}
    return mixed or _BYTES_OR_WIDTHS.search(expected.error.message) is not None


def _is_text_or_error(question: Question) -> bool:
    error = question.actual.error
    if error is not None:
        is_late = question.mode.is_traced and error.name in RUN_TIME_ERRORS
        return is_argument_error(error) or is_late
    return not isinstance(question.actual.value, (int, float)) or isinstance(question.actual.value, bool)


CALLING_BY_VALUES = frozenset({"piecewise"})
"""Functions that call others where an array says so: a graph calls them all."""


def _is_of_a_function(case: Case, error: Raised) -> bool:
    """Return whether a function raised it that NumPy calls as well, where all arrays say so."""
    raised = run_numpy(case.map_arrays(np.ones_like)).error
    return case.name in CALLING_BY_VALUES and raised is not None and raised.bases == error.bases


ALLOWANCES = (
    Allowance(
        id="error.bytes-beside-text",
        reason=Reason.DECISION,
        names=("strings.*",),
        kinds=("missing error",),
        applies=_mixes_bytes_and_text,
        holds=_is_text_or_error,
        why="tf.string does not tell bytes from text and has no width: what NumPy refuses for either is taken",
        most=0.5,
    ),
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
