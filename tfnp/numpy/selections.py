"""Elements that a mask selects in a graph, which are gathered when they are read, and not before.

How many there are depends on data, so that XLA compiles no gathering. What elementwise functions make of them is
calculated for all elements instead, and `x[mask] = y` writes where the mask is True, so that XLA compiles
`x[x < 0] = -x[x < 0]` and `x[mask, 1] *= 2`. Two masks are the same if the graph calculates them by the same operations
of the same tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.eager_tensors import EagerTensor, executing_eagerly
from tfnp._core.indexing import access
from tfnp._core.xla import is_for_xla
from tfnp._methods import calculation
from tfnp.numpy import view_steps
from tfnp.numpy.storage import Storage
from tfnp.routines.indexing import windows
from tfnp.routines.math import reductions, ufuncs
from tfnp.routines.sorting import searching

ELEMENTWISE: Final = frozenset(
    (
        *(
            "angle",
            "astype",
            "clip",
            "copy",
            "fix",
            "full_like",
            "imag",
            "iscomplex",
            "isclose",
            "isneginf",
            "isposinf",
        ),
        *("isreal", "nan_to_num", "ones_like", "real", "round", "sinc", "where", "zeros_like"),
    )
)
"""Functions that are no ufuncs, and whose result has an element for each element of their arguments."""
REDUCTIONS: Final = frozenset(("all", "any", "mean", "nansum", "prod", "std", "sum", "var"))
EXTREMES: Final = frozenset(("max", "min", "nanmax", "nanmin", "ptp"))
"""Reductions that do not depend on how often an element occurs."""
_OPTIONS: Final = frozenset(("axis", "correction", "ddof", "dtype"))
_SCALARS: Final = (int, float, complex, str, type, np.dtype, np.generic, tf.DType)
_MOST_OPERATIONS: Final = 200  # that are compared


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

    def has_no_tensor(self) -> bool:
        return False

    def replace_elements(self, full: tf.Tensor) -> None:
        """Replace the elements by others of the same dtype."""
        self._gathered, self.full = None, full
        self.version += 1


def find_selection(array: Any) -> SelectedStorage | None:
    """Return the storage of an array that a mask selects, if its elements were not written to one by one."""
    storage = getattr(array, "_storage", None)
    if type(storage) is SelectedStorage and storage.full is not None and not array._view_steps:
        return storage
    return None


def select(array: tf.Tensor, index: Any) -> SelectedStorage | None:
    """Return the selected elements of a graph's tensor; None if the index has no mask, or one that is known."""
    beside, mask = split_mask(index)
    if beside is not None and array.shape.rank is not None:
        return select(windows.read(array, beside), mask)
    if not _is_mask(mask) or executing_eagerly() or type(mask) is EagerTensor or array.shape.rank is None:
        return None
    rank = array.shape.rank
    if mask.shape.rank > rank or not mask.shape.is_compatible_with(array.shape[: mask.shape.rank]):
        return None
    return SelectedStorage(_replace_others(array, mask), mask)


def _is_mask(item: Any) -> bool:
    return isinstance(item, tf.Tensor) and item.dtype.name == "bool" and bool(item.shape.rank)


def split_mask(index: Any) -> tuple[Any, Any]:
    """Return the basic index beside a mask, and the mask: of `x[0, mask, 1]` `(0, :, 1)`.

    The first is None for other indices: a mask alone, one behind a slice, two masks, arrays of integers.
    """
    if type(index) is not tuple or sum(map(_is_mask, index)) != 1:
        return None, index
    position = next(position for position, item in enumerate(index) if _is_mask(item))
    before, mask, after = index[:position], index[position], index[position + 1 :]
    if not all(_is_integer(item) for item in before) or not all(map(_is_basic, after)):
        return None, index
    return (*before, *(slice(None),) * mask.shape.rank, *after), mask


def _is_integer(item: Any) -> bool:
    is_int = isinstance(item, int | np.integer) and not isinstance(item, bool)
    return is_int or (isinstance(item, windows.Window) and item.length is None)


def _is_basic(item: Any) -> bool:
    return item is None or item is ... or isinstance(item, slice | windows.Window) or _is_integer(item)


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


