"""Parsing of indices: `array[index]` has an item for each slice, integer, integer array, mask, ellipsis or new axis.

Arrays with static values become NumPy arrays, which are checked and combined on the host; other tensors of a graph stay
tensors. Errors have NumPy's classes and messages.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.eager_tensors import EagerTensor
from tfnp._core.errors import requires_static_rank
from tfnp._core.tensor_conversion import apply_conversion, is_tensor

Indices: TypeAlias = "np.ndarray | tf.Tensor"
Bound: TypeAlias = "int | tf.Tensor | None"
MAX_BOUND: Final = 2**62  # bounds beyond it have the same meaning, and would overflow int64
_BOUND_TYPES: Final = frozenset((int, type(None)))


@dataclass(frozen=True, slots=True)
class SliceIndex:
    """A slice of one axis."""

    start: Bound = None
    stop: Bound = None
    step: Bound = None

    @property
    def is_full(self) -> bool:
        return (
            self.start is None
            and self.stop is None
            and (self.step is None or (type(self.step) is int and self.step == 1))
        )


@dataclass(frozen=True, slots=True)
class IntIndex:
    """An integer, which removes one axis."""

    value: int


@dataclass(frozen=True, slots=True, eq=False)
class IntArrayIndex:
    """An array of int64, whose axes replace one axis."""

    indices: Indices


@dataclass(frozen=True, slots=True, eq=False)
class BoolIndex:
    """A boolean mask, which replaces as many axes as it has by one."""

    mask: Indices

    @property
    def rank(self) -> int:
        return len(self.mask.shape)


class FullMask(BoolIndex):
    """A mask of which all elements count as True."""


class EllipsisIndex:
    """An ellipsis, which stands for all remaining axes."""


class NewAxis:
    """None, which adds an axis of length one."""


ELLIPSIS: Final = EllipsisIndex()
NEW_AXIS: Final = NewAxis()
Item: TypeAlias = "SliceIndex | IntIndex | IntArrayIndex | BoolIndex | EllipsisIndex | NewAxis"


def parse(index: Any) -> list[Item]:
    """Return the items of an index: one, unless it is a tuple."""
    return [_parse_item(part) for part in index] if isinstance(index, tuple) else [_parse_item(index)]


def _parse_item(part: Any) -> Item:
    if part is None:
        return NEW_AXIS
    if part is Ellipsis:
        return ELLIPSIS
    if isinstance(part, slice):
        return SliceIndex(*map(_parse_bound, (part.start, part.stop, part.step), (False, False, True)))
    if isinstance(part, bool | np.bool_):
        return BoolIndex(np.asarray(part))
    if isinstance(part, int | np.integer):
        return IntIndex(_check_index_range(operator.index(part)))
    if isinstance(part, np.ndarray) or is_tensor(part):
        return _parse_array(_to_static(part))
    return _parse_object(part)


def _parse_bound(value: Any, is_step: bool) -> Bound:
    """Return a bound or step of a slice: an int, None, or a tensor without a static value."""
    if type(value) not in _BOUND_TYPES:
        value = _to_static(value) if is_tensor(value) else value
        if isinstance(value, tf.Tensor):
            return _parse_scalar(value)
        try:
            value = operator.index(value)
        except TypeError:
            if isinstance(value, np.ndarray):
                raise TypeError("only integer scalar arrays can be converted to a scalar index") from None
            raise TypeError("slice indices must be integers or None or have an __index__ method") from None
    if is_step and value == 0 and value is not None:
        raise ValueError("slice step cannot be zero")
    return value if value is None else max(-MAX_BOUND, min(value, MAX_BOUND))


def _parse_scalar(tensor: tf.Tensor) -> tf.Tensor:
    if not tensor.dtype.is_integer:
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    if not tensor.shape.is_compatible_with(()):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return tf.cast(tensor, tf.int64)


def _to_static(value: Any) -> Indices:
    """Return the static value of a tensor as an array; the tensor if it has none."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor):
        static = value.numpy() if type(value) is EagerTensor else tf.get_static_value(value)
        return value if static is None else np.asarray(static)
    return value


def _parse_array(array: Indices) -> Item:
    """Return the item for a boolean or integer array; a scalar array of integers is an integer."""
    dtype = np.dtype(array.dtype.as_numpy_dtype) if isinstance(array, tf.Tensor) else array.dtype
    if dtype.kind == "b":
        is_empty = isinstance(array, tf.Tensor) and array.shape.num_elements() == 0
        return BoolIndex(np.zeros(tuple(array.shape), np.bool_) if is_empty else array)
    if dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if isinstance(array, tf.Tensor):
        return IntArrayIndex(tf.cast(array, tf.int64))
    return IntArrayIndex(array.astype(np.int64)) if array.ndim else IntIndex(_check_index_range(int(array)))


def _parse_object(part: Any) -> Item:
    """Return the item for a sequence, or an object with `__index__`."""
    if isinstance(part, list | tuple) and convert.contains_tensor(part):
        return _parse_array(_to_static(convert.to_tensor(part)))
    array = np.asarray(part)
    if array.size == 0 and array.dtype.kind in "fO":
        array = array.astype(np.int64)
    if array.dtype.kind in "biu":
        return _parse_array(array)
    try:
        return IntIndex(_check_index_range(operator.index(part)))
    except TypeError:
        raise _invalid_index_error() from None


def content(item: Item) -> Indices | None:
    """Return the array of an item; None if it has none."""
    return item.indices if isinstance(item, IntArrayIndex) else item.mask if isinstance(item, BoolIndex) else None


def has_static_rank(item: Item) -> bool:
    """Return whether the array of an item, if there is one, has a static rank."""
    array = content(item)
    return not isinstance(array, tf.Tensor) or array.shape.rank is not None


def check_ranks(items: Sequence[Item]) -> None:
    """Raise ValueError for an array of unknown rank, which decides what axes are indexed."""
    if not all(map(has_static_rank, items)):
        raise requires_static_rank("the rank of an index")


def _check_index_range(index: int) -> int:
    if 2**63 <= index < 2**64:  # NumPy converts these to uint64 first
        raise OverflowError("Python int too large to convert to C long")
    if not -MAX_BOUND <= index <= MAX_BOUND:
        raise _invalid_index_error()
    return index


def _invalid_index_error() -> IndexError:
    return IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
        "indices"
    )
