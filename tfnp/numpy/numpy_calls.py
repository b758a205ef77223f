"""Calls of NumPy itself: of scalars alone, in eager mode, and with arrays where `tfnp` lacks the function, or no tensor
has such a dtype.

`COUNTS` says which functions and modules were used, for the report of `python -m tfnp --report`.
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
_CREATORS: Final = frozenset(("array", "asanyarray", "asarray", "ascontiguousarray", "asarray_chkfinite"))
_DETERMINISTIC: Final = {np.empty: np.zeros}
"""Functions of NumPy in place of those whose result is undefined."""
SCALARS: Final = frozenset(
    (bool, int, float, complex, *(np.dtype(code).type for code in np.typecodes["AllInteger"] + "?efdFD"))
)
"""Classes of numbers whose arrays a tensor can hold."""


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


def promotes_as_numpy() -> bool:
    """Return whether the promotion in force is NumPy's."""
    return dtypes.promotion.mode == "legacy" and not dtypes.promotion.prefer_float32


def call_with_scalars(function: Callable[..., Any], numpy_function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy in place of one of `tfnp`, if its arguments are numbers, or lists of which to make an
    array, and NumPy returns numbers. Return UNKNOWN otherwise.
    """
    values: list[Any] = []
    for value in args:
        known = _read_scalar(value)
        if known is arrays.UNKNOWN and not values and type(value) in (list, tuple) and function.__name__ in _CREATORS:
            known = arrays.to_host(value)
        if known is arrays.UNKNOWN:
            return known
        values.append(known)
    options = {name: _read_scalar(value) for name, value in kwargs.items()}
    is_of_tfnp = "size" in kwargs  # NumPy's functions have no such option
    if is_of_tfnp or arrays.UNKNOWN in options.values() or not executing_eagerly() or not promotes_as_numpy():
        return arrays.UNKNOWN
    return _lift_result(_DETERMINISTIC.get(numpy_function, numpy_function)(*values, **options), values)


def _read_scalar(value: Any) -> Any:
    """Return a number, a tuple of them, or a dtype of numbers; UNKNOWN for other arguments."""
    cls = type(value)
    if cls in SCALARS or value is None:
        return value
    if cls is Public.ndarray:
        return arrays.UNKNOWN if value.shape or not value.is_on_host() else value.memory()
    is_known = (
        all(type(item) in SCALARS for item in value)
        if cls is tuple
        else value.kind in _NUMERIC and dtypes.to_tf_dtype(value) is not None
        if isinstance(value, np.dtype)
        else cls is type and value in SCALARS
    )
    return value if is_known else arrays.UNKNOWN


def _lift_result(result: Any, values: list[Any]) -> Any:
    """Return a result of NumPy's as an array, in memory of its own, or as it is. Return UNKNOWN for other dtypes."""
    if isinstance(result, np.ndarray):
        if result.dtype.kind not in _NUMERIC or dtypes.to_tf_dtype(result.dtype) is None:
            return arrays.UNKNOWN
        is_new = result.base is None and result.flags.c_contiguous and not any(result is value for value in values)
        return arrays.of_memory(Public.ndarray, result if is_new else np.array(result, order="C"))
    if type(result) in (tuple, list):
        items = [_lift_result(item, values) for item in result]
        return arrays.UNKNOWN if any(item is arrays.UNKNOWN for item in items) else type(result)(items)
    return result if type(result) in SCALARS else arrays.UNKNOWN


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
