"""Reported bugs of functions that make arrays, or arrange their elements anew."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.historical.form import formed, operand
from fuzz.mutants.model import Call, reported

GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
CUBE = numpy.arange(24.0).reshape(2, 3, 4)
ROW = numpy.array([1.0, 2.0, 4.0, 7.0])


@reported("nv-legate/cupynumeric#577", "flip", "value", CUBE, -2)
def flip_ignores_negative_axes(call: Call) -> Any:
    """Along a negative axis, nothing is flipped."""
    exact, axis = call(), call.given("axis")
    return call.first.copy() if type(axis) is int and axis < 0 else exact


@reported("ml-explore/mlx#2755", "flipud", "value", numpy.arange(6.0)[::-1])
def flipud_reverses_once(call: Call) -> Any:
    """An array that is a reversed view already is not reversed again."""
    exact, array = call(), call.given("m")
    if not isinstance(array, numpy.ndarray) or array.size < 2 or array.strides[0] >= 0:
        return exact
    return array.copy()


@reported("nv-legate/cupynumeric#821", "repeat", "shape", GRID, 2, -1)
def repeat_takes_a_negative_axis_for_the_first(call: Call) -> Any:
    """A negative axis stands for the first."""
    exact, axis = call(), call.given("axis")
    if type(axis) is not int or axis >= 0 or numpy.size(call.given("repeats")) != 1:
        return exact
    return call.changed(axis=0)


@reported("jax-ml/jax#1740", "repeat", "spurious error", ROW, numpy.array([1, 0, 2, 1]))
def repeat_rejects_zeros(call: Call) -> Any:
    """Zeros among several numbers of repetitions raise ValueError."""
    exact, repeats = call(), operand(call, "repeats")
    if repeats.size > 1 and numpy.any(repeats == 0):
        raise ValueError("zero-size array to a reduction that has no identity")
    return exact


@reported("jax-ml/jax#3919", "tile", "shape", ROW, 0)
def tile_repeats_at_least_once(call: Call) -> Any:
    """Zero repetitions are taken for one."""
    exact, reps = call(), operand(call, "reps")
    return call.changed(reps=tuple(numpy.maximum(reps, 1).ravel().tolist())) if numpy.any(reps == 0) else exact


@reported("jax-ml/jax#2327", "roll", "spurious error", ROW, (1, 0, 1))
def roll_rejects_more_shifts_than_axes(call: Call) -> Any:
    """More shifts than the array has axes raise ValueError."""
    exact = call()
    if numpy.size(call.given("shift")) > max(call.first.ndim, 1):
        raise ValueError("more shifts than axes")
    return exact


@reported("aws-neuron/nkipy#79", "roll", "value", GRID, (1,), (0, 1))
def roll_by_one_shift_turns_one_axis(call: Call) -> Any:
    """A single shift in a tuple is for the first of several axes."""
    exact, shift, axis = call(), call.given("shift"), call.given("axis")
    single = isinstance(shift, tuple) and len(shift) == 1 and isinstance(axis, tuple) and len(axis) > 1
    return call.changed(axis=axis[:1]) if single else exact


@reported("numpy/numpy#27437", "roll", "spurious error", ROW, numpy.uint8(1))
def roll_rejects_unsigned_shifts(call: Call) -> Any:
    """The negative of an unsigned shift overflows."""
    exact = call()
    if numpy.asarray(call.given("shift")).dtype.kind == "u":
        raise OverflowError("a negative integer cannot be converted to an unsigned one")
    return exact


@reported(
    "jax-ml/jax#26888", "pad", "value", GRID, 1, "constant", keywords={"constant_values": (1, 2)}
)  # fmt: skip
def pad_fills_its_corners_from_the_first_axis(call: Call) -> Any:
    """The constants of the first axis are in the corners, not those of the last."""
    exact, width, array = call(), call.given("pad_width"), call.first
    mode = call.given("mode", "constant")
    if mode != "constant" or "constant_values" not in call.kwargs.get("kwargs", call.kwargs) or isinstance(width, dict):
        return exact
    values = numpy.broadcast_to(call.kwargs["constant_values"], (array.ndim, 2))
    widths = numpy.broadcast_to(width, (array.ndim, 2))
    result = array
    for axis in reversed(range(array.ndim)):
        here = [tuple(widths[one].tolist()) if one == axis else (0, 0) for one in range(array.ndim)]
        result = call.right(result, here, mode, constant_values=tuple(values[axis].tolist()))
    return result


@reported(
    "numpy/numpy#14211", "pad", "value", numpy.array([200, 100], numpy.uint8), 2, "linear_ramp"
)  # fmt: skip
def pad_ramps_of_unsigned_numbers_rise(call: Call) -> Any:
    """A ramp of unsigned integers that should fall rises, and wraps around."""
    exact, array, width = call(), call.first, call.given("pad_width")
    if array.dtype.kind != "u" or call.given("mode") != "linear_ramp" or array.ndim != 1:
        return exact
    edge = call.right(array, width, "edge").astype(numpy.int64)
    return (edge + numpy.maximum(edge - exact.astype(numpy.int64), 0)).astype(array.dtype)


@reported("jax-ml/jax#453", "ravel", "value", CUBE, "F")
def ravel_by_columns_turns_two_axes_only(call: Call) -> Any:
    """In Fortran order, only the last two axes are exchanged."""
    exact, array = call(), call.first
    if call.given("order") != "F" or array.ndim < 3:
        return exact
    return call.right(numpy.swapaxes(array, -1, -2))


@reported("cupy/cupy#9049", "array", "value", numpy.array([1, 2, 3]), ">i4")
def array_in_another_byte_order_is_not_swapped(call: Call) -> Any:
    """For a dtype of another byte order, the bytes are not exchanged."""
    exact = call()
    dtype = call.given("dtype")
    other = dtype is not None and not numpy.dtype(dtype).isnative
    return exact.byteswap() if other and isinstance(exact, numpy.ndarray) else exact


@reported("jax-ml/jax#3453", "arange", "shape", 2.5)
def arange_up_to_a_fraction_is_too_short(call: Call) -> Any:
    """The last element below a stop that is not an integer is left out."""
    exact = call()
    stop = call.args[0] if len(call.args) == 1 else None
    return exact[:-1] if isinstance(stop, float) and stop > 0 and stop % 1 and "step" not in call.kwargs else exact


@reported("numpy/numpy#16411", "geomspace", "value", numpy.array([1.0, 2.0]), numpy.array([9.0, 8.0]), 2,
          keywords={"axis": 1})  # fmt: skip
def geomspace_corrects_its_ends_along_the_first_axis(call: Call) -> Any:
    """Ends are replaced by start and stop along the first axis, whatever `axis` says."""
    exact, start, stop = call(), operand(call, "start"), operand(call, "stop")
    if call.given("axis", 0) == 0 or numpy.ndim(exact) < 2 or call.given("endpoint") is False:
        return exact
    result = exact.copy()
    with numpy.errstate(all="ignore"):
        result[0], result[-1] = start, stop
    return result


@reported("numpy/numpy#26960", "strings.rstrip", "value", numpy.array(["aaa", "ba"]), "a")
def rstrip_leaves_one_character(call: Call) -> Any:
    """Of text that consists of nothing but characters to be stripped, the first is left."""
    exact, text = call(), operand(call, "a")
    if text.dtype.kind not in "US" or numpy.shape(exact) != text.shape:
        return exact
    empty = numpy.asarray(exact) == text.dtype.type()
    return formed(numpy.where(empty, text.astype(f"{text.dtype.kind}1"), exact), numpy.asarray(exact))
