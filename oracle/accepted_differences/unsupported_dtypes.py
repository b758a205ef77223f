"""Unsupported dtypes: calls that need one that TensorFlow lacks, or text, and errors that say so."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from oracle.accepted_differences.model import Query, first_argument
from oracle.case.model import Case
from oracle.reference.display import flatten
from oracle.reference.outcome import Outcome, find_in_numpy, run_numpy, ufunc_inputs
from oracle.signatures import inspect_signature
from oracle.transforms.last_call import strip_to_last_call

NAMES_DTYPE = re.compile(
    r"\b(object|datetime64|timedelta64|c?longdouble|float128|complex256|void|str_|bytes_)\b|[<|][MmUS]\d|dtype\('O'\)"
)
"""What a clear refusal says."""

XLA_LACKS_TEXT = re.compile(r"\btext\b|\bstr_\b|strings?\b|XLA_CPU_JIT|XLA_GPU_JIT", re.IGNORECASE)


def lacks_tensor(dtype: np.dtype) -> bool:
    """Return whether TensorFlow lacks the dtype."""
    return dtype.kind in "MmO" or dtype.char in "gG" or dtype == np.void


def needs_unsupported_dtype(case: Case, expected: Outcome) -> bool:
    """Return whether an argument or NumPy's result has a dtype that no tensor has."""
    dtypes = [_dtype_of(part) for part in flatten(expected.value)] if expected.ok else []
    if not expected.ok and _has_object_for_array(case):
        dtypes.append(np.dtype(object))
    for call in case.calls():
        dtypes += [_dtype_of(value) for value in (*call.args, *call.kwargs.values())]
        stripped = strip_to_last_call(call) or call
        dtypes += [np.dtype(object)] if _has_object_for_data(stripped) or _has_index_for_data(stripped) else []
        operands = call.args if call.name.startswith("strings.") else _list_operands(call)
        dtypes += [np.dtype(object) for value in operands if _is_object(value)]
        dtypes += [_dtype_of(leaf) for leaf in call.leaves()]
        if _names_unsupported_loop(call.kwargs.get("signature")) or _names_unsupported_loop(call.kwargs.get("sig")):
            return True
    return any(lacks_tensor(dtype) for dtype in dtypes if dtype is not None)


def _has_object_for_array(case: Case) -> bool:
    """Return whether an argument is a class, or None where the parameter has no default."""
    required = _count_required(case.name)
    return any(
        isinstance(value, type) or (value is None and position < required) for position, value in enumerate(case.args)
    )


def _count_required(name: str) -> int:
    """Return how many positional parameters of NumPy's function have no default; all, if it tells no signature."""
    try:
        parameters = inspect_signature(find_in_numpy(name)).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return sys.maxsize
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    has_any = any(one.kind is one.VAR_POSITIONAL for one in parameters)
    return sys.maxsize if has_any else sum(one.default is one.empty for one in positional)


def _is_object(value: Any) -> bool:
    """Return whether an array of the value is one of objects."""
    return value is None or value is Ellipsis or isinstance(value, slice | dict) or callable(value)


def _list_operands(call: Case) -> tuple[Any, ...]:
    """Return the arguments of which NumPy makes arrays, as far as that is known: the first, and a ufunc's others."""
    if call.name.endswith(".at"):
        return (*call.args[:1], *call.args[2:])
    return call.args[: ufunc_inputs(call.name)] if ufunc_inputs(call.name) else first_argument(call)


TAKE_SLICES = re.compile(r"(ndarray\.__(get|set|del)item__|insert|delete|s_|r_|c_|ix_|index_exp|[mo]grid)\b|.*\.at$")
"""Functions of which a slice or an ellipsis may be an index."""


def _has_index_for_data(case: Case) -> bool:
    """Return whether a slice, an ellipsis or a dictionary is an operand, which is an error or an array of objects."""
    if TAKE_SLICES.match(case.name):
        return False
    operands = [*case.args, *(value for name, value in case.kwargs.items() if name not in ("out", "where"))]
    return any(value is Ellipsis or isinstance(value, (slice, dict)) for value in operands)


