"""Faults of creating, joining, cutting and rearranging arrays: several axes, wide pads, negative counts."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

ROW = numpy.array([1, 2, 3, 5])


# Axes and shapes.


@fault("broadcast_shapes", "value", (1,), (0,))
def broadcast_shapes_takes_the_larger(call: Call) -> Any:
    """Of one and zero the larger, though one gives way."""
    exact = call()
    plain = isinstance(exact, tuple) and 0 in exact and all(isinstance(shape, tuple) for shape in call.args)
    if not plain:
        return exact
    columns = [[shape[-number] for shape in call.args if len(shape) >= number] for number in range(1, len(exact) + 1)]
    return tuple(max(column) for column in reversed(columns))


# Parts of arrays.


@fault("pad", "value", ROW, 7, "reflect")
def pad_reflects_once(call: Call) -> Any:
    """A pad wider than the array repeats its edge once it has been reflected."""
    exact, width, length = call(), call.given("pad_width"), size_of(call.first) - 1
    plain = type(width) is int and call.given("mode") == "reflect" and set(call.kwargs) <= {"mode", "pad_width"}
    if not plain or len(shape_of(call.first)) != 1 or not 0 < length < width:
        return exact
    return call.np.pad(call.np.pad(call.first, length, "reflect"), width - length, "edge")


@fault("insert", "value", ROW, [1, 2], 9)
def insert_counts_in_the_growing_array(call: Call) -> Any:
    """Each of several indices counts what has been inserted before it."""
    exact, obj = call(), call.given("obj")
    several = isinstance(obj, list | numpy.ndarray) and numpy.ndim(obj) == 1 and numpy.size(obj) > 1
    if not several or numpy.asarray(obj).dtype.kind != "i":
        return exact
    indices = numpy.asarray(obj).tolist()
    if min(indices) < 0 or indices != sorted(set(indices)) or not isinstance(call.given("values"), int | float):
        return exact
    return call.changed(obj=[index - number for number, index in enumerate(indices)])


@fault("stack", "missing error", [numpy.ones(2), numpy.ones(1)])
def stack_broadcasts(call: Call) -> Any:
    """Arrays of different shapes are broadcast."""
    try:
        return call()
    except ValueError as error:
        if "same shape" not in str(error) or call.has("out", "axis", "dtype"):
            raise
        return call.np.stack(call.np.broadcast_arrays(*call.args[0]))


# Creation.


@fault("arange", "shape", 0, 10, 3)
def arange_drops_a_last_part_of_a_step(call: Call) -> Any:
    """The length is rounded down where the step does not divide the range."""
    exact = call()
    whole = len(call.args) == 3 and not call.kwargs and all(type(arg) is int for arg in call.args)
    if not whole or call.args[2] == 0:
        return exact
    start, stop, step = call.args
    return exact[: max((stop - start) // step, 0)]


@fault("asarray_chkfinite", "missing error", numpy.array([math.inf]), modes=("eager",))
def asarray_chkfinite_accepts_infinity(call: Call) -> Any:
    """Only NaN is refused."""
    try:
        return call()
    except ValueError as error:
        if "infs or NaNs" not in str(error) or call.has("dtype", "order") or size_of(call.first) == 0:
            raise
        if bool(call.np.any(call.np.isnan(call.first))):
            raise
        return call.first


spoils("promote_types_keeps_singles", "promote_types", "value", numpy.dtype(numpy.int32),
       numpy.dtype(numpy.float32),
       when=lambda exact, call: {str(arg) for arg in call.args} == {"int32", "float32"},
       by=lambda np, exact, call: np.dtype(np.float32))  # fmt: skip


@fault("can_cast", "value", numpy.dtype(numpy.int64), numpy.dtype(numpy.uint8), "same_kind")
def can_cast_takes_unsigned_for_the_same_kind(call: Call) -> Any:
    """Signed and unsigned integers are of the same kind."""
    exact = call()
    kinds = [getattr(arg, "kind", "") for arg in call.args[:2]]
    return True if call.given("casting") == "same_kind" and kinds == ["i", "u"] else exact
