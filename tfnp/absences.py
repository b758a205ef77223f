"""Names of NumPy's that are not here, and why: what `tfnp.NAME` says then."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

import numpy as np

_LAYOUT = "memory layout is not observable in a tensor"
_EXOTIC = "TensorFlow has no such dtype"
_LEGACY = "legacy: the manual advises against it"
_DATES = "datetimes are left out: TensorFlow has no such dtype"
_RECORDS = "record arrays are left out"
_ITERATOR = "an iterator over memory"

REASONS: Final[dict[str, str]] = {
    "ma": "masked arrays are left out",
    "rec": _RECORDS,
    "recarray": _RECORDS,
    "record": _RECORDS,
    "fromregex": _RECORDS,
    "char": "legacy: its functions are in strings",
    "core": "private since NumPy 2.0",
    "ctypeslib": "C pointers to memory",
    "f2py": "a compiler of Fortran",
    "get_include": "the C API is left out",
    "matlib": _LEGACY,
    "matrix": _LEGACY,
    "asmatrix": _LEGACY,
    "bmat": _LEGACY,
    "chararray": _LEGACY,
    "in1d": "deprecated; gone in NumPy 2.4",
    "trapz": "deprecated; gone in NumPy 2.4",
    "test": "runs NumPy's own tests",
    "memmap": "maps files to memory",
    "flatiter": _ITERATOR,
    "nditer": _ITERATOR,
    "nested_iters": _ITERATOR,
    "may_share_memory": _LAYOUT,
    "shares_memory": _LAYOUT,
    "busday_count": _DATES,
    "busday_offset": _DATES,
    "busdaycalendar": _DATES,
    "is_busday": _DATES,
    "datetime64": _DATES,
    "timedelta64": _DATES,
    "datetime_as_string": _DATES,
    "datetime_data": _DATES,
    "object_": _EXOTIC,
    "void": _EXOTIC,
    "longdouble": _EXOTIC,
    "clongdouble": _EXOTIC,
    "float128": _EXOTIC,
    "complex256": _EXOTIC,
    "float96": _EXOTIC,
    "complex192": _EXOTIC,
    "__array_api_version__": "says that a version of the standard is kept in full, which nobody has shown of tfnp",
}


def explain(name: str, present: Iterable[str]) -> AttributeError:
    """The error for a name that is not here, given those that are."""
    if name in REASONS:
        return _error(name, f": {REASONS[name]}")
    advice = getattr(np, "__expired_attributes__", {}).get(name)
    if advice is not None:
        return _error(name, f", nor has NumPy since 2.0: {advice}")
    if not name.startswith("_") and name in dir(np):
        return _error(name, ", which NumPy has")
    static = [one for one in present if not one.startswith("_")]
    close = [] if name.startswith("_") else difflib.get_close_matches(name, static, 3)
    return _error(name, f"; did you mean {' or '.join(close)}?" if close else "")


def _error(name: str, more: str) -> AttributeError:
    return AttributeError(f"module 'tfnp' has no attribute {name!r}{more}", name=name)
