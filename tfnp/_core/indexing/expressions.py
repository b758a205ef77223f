"""What stands between the brackets, taken apart: one item for each thing that NumPy tells apart there.

Whatever has a value by now is brought to the host, so that it can be checked and calculated with in NumPy; only tensors
of a graph stay tensors. Errors are NumPy's, in class and words.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.tensor_conversion import apply_conversion, is_tensor

Numbers: TypeAlias = "np.ndarray | tf.Tensor"
Bound: TypeAlias = "int | tf.Tensor | None"
MOST: Final = 2**62  # bounds beyond it, which mean the same, would leave int64
_PLAIN: Final = frozenset((int, type(None)))


@dataclass(frozen=True, slots=True)
class SliceIndex:
    """A slice: one axis, of which some remains."""

    start: Bound = None
    stop: Bound = None
    step: Bound = None

    @property
    def is_whole(self) -> bool:
        return (
            self.start is None
            and self.stop is None
            and (self.step is None or (type(self.step) is int and self.step == 1))
        )


@dataclass(frozen=True, slots=True)
class IntIndex:
    """An integer: one axis, of which nothing remains."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class IntArrayIndex:
    """Integers of int64: one axis, in whose place come those of the integers."""

    numbers: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class BoolIndex:
    """Truths: as many axes as they have, in whose place comes one."""

    truths: Numbers

    @property
    def rank(self) -> int:
        return len(self.truths.shape)


class FullMask(BoolIndex):
    """A mask as if all of it were set."""


class EllipsisIndex:
    """An ellipsis: as many axes as are left."""


class NewAxis:
    """None: an axis of length one."""


ELLIPSIS: Final = EllipsisIndex()
NEW_AXIS: Final = NewAxis()
Item: TypeAlias = "SliceIndex | IntIndex | IntArrayIndex | BoolIndex | EllipsisIndex | NewAxis"


def parse(index: Any) -> list[Item]:
    """The items of an index, of which there is one unless it is a tuple."""
    return [_item(part) for part in index] if isinstance(index, tuple) else [_item(index)]


def _item(part: Any) -> Item:
    if part is None:
        return NEW_AXIS
    if part is Ellipsis:
        return ELLIPSIS
    if isinstance(part, slice):
        return SliceIndex(*map(_bound, (part.start, part.stop, part.step), (False, False, True)))
    if isinstance(part, bool | np.bool_):
        return BoolIndex(np.asarray(part))
    if isinstance(part, int | np.integer):
        return IntIndex(_fitting(operator.index(part)))
    if isinstance(part, np.ndarray) or is_tensor(part):
        return _from_array(_known(part))
    return _from_object(part)


def _bound(value: Any, is_step: bool) -> Bound:
    """What bounds a slice: a number, nothing, or a tensor that has no value yet."""
    if type(value) not in _PLAIN:
        value = _known(value) if is_tensor(value) else value
        if isinstance(value, tf.Tensor):
            return _scalar(value)
        try:
            value = operator.index(value)
        except TypeError:
            if isinstance(value, np.ndarray):
                raise TypeError("only integer scalar arrays can be converted to a scalar index") from None
            raise TypeError("slice indices must be integers or None or have an __index__ method") from None
    if is_step and value == 0 and value is not None:
        raise ValueError("slice step cannot be zero")
    return value if value is None else max(-MOST, min(value, MOST))


def _scalar(tensor: tf.Tensor) -> tf.Tensor:
    if not tensor.dtype.is_integer:
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    if not tensor.shape.is_compatible_with(()):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    return tf.cast(tensor, tf.int64)


def _known(value: Any) -> Numbers:
    """The array that a tensor holds, where it has a value now."""
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor):
        static = value.numpy() if type(value) is convert.EagerTensor else tf.get_static_value(value)
        return value if static is None else np.asarray(static)
    return value


def _from_array(numbers: Numbers) -> Item:
    """An array of truths, or of integers; of one integer alone, it is that integer."""
    dtype = np.dtype(numbers.dtype.as_numpy_dtype) if isinstance(numbers, tf.Tensor) else numbers.dtype
    if dtype.kind == "b":
        is_empty = isinstance(numbers, tf.Tensor) and numbers.shape.num_elements() == 0
        return BoolIndex(np.zeros(tuple(numbers.shape), np.bool_) if is_empty else numbers)
    if dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if isinstance(numbers, tf.Tensor):
        return IntArrayIndex(tf.cast(numbers, tf.int64))
    return IntArrayIndex(numbers.astype(np.int64)) if numbers.ndim else IntIndex(_fitting(int(numbers)))


def _from_object(part: Any) -> Item:
    """A sequence, which NumPy makes an array, or whatever calls itself an integer."""
    if isinstance(part, list | tuple) and holds_tensor(part):
        return _from_array(_known(convert.to_tensor(part)))
    numbers = np.asarray(part)
    if numbers.size == 0 and numbers.dtype.kind in "fO":
        numbers = numbers.astype(np.int64)
    if numbers.dtype.kind in "biu":
        return _from_array(numbers)
    try:
        return IntIndex(_fitting(operator.index(part)))
    except TypeError:
        raise _invalid_index_error() from None


def content(item: Item) -> Numbers | None:
    """The numbers or truths of an item that has some."""
    return item.numbers if isinstance(item, IntArrayIndex) else item.truths if isinstance(item, BoolIndex) else None


def is_ranked(item: Item) -> bool:
    """Whether the rank of what it holds is known."""
    found = content(item)
    return not isinstance(found, tf.Tensor) or found.shape.rank is not None


def check_ranks(items: Sequence[Item]) -> None:
    """Raise ValueError for an array whose rank only a graph will know: it says which axes are meant."""
    if not all(map(is_ranked, items)):
        raise ValueError("the rank of an index must be known while tracing: set its shape")


def holds_tensor(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(map(holds_tensor, value))
    return is_tensor(value)


def _fitting(number: int) -> int:
    if 2**63 <= number < 2**64:  # of which NumPy makes a uint64 first
        raise OverflowError("Python int too large to convert to C long")
    if not -MOST <= number <= MOST:
        raise _invalid_index_error()
    return number


def _invalid_index_error() -> IndexError:
    return IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid "
        "indices"
    )
