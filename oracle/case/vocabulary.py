"""Allowlist of what a case file may name: NumPy's functions, classes and dtypes, from the inventory.

A case file is only data, whoever sent it. No name in it is looked up in a module, so only objects in these tables can
be called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache, wraps
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import ml_dtypes
import numpy as np

from oracle.inventory import LEFT_OUT, NAMES, SERIES_OPERATORS

EXTENSION_DTYPES = {name: np.dtype(getattr(ml_dtypes, name)) for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2")}
DTYPE = re.compile(r"[<>|](?:[biufcSUV]\d{1,10}|[mM]8(?:\[\d{0,9}[A-Za-z]{1,7}\])?|O)", re.ASCII)
LONGEST_QUOTED = 60
MAKERS_OF_GENERATORS = frozenset({"random.default_rng", "random.Generator"})
OF_GENERATORS = "random.Generator."
PYTHON_TYPES = (bool, int, float, complex, str, bytes, object, list, tuple)

CALLABLE = frozenset({*NAMES, *SERIES_OPERATORS})
"""Every name that a case may call or read."""


LAST = "last"
"""The name of a case that is no call: its arguments are made in order, and the last is its value. So a program writes
to an array before a call reads it.
"""

PROGRAM = "program"
"""The name of a case that is no call: the outermost of a program with several results, which are its arguments."""

COMPOSITIONS = frozenset({LAST, PROGRAM})
"""Names of cases that are no calls: they put calls together."""


def check_name(name: str) -> None:
    """Raise ValueError, with the reason or close matches, unless a case may have this name."""
    if name in CALLABLE:
        return
    parts = name.split(".", 3)
    for count in range(1, len(parts) + 1):
        reason = LEFT_OUT.get(".".join(parts[:count]))
        if reason is not None:
            raise ValueError(f"{quote(name)} is left out: {reason}")
    close = get_close_matches(name, CALLABLE, n=3) if len(name) <= LONGEST_QUOTED else []
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    if parts[0] in vars(np):
        raise ValueError(f"{quote(name)} is no name of the inventory{hint}")
    raise ValueError(f"NumPy has no {quote(name)}{hint}")


def numpy_attribute(name: str) -> Any:
    """Return NumPy's object for a name that a case may have. Raises AttributeError for other names."""
    if name == PROGRAM:
        return return_results
    if name not in CALLABLE:
        raise AttributeError(f"NumPy has no {quote(name)} that a case may name")
    value = attrgetter(name)(np)
    return _check_self(value) if name.startswith(OF_GENERATORS) else value


@cache
def constants() -> frozenset[str]:
    """Return the names that a case may have which are no functions of NumPy's, but values: `pi`, `True_`, `c_`."""
    return frozenset(name for name in NAMES if not name.startswith("ndarray.") and not callable(attrgetter(name)(np)))


def return_results(*results: Any) -> tuple[Any, ...]:
    """Return the results of a program."""
    return results


def _check_self(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a method of a generator so that it checks `self`: NumPy's own reads the memory of any object as a
    generator's.
    """

    @wraps(method)
    def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(self, np.random.Generator):
            raise TypeError(f"{method.__name__} needs a Generator, not a {type(self).__name__}")
        return method(self, *args, **kwargs)

    return call


def quote(value: Any) -> str:
    """Return a value from a file for a message: short, on one line."""
    text = repr(value[:LONGEST_QUOTED]) if isinstance(value, str) else f"a {type(value).__name__}"
    return f"{text}..." if isinstance(value, str) and len(value) > LONGEST_QUOTED else text


def function_name(value: Any) -> str | None:
    """Return the dotted name of a function of NumPy's, or None."""
    short = getattr(value, "__name__", "")
    if isinstance(getattr(value, "__self__", None), np.ufunc):
        return f"{value.__self__.__name__}.{short}"
    home = (getattr(value, "__module__", None) or "").removeprefix("numpy").removeprefix(".")
    home = "emath" if home.startswith("lib.") and home.endswith("scimath") else home.removeprefix("lib.")
    for name in (short, f"{home}.{short}", f"{home.partition('.')[0].lstrip('_')}.{short}"):
        try:
            if attrgetter(name)(np) is value:
                return name
        except AttributeError:
            pass
    return None


@cache
def functions() -> Mapping[str, Any]:
    """Return the functions that may be arguments, by `function_name`: those of the inventory."""
    values = {name: attrgetter(name)(np) for name in NAMES if not name.startswith("ndarray.")}
    named = {
        function_name(value): value for value in values.values() if callable(value) and not isinstance(value, type)
    }
    return MappingProxyType({name: value for name, value in named.items() if name in values})


def function_named(name: Any) -> Any:
    """Return the function of this name. Raises ValueError if it is not in the table."""
    function = functions().get(name) if isinstance(name, str) else None
    if function is None:
        raise ValueError(f"no function {quote(name)} that an argument may be")
    return function


def _array_types() -> Iterator[type]:
    yield np.ndarray
    yield from _scalar_types(np.generic)


def _scalar_types(kind: Any) -> Iterator[type]:
    yield kind
    for inner in kind.__subclasses__():
        if inner.__module__ == "numpy" and inner is not np.record:
            yield from _scalar_types(inner)


TYPES: Mapping[str, type] = MappingProxyType(
    {kind.__name__: kind for kind in PYTHON_TYPES}
    | {name: dtype.type for name, dtype in EXTENSION_DTYPES.items()}
    | {f"np.{kind.__name__}": kind for kind in _array_types()}
)
"""The classes that an argument may be: Python's own, arrays, NumPy's scalars and their abstract bases."""

_TYPE_NAMES = {kind: name for name, kind in TYPES.items()}


def type_name(kind: type) -> str:
    """Return the name of a class. Raises TypeError if it is not in the table."""
    try:
        return _TYPE_NAMES[kind]
    except KeyError:
        raise TypeError(f"a case cannot hold the class {kind.__module__}.{kind.__name__}") from None


def type_named(name: Any) -> type:
    """Return the class of this name. Raises ValueError if it is not in the table."""
    kind = TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"unknown class {quote(name)}")
    return kind


def dtype_name(dtype: np.dtype) -> str:
    """Return the name of a dtype. Raises TypeError if it is structured, or no name describes it completely."""
    if dtype.fields or dtype.subdtype or dtype.kind == "T":
        raise TypeError(f"a case cannot hold the dtype {dtype}")
    return dtype.name if dtype.name in EXTENSION_DTYPES else dtype.str


def dtype_named(name: Any) -> np.dtype:
    """Return the dtype of this name. Raises ValueError for any other text."""
    dtype = _dtype_named(name) if isinstance(name, str) else None
    if dtype is None:
        raise ValueError(f"unknown dtype {quote(name)}")
    return dtype


@lru_cache(maxsize=1024)
def _dtype_named(name: str) -> np.dtype | None:
    if name in EXTENSION_DTYPES:
        return EXTENSION_DTYPES[name]
    if not DTYPE.fullmatch(name):
        return None
    try:
        dtype = np.dtype(name)
    except (TypeError, ValueError):
        return None
    return dtype if dtype.str == name else None
