"""The names of NumPy that tfnp leaves out, each with the reason and the alternative: the message of `tfnp.NAME`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

import numpy as np

_LAYOUT = "left out because the memory of a tensor is not observable; use `is` to compare two tensors"
_EXOTIC = "left out because TensorFlow has no such dtype"
_LONG = f"{_EXOTIC}; use float64 or complex128"
_OBJECT = f"{_EXOTIC}; use numeric dtypes, or a Python list of tensors"
_MATRIX = "left out because NumPy advises against matrix objects; use 2-d arrays and @"
_DATES = f"{_EXOTIC}; use int64 counts of a time unit, or NumPy itself before converting to tensors"
_RECORDS = f"{_EXOTIC} for records; use one tensor per field, or a dict of tensors"
_ITERATOR = "left out because it iterates over memory, which a tensor hides; use ndindex, ndenumerate or .flat"

REASONS: Final[dict[str, str]] = {
    "ma": "left out because tensors have no masks; use a boolean array with where=, or the nan functions",
    "rec": _RECORDS,
    "recarray": _RECORDS,
    "record": _RECORDS,
    "fromregex": _RECORDS,
    "char": "left out because NumPy calls it legacy; use tfnp.strings",
    "core": "left out because it is private since NumPy 2.0; use the public names of tfnp",
    "ctypeslib": "left out because a tensor does not expose C pointers; use numpy.ctypeslib on numpy.asarray(tensor)",
    "f2py": "left out because it compiles Fortran; use numpy.f2py",
    "get_include": "left out because tfnp has no C API; use numpy.get_include()",
    "matlib": _MATRIX,
    "matrix": _MATRIX,
    "asmatrix": _MATRIX,
    "bmat": "left out because NumPy advises against matrix objects; use block",
    "chararray": "left out because NumPy calls it legacy; use tensors of tf.string with tfnp.strings",
    "in1d": "left out because NumPy 2.4 removed it; use isin",
    "trapz": "left out because NumPy 2.4 removed it; use trapezoid",
    "test": "left out because it runs NumPy's own tests; use numpy.test()",
    "memmap": "left out because a tensor cannot map a file; use numpy.memmap and convert slices of it with asarray",
    "flatiter": "left out because it is the class of an iterator over memory; use .flat",
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
    "object_": _OBJECT,
    "void": _OBJECT,
    "longdouble": _LONG,
    "clongdouble": _LONG,
    "float128": _LONG,
    "complex256": _LONG,
    "float96": _LONG,
    "complex192": _LONG,
    "__array_api_version__": "left out because tfnp does not claim to implement a version of the array API standard in "
    "full; use __array_namespace_info__",
}


REMOVED_ALIASES: Final = frozenset({"complex", "float", "int", "object", "str"})
"""Builtins that NumPy had as names, too."""


def explain(name: str, present: Iterable[str], module: str = "tfnp") -> AttributeError:
    """Return the AttributeError for an absent name of a module, given the names that are present."""
    if name in REASONS:
        return _make_error(module, name, f": {REASONS[name]}")
    advice = getattr(np, "__expired_attributes__", {}).get(name)
    if advice is not None:
        return _make_error(module, name, f", nor has NumPy since 2.0: {advice}")
    if name in REMOVED_ALIASES:
        return _make_error(
            module, name, f": NumPy removed this alias of the builtin; use {name}, or a dtype such as {module}.int64"
        )
    if not name.startswith("_") and hasattr(np, name):
        return _make_error(module, name, f": left out because it is about NumPy itself; use numpy.{name}")
    public = [candidate for candidate in present if not candidate.startswith("_")]
    close = [] if name.startswith("_") else difflib.get_close_matches(name, public, 3)
    return _make_error(module, name, f"; did you mean {' or '.join(close)}?" if close else "")


def _make_error(module: str, name: str, detail: str) -> AttributeError:
    return AttributeError(f"module {module!r} has no attribute {name!r}{detail}", name=name)
