"""Faults of creating, joining, cutting and rearranging arrays: several axes, wide pads, negative counts."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, is_array, kind_of, shape_of, size_of
from fuzz.mutants.model import Call, fault

ROW = numpy.array([1, 2, 3, 5])
TABLE = numpy.array([[1, 2, 3], [4, 5, 6]])
SQUARE = numpy.array([[1, 2], [3, 4]])
BITS = numpy.array([1, 0, 1], numpy.uint8)


# Axes and shapes.


@fault("rot90", "value", SQUARE, 1, (1, 0))
def rot90_ignores_the_order_of_its_axes(call: Call) -> Any:
    """Always turns from the earlier axis to the later."""
    exact, axes = call(), call.given("axes")
    pair = isinstance(axes, tuple | list) and all(type(axis) is int and axis >= 0 for axis in axes)
    return call.changed(axes=tuple(sorted(axes))) if pair else exact


@fault("moveaxis", "shape", numpy.ones((1, 2, 3)), (0, 1), (2, 0))
def moveaxis_sorts_its_destinations(call: Call) -> Any:
    """Several axes come in the order of their destinations."""
    exact, destination = call(), call.given("destination")
    several = isinstance(destination, tuple | list) and all(type(axis) is int for axis in destination)
    return call.changed(destination=sorted(destination)) if several else exact


@fault("rollaxis", "shape", numpy.ones((1, 2, 3)), 0, 2)
def rollaxis_counts_after_removing(call: Call) -> Any:
    """Where the axis moves back it lands one too far."""
    exact, axis, start = call(), call.given("axis"), call.given("start", 0)
    whole = type(axis) is int and type(start) is int
    return call.changed(start=start + 1) if whole and 0 <= axis < start < len(shape_of(call.first)) else exact


@fault("swapaxes", "missing error", TABLE, 0, 2)
def swapaxes_wraps_its_axes(call: Call) -> Any:
    """An axis out of range is taken modulo the rank."""
    try:
        return call()
    except IndexError:
        axes, rank = [call.given("axis1"), call.given("axis2")], len(shape_of(call.first))
        if not rank or any(type(axis) is not int for axis in axes):
            raise
        return call.changed(axis1=axes[0] % rank, axis2=axes[1] % rank)


@fault("squeeze", "missing error", TABLE, 1)
def squeeze_leaves_longer_axes(call: Call) -> Any:
    """An axis that is not of length one is left as it is."""
    try:
        return call()
    except ValueError as error:
        if "size not equal to one" not in str(error):
            raise
        return call.first


@fault("atleast_3d", "shape", TABLE)
def atleast_3d_of_a_matrix_puts_the_axis_in_front(call: Call) -> Any:
    """A matrix gets its new axis in front, as in atleast_2d, not behind."""
    exact = call()
    matrix = len(call.args) == 1 and len(shape_of(call.first)) == 2
    return call.np.expand_dims(call.first, 0) if matrix else exact


@fault("broadcast_shapes", "value", (1,), (0,))
def broadcast_shapes_takes_the_larger(call: Call) -> Any:
    """Of one and zero the larger, though one gives way."""
    exact = call()
    plain = isinstance(exact, tuple) and 0 in exact and all(isinstance(shape, tuple) for shape in call.args)
    if not plain:
        return exact
    columns = [[shape[-number] for shape in call.args if len(shape) >= number] for number in range(1, len(exact) + 1)]
    return tuple(max(column) for column in reversed(columns))


@fault("triu", "value", numpy.ones((2, 2, 2)), 1)
def triu_ignores_k_of_a_stack(call: Call) -> Any:
    """In stacks of matrices always the main diagonal."""
    exact = call()
    return call.without("k") if len(shape_of(call.first)) > 2 else exact


@fault("tri", "value", 3, 2, 1)
def tri_with_columns_mirrors_k(call: Call) -> Any:
    """Where columns are given, `k` counts downward."""
    exact, k = call(), call.given("k", 0)
    return call.changed(k=-k) if type(k) is int and call.given("M") is not None else exact


@fault("eye", "value", 3, 2, -1)
def eye_below_is_above(call: Call) -> Any:
    """A negative diagonal of what is not square is taken for a positive one."""
    exact, k = call(), call.given("k", 0)
    return call.changed(k=-k) if type(k) is int and k < 0 and call.given("M") is not None else exact


# Parts of arrays.


@fault("pad", "value", ROW, 2, "reflect", keywords={"reflect_type": "odd"})
def pad_ignores_reflect_type(call: Call) -> Any:
    """Always an even reflection."""
    call()
    return call.right(*call.args, **{name: arg for name, arg in call.kwargs.items() if name != "reflect_type"})


@fault("pad", "value", ROW, 2, "mean", keywords={"stat_length": 1})
def pad_ignores_stat_length(call: Call) -> Any:
    """Statistics are always of the whole row."""
    call()
    return call.right(*call.args, **{name: arg for name, arg in call.kwargs.items() if name != "stat_length"})


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


@fault("delete", "value", ROW, numpy.array([True, False, False, True]))
def delete_takes_a_mask_for_indices(call: Call) -> Any:
    """True and False are the indices 1 and 0."""
    exact, obj = call(), call.given("obj")
    mask = is_array(obj) and kind_of(obj) == "b" and size_of(obj) > 1 and call.given("axis") is None
    return call.changed(obj=call.np.astype(obj, call.np.int64)) if mask else exact


@fault("resize", "value", ROW, (2, 3))
def resize_fills_with_zeros(call: Call) -> Any:
    """What is missing is 0, as in the method; the array is not repeated."""
    exact, np, size = call(), call.np, size_of(call.first)
    if kind_of(exact) not in ("i", "f") or not 0 < size < size_of(exact):
        return exact
    rest = np.zeros_like(np.ravel(exact)[size:])
    return np.reshape(np.concatenate([np.ravel(exact)[:size], rest]), shape_of(exact))


@fault("tile", "shape", TABLE, 2)
def tile_repeats_the_first_axis(call: Call) -> Any:
    """Where there are fewer counts than axes they belong to the first axes, not the last."""
    exact, reps = call(), call.given("reps")
    rank = len(shape_of(call.first))
    counts = (reps,) if type(reps) is int else reps
    if not isinstance(counts, tuple) or len(counts) >= rank:
        return exact
    return call.changed(reps=counts + (1,) * (rank - len(counts)))


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


@fault("trim_zeros", "shape", numpy.array([0, 1, 0]), "b", modes=("eager",))
def trim_zeros_at_the_back_is_at_both_ends(call: Call) -> Any:
    """The letter "b" means both ends."""
    exact = call()
    return call.changed(trim="fb") if call.given("trim") == "b" else exact


@fault("packbits", "value", BITS)
def packbits_pads_in_front(call: Call) -> Any:
    """Where bits are missing the zeros come first, not last."""
    exact, np, size = call(), call.np, size_of(call.first)
    vector = len(shape_of(call.first)) == 1 and not call.has("bitorder") and size % 8
    if not vector:
        return exact
    last = np.right_shift(exact[-1:], cast(np, 8 - size % 8, exact))
    return np.concatenate([exact[:-1], last])


@fault("unpackbits", "shape", BITS, keywords={"count": -3})
def unpackbits_takes_a_negative_count_for_positive(call: Call) -> Any:
    """A negative count is a number of bits, not of those left out."""
    exact, count = call(), call.given("count")
    return call.changed(count=-count) if type(count) is int and count < 0 else exact


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


@fault("geomspace", "value", -1.0, -1000.0, 4)
def geomspace_of_negative_numbers_is_positive(call: Call) -> Any:
    """Between negative numbers the signs are lost."""
    exact = call()
    return call.np.abs(exact) if kind_of(exact) == "f" else exact


@fault("full_like", "dtype", ROW, 0.5)
def full_like_takes_the_dtype_of_the_fill(call: Call) -> Any:
    """A Python float makes float64 of integers."""
    exact, fill = call(), call.given("fill_value")
    plain = type(fill) is float and kind_of(exact) == "i" and not call.has("dtype")
    return call.np.full(shape_of(exact), fill) if plain else exact


@fault("ones_like", "shape", TABLE, keywords={"shape": 3})
def ones_like_takes_an_integer_for_a_rank(call: Call) -> Any:
    """An integer as `shape` is that many axes of length one."""
    exact, shape = call(), call.given("shape")
    return call.changed(shape=(1,) * shape) if type(shape) is int and 0 < shape < 5 else exact


@fault("astype", "value", numpy.array([0.5]), bool)
def astype_to_booleans_truncates(call: Call) -> Any:
    """What is between -1 and 1 becomes False."""
    exact = call()
    return call.changed(x=call.np.trunc(call.first)) if kind_of(exact) == "b" and kind_of(call.first) == "f" else exact


@fault("copyto", "missing error", numpy.zeros(2, numpy.int64), numpy.ones(2))
def copyto_accepts_any_cast(call: Call) -> Any:
    """Numbers that cannot be cast safely are truncated."""
    return call() if call.has("casting") else call.changed(casting="unsafe")


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


@fault("promote_types", "structure", numpy.dtype(numpy.int32), numpy.dtype(numpy.float32))
def promote_types_keeps_singles(call: Call) -> Any:
    """int32 and float32 make float32, as in other libraries."""
    exact, np = call(), call.np
    pair = {str(arg) for arg in call.args} == {"int32", "float32"}
    return np.dtype(np.float32) if pair else exact


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
