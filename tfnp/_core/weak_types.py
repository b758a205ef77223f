"""Which tensors are weak: in the modes `all` and `safe`, those made of Python's numbers alone.

A weak tensor is a plain tensor with a mark, which no operation of TensorFlow's hands on: what a `tf` function gives is
strong, as are the arguments and results of a `tf.function`, and what a loop or a branch in a graph carries. Functions
of this package mark what they make of weak operands only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import lattice

MARK: Final = "_is_weak_numpy"
_NUMBERS: Final = frozenset((int, float, complex))
_ENUMS: Final = frozenset(tf.as_dtype(dtype).as_datatype_enum for dtype in lattice.WEAK_KINDS)


def is_weak(array: Any) -> bool:
    """Whether this tensor is; a variable never is. By its attributes: to ask for one that is missing takes long."""
    return MARK in array.__dict__


def weaken(tensor: tf.Tensor) -> tf.Tensor:
    """The same tensor, marked, if it has a dtype that can be weak. It must be nobody else's."""
    if tensor.dtype.as_datatype_enum in _ENUMS:
        setattr(tensor, MARK, True)
    return tensor


def weaken_all(results: Any) -> Any:
    """A result, or each of several, marked as weak."""
    if isinstance(results, tuple):
        for result in results:
            weaken(result)
        return results
    return weaken(results)


def strengthen(tensor: tf.Tensor) -> tf.Tensor:
    """The same elements, not weak."""
    return tf.identity(tensor) if is_weak(tensor) else tensor


def alike(tensor: tf.Tensor, source: tf.Tensor) -> tf.Tensor:
    """The tensor, marked if its source is."""
    return weaken(tensor) if is_weak(source) else tensor


def is_pythons(value: Any) -> bool:
    """Whether this is a number of Python's, or a list of such, truths among them, though not alone."""
    if isinstance(value, list | tuple):
        kinds = set(_kinds(value))
        return kinds <= _NUMBERS | {bool} and kinds != {bool}
    return type(value) in _NUMBERS or type(value) is range


def _kinds(values: Any) -> Iterator[type]:
    """The classes of what lies in a list, however deep."""
    for value in values:
        if isinstance(value, list | tuple):
            yield from _kinds(value)
        else:
            yield from (int,) if type(value) is range else (type(value),)


def narrowest(array: np.ndarray) -> np.ndarray:
    """Python's numbers in the dtype that they have in the lattice, 32 bits, or in 64 where some do not fit."""
    target = {"i": np.int32, "f": np.float32}.get(array.dtype.kind)
    if target is None:
        return array
    with np.errstate(over="ignore"):
        narrow = array.astype(target)
    fits = np.isinf(narrow) == np.isinf(array) if target is np.float32 else narrow == array
    return narrow if fits.all() else array
