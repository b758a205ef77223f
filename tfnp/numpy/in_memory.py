"""Calls that NumPy calculates in the processor's memory, by the policy in force (`tfnp.numpy.calculate_with`).

An op of TensorFlow's takes tens of microseconds to call, in which NumPy calculates small arrays. An array that was
written to, or that NumPy made, has to be copied to a tensor first, in which time NumPy calculates most functions of it.
Where a gradient is recorded, in graphs, on accelerators and for large tensors the functions of `tfnp` calculate. The
line of each name says up to how many elements NumPy calculates it.
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
from tfnp.numpy.layouts import NEW
from tfnp.numpy.policy import ANY, SMALL, Policy, count

DTYPES: Final = frozenset(map(np.dtype, (*np.typecodes["AllInteger"], *"?efdFD")))
SCALARS: Final = frozenset((bool, int, float, complex, *(dtype.type for dtype in DTYPES)))
"""Classes of numbers whose arrays a tensor can hold."""
_CREATORS: Final = frozenset(("array", "asanyarray", "asarray", "ascontiguousarray", "asarray_chkfinite"))
_SOURCES: Final = frozenset((list, tuple, np.ndarray))
_MOST_ITEMS: Final = 1000  # of a list that is searched for arrays
_DETERMINISTIC: Final = {np.empty: np.zeros}
"""Functions of NumPy to call instead of those whose result is undefined."""


def promotes_as_numpy() -> bool:
    """Return whether the promotion in force is NumPy's."""
    return dtypes.promotion is dtypes.NUMPYS


def calculate(function: Callable[..., Any], operands: tuple[Any, ...]) -> Any:
    """Return what a ufunc or operator of NumPy makes of numbers and arrays: small ones, or large ones of which one has
    no tensor. Return UNKNOWN for other operands.
    """
    if not Policy.uses_numpy or not promotes_as_numpy():
        return UNKNOWN
    known, largest = [], -1
    for operand in operands:
        cls = type(operand)
        if cls in SCALARS:
            known.append(operand)
            continue
        memory: Any = operand.known_memory() if cls is Public.ndarray else operand if cls is np.ndarray else UNKNOWN
        if memory is None:
            memory = _read_with_tensor(operand)
        if memory is UNKNOWN or memory.dtype not in DTYPES:
            return UNKNOWN
        if memory.ndim:
            largest = max(largest, memory.size)
        known.append(memory)
    if largest >= 0 and not executing_eagerly():  # arrays of rank 0 are known in a graph, too
        return UNKNOWN
    if largest > SMALL and not Policy.is_always and not _has_no_tensor(operands):
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
    if type(output) is not Public.ndarray or not output._writeable:
        return UNKNOWN
    if not Policy.uses_numpy or not executing_eagerly() or not promotes_as_numpy():
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


def _has_no_tensor(operands: Sequence[Any]) -> bool:
    """Return whether an array among the operands, or in a list of arrays, would have to be copied to a tensor."""
    for operand in operands:
        cls = type(operand)
        if cls is Public.ndarray:
            if operand._storage.has_no_tensor():
                return True
        elif cls in (list, tuple) and len(operand) <= _MOST_ITEMS and _has_no_tensor(operand):
            return True
    return False


def _read_with_tensor(array: Any) -> Any:
    """Return the memory of an array that has a tensor, too; UNKNOWN if it is on an accelerator, or has a gradient."""
    return array.memory() if array.is_on_host() and array._storage.is_on_processor() else UNKNOWN


def _read_array(array: Any, most: float) -> Any:
    """Return the memory of an array that is small, known, and without a gradient; UNKNOWN for others."""
    memory = array if type(array) is np.ndarray else array.known_memory()
    if memory is None:
        memory = _read_with_tensor(array)
    if memory is UNKNOWN:
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
    """Call a function of NumPy with numbers, lists of which to make an array, and arrays of up to `most` elements; with
    large ones, too, if `most` is SMALL and one of them has no tensor.

    Return UNKNOWN for other arguments, or if no tensor can hold the result.
    """
    if not Policy.uses_numpy or not executing_eagerly() or not promotes_as_numpy():
        return UNKNOWN
    if Policy.is_always:
        most = ANY
    known = _read_arguments(numpy_function, most, args, kwargs)
    if known is None and most == SMALL and _has_no_tensor(args):
        known = _read_arguments(numpy_function, ANY, args, kwargs)
    if known is None:
        return UNKNOWN
    values, options = known
    if Policy.counts is not None:
        count_call(numpy_function, values)
    result = _DETERMINISTIC.get(numpy_function, numpy_function)(*values, **options)
    if type(result) is np.ndarray and numpy_function.__name__ in NEW and not result.flags.c_contiguous:
        return UNKNOWN  # the order of its elements is part of the result
    return lift_result(result, values)


def _read_arguments(
    numpy_function: Any, most: float, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[list[Any], dict[str, Any]] | None:
    """Return the arguments of NumPy's function; None if one of them is UNKNOWN."""
    values: list[Any] = []
    for value in args:
        known = _read_argument(value, most)
        if known is UNKNOWN and not values and type(value) in _SOURCES and numpy_function.__name__ in _CREATORS:
            known = arrays.to_host(value)
        if known is UNKNOWN:
            return None
        values.append(known)
    options = {}
    for name, value in kwargs.items():
        options[name] = _read_argument(value, most)
        if options[name] is UNKNOWN:
            return None
    return values, options


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
        is_new = result.base is None and result.flags.c_contiguous
        if is_new and values:
            is_new = not any(result is value for value in values)
        return arrays.of_memory(Public.ndarray, result if is_new else np.array(result, order="C"))
    if isinstance(result, tuple | list):
        items = [lift_result(item, values) for item in result]
        if any(item is UNKNOWN for item in items):
            return UNKNOWN
        return result._make(items) if hasattr(result, "_make") else cls(items)
    return result if cls in SCALARS else UNKNOWN