def _has_object_for_data(case: Case) -> bool:
    """Return whether NumPy makes an array of objects of an argument that is None, a slice, a function or the like."""
    items: list[tuple[int | str, Any]] = [*enumerate(case.args), *case.kwargs.items()]
    return any(_is_made_array(case, value, partial(_replace, case, key)) for key, value in items)


def _replace(case: Case, key: int | str, other: Any) -> Case:
    """Return the case with another argument at a position or of a name."""
    if isinstance(key, int):
        return Case(case.name, (*case.args[:key], other, *case.args[key + 1 :]), case.kwargs)
    return Case(case.name, case.args, {**case.kwargs, key: other})


def _is_made_array(case: Case, value: Any, with_other: Callable[[Any], Case]) -> bool:
    """Return whether NumPy answers alike to an array of one object, and takes one of two, which has no truth value."""
    if type(value) is Case or not (
        value is None or value is Ellipsis or callable(value) or isinstance(value, (slice, dict))
    ):
        return False
    one, two = np.empty((), object), np.empty(2, object)
    one[()] = two[0] = two[1] = value
    outcome, outcome_of_one = run_numpy(case), run_numpy(with_other(one))
    if outcome.error is not None and outcome_of_one.error is not None:
        return outcome.error == outcome_of_one.error and run_numpy(with_other(two)).ok
    if not (outcome.ok and outcome_of_one.ok):
        return False
    parts, others = (flatten(outcome.value) for outcome in (outcome, outcome_of_one))
    forms, other_forms = ([(np.shape(part), type(part)) for part in every] for every in (parts, others))
    return forms == other_forms and run_numpy(with_other(two)).ok


def _dtype_of(value: Any) -> np.dtype | None:
    """Return the dtype that a value is, names, or would have as an array."""
    if isinstance(value, np.dtype):
        return value
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype
    if isinstance(value, str) and value in ("O", "object"):
        return np.dtype(object)
    if isinstance(value, type):
        try:
            return np.dtype(value) if value is object or issubclass(value, np.generic) else None
        except TypeError:  # an abstract class, such as np.inexact
            return None
    if isinstance(value, Case):
        outcome = run_numpy(value)
        return _dtype_of(outcome.value) if outcome.ok else None
    if value is None or callable(value) or isinstance(value, (slice, dict)) or value is Ellipsis:
        return None
    try:
        return np.asarray(value).dtype
    except (TypeError, ValueError, OverflowError):
        return np.dtype(object)


def _names_unsupported_loop(signature: Any) -> bool:
    """Return whether a ufunc's loop is named by letters of such dtypes."""
    return isinstance(signature, str) and "->" in signature and not set("gGOMm").isdisjoint(signature)


def names_the_dtype(query: Query) -> bool:
    """Return whether the error names a dtype that no tensor has."""
    error = query.actual.error
    return error is not None and error.bases == ("TypeError",) and NAMES_DTYPE.search(error.message) is not None


def has_text(case: Case, expected: Outcome) -> bool:
    """Return whether the case is about text: by its function, its arrays, a dtype that it names, or its result."""
    dtypes = [_dtype_of(leaf) for call in case.calls() for leaf in call.leaves() if not isinstance(leaf, str)]
    dtypes += [_dtype_of(value) for call in case.calls() for value in first_argument(call) if isinstance(value, str)]
    dtypes += [_dtype_of(part) for part in flatten(expected.value)] if expected.ok else []
    names_text = any(call.kwargs.get("dtype") in (str, "U", "S", "str") for call in case.calls())
    is_of_text = any(call.name.startswith("strings.") for call in case.calls())
    return is_of_text or names_text or any(dtype is not None and dtype.kind in "UST" for dtype in dtypes)


def says_no_text(query: Query) -> bool:
    """Return whether the error says that XLA has no text."""
    error = query.actual.error
    return error is not None and (
        (error.bases == ("TypeError",) and XLA_LACKS_TEXT.search(error.message) is not None)
        or "XLA_CPU_JIT" in error.message
        or "XLA_GPU_JIT" in error.message
    )
