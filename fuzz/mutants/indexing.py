"""Faults of indexing and of other methods of arrays: what stands beside what, what is reversed, what is written."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import dtype_of, is_array, kind_of, shape_of
from fuzz.mutants.model import Call, fault

ROW = numpy.array([1.0, 2.0, 3.0, 4.0])
LONG = numpy.arange(130.0)
SQUARE = numpy.arange(9.0).reshape(3, 3)
CUBE = numpy.arange(8.0).reshape(2, 2, 2)
BACKWARDS = slice(None, None, -1)
ALL = slice(None)
FIRST_TWO = numpy.array([0, 1])
GET, SET = "ndarray.__getitem__", "ndarray.__setitem__"


def parts_of(key: Any) -> tuple[Any, ...]:
    return key if isinstance(key, tuple) else (key,)


def are_indices(part: Any) -> bool:
    """Return whether a part of an index is an array of integers, or a list."""
    return (is_array(part) and kind_of(part) in "iu" and shape_of(part) != ()) or (isinstance(part, list) and any(part))


def is_mask(part: Any) -> bool:
    return is_array(part) and kind_of(part) == "b" and shape_of(part) != ()


# Elements that are read.


@fault(GET, "value", CUBE, (..., BACKWARDS, 0), on="tensors")
def getitem_ignores_a_step_after_an_ellipsis(call: Call) -> Any:
    """A slice after an ellipsis that reverses an axis does not."""
    key = parts_of(call.args[1])
    if len(key) < 2 or key[0] is not Ellipsis or not isinstance(key[1], slice) or key[1] != BACKWARDS:
        return call()
    return call.right(call.args[0], (..., ALL, *key[2:]))


@fault(GET, "value", LONG, numpy.array([-1], numpy.int8), on="tensors")
def getitem_counts_in_the_narrow_dtype_of_an_index(call: Call) -> Any:
    """Negative indices of int8 are the first element where the axis is longer than int8 counts."""
    array, key = call.args
    if not is_array(key) or dtype_of(key) != "int8" or shape_of(key) == () or shape_of(array)[:1] <= (127,):
        return call()
    return call.right(array, call.np.maximum(key, call.np.zeros_like(key)))


@fault(GET, "value", CUBE, (1, ALL, FIRST_TWO), on="tensors")
def getitem_leaves_separated_indices_in_place(call: Call) -> Any:
    """The dimension of indices that a slice separates does not come first."""
    exact, key = call(), parts_of(call.args[1])
    apart = len(key) == 3 and type(key[0]) is int and isinstance(key[1], slice) and are_indices(key[2])
    return call.np.swapaxes(exact, 0, 1) if apart and len(shape_of(exact)) == 2 else exact


@fault(GET, "value", SQUARE, (FIRST_TWO, -1), on="tensors")
def getitem_counts_from_the_front_beside_an_array(call: Call) -> Any:
    """A negative integer beside an array of indices is counted from the front."""
    key = parts_of(call.args[1])
    if not any(are_indices(part) for part in key) or not any(type(part) is int and part < 0 for part in key):
        return call()
    return call.right(call.args[0], tuple([-part - 1 if type(part) is int and part < 0 else part for part in key]))


# Elements that are written.


@fault(SET, "value", ROW, BACKWARDS, ROW * 10, on="tensors")
def setitem_writes_forwards(call: Call) -> Any:
    """Values for a reversed slice are written in their own order."""
    target, key, value = call.args
    return call.right(target, ALL, value) if isinstance(key, slice) and key == BACKWARDS else call()


@fault(SET, "value", SQUARE, (ALL, 0), ROW[:3] * 10, on="tensors")
def setitem_writes_a_column_to_a_row(call: Call) -> Any:
    """A column of a square matrix is written to the row of its number."""
    target, key, value = call.args
    shape, parts = shape_of(target), parts_of(key)
    is_column = len(parts) == 2 and isinstance(parts[0], slice) and parts[0] == ALL and type(parts[1]) is int
    return call.right(target, parts[1], value) if is_column and len(shape) == 2 and len({*shape}) == 1 else call()


@fault(SET, "value", SQUARE, numpy.array([True, False, True]), SQUARE[1:] * 10, on="tensors")
def setitem_writes_one_row_where_a_mask_says(call: Call) -> Any:
    """Every row that a mask chooses becomes the first row of the values."""
    target, key, value = call.args
    if not is_mask(key) or not is_array(value) or len(shape_of(value)) != 2 or shape_of(value)[0] < 2:
        return call()
    return call.right(target, key, call.np.broadcast_to(value[:1], shape_of(value)))
