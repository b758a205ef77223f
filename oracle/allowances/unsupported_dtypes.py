"""Dtypes that TensorFlow lacks, which are refused by a TypeError; and text, which XLA lacks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Exchange, Question, Reason
from oracle.case.model import Case
from oracle.reference.display import flatten
from oracle.reference.outcome import Outcome, run_numpy

NAMES_DTYPE = re.compile(
    r"\b(object|datetime64|timedelta64|c?longdouble|float128|complex256|void|str_|bytes_)\b|[<|][MmUS]\d|dtype\('O'\)"
)
"""What a clear refusal says."""

XLA_LACKS_TEXT = re.compile(r"\btext\b|\bstr_\b|strings?\b|XLA_CPU_JIT|XLA_GPU_JIT", re.IGNORECASE)


def lacks_tensor(dtype: np.dtype) -> bool:
    """Whether TensorFlow lacks the dtype."""
    return dtype.kind in "MmO" or dtype.char in "gG" or dtype == np.void


def needs_unsupported_dtype(case: Case, expected: Outcome) -> bool:
    """Whether an argument or NumPy's result has a dtype that no tensor has: text counts, but in `strings`."""
    is_of_text = any(call.name.startswith("strings.") for call in case.calls())
    found = [_dtype_of(part) for part in flatten(expected.value)] if expected.ok else []
    for call in case.calls():
        found += [_dtype_of(value) for value in (*call.args, *call.kwargs.values())]
        operands = call.args if call.name.startswith("strings.") else call.args[:1]
        found += [np.dtype(object) for value in operands if value is None or value is Ellipsis or callable(value)]
        found += [_dtype_of(leaf) for leaf in call.leaves()]
        if _names_unsupported_loop(call.kwargs.get("signature")) or _names_unsupported_loop(call.kwargs.get("sig")):
            return True
    dtypes = [dtype for dtype in found if dtype is not None]
    return any(lacks_tensor(dtype) or (dtype.kind in "US" and not is_of_text) for dtype in dtypes)


def _dtype_of(value: Any) -> np.dtype | None:
    """The dtype that a value is, names, or would have as an array."""
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype
    if isinstance(value, type):
        return np.dtype(value) if value is object or issubclass(value, np.generic) else None
    if isinstance(value, Case):
        found = run_numpy(value)
        return _dtype_of(found.value) if found.ok else None
    if value is None or callable(value) or isinstance(value, (slice, dict)) or value is Ellipsis:
        return None
    try:
        return np.asarray(value).dtype
    except (TypeError, ValueError, OverflowError):
        return np.dtype(object)


def _names_unsupported_loop(signature: Any) -> bool:
    """Whether a ufunc's loop is named by letters of such dtypes."""
    return isinstance(signature, str) and "->" in signature and not set("gGOMm").isdisjoint(signature)


def _is_refused_by_dtype(question: Question) -> bool:
    error = question.actual.error
    return error is not None and error.bases == ("TypeError",) and NAMES_DTYPE.search(error.message) is not None


def has_text(case: Case, expected: Outcome) -> bool:
    """Whether the case is about text."""
    return any(call.name.startswith("strings.") for call in case.calls()) or any(
        getattr(leaf, "dtype", np.dtype(bool)).kind in "US" for leaf in case.leaves()
    )


def _is_refused_as_text(question: Question) -> bool:
    error = question.actual.error
    return error is not None and (
        (error.bases == ("TypeError",) and XLA_LACKS_TEXT.search(error.message) is not None)
        or "XLA_CPU_JIT" in error.message
        or "XLA_GPU_JIT" in error.message
    )


_OBJECTS = Case("zeros", (2,), {"dtype": np.dtype(np.longdouble)})
_TEXT = Case("strings.upper", (np.array(["a"]),))

ALLOWANCES = (
    Allowance(
        id="dtype.unsupported",
        reason=Reason.DECISION,
        names=("*",),
        kinds=("spurious error", "different error"),
        applies=needs_unsupported_dtype,
        holds=_is_refused_by_dtype,
        why="TensorFlow has no longdouble, object, datetime64, timedelta64 or void, and text only in strings: a "
        "TypeError names the dtype",
        witness=Exchange(_OBJECTS, TypeError("no tensor of dtype 'longdouble'")),
        counter=(
            Exchange(Case("add", (np.array([1.0]), 1)), TypeError("no tensor of dtype 'longdouble'")),
            Exchange(_OBJECTS, RuntimeError("no tensor of dtype 'object'")),
            Exchange(_OBJECTS, TypeError("zeros() takes 1 argument")),
        ),
        most=1.0,
    ),
    Allowance(
        id="text.under-xla",
        reason=Reason.DECISION,
        names=("*",),
        modes=("xla", "gradient_xla"),
        kinds=("spurious error", "different error"),
        applies=has_text,
        holds=_is_refused_as_text,
        why="XLA has no text: a TypeError says so",
        witness=Exchange(_TEXT, TypeError("XLA has no text"), mode="xla"),
        counter=(
            Exchange(_TEXT, RuntimeError("boom"), mode="xla"),
            Exchange(_TEXT, TypeError("XLA has no text"), mode="graph"),
            Exchange(_TEXT, TypeError("upper() takes no arguments"), mode="xla"),
        ),
        most=1.0,
    ),
)
