"""Calls of NumPy itself, where `tfnp` lacks the function, or no tensor has such a dtype.

`COUNTS` says which functions and modules were used, and why, for the report of `python -m tfnp --report`.
"""

from __future__ import annotations

import functools
import io
import operator
import os
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes
from tfnp._core.array_subclasses import NO_MASKS, NO_OVERRIDES
from tfnp._core.eager_tensors import executing_eagerly
from tfnp.numpy import arrays
from tfnp.numpy.arrays import Array, Public

COUNTS: Final[Counter[str]] = Counter()
_NAMESPACES: Final = ("linalg", "fft", "strings")
_NUMERIC: Final = "biufc"
_SCALARS: Final = frozenset((bool, int, float, complex, str, bytes, slice, type(...)))
_KNOWN: Final = (
    *(Array, tf.Tensor, tf.Variable, tf.DType, tf.TensorShape, dict, range, slice, str, os.PathLike, io.IOBase),
    *(np.random.Generator, np.random.RandomState, np.random.BitGenerator, np.random.SeedSequence),
)
_TIMES: Final = (np.datetime64, np.timedelta64, np.void, np.longdouble, np.clongdouble)


def to_numpy(value: Any) -> Any:
    """Return a value with NumPy's arrays in place of arrays, also in lists, tuples and dictionaries."""
    if isinstance(value, Array):
        return np.asarray(value)
    if isinstance(value, tuple | list):
        return type(value)(map(to_numpy, value))
    if value is Public.ndarray:
        return np.ndarray
    if isinstance(value, dict):
        return {key: to_numpy(item) for key, item in value.items()}
    known = arrays.to_host(value)
    return value if known is arrays.UNKNOWN else known


def lift_numpy(result: Any) -> Any:
    """Return NumPy's arrays as arrays, where a tensor can hold them."""
    is_array = type(result) is np.ndarray and result.dtype.isnative
    if is_array and result.dtype.kind in _NUMERIC and dtypes.to_tf_dtype(result.dtype):
        return arrays.of_memory(Public.ndarray, np.array(result, order="C"))
    return type(result)(map(lift_numpy, result)) if type(result) in (tuple, list) else result


def call_numpy(function: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy, and count it."""
    COUNTS[name] += 1
    return lift_numpy(function(*to_numpy(args), **to_numpy(kwargs)))


ERRORS: Final = (AttributeError, TypeError, ValueError)
"""What functions of `tfnp` and TensorFlow raise for arguments that no tensor can hold."""


def call_numpy_instead(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: Exception,
    numpy_function: Callable[..., Any] | None = None,
) -> Any:
    """Call NumPy's function in place of one of `tfnp` that raised an error, if no tensor can hold an argument, such as
    objects and masked arrays. Raise the error again if all arguments are numbers and text.
    """
    numpy_function = find_numpy_function(function) if numpy_function is None else numpy_function
    if numpy_function is None or not executing_eagerly():
        raise error
    if not says_unsupported(error) and not is_unsupported([*args, *kwargs.values()], is_item=False):
        raise error
    return call_numpy(numpy_function, f"{numpy_function.__name__}, for arrays that TensorFlow lacks", args, kwargs)


def fall_back(function: Callable[..., Any], numpy_function: Callable[..., Any]) -> Any:
    """Return a function of arrays that calls NumPy's for arguments that no tensor can hold."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except ERRORS as error:
            return call_numpy_instead(function, args, kwargs, error, numpy_function)

    return call


def is_unsupported(value: Any, *, is_item: bool = True) -> bool:
    """Return whether no tensor can hold a value, or an item of a list or tuple: it has a dtype that TensorFlow lacks,
    or is an object that is no number, text or array. The arguments themselves may be None.
    """
    cls = type(value)
    if cls in _SCALARS or (value is None and not is_item):
        return False
    if cls in (list, tuple):
        try:
            return any(is_unsupported(item, is_item=is_item and value is not None) for item in value)
        except RecursionError:  # NumPy has no array of it, either
            return False
    if isinstance(value, np.ndarray | np.generic):
        return not isinstance(value, Array) and (
            isinstance(value, np.ma.MaskedArray) or dtypes.to_tf_dtype(value.dtype) is None
        )
    if isinstance(value, np.dtype):
        return dtypes.to_tf_dtype(value) is None
    if isinstance(value, type):
        return value in (object, Public.ndarray, np.ndarray) or issubclass(value, _TIMES)
    return not callable(value) and not hasattr(cls, "__array__") and not isinstance(value, _KNOWN)


def says_unsupported(error: Exception) -> bool:
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
    if namespace == "polynomial":
        return getattr(getattr(np.polynomial, module.rpartition(".")[2], None), name, None)
    if namespace in _NAMESPACES:
        return getattr(getattr(np, namespace), name, None)
    return getattr(np, name, None) if namespace in ("", "routines") else None


def apply_numpy_operator(name: str, array: Array, other: Any) -> Any:
    """Apply NumPy's operator to an array and an operand that no tensor can hold."""
    return call_numpy(operator.methodcaller(name, to_numpy(other)), f"operators, {name}", (array,), {})
