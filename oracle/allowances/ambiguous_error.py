"""Ambiguous errors: of calls that are wrong in two ways, NumPy's order of checks decides which error comes first."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.outcome import Raised, bind_arguments, find_in_numpy, run_numpy


def is_another_fault(case: Case, error: Raised) -> bool:
    """Return whether NumPy raises an error of this class as well, once one argument is no longer what it was; of
    bfloat16, as NumPy has it or as the floating dtype that it is.
    """
    if not error.bases:
        return False
    if len(case.calls()) > 1:  # of a program, one call of which may be wrong for its numbers
        return any(_raises(case.map_arrays(other), error) for other in (np.zeros_like, np.ones_like))
    known = case.map_arrays(lambda array: array.astype(np.float32) if array.dtype == BFLOAT16 else array)
    others = [other for one in (case, known) for other in _without_one(one)]
    if "TypeError" not in error.bases:  # which says that text is no number
        numeric = case.map_leaves(lambda array: array, lambda leaf: 1.0 if _is_text(leaf) else leaf)
        if numeric.args and isinstance(numeric.args[0], str | bytes):  # where it is no option
            numeric = Case(case.name, (1.0, *numeric.args[1:]), numeric.kwargs)
        others.append(numeric)
    others += _name_arguments(case)
    return any(_raises(other, error) for other in others)


def _name_arguments(case: Case) -> list[Case]:
    """Return the call with its arguments by name, where that is possible: NumPy looks at them in another order."""
    arguments = bind_arguments(case)
    try:
        parameters = inspect.signature(find_in_numpy(case.name)).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return []
    if not arguments or any(one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters):
        return []
    positional = [one.name for one in parameters if one.kind is one.POSITIONAL_ONLY]
    named = {name: value for name, value in arguments.items() if name not in positional}
    return [Case(case.name, tuple(arguments[name] for name in positional), named)]


def _is_text(leaf: Any) -> bool:
    return isinstance(leaf, np.str_ | np.bytes_)


CALLING_BY_VALUES = frozenset({"piecewise"})
"""Functions that call others where an array says so: a graph calls them all."""


def is_of_a_function(case: Case, error: Raised) -> bool:
    """Return whether a function raised it that NumPy calls as well, where all arrays say so."""
    return case.name in CALLING_BY_VALUES and _raises(case.map_arrays(np.ones_like), error)


def _raises(case: Case, error: Raised) -> bool:
    raised = run_numpy(case).error
    return raised is not None and raised.bases == error.bases


def _without_one(case: Case) -> Iterator[Case]:
    """Yield the case with each argument in turn at its default, left out, or with one of its own faults less: the
    numbers in it, its dtype, its shape.
    """
    defaults = list_defaults(case)
    for position, value in enumerate(case.args):
        for other in (*defaults.get(position, ()), *_list_benign_values(value)):
            yield Case(case.name, (*case.args[:position], other, *case.args[position + 1 :]), case.kwargs)
    for key, value in case.kwargs.items():
        yield Case(case.name, case.args, {name: other for name, other in case.kwargs.items() if name != key})
        for other in (*_list_benign_values(value), *_list_outs(case, key)):
            yield Case(case.name, case.args, {**case.kwargs, key: other})


def list_defaults(case: Case) -> dict[int, tuple[Any, ...]]:
    """Return the defaults of parameters that are given by position."""
    try:
        parameters = inspect.signature(find_in_numpy(case.name)).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return {}
    return {
        position: (one.default,)
        for position, one in enumerate(parameters)
        if one.default is not one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    }


def _list_benign_values(value: Any) -> tuple[Any, ...]:
    """Return values to put in the place of an argument, which hardly any function rejects.

    They are zeros, which fit everywhere, and integral ones, which may be indices; a single zero, and ones. A number
    that is not an index may be one, too. Several arrays may be the first alone, or the second repeated. An empty
    argument may be a single zero.
    """
    if type(value) is np.ndarray and value.dtype.kind in "biufcV":
        zeros = (np.zeros(value.shape, value.dtype), np.zeros(value.shape, np.int64), np.zeros((), value.dtype))
        return (*zeros, np.ones(value.shape, value.dtype))
    if type(value) is np.ndarray and value.dtype.kind in "SU":
        return np.zeros_like(value), np.ones(value.shape, value.dtype)  # no characters, and a number
    if isinstance(value, (float, complex, np.inexact)):
        return (0, 1)
    if isinstance(value, tuple) and all(type(item) is int for item in value):
        return ((0,) * len(value),)
    if isinstance(value, (list, tuple)) and not value:
        return (type(value)([0]),)
    if isinstance(value, (list, tuple)) and any(type(item) is np.ndarray for item in value):
        return tuple(type(value)([item] * len(value)) for item in value[:2])
    return (0,) if isinstance(value, (int, np.number)) and not isinstance(value, bool) else ()


def _list_outs(case: Case, key: str) -> tuple[np.ndarray, ...]:
    """Return an `out=` of its dtype and the shape of the result."""
    out = case.kwargs[key]
    if key != "out" or type(out) is not np.ndarray:
        return ()
    outcome = run_numpy(Case(case.name, case.args, {name: value for name, value in case.kwargs.items() if name != key}))
    return (np.zeros(outcome.value.shape, out.dtype),) if isinstance(outcome.value, (np.ndarray, np.generic)) else ()
