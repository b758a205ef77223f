"""Parameters that NumPy's manual calls array_like, and calls that give arrays for them, as some libraries need."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from fuzz.generate.signatures import POSITIONAL, find_object, parameters_of
from oracle import Case

ONLY_ARRAYS = "numbers for arrays"
"""What stands among the parameters that a function is never given, if it takes no numbers and lists for arrays."""

_DESCRIBED = re.compile(r"^(\w+(?:, *\w+)*) *: *(.*)$", re.MULTILINE)


@cache
def list_array_likes(name: str) -> tuple[str, ...]:
    """Return the parameters that the docstring of NumPy's function describes as array_like."""
    text = inspect.cleandoc(getattr(find_object(name), "__doc__", None) or "").partition("Returns\n")[0]
    described = [(names, kind) for names, kind in _DESCRIBED.findall(text) if re.search(r"\barray_?like\b", kind)]
    found = {one for names, kind in described if "sequence" not in kind for one in re.split(", *", names)}
    return tuple(key for key in parameters_of(name) if key in found)


def make_arrays(case: Case) -> Case:
    """Return the call with an array for its first array_like argument, and for further ones that are lists. A number
    beside an array stays: libraries that take only arrays take it, as Python's operators do.
    """
    return _convert(case, _make_array)


def make_numbers(case: Case) -> Case:
    """Return the call with numbers and lists for its array_like arguments."""
    return _convert(case, lambda value, is_first: value.tolist() if isinstance(value, np.ndarray) else value)


def _convert(case: Case, convert: Callable[[Any, bool], Any]) -> Case:
    keys = list_array_likes(case.name)
    positional = [one.name for one in parameters_of(case.name).values() if one.kind in POSITIONAL]
    args = list(case.args)
    for position, key in enumerate(positional[: len(args)]):
        if key in keys:
            args[position] = convert(args[position], key == keys[0])
    kwargs = {key: convert(value, key == keys[0]) if key in keys else value for key, value in case.kwargs.items()}
    return Case(case.name, tuple(args), kwargs)


def _make_array(value: Any, is_first: bool) -> Any:
    is_number = type(value) in (bool, int, float, complex)
    if not (type(value) is list or (is_number and is_first)):
        return value
    try:
        made = np.asarray(value)
    except ValueError:  # lists of different lengths
        return value
    return made if made.dtype.kind in "biufcUS" else value
