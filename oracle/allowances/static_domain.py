"""Static domain: complex results of emath in a graph, which has to know a dtype before it knows any value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from oracle.allowances.programs import strip_to_last_call
from oracle.case.model import Case
from oracle.subject import parameters_of

SINGLES = tuple(np.dtype(code) for code in "fbhBH")
"""What becomes complex64: all else becomes complex128."""

BEYOND_ONE = frozenset({"emath.arccos", "emath.arcsin", "emath.arctanh"})
"""Functions that unsigned integers may be too large for; none is negative."""


def make_complex_twin(case: Case) -> Case | None:
    """Return the case with the complex numbers, or the floating exponents, for which NumPy takes arrays of which any
    number lies outside the domain of the real function; None where nothing changes.
    """
    if not case.name.startswith("emath."):
        return None
    settled = _settle(case)
    kinds = "iuf" if case.name in BEYOND_ONE else "if"
    extended = _with(settled, ("x", "n"), lambda value: _to_complex(value, kinds))
    changed = _with(extended, ("p",), _to_float)
    if changed is settled:
        return None
    args = [_as_call(new, old) for new, old in zip(changed.args, case.args, strict=True)]
    return Case(case.name, tuple(args), {key: _as_call(changed.kwargs[key], old) for key, old in case.kwargs.items()})


def _as_call(value: Any, argument: Any) -> Any:
    """Return the call that makes an argument, in the dtype of a changed value; other values as they are."""
    return Case("asarray", (argument, value.dtype)) if type(argument) is Case and hasattr(value, "dtype") else value


def _settle(case: Case) -> Case:
    """Return the outermost call over NumPy's results of the calls before it, with arrays for numbers, as a graph has
    tensors; the case itself if it is no program.
    """
    last = strip_to_last_call(case)
    if last is None:
        return case
    args = [_as_array(new, old) for new, old in zip(last.args, case.args, strict=True)]
    return Case(case.name, tuple(args), {key: _as_array(last.kwargs[key], old) for key, old in case.kwargs.items()})


def _as_array(result: Any, argument: Any) -> Any:
    return np.asarray(result) if type(argument) is Case and isinstance(result, np.generic) else result


def _with(case: Case, names: tuple[str, ...], change: Callable[[Any], Any]) -> Case:
    """Return the case with changed arrays where the parameters of these names are; itself if none is changed."""
    parameters = parameters_of(case.name)
    args = [change(value) if name in names else value for name, value in zip(parameters, case.args, strict=False)]
    kwargs = {name: change(value) if name in names else value for name, value in case.kwargs.items()}
    pairs = [*zip(args, case.args, strict=False), *((kwargs[name], case.kwargs[name]) for name in kwargs)]
    return case if all(new is old for new, old in pairs) else Case(case.name, tuple(args), kwargs)


def _to_complex(value: Any, kinds: str) -> Any:
    if type(value) is not np.ndarray or value.dtype.kind not in kinds + "V":
        return value
    return value.astype(np.complex64 if value.dtype.newbyteorder("=") in SINGLES else np.complex128)


def _to_float(value: Any) -> Any:
    return value * 1.0 if type(value) is np.ndarray and value.dtype.kind == "i" else value
