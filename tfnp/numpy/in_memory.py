"""Calls that NumPy calculates in the processor's memory, by the policy in force (`tfnp.numpy.calculate_with`).

An op of TensorFlow's takes tens of microseconds to call, in which NumPy calculates small arrays. Where a gradient is
recorded, in graphs, on accelerators and for large arrays the functions of `tfnp` calculate. The line of each name says
up to how many elements NumPy calculates it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from tfnp._core import dtypes
from tfnp._core.eager_tensors import executing_eagerly
from tfnp._core.errors import recursive_error
from tfnp.numpy import arrays
from tfnp.numpy.arrays import UNKNOWN, Public
from tfnp.numpy.policy import ANY, SMALL, Policy, count

DTYPES: Final = frozenset(map(np.dtype, (*np.typecodes["AllInteger"], *"?efdFD")))
SCALARS: Final = frozenset((bool, int, float, complex, *(dtype.type for dtype in DTYPES)))
"""Classes of numbers whose arrays a tensor can hold."""
_CREATORS: Final = frozenset(("array", "asanyarray", "asarray", "ascontiguousarray", "asarray_chkfinite"))
_DETERMINISTIC: Final = {np.empty: np.zeros}
"""Functions of NumPy to call instead of those whose result is undefined."""


def promotes_as_numpy() -> bool:
    """Return whether the promotion in force is NumPy's."""
    return dtypes.promotion.mode == "legacy" and not dtypes.promotion.prefer_float32


def calculate(function: Callable[..., Any], operands: tuple[Any, ...], *, is_cheap: bool = False) -> Any:
    """Return what a ufunc or operator of NumPy makes of small arrays and numbers; UNKNOWN for other operands.

    A cheap one takes no longer than to copy an operand to a tensor: it takes large arrays, too, if one has no tensor.
    """
    if not Policy.uses_numpy:
        return UNKNOWN
    known = []
    most = ANY if Policy.is_always or (is_cheap and any(map(_has_no_tensor, operands))) else SMALL
    for operand in operands:
        known.append(_read_operand(operand, most))
        if known[-1] is UNKNOWN:
            return UNKNOWN
    if not promotes_as_numpy():
        return UNKNOWN
    if Policy.counts is not None:
        count_call(function, known)
    return lift_result(function(*known))


def count_call(function: Any, values: Sequence[Any]) -> None:
    """Count a call, and why NumPy calculates it."""
    sizes = [value.size for value in values if isinstance(value, np.ndarray)]
    reason = "numbers alone" if not sizes else "small arrays" if max(sizes) <= SMALL else "NumPy is faster"
    count(function.__name__, "the policy is numpy" if Policy.is_always else reason)


def write(function: np.ufunc, operands: tuple[Any, ...], output: Any) -> Any:
    """Have a ufunc of NumPy write to a small array what it makes of small arrays and numbers. Return the array.

    Return UNKNOWN for other operands or outputs.
    """
    if not Policy.uses_numpy or type(output) is not Public.ndarray or not output._writeable or not promotes_as_numpy():
        return UNKNOWN
    most = ANY if Policy.is_always else SMALL
    are_arrays = [type(operand) is Public.ndarray for operand in operands]
    if any(_read_operand(operand, most) is UNKNOWN for operand in (*operands, output)):
        return UNKNOWN
    target = output.memory_for_write()  # before the operands are read, which may be views of the same storage
    known = [operand.memory() if is_one else operand for operand, is_one in zip(operands, are_arrays, strict=True)]
    if Policy.counts is not None:
        count_call(function, [*known, target])
    function(*known, out=target)
    return output


def _read_operand(operand: Any, most: float) -> Any:
    """Return the memory of an array of up to `most` elements, or a number; UNKNOWN for others."""
    cls = type(operand)
    if cls is Public.ndarray or cls is np.ndarray:
        return _read_array(operand, most)
    return operand if cls in SCALARS else UNKNOWN


