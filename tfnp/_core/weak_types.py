"""Weak tensors: in the modes `all` and `safe`, those that are made of Python scalars only.

A weak tensor is marked by an attribute, which TensorFlow's functions do not propagate: their results are strong, as are
the arguments and results of a `tf.function`, of loops and of branches in a graph. Functions of this package mark their
results if all operands are weak.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import lattice

MARK: Final = "_is_weak_numpy"
_PYTHON_NUMBERS: Final = frozenset((int, float, complex))
_ENUMS: Final = frozenset(tf.as_dtype(dtype).as_datatype_enum for dtype in lattice.WEAK_TYPES)


def is_weak(array: Any) -> bool:
    """Return whether a tensor is weak; a variable never is. Looking into `__dict__` is faster than `hasattr`."""
    return MARK in array.__dict__


def weaken(tensor: tf.Tensor) -> tf.Tensor:
    """Return the tensor, marked as weak if its dtype can be. Nothing else may use the tensor."""
    if tensor.dtype.as_datatype_enum in _ENUMS:
        setattr(tensor, MARK, True)
    return tensor


def weaken_all(results: Any) -> Any:
    """Return a result, or each result of a tuple, marked as weak."""
    if isinstance(results, tuple):
        for result in results:
            weaken(result)
        return results
    return weaken(results)


def strengthen(tensor: tf.Tensor) -> tf.Tensor:
    """Return the tensor without the mark."""
    return tf.identity(tensor) if is_weak(tensor) else tensor


def weaken_like(tensor: tf.Tensor, source: tf.Tensor) -> tf.Tensor:
    """Return the tensor, marked as weak if another one is."""
    return weaken(tensor) if is_weak(source) else tensor


def is_python_number(value: Any) -> bool:
    """Return whether the value is a Python number, or a list of numbers; these may include bools, but not only
    bools.
    """
    if isinstance(value, list | tuple):
        classes = set(_list_item_classes(value))
        return classes <= _PYTHON_NUMBERS | {bool} and classes != {bool}
    return type(value) in _PYTHON_NUMBERS or type(value) is range


def _list_item_classes(values: Any) -> Iterator[type]:
    """Yield the classes of the items of a nested list."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _list_item_classes(value)
        else:
            yield from (int,) if type(value) is range else (type(value),)


def narrow(array: np.ndarray) -> np.ndarray:
    """Return Python numbers in 32 bits, their dtype in the lattice; in 64 bits if some do not fit."""
    target = {"i": np.int32, "f": np.float32}.get(array.dtype.kind)
    if target is None:
        return array
    with np.errstate(over="ignore"):
        result = array.astype(target)
    fits = np.isinf(result) == np.isinf(array) if target is np.float32 else result == array
    return result if fits.all() else array
