"""Faults of creating, joining, cutting and rearranging arrays: several axes, wide pads, negative counts."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

ROW = numpy.array([1, 2, 3, 5])
TABLE = numpy.array([[1, 2, 3], [4, 5, 6]])
SQUARE = numpy.array([[1, 2], [3, 4]])
BITS = numpy.array([1, 0, 1], numpy.uint8)


# Axes and shapes.


@fault("squeeze", "missing error", TABLE, 1)
def squeeze_leaves_longer_axes(call: Call) -> Any:
    """An axis that is not of length one is left as it is."""
    try:
        return call()
    except ValueError as error:
        if "size not equal to one" not in str(error):
            raise
        return call.first


spoils("atleast_3d_of_a_matrix_puts_the_axis_in_front", "atleast_3d", "shape", TABLE,
       when=lambda exact, call: len(call.args) == 1 and len(shape_of(call.first)) == 2,
       by=lambda np, exact, call: np.expand_dims(call.first, 0))  # fmt: skip


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


@fault("array_split", "shape", ROW, 3)
def array_split_puts_longer_parts_last(call: Call) -> Any:
    """Where parts are uneven the last ones are longer, not the first."""
    exact, parts = call(), call.given("indices_or_sections")
    if type(parts) is not int or call.has("axis") or not shape_of(call.first):
        return exact
    sizes = [shape_of(part)[0] for part in exact][::-1]
    return call.changed(indices_or_sections=[sum(sizes[:number]) for number in range(1, parts)])


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


@fault("resize", "value", ROW, (2, 3))
def resize_fills_with_zeros(call: Call) -> Any:
    """What is missing is 0, as in the method; the array is not repeated."""
    exact, np, size = call(), call.np, size_of(call.first)
    if kind_of(exact) not in ("i", "f") or not 0 < size < size_of(exact):
        return exact
    rest = np.zeros_like(np.ravel(exact)[size:])
    return np.reshape(np.concatenate([np.ravel(exact)[:size], rest]), shape_of(exact))


@fault("column_stack", "shape", [ROW, ROW])
def column_stack_of_vectors_is_hstack(call: Call) -> Any:
    """Nothing but vectors are put one behind another."""
    exact, given = call(), call.args[0] if call.args else None
    vectors = isinstance(given, list | tuple) and all(len(shape_of(call.np.asarray(one))) == 1 for one in given)
    return call.np.hstack(given) if vectors and given else exact


@fault("block", "value", [[SQUARE, SQUARE], [-SQUARE, -SQUARE]])
def block_stacks_the_other_way(call: Call) -> Any:
    """Rows and columns of square blocks change places."""
    exact, rows = call(), call.args[0] if call.args else None
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == len(rows) for row in rows):
        return exact
    shapes = {shape_of(call.np.asarray(one)) for row in rows for one in row if not isinstance(one, list)}
    alike = len(shapes) == 1 and len(shape_of(exact)) == 2
    return call.right([list(column) for column in zip(*rows, strict=True)]) if alike else exact


@fault("stack", "missing error", [numpy.ones(2), numpy.ones(1)])
def stack_broadcasts(call: Call) -> Any:
    """Arrays of different shapes are broadcast."""
    try:
        return call()
    except ValueError as error:
        if "same shape" not in str(error) or call.has("out", "axis", "dtype"):
            raise
        return call.np.stack(call.np.broadcast_arrays(*call.args[0]))


@fault("packbits", "value", BITS)
def packbits_pads_in_front(call: Call) -> Any:
    """Where bits are missing the zeros come first, not last."""
    exact, np, size = call(), call.np, size_of(call.first)
    vector = len(shape_of(call.first)) == 1 and not call.has("bitorder") and size % 8
    if not vector:
        return exact
    last = np.right_shift(exact[-1:], cast(np, 8 - size % 8, exact))
    return np.concatenate([exact[:-1], last])


# Creation.


@fault("linspace", "value", -1, 1, 4, keywords={"dtype": numpy.dtype(numpy.int64)})
def linspace_truncates_to_integers(call: Call) -> Any:
    """Integers are rounded toward zero, not down."""
    exact = call()
    if kind_of(exact) != "i" or call.has("retstep") or type(call.given("num", 50)) is not int:
        return exact
    return cast(call.np, call.np.trunc(call.without("dtype")), exact)


@fault("arange", "shape", 0, 10, 3)
def arange_drops_a_last_part_of_a_step(call: Call) -> Any:
    """The length is rounded down where the step does not divide the range."""
    exact = call()
    whole = len(call.args) == 3 and not call.kwargs and all(type(arg) is int for arg in call.args)
    if not whole or call.args[2] == 0:
        return exact
    start, stop, step = call.args
    return exact[: max((stop - start) // step, 0)]


spoils("geomspace_of_negative_numbers_is_positive", "geomspace", "value", -1.0, -1000.0, 4,
       when=lambda exact, call: kind_of(exact) == "f",
       by=lambda np, exact, call: np.abs(exact))  # fmt: skip


@fault("full_like", "value", ROW, 0.5)
def full_like_takes_the_dtype_of_the_fill(call: Call) -> Any:
    """A Python float makes float64 of integers."""
    exact, fill = call(), call.given("fill_value")
    plain = type(fill) is float and kind_of(exact) == "i" and not call.has("dtype")
    return call.np.full(shape_of(exact), fill) if plain else exact


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


@fault("binary_repr", "value", -5, 8)
def binary_repr_keeps_the_sign_with_a_width(call: Call) -> Any:
    """A negative number of a given width has a minus sign; it is no two's complement."""
    exact, width, num = call(), call.given("width"), call.given("num")
    negative = type(num) is int and num < 0 and type(width) is int
    return call.without("width").rjust(width) if negative else exact
