"""bfloat16, which NumPy knows by `ml_dtypes` only: what to ask it, and which of its answers are none.

Its registered dtype takes Python floats for float32, has no loop for some functions, and answers float32 or float64
where a rule is missing. A Python number beside bfloat16 is weak, as beside any dtype of NumPy's own.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import ml_dtypes
import numpy as np

from oracle.case import Case
from oracle.encoding import function_name

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
MIXING = frozenset(
    {
        *("clip", "where", "maximum", "minimum", "isclose", "allclose", "result_type"),
        "ndarray.__contains__",
    }
)
"""Functions that are no ufuncs and whose Python numbers meet the array's elements."""


OPERATORS = re.compile(
    r"ndarray\.__[ir]?(add|sub|mul|truediv|floordiv|mod|divmod|pow)__|ndarray\.__(eq|ne|lt|le|gt|ge)__"
)
"""The methods by which Python calls ufuncs."""


INTERPOLATING = frozenset({"percentile", "nanpercentile", "quantile", "nanquantile"})
"""Functions that multiply by a Python float, which makes float32 of bfloat16."""


ORDERING = frozenset(
    {
        *("sort", "argsort", "partition", "argpartition", "lexsort", "sort_complex", "searchsorted", "digitize"),
        *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "isin"),
        *("intersect1d", "union1d", "setdiff1d", "setxor1d"),
        *("median", "nanmedian", *INTERPOLATING),
        *(f"ndarray.{name}" for name in ("sort", "argsort", "partition", "argpartition", "searchsorted")),
    }
)
"""Functions that put elements in order: the order of the registered dtype has no place for nan."""


UNKNOWING = frozenset(
    {
        *(f"nan{name}" for name in ("sum", "prod", "max", "min", "mean", "var", "std", "cumsum", "cumprod")),
        *("nanargmax", "nanargmin"),
        *("nan_to_num", "gradient", "vdot", "polydiv", "histogram2d", "histogramdd"),
    }
)
"""Functions that do what they are for, such as leaving out nan, only for dtypes which NumPy knows to be inexact; or
that calculate with numbers of their own, beside which bfloat16 becomes float32.
"""


def concerns(case: Case) -> bool:
    """Whether any input is of bfloat16, or is that dtype."""
    for leaf in case.leaves():
        if isinstance(leaf, ARRAYS):
            if leaf.dtype == BFLOAT16:
                return True
        elif leaf is BFLOAT16.type or (isinstance(leaf, np.dtype) and leaf == BFLOAT16):
            return True
    return False


ARRAYS = (np.ndarray, np.generic)


def weakened(case: Case) -> Case:
    """The case with Python numbers beside bfloat16 made bfloat16, in calls where they meet."""
    found = getattr(np, case.name, None)
    operands = Case(case.name, case.args[: found.nin]) if isinstance(found, np.ufunc) else case
    operands = Case(case.name, case.args[1:]) if case.name == "where" else operands  # without the condition
    is_ufuncs = isinstance(found, np.ufunc) or OPERATORS.fullmatch(case.name) is not None
    if (
        not (is_ufuncs or case.name in MIXING)
        or not concerns(operands)
        or _widest_other(operands) is not None
        or not {"dtype", "signature"}.isdisjoint(case.kwargs)
    ):
        return case

    def weaken(value: Any) -> Any:
        if type(value) is float or (type(value) is int and not is_ufuncs):
            with suppress(OverflowError):
                return BFLOAT16.type(float(value))
        return value

    strong = 1 if case.name in ("clip", "where") else 0  # of what it clips, and the condition, an array is made
    return Case(case.name, (*case.args[:strong], *map(weaken, case.args[strong:])), case.kwargs)


def is_answer(case: Case, value: Any) -> bool:
    """Whether the result is of a dtype that the inputs account for. float16 and bfloat16 have no dtype in common, and
    complex numbers lose a part in bfloat16, which NumPy, taking it for no number, lets pass.
    """
    other = _widest_other(case)
    if other == np.float16:
        return False
    if case.name in ("dot", "ndarray.dot", "inner") and (not isinstance(value, ARRAYS) or value.dtype.kind == "O"):
        return False  # beside an integer, NumPy multiplies Python's objects
    is_weak = any(type(leaf) is complex for leaf in case.leaves())
    if (
        not isinstance(getattr(np, case.name, None), np.ufunc)
        and _kinds_beside(case, "iub" if is_weak else "iu") + is_weak > 1
    ):
        return False  # the common dtype of bfloat16 and several more depends on their order, and on which are weak
    if any(_calls_one_of(UNKNOWING, call) for call in case.calls()):
        return False
    if any((_calls_one_of(ORDERING, call) or _pads_with_medians(call)) and _has_nan(call) for call in case.calls()):
        return False
    if case.kwargs.get("out") is not None and case.name in INTERPOLATING:
        return False  # which is given what is float32, and says no more that it was
    if (other is not None and other.kind == "c") or is_weak:
        return value is not None and all(part.dtype != BFLOAT16 for part in _arrays_in(value))
    if _widest_other(case) is not None or any(isinstance(leaf, (np.dtype, type)) for leaf in case.leaves()):
        return True
    return all(not (part.dtype.kind in "fc" and part.dtype.itemsize > 2) for part in _arrays_in(value))


def _pads_with_medians(call: Case) -> bool:
    modes = (*call.args[2:3], call.kwargs.get("mode"))
    return call.name == "pad" and any(isinstance(mode, str) and mode == "median" for mode in modes)


def is_complaint(bases: tuple[str, ...], message: str) -> bool:
    """Whether an error says that bfloat16 is unknown here, rather than that the call is wrong."""
    return "TypeError" in bases or "bfloat16" in message


def _widest_other(case: Case) -> np.dtype | None:
    """A floating or complex dtype beside bfloat16, to which it would be promoted."""
    for leaf in case.leaves():
        if isinstance(leaf, ARRAYS) and leaf.dtype != BFLOAT16 and leaf.dtype.kind in "fc":
            return leaf.dtype
    return None


def _kinds_beside(case: Case, codes: str) -> int:
    """How many dtypes of some kinds arrays have, or are asked about by name."""
    found = [leaf.dtype for leaf in case.leaves() if isinstance(leaf, ARRAYS)]
    found += [np.dtype(bool) for leaf in case.leaves() if type(leaf) is bool]
    if case.name == "result_type":
        found += [np.dtype(leaf) for leaf in case.leaves() if isinstance(leaf, (np.dtype, type, str))]
    return len({dtype for dtype in found if dtype.kind in codes})


def _calls_one_of(names: frozenset[str], call: Case) -> bool:
    """Whether the call is of one of these functions, or of a function that is given one."""
    given = (leaf for leaf in call.leaves() if callable(leaf) and not isinstance(leaf, type))
    return call.name in names or any(function_name(function) in names for function in given)


def _has_nan(case: Case) -> bool:
    leaves = [leaf for leaf in case.leaves() if isinstance(leaf, ARRAYS) and leaf.dtype == BFLOAT16]
    return any(bool(np.isnan(leaf).any()) for leaf in leaves)


def _arrays_in(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _arrays_in(item)]
    return [value] if isinstance(value, ARRAYS) else []
