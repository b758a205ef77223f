"""Adapters of libraries that have arrays of their own and no adapter, inferred from one conversion of an array."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np

from oracle.adapter import Adapter, ByDesign, fill_text

CONVERTERS = ("asarray", "from_numpy", "array")
"""Functions that make an array of NumPy's one, in the order in which they are tried."""

BACK = ("numpy", "dense")
"""What is in the names of methods that give NumPy's array: `to_numpy`, `numpy`, `todense`."""

SAMPLE = "np.array([0.0, 1.5])"

OTHER_DTYPES = ByDesign(
    "dtypes", "dtypes are objects of its own", ("structure",), r"expected dtype\('\w+'\), got Foreign"
)


def infer_adapter(name: str, module: ModuleType) -> Adapter | None:
    """Return the adapter of a library whose own function makes arrays of a class of the library's, which can be
    converted back; None for any other library.
    """
    names: dict[str, Any] = {"xp": module, "np": np}
    for converter in CONVERTERS:
        function = _evaluate(f"xp.{converter}", names)
        if not callable(function) or function is getattr(np, converter, None):
            continue
        from_numpy = f"xp.{converter}({{}})"
        made = _evaluate(fill_text(from_numpy, SAMPLE), names)
        position = _find_class(made, name.partition(".")[0])
        to_numpy = next(filter(lambda text: _gives_back(text, made, names), _list_conversions(made)), "")
        if position is None or not to_numpy:
            return None
        names_dtypes = hasattr(made, "dtype") and not isinstance(made.dtype, np.dtype)
        home, _, last = name.rpartition(".")
        return Adapter(
            name=name,
            imports=f"from {home} import {last} as xp" if home else f"import {name} as xp",
            array=f"type({fill_text(from_numpy, SAMPLE)}).__mro__[{position}]",
            from_numpy=from_numpy,
            to_numpy=to_numpy,
            dtype="xp.{}" if names_dtypes else "",
            scalars=not names_dtypes,
            streams=False,
            by_design=(OTHER_DTYPES,) if names_dtypes else (),
        )
    return None


def _evaluate(text: str, names: dict[str, Any]) -> Any:
    """Return the value of a text; None if it fails."""
    with warnings.catch_warnings(), suppress(Exception):
        warnings.simplefilter("ignore")
        return eval(text, names)
    return None


def _find_class(array: Any, package: str) -> int | None:
    """Return which of the classes of an array is the most general one that the package defines; None if it is NumPy's
    array, or of another package.
    """
    if isinstance(array, np.ndarray | np.generic):
        return None
    classes = [i for i, kind in enumerate(type(array).__mro__) if kind.__module__.partition(".")[0] == package]
    return classes[-1] if classes else None


def _list_conversions(array: Any) -> Iterator[str]:
    yield "np.asarray({})"
    for method in dir(array):
        if not method.startswith("_") and any(part in method.lower() for part in BACK):
            yield f"np.asarray({{}}.{method}())"


def _gives_back(text: str, array: Any, names: dict[str, Any]) -> bool:
    back, expected = _evaluate(fill_text(text, "array"), {**names, "array": array}), np.array([0.0, 1.5])
    return isinstance(back, np.ndarray) and back.dtype == expected.dtype and np.array_equal(back, expected)
