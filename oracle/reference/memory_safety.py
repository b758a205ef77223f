"""Calls in which NumPy reads or writes outside its arrays. They are not made, since they may end the process."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case

COMPARISONS = frozenset({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})
SMALLEST = np.dtype(np.int8)
DIAGONALS = frozenset({"diag", "diagonal", "trace"})
FARTHEST = -(2**31)


def is_memory_unsafe(case: Case) -> bool:
    """Return whether NumPy would read or write outside its arrays in a call of the case."""
    if not (case.kwargs or len(case.args) > 3 or case.is_nested()):
        return _takes_farthest_diagonal(case)
    checks = (_accumulates_into_a_scalar, _masks_a_constant, _takes_farthest_diagonal)
    return any(check(call) for call in case.calls() for check in checks)


def _accumulates_into_a_scalar(call: Case) -> bool:
    """Return whether an accumulation writes to an `out=` of no axes, of which NumPy reads the first length.

    See https://github.com/numpy/numpy/pull/32545.
    """
    function = call.name.rpartition(".")[2]
    out = call.kwargs.get("out", (*call.args, None, None, None, None)[3])
    out = out[0] if isinstance(out, tuple) and out else out
    accumulates = function == "accumulate" or function.removeprefix("nan").startswith("cum")
    return accumulates and isinstance(out, np.ndarray) and out.ndim == 0


def _masks_a_constant(call: Case) -> bool:
    """Return whether `where=` masks a comparison with a Python integer that the other operand's dtype does not hold:
    NumPy knows its result, and the loop that writes it is given other pointers than a masked loop has.

    See https://github.com/numpy/numpy/issues/28117, where this loop is given buffers.
    """
    if call.name not in COMPARISONS or call.kwargs.get("where", True) is True:
        return False
    dtypes = [_find_dtype(value) for value in call.args[:2] if type(value) is not int]
    limits = [np.iinfo(dtype) for dtype in dtypes if dtype.kind in "iu"]
    return any(not limit.min <= value <= limit.max for limit in limits for value in call.args[:2] if type(value) is int)


def _takes_farthest_diagonal(call: Case) -> bool:
    """Return whether a diagonal has the smallest C integer as its offset, which has no negative in C: NumPy takes it
    for a diagonal above the main one, and its elements from outside of the array.
    """
    if call.name.rpartition(".")[2] not in DIAGONALS:
        return False
    return FARTHEST in map(_as_integer, (*call.args, *call.kwargs.values()))


def _as_integer(value: Any) -> int | None:
    """Return a Python or NumPy integer as a Python integer, also in an array without dimensions; None of others."""
    is_integer = isinstance(value, (int, np.integer)) or (
        isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iu"
    )
    return int(value) if is_integer else None


def _find_dtype(value: Any) -> np.dtype:
    """Return the dtype of an operand; that of a call's result is not known, and may be the smallest."""
    return value.dtype if isinstance(value, (np.ndarray, np.generic)) else SMALLEST
