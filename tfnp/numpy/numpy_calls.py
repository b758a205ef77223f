"""Calls of NumPy itself, where `tfnp` lacks the function, or no tensor has such a dtype.

`COUNTS` says which functions and modules were used, and why, for the report of `python -m tfnp --report`.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from tfnp._core import dtypes
from tfnp._core.array_subclasses import NO_MASKS, NO_OVERRIDES
from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import arrays
from tfnp.numpy.arrays import Array, Public

COUNTS: Final[Counter[str]] = Counter()
_NAMESPACES: Final = ("linalg", "fft", "strings")
_NUMERIC: Final = "biufc"


def to_numpy(value: Any) -> Any:
    """Return a value with NumPy's arrays in place of arrays, also in lists, tuples and dictionaries."""
    if isinstance(value, Array):
        return np.asarray(value)
    if isinstance(value, tuple | list):
        return type(value)(map(to_numpy, value))
    if isinstance(value, dict):
        return {key: to_numpy(item) for key, item in value.items()}
    known = arrays.to_host(value)
    return value if known is arrays.UNKNOWN else known


def lift_numpy(result: Any) -> Any:
    """Return NumPy's arrays as arrays, where a tensor can hold them."""
    if type(result) is np.ndarray and result.dtype.kind in _NUMERIC and dtypes.to_tf_dtype(result.dtype):
        return arrays.of_memory(Public.ndarray, np.array(result, order="C"))
    return type(result)(map(lift_numpy, result)) if type(result) in (tuple, list) else result


def call_numpy(function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy, and count it."""
    COUNTS[name] += 1
    return lift_numpy(function(*to_numpy(args), **to_numpy(kwargs)))


def call_numpy_instead(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], error: TypeError
) -> Any:
    """Call NumPy's function in place of one of `tfnp` that raised an error because no tensor can hold an argument, such
    as objects and masked arrays. Raise any other error again.
    """
    numpy_function = find_numpy_function(function)
    if numpy_function is None or not executing_eagerly() or not says_unsupported(error):
        raise error
    return call_numpy(numpy_function, f"{numpy_function.__name__}, for arrays that TensorFlow lacks", args, kwargs)


def says_unsupported(error: TypeError) -> bool:
    """Return whether an error says that no tensor can hold an array."""
    message = str(error)
    return message.endswith(dtypes.UNSUPPORTED) or NO_MASKS in message or NO_OVERRIDES in message


def find_numpy_function(function: Any) -> Any:
    """Return NumPy's function, ufunc or method for one of `tfnp`; None if there is none."""
    owner, name = getattr(function, "__self__", function), getattr(function, "__name__", "")
    numpy_ufunc = getattr(owner, "_numpy_ufunc", None)
    if numpy_ufunc is not None:
        return numpy_ufunc if owner is function else getattr(numpy_ufunc, name)
    _, _, module = function.__module__.partition("tfnp.")
    if module.startswith(("_methods", "numpy.viewing")):
        return getattr(np.ndarray, name, None)
    namespace = module.partition(".")[0]
    if namespace in _NAMESPACES:
        return getattr(getattr(np, namespace), name, None)
    return getattr(np, name, None) if namespace in ("", "routines") else None


def apply_numpy_operator(name: str, array: Array, other: Any, error: TypeError) -> Any:
    """Apply NumPy's operator, if TensorFlow's raised an error because no tensor has the dtype of the other operand."""
    if not executing_eagerly() or not says_unsupported(error):
        raise error
    return call_numpy(operator.methodcaller(name, to_numpy(other)), f"operators, {name}", (array,), {})
