"""Allowances for text: bytes beside text, and texts that NumPy cuts to a width."""

from __future__ import annotations

import numpy as np

from oracle.allowances import text
from oracle.allowances.model import Allowance, Question, Reason, by_answer_to
from oracle.case.model import Case
from oracle.reference.error_classes import RUN_TIME_ERRORS
from oracle.reference.outcome import Outcome


def _minds_width(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy refuses text, or is given a loop's dtype, which it ignores beside text of a width."""
    return (not expected.ok or "dtype" in case.kwargs) and text.as_string_dtype(case) is not None


def _answers_without_width(question: Question) -> bool:
    others = [text.as_string_dtype(question.case), text.as_string_dtype(question.case, np.dtype(object))]
    if None in others or not question.actual.ok:
        raises_alike = question.expected.ok and others[0] is not None and not question.compare(others[0])
        return raises_alike or (None not in others and _repeats_too_often(question))
    as_arrays = [Case("asarray", (other,)) for other in others]  # scalars of these dtypes are Python's
    return any(not question.compare(other) for other in (others[0], *as_arrays))


def _repeats_too_often(question: Question) -> bool:
    """Return whether it is refused to repeat text more often than int32 counts, which takes gigabytes."""
    error, operands = question.actual.error, (*question.case.args, *question.case.kwargs.values())
    counts = [np.asarray(value) for value in operands if isinstance(value, int | np.integer | np.ndarray)]
    is_many = any(count.dtype.kind in "iu" and np.any(count > np.iinfo(np.int32).max) for count in counts)
    if error is None or not is_many or "multiply" not in error.message:
        return False
    return "OverflowError" in error.bases or (question.mode.is_traced and error.name in RUN_TIME_ERRORS)


ALLOWANCES = (
    Allowance(
        id="text.string-dtype",
        reason=Reason.DECISION,
        names=(
            *("add", "multiply", "maximum", "minimum", "isnan", "add.*", "multiply.*", "maximum.*", "minimum.*"),
            *("max", "min", "amax", "amin", "sum", "nansum", "cumsum", "nancumsum", "cumulative_sum", "trace"),
            *("ndarray.max", "ndarray.min"),
            *("ndarray.sum", "ndarray.cumsum", "ndarray.trace", "ndarray.__mul__", "ndarray.__rmul__"),
            *("outer", "linalg.outer", "kron", "array_equal"),
        ),
        kinds=("missing error", "spurious error"),
        applies=_minds_width,
        holds=_answers_without_width,
        asks_again=True,
        why="tf.string is NumPy's StringDType, which has no width: it has sums, products and maxima, which text of a "
        "width lacks",
        most=0.3,
    ),
    Allowance(
        id="text.bytes-as-text",
        reason=Reason.DECISION,
        names=("strings.*",),
        **by_answer_to(text.as_text),
        why="tf.string does not tell bytes from text: of both in one call, the answer is that for text",
        most=0.6,
    ),
    Allowance(
        id="text.put-uncut",
        reason=Reason.DECISION,
        names=(
            *("insert", "put", "place", "putmask", "copyto", "put_along_axis", "fill_diagonal", "full_like", "pad"),
            *("ndarray.fill", "ndarray.put", "ndarray.__setitem__"),
        ),
        **by_answer_to(text.as_string_dtype),
        why="tf.string has no width: what is put among text is not cut to the width that NumPy's array has",
        most=0.3,
    ),
    Allowance(
        id="text.itemsize",
        reason=Reason.DECISION,
        names=("ndarray.itemsize", "ndarray.nbytes"),
        **by_answer_to(text.as_string_dtype),
        why="tf.string is NumPy's StringDType, whose elements are references of one size",
        most=0.5,
    ),
    Allowance(
        id="text.no-width",
        reason=Reason.DECISION,
        names=("*",),
        **by_answer_to(text.without_width),
        why="tf.string has no width: a dtype that names one cuts nothing off",
        most=0.5,
    ),
    Allowance(
        id="text.uncut",
        reason=Reason.DECISION,
        names=("strings.replace",),
        **by_answer_to(text.uncut),
        why="NumPy cuts what replace is given to the width of the text, and a tensor of text has no width",
        most=0.6,
    ),
)