def calculate(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> SelectedStorage | None:
    """Apply an elementwise function to selections of the same mask and scalars. Return None for other operands."""
    selections = [selection for selection in map(find_selection, args) if selection is not None]
    if not selections or not all(map(_is_option, (kwargs or {}).values())):
        return None
    mask = selections[0].mask
    if not all(is_same_value(selection.mask, mask) for selection in selections[1:]):
        return None
    operands = []
    for arg in args:
        selection = find_selection(arg)
        if selection is not None:
            operands.append(selection.full)
        elif isinstance(arg, _SCALARS):
            operands.append(arg)
        elif hasattr(arg, "_storage") and arg.tensor().shape.rank == 0:
            operands.append(arg.tensor())
        else:
            return None
    result = function(*operands, **(kwargs or {}))
    return SelectedStorage(result, mask) if isinstance(result, tf.Tensor) else None


def _is_option(value: Any) -> bool:
    return value is None or isinstance(value, _SCALARS)


def reduce(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Apply a reduction to a selection where XLA compiles, which cannot gather. Return None for other operands."""
    selection = find_selection(args[0]) if args else None
    options = {**dict(zip(("axis",), args[1:], strict=False)), **kwargs}
    if selection is None or len(args) > 2 or not _OPTIONS.issuperset(options) or not is_for_xla():
        return None
    axis = options.pop("axis", None)
    if axis is not None and (type(axis) is not int or axis != 0):
        return None
    axes = None if axis is None else tuple(range(selection.mask.shape.rank))
    if function.__name__ not in EXTREMES:
        options["where"] = extend_mask(selection.mask, selection.full)
    return function(selection.full, axis=axes, **options)


def read_dims(selection: SelectedStorage) -> tuple[Any, ...]:
    """Return the shape, of which the first dim is a tensor."""
    dims = shapes.shape(selection.full)[selection.mask.shape.rank :]
    return (reductions.count_nonzero(selection.mask), *dims)


def is_same_value(x: tf.Tensor, y: tf.Tensor) -> bool:
    """Return whether two tensors of a graph are the results of the same operations on the same tensors.

    True of two results of `x < 0`.
    """
    pairs, compared = [(x, y)], 0
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        compared += 1
        if compared > _MOST_OPERATIONS or not _is_same_operation(one, other):
            return False
        pairs += zip(one.op.inputs, other.op.inputs, strict=True)
    return True


def _is_same_operation(one: Any, other: Any) -> bool:
    """Return whether two tensors are the same output of operations that differ at most in their inputs."""
    if type(one) is EagerTensor or type(other) is EagerTensor or one.graph is not other.graph:
        return False
    first, second = one.op, other.op
    return bool(
        first.type == second.type
        and one.value_index == other.value_index
        and (first.inputs or first.type == "Const")
        and len(first.inputs) == len(second.inputs)
        and not first.op_def.is_stateful
        and first.control_inputs == second.control_inputs
        and first.node_def.attr == second.node_def.attr
    )


def select_again(array: Any, key: Any) -> SelectedStorage | None:
    """Return the elements of a selection that a selection of the same mask selects; None if it is none."""
    selection, within = find_selection(array), find_within(array, key)
    if selection is None or within is None:
        return None
    mask = ufuncs.logical_and(selection.mask, within)
    return SelectedStorage(_replace_others(selection.full, mask), mask)


def find_within(array: Any, key: Any) -> tf.Tensor | None:
    """Return the whole mask of which the index of a selection is a selection of the same elements; None if it is no
    such index.
    """
    selection, index = find_selection(array), find_selection(key)
    if selection is None or index is None or index.full.dtype.name != "bool":
        return None
    is_same = is_same_value(selection.mask, index.mask) and index.full.shape.rank == index.mask.shape.rank
    return index.full if is_same else None


def put_again(array: Any, key: Any, value: Any) -> bool:
    """Write to the elements of a selection that another of the same mask selects. Return whether that was possible."""
    selection, within = find_selection(array), find_within(array, key)
    if selection is None or within is None:
        return False
    new: Any = value
    chosen = find_selection(value)
    if chosen is not None:
        if not is_same_value(chosen.mask, ufuncs.logical_and(selection.mask, within)):
            return False
        new = chosen.full
    elif hasattr(value, "_storage"):
        if value.tensor().shape.rank != 0:
            return False
        new = value.tensor()
    elif not isinstance(value, int | float | complex | np.generic):
        return False
    full = selection.full
    new = view_steps.convert_new(new, full.dtype, shapes.shape(full))
    selection.replace_elements(searching.where(extend_mask(within, full), new, full))
    return True


def put_selection(part: tf.Tensor, index: Any, value: Any) -> tf.Tensor | None:
    """Return a tensor with a selection written where its mask is True; None if the index does not have that mask."""
    beside, mask = split_mask(index)
    if beside is not None and find_selection(value) is not None and part.shape.rank is not None:
        written = put_selection(windows.read(part, beside), mask, value)
        return None if written is None else windows.update_at(part, beside, written)
    selection = find_selection(value)
    if selection is None or not isinstance(mask, tf.Tensor) or not is_same_value(mask, selection.mask):
        return None
    if not part.shape.is_compatible_with(selection.full.shape):
        return None
    new = view_steps.convert_new(selection.full, part.dtype, shapes.shape(part))
    return searching.where(extend_mask(selection.mask, part), new, part)
