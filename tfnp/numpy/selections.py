"""Elements that a mask selects in a graph, which are gathered when they are read, and not before.

How many there are depends on data, so that XLA compiles no gathering. What ufuncs and operators make of them is
calculated for the whole array instead, and `x[mask] = y` writes where the mask is True: so `x[mask] *= 2` compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.eager_tensors import EagerTensor, executing_eagerly
from tfnp._core.indexing import access
from tfnp._methods import calculation
from tfnp.numpy import lenses
from tfnp.numpy.storage import Storage
from tfnp.routines.sorting import searching


class SelectedStorage(Storage):
    """The elements of `full` where `mask` is True. A write makes it a storage of the gathered elements."""

    __slots__ = ("_gathered", "full", "mask")
    are_used = False

    def __init__(self, full: tf.Tensor, mask: tf.Tensor) -> None:
        self.mask = mask
        self._gathered: Any = None
        super().__init__()
        self.full: Any = full
        SelectedStorage.are_used = True

    @property
    def tensor(self) -> tf.Tensor:
        if self._gathered is None:
            self._gathered = access.read(self.full, self.mask)
        return self._gathered

    @tensor.setter
    def tensor(self, value: tf.Tensor | None) -> None:
        self._gathered, self.full = value, None

    def is_on_host(self) -> bool:
        return False

    def replace_elements(self, full: tf.Tensor) -> None:
        """Replace the elements by others of the same dtype."""
        self._gathered, self.full = None, full
        self.version += 1


def find_selection(array: Any) -> SelectedStorage | None:
    """Return the storage of an array that a mask selects, if its elements were not written to one by one."""
    storage = getattr(array, "_storage", None)
    if type(storage) is SelectedStorage and storage.full is not None and not array._lenses:
        return storage
    return None


def select(array: tf.Tensor, mask: Any) -> SelectedStorage | None:
    """Return the selected elements of a graph's tensor; None if the index is no mask, or has a value, or no rank."""
    is_mask = isinstance(mask, tf.Tensor) and mask.dtype.name == "bool" and mask.shape.rank
    if not is_mask or executing_eagerly() or type(mask) is EagerTensor or array.shape.rank is None:
        return None
    rank = array.shape.rank
    if mask.shape.rank > rank or not mask.shape.is_compatible_with(array.shape[: mask.shape.rank]):
        return None
    return SelectedStorage(_replace_others(array, mask), mask)


def _replace_others(array: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Return the array with the first selected element in place of those that are not selected.

    What a function makes of them is dropped, but an infinite slope would make nan of the gradient.
    """
    dims = shapes.shape(array)[mask.shape.rank :]
    rows = shapes.reshape(array, (-1, *dims))
    if array.shape.num_elements() == 0:
        return array
    first = access.read(rows, calculation.argmax(mask))
    first = searching.where(calculation.any(mask), first, np.ones((), array.dtype.as_numpy_dtype))
    return searching.where(extend_mask(mask, array), array, first)


def extend_mask(mask: tf.Tensor, array: tf.Tensor) -> tf.Tensor:
    """Return a mask of the first axes with new axes for the others."""
    new_axes = array.shape.rank - mask.shape.rank
    return access.read(mask, (..., *([None] * new_axes))) if new_axes else mask


def calculate(function: Callable[..., Any], args: tuple[Any, ...]) -> SelectedStorage | None:
    """Apply an elementwise function to selections of the same mask and scalars. Return None for other operands."""
    mask = None
    operands = []
    for arg in args:
        selection = find_selection(arg)
        if selection is not None:
            if mask is not None and mask is not selection.mask:
                return None
            mask = selection.mask
            operands.append(selection.full)
        elif isinstance(arg, int | float | complex | np.generic):
            operands.append(arg)
        elif hasattr(arg, "_storage") and arg.tensor().shape.rank == 0:
            operands.append(arg.tensor())
        else:
            return None
    if mask is None:
        return None
    result = function(*operands)
    return SelectedStorage(result, mask) if isinstance(result, tf.Tensor) else None


def put_selection(part: tf.Tensor, mask: Any, value: Any) -> tf.Tensor | None:
    """Return a tensor with a selection written where its mask is True; None if the index is not that mask."""
    selection = find_selection(value)
    if selection is None or mask is not selection.mask or not part.shape.is_compatible_with(selection.full.shape):
        return None
    new = lenses.convert_new(selection.full, part.dtype, shapes.shape(part))
    return searching.where(extend_mask(selection.mask, part), new, part)
