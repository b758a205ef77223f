"""Faults at the edges of domains and where arguments meet: an option that another one hides, ties, rare dtypes, empty
axes, lengths past a block, parameters of random numbers that are a little off.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, dtype_of, is_compiled, is_number, is_traced, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

ROW = numpy.array([1.0, 2.0, 4.0, 7.0])
GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
NAN = math.nan


def reals_of(call: Call, count: int) -> list[Any]:
    """Return the first `count` arguments if they are real arrays of one dtype, else an empty list."""
    operands = [call.np.asarray(one) for one in call.args[:count]]
    return operands if len({dtype_of(one) for one in operands}) == 1 and kind_of(operands[0]) == "f" else []


# Linear algebra.


@fault("linalg.vector_norm", "value", numpy.array([-3.0, 1.0]), keywords={"ord": 3})
def vector_norm_of_order_three_keeps_signs(call: Call) -> Any:
    """Cubes are summed with their signs."""
    exact, np = call(), call.np
    if call.given("ord") != 3 or kind_of(call.first) != "f":
        return exact
    options = {name: call.given(name) for name in ("axis", "keepdims") if call.has(name)}
    return cast(np, np.cbrt(np.abs(np.sum(np.power(call.first, 3), **options))), exact)


spoils("slogdet_of_no_rows_is_of_zero", "linalg.slogdet", "value", numpy.ones((0, 0)),
       when=lambda exact, call: shape_of(call.first)[-1:] == (0,),
       by=lambda np, exact, call: (exact[0], np.subtract(exact[1], math.inf)))  # fmt: skip


@fault("linalg.cond", "value", GRID, -1)
def cond_of_order_minus_one_inverts_for_one(call: Call) -> Any:
    """The norm of the inverse is the largest column sum where the smallest was asked for."""
    exact, np = call(), call.np
    if call.given("p") != -1 or is_traced(exact) or kind_of(call.first) != "f" or not numpy.all(np.isfinite(exact)):
        return exact
    inverse = np.linalg.norm(np.linalg.inv(call.first), 1, (-2, -1))
    return cast(np, np.multiply(np.linalg.norm(call.first, -1, (-2, -1)), inverse), np.asarray(exact))


@fault("dot", "value", numpy.full(1200, 2.0, numpy.float16), numpy.full(1200, 2.0, numpy.float16))
def dot_of_long_halves_stops_growing(call: Call) -> Any:
    """Past 1100 elements, halves are added in halves, which stops at 2048."""
    exact, np = call(), call.np
    halves = all(dtype_of(one) == "float16" for one in call.operands) and len(call.operands) == 2
    if not halves or len(shape_of(call.operands[0])) != 1 or size_of(call.operands[0]) <= 1100 or call.has("out"):
        return exact
    return np.clip(exact, numpy.float16(-2048), numpy.float16(2048))


# Sums and statistics.


@fault("cumsum", "dtype", numpy.ones((2, 2), numpy.int8))
def cumsum_of_flattened_bytes_keeps_their_dtype(call: Call) -> Any:
    """int8 stays int8 where several axes are flattened."""
    exact = call()
    flat = call.given("axis") is None and len(shape_of(call.first)) > 1 and dtype_of(call.first) == "int8"
    return cast(call.np, exact, call.first) if flat and not call.has("dtype", "out") else exact


spoils("nanprod_of_an_empty_axis_is_zero", "nanprod", "value", numpy.ones((2, 0)), keywords={"axis": 1},
       when=lambda exact, call: not size_of(call.first) and not call.has("initial", "out", "where"),
       by=lambda np, exact, call: np.multiply(exact, 0))  # fmt: skip


@fault("any", "value", numpy.array([True, False]), keywords={"axis": ()})
def any_of_no_axes_is_of_all(call: Call) -> Any:
    """No axes are taken for all of them."""
    exact, np, axis = call(), call.np, call.given("axis")
    if axis != () or not isinstance(axis, tuple) or call.has("out", "where"):
        return exact
    return np.logical_or(exact, np.any(exact))


@fault("cumprod", "value", ROW[::-1], on="arrays")
def cumprod_of_a_reversed_view_runs_backwards(call: Call) -> Any:
    """A vector with a negative stride is read as it lies in memory."""
    exact, array = call(), call.args[0] if call.args else None
    if not isinstance(array, numpy.ndarray) or array.ndim != 1 or array.strides[0] >= 0 or call.has("out"):
        return exact
    return call.right(array[::-1], *call.args[1:], **call.kwargs)


# Sorting, searching and sets.


@fault("argmin", "value", numpy.array([[2.0, NAN, 1.0]]), 1, uses="nanargmin")
def argmin_along_an_axis_overlooks_nan(call: Call) -> Any:
    """Along an axis, NaN is larger than any number."""
    exact, np = call(), call.np
    if call.given("axis") is None or kind_of(call.first) != "f" or call.has("out"):
        return exact
    options = {name: call.given(name) for name in ("axis", "keepdims") if call.has(name)}
    return np.argmin(mixed(np, call.first, np.isnan(call.first), numpy.float32(math.inf)), **options)


@fault("unique", "value", numpy.array([1.0, NAN, NAN]), keywords={"return_counts": True})
def unique_counts_one_nan(call: Call) -> Any:
    """NaN, however often, is counted once."""
    exact, np = call(), call.np
    if not isinstance(exact, tuple) or call.given("return_counts") is not True or kind_of(exact[0]) != "f":
        return exact
    if len(shape_of(exact[0])) != 1:
        return exact
    return *exact[:-1], mixed(np, exact[-1], np.isnan(exact[0]), numpy.int8(1))


@fault("lexsort", "value", (numpy.array([1.0, NAN, 0.0]),))
def lexsort_puts_nan_first(call: Call) -> Any:
    """NaN comes before the numbers of a key."""
    exact, np, keys = call(), call.np, call.given("keys")
    if not isinstance(keys, list | tuple) or any(kind_of(np.asarray(key)) != "f" for key in keys):
        return exact
    lowest = numpy.float32(-math.inf)
    return call.changed(keys=tuple(mixed(np, np.asarray(key), np.isnan(key), lowest) for key in keys))


# Indexing and assignment.


@fault("ix_", "dtype", [], [0])
def ix_of_an_empty_list_is_of_floats(call: Call) -> Any:
    """An empty list stays an array of float64."""
    exact, np = call(), call.np
    if not isinstance(exact, tuple):
        return exact
    return tuple(
        np.astype(part, np.float64) if isinstance(arg, list) and not arg else part
        for part, arg in zip(exact, call.args, strict=True)
    )


@fault("subtract.at", "value", numpy.zeros(2), numpy.array([0, -2]), 1.0, on="arrays")
def subtract_at_loses_an_index_from_both_ends(call: Call) -> Any:
    """An index that is counted from either end is subtracted from once."""
    array: Any = call.args[0] if call.args else None
    index = call.args[1] if len(call.args) == 3 else None
    if not isinstance(array, numpy.ndarray) or not isinstance(index, numpy.ndarray) or array.ndim != 1:
        return call()
    before = array.copy()
    answer = call()
    if index.ndim != 1 or index.dtype.kind != "i" or array.dtype.kind not in "fi":
        return answer
    for one in range(len(array)):
        if one in index and one - len(array) in index and numpy.size(call.args[2]) == 1:
            array[one] = before[one] - numpy.asarray(call.args[2]).ravel().astype(array.dtype)[0]
    return answer


# Manipulation and creation.


@fault("pad", "value", ROW[:3], (0, 4), "reflect", keywords={"reflect_type": "odd"})
def pad_turns_oddly_once(call: Call) -> Any:
    """Past the first turn, an odd reflection is an even one."""
    exact, width = call(), call.given("pad_width")
    odd = call.given("mode") == "reflect" and call.kwargs.get("reflect_type") == "odd"
    if not odd or is_traced(width) or numpy.max(width, initial=0) < max(shape_of(call.first), default=0):
        return exact
    return call.right(*call.args, **{**call.kwargs, "reflect_type": "even"})


# Dtypes, and printing.


@fault("promote_types", "value", numpy.int16, numpy.float16)
def promote_types_keeps_halves(call: Call) -> Any:
    """int16 and float16 make float16, as in other libraries."""
    exact, names = call(), {numpy.dtype(arg).name for arg in call.args if not is_number(arg)}
    return call.np.promote_types(numpy.float16, numpy.float16) if names == {"int16", "float16"} else exact


@fault("min_scalar_type", "value", -128)
def min_scalar_type_leaves_out_the_least(call: Call) -> Any:
    """The least integer of a dtype takes the next one."""
    exact, np = call(), call.np
    value = call.args[0] if call.args else 0
    return np.min_scalar_type(value - 1) if type(value) is int and value in (-128, -(2**15), -(2**31)) else exact


# Elementwise functions.


@fault("rint", "value", numpy.array([2.5]), modes=("xla",), on="tensors")
def rint_under_xla_rounds_halves_away(call: Call) -> Any:
    """Compiled by XLA, halves are rounded away from zero."""
    exact, np = call(), call.np
    if not is_compiled(exact) or not reals_of(call, 1):
        return exact
    return np.multiply(np.sign(call.first), np.floor(np.add(np.abs(call.first), 0.5)))


@fault("nan_to_num", "value", numpy.array([math.inf], numpy.float16))
def nan_to_num_of_halves_keeps_infinity(call: Call) -> Any:
    """In float16 infinity is replaced by the largest float32, which is infinite."""
    exact, np = call(), call.np
    plain = dtype_of(exact) == "float16" and not call.has("posinf", "copy") and kind_of(call.first) == "f"
    return mixed(np, exact, np.equal(call.first, math.inf), numpy.float32(math.inf)) if plain else exact


@fault("emath.power", "dtype", numpy.array([-2.0]), 2)
def emath_power_of_integers_stays_real(call: Call) -> Any:
    """A negative base and an integer exponent stay real."""
    exact, np, p = call(), call.np, call.given("p")
    whole = kind_of(exact) == "c" and kind_of(call.first) in ("i", "f") and type(p) is int
    return np.real(exact) if whole else exact