def _has_no_tensor(operand: Any) -> bool:
    return type(operand) is Public.ndarray and operand._storage.has_no_tensor()


def _read_array(array: Any, most: float) -> Any:
    """Return the memory of an array that is small, known, and without a gradient; UNKNOWN for others.

    Arrays of rank 0 are known in a graph, too.
    """
    if type(array) is np.ndarray:
        memory = array
    elif not array.is_on_host() or not array._storage.is_on_processor():
        return UNKNOWN
    else:
        memory = array.memory()
    if memory.ndim and not executing_eagerly():
        return UNKNOWN
    return memory if memory.size <= most and memory.dtype in DTYPES else UNKNOWN


def find_options_of_tfnp(function: Callable[..., Any], numpy_function: Any) -> frozenset[str]:
    """Return the names of parameters that NumPy's function does not have."""
    try:
        return frozenset(inspect.signature(function).parameters) - frozenset(
            inspect.signature(numpy_function).parameters
        )
    except ValueError:  # NumPy's function tells no signature
        return frozenset(("size", "fill_value"))


def call(numpy_function: Any, most: float, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy with numbers, lists of which to make an array, and arrays of up to `most` elements.

    Return UNKNOWN for other arguments, or if no tensor can hold the result.
    """
    if not Policy.uses_numpy or not executing_eagerly() or not promotes_as_numpy():
        return UNKNOWN
    most = ANY if Policy.is_always else most
    values: list[Any] = []
    for value in args:
        known = _read_argument(value, most)
        if known is UNKNOWN and not values and type(value) in (list, tuple) and numpy_function.__name__ in _CREATORS:
            known = arrays.to_host(value)
        if known is UNKNOWN:
            return UNKNOWN
        values.append(known)
    options = {}
    for name, value in kwargs.items():
        options[name] = _read_argument(value, most)
        if options[name] is UNKNOWN:
            return UNKNOWN
    if Policy.counts is not None:
        count_call(numpy_function, values)
    return lift_result(_DETERMINISTIC.get(numpy_function, numpy_function)(*values, **options), values)


def _read_argument(value: Any, most: float) -> Any:
    """Return a number, a tuple of them, a dtype of numbers, a small array, or a list of these; UNKNOWN for others."""
    cls = type(value)
    if cls in SCALARS or value is None:
        return value
    if cls is Public.ndarray or (cls is np.ndarray and most >= 0):
        memory = _read_array(value, max(most, 1))
        return memory if memory is UNKNOWN or most >= 0 or not memory.ndim else UNKNOWN
    if cls is tuple or (cls is list and most >= len(value)):
        try:
            items = [_read_argument(item, most) for item in value]
        except RecursionError:
            raise recursive_error() from None
        return UNKNOWN if any(item is UNKNOWN for item in items) else cls(items)
    is_known = value.kind in "biufc" and value in DTYPES if isinstance(value, np.dtype) else cls is str and most >= 0
    return value if is_known or (cls is type and value in SCALARS) else UNKNOWN


def lift_result(result: Any, values: Sequence[Any] = ()) -> Any:
    """Return a result of NumPy's as an array in memory of its own, or as it is; UNKNOWN if no tensor can hold it.

    `values` are the arguments, whose memory the result may share.
    """
    cls = type(result)
    if cls is np.ndarray:
        if result.dtype not in DTYPES:
            return UNKNOWN
        is_new = result.base is None and result.flags.c_contiguous and not any(result is value for value in values)
        return arrays.of_memory(Public.ndarray, result if is_new else np.array(result, order="C"))
    if isinstance(result, tuple | list):
        items = [lift_result(item, values) for item in result]
        if any(item is UNKNOWN for item in items):
            return UNKNOWN
        return result._make(items) if hasattr(result, "_make") else cls(items)
    return result if cls in SCALARS else UNKNOWN
