"""Allowances for emath: complex results in a graph, which has to know a dtype before it knows any value."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.accepted_differences import subnormals
from oracle.accepted_differences.model import TRACED, Allowance, Query, Reason, by_answer_to
from oracle.case.model import Case
from oracle.reference.environments import flush_subnormals
from oracle.reference.outcome import run_numpy
from oracle.subject import parameters_of
from oracle.transforms import precision

SINGLES = tuple(np.dtype(code) for code in "fbhBH")
"""What becomes complex64: all else becomes complex128."""

BEYOND_ONE = frozenset({"emath.arccos", "emath.arcsin", "emath.arctanh"})
"""Functions that unsigned integers may be too large for; none is negative."""


def make_complex_twin(case: Case) -> Case | None:
    """Return the program with the complex numbers, or the floating exponents, for which calls to emath take arrays of
    which any number lies outside the domain of the real function; None where nothing changes.
    """
    twins: dict[int, Case] = {}

    def change(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)(map(change, value))
        if type(value) is not Case:
            return value
        if id(value) not in twins:
            twins[id(value)] = change_call(value)
        return twins[id(value)]

    def change_call(call: Case) -> Case:
        args, kwargs = [change(arg) for arg in call.args], {key: change(arg) for key, arg in call.kwargs.items()}
        if call.name.startswith("emath."):
            named = zip(parameters_of(call.name), args, strict=False)
            args = [_extend(call.name, name, arg, old) for (name, arg), old in zip(named, call.args, strict=True)]
            kwargs = {name: _extend(call.name, name, arg, call.kwargs[name]) for name, arg in kwargs.items()}
        is_old = _are_same(args, call.args) and _are_same(list(kwargs.values()), list(call.kwargs.values()))
        return call if is_old else Case(call.name, tuple(args), kwargs)

    twin = change_call(case)
    return None if twin is case else twin


def _are_same(one: Any, other: Any) -> bool:
    if type(one) in (list, tuple):
        return all(_are_same(*pair) for pair in zip(one, other, strict=True))
    return one is other


def _extend(function: str, name: str, value: Any, argument: Any) -> Any:
    """Return an argument of a function in the dtype that a graph has to take it in. `argument` is what it was: of a
    call NumPy's result is looked at, as an array, which a graph has for every number.
    """
    known = argument
    if type(argument) is Case:
        result = run_numpy(argument).value
        known = np.asarray(result) if isinstance(result, np.generic) else result
    dtype = _find_dtype(function, name, known)
    if dtype is None:
        return value
    return Case("asarray", (value, dtype)) if type(argument) is Case else known.astype(dtype)


def _find_dtype(function: str, name: str, value: Any) -> np.dtype | None:
    """Return the dtype that an array becomes; None where it stays as it is."""
    if type(value) is not np.ndarray:
        return None
    kinds = {"x": "iuf" if function in BEYOND_ONE else "if", "n": "if"}.get(name, "")
    if kinds and value.dtype.kind in kinds + "V":
        return np.dtype(np.complex64 if value.dtype.newbyteorder("=") in SINGLES else np.complex128)
    return np.dtype(np.float64) if name == "p" and value.dtype.kind == "i" else None


def _flushed_twin(case: Case) -> Case | None:
    """Return the twin of a case with zeros for subnormal numbers; None where there are none."""
    if not precision.has_subnormals(case):
        return None
    other = make_complex_twin(precision.flush(case))
    return None if other is None else precision.flush(other)


def _is_flushed_twin(query: Query) -> bool:
    """Return whether the outcome is right for the twin; its dtype is only where values are unknown."""
    flushed, twin = _flushed_twin(query.case), make_complex_twin(query.case)
    is_unknown = query.deviation.kind == "value" or query.mode.is_traced
    if flushed is None or not is_unknown:
        return False
    return not query.compare(flushed) or (twin is not None and not query.compare(twin, within=flush_subnormals))


ALLOWANCES = (
    Allowance(
        id="domain.complex",
        reason=Reason.DECISION,
        names=("emath.*",),
        modes=TRACED,
        kinds=("dtype", "value", "shape", "structure", "spurious error"),
        **by_answer_to(make_complex_twin),
        asks_again=True,
        why="a graph uses the complex function wherever a number may be outside the domain of the real one",
        most=1.0,
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="domain.complex-of-subnormal",
        reason=Reason.TENSORFLOW_FAULT,
        names=("emath.*",),
        kinds=("dtype", "value"),
        applies=lambda case, expected: _flushed_twin(case) is not None,
        holds=_is_flushed_twin,
        asks_again=True,
        why="complex functions, which a graph uses for all numbers, flush subnormal numbers to zero",
        link=subnormals.LINK,
        until="2.23",
        most=0.3,
    ),
)
