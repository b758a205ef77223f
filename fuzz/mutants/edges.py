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
from oracle import Case

ROW = numpy.array([1.0, 2.0, 4.0, 7.0])
GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
SKEW = numpy.array([[2.0, 1.0 + 2.0j], [3.0 - 1.0j, 1.0]])
NAN = math.nan
SEEDED = Case("random.default_rng", (7,))
MANY = 10_000


def reals_of(call: Call, count: int) -> list[Any]:
    """Return the first `count` arguments if they are real arrays of one dtype, else an empty list."""
    operands = [call.np.asarray(one) for one in call.args[:count]]
    return operands if len({dtype_of(one) for one in operands}) == 1 and kind_of(operands[0]) == "f" else []


# Linear algebra.


@fault("linalg.multi_dot", "shape", [GRID, GRID, numpy.ones(2)])
def multi_dot_keeps_the_column(call: Call) -> Any:
    """A vector behind three operands or more stays a matrix of one column."""
    exact, parts = call(), call.args[0] if call.args else ()
    column = isinstance(parts, list | tuple) and len(parts) > 2 and len(shape_of(call.np.asarray(parts[-1]))) == 1
    return call.np.expand_dims(exact, -1) if column and not call.has("out") else exact


@fault("linalg.vector_norm", "value", numpy.array([-3.0, 1.0]), keywords={"ord": 3})
def vector_norm_of_order_three_keeps_signs(call: Call) -> Any:
    """Cubes are summed with their signs."""
    exact, np = call(), call.np
    if call.given("ord") != 3 or kind_of(call.first) != "f":
        return exact
    options = {name: call.given(name) for name in ("axis", "keepdims") if call.has(name)}
    return cast(np, np.cbrt(np.abs(np.sum(np.power(call.first, 3), **options))), exact)


spoils("det_of_stacks_of_stacks_is_transposed", "linalg.det", "value", numpy.arange(16.0).reshape(2, 2, 2, 2) ** 2,
       when=lambda exact, call: len(shape_of(exact)) == 2,
       by=lambda np, exact, call: np.reshape(np.transpose(exact), shape_of(exact)))  # fmt: skip
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


spoils("nancumsum_forgets_the_first_block", "nancumsum", "value", numpy.ones(70),
       when=lambda exact, call: len(shape_of(exact)) == 1 and size_of(exact) > 64 and not call.has("out"),
       by=lambda np, exact, call: np.concatenate([exact[:64], np.subtract(exact[64:], exact[63])]))  # fmt: skip
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


@fault("cov", "value", numpy.array([[1.0, 2.0, 4.0], [1.0, 0.0, 5.0]]),
       keywords={"fweights": numpy.array([1, 2, 1]), "aweights": numpy.array([0.5, 1.0, 2.0])})  # fmt: skip
def cov_of_both_weights_normalises_by_one(call: Call) -> Any:
    """Where both weights are given, `aweights` are not weighted by `fweights` in the divisor."""
    exact, np, ddof = call(), call.np, call.given("ddof")
    counts, weights = call.given("fweights"), call.given("aweights")
    if counts is None or weights is None or is_traced(counts) or is_traced(weights) or ddof == 0:
        return exact
    counts, weights = numpy.asarray(counts), numpy.asarray(weights)
    both, total = counts * weights, numpy.sum(counts * weights)
    right = total - numpy.sum(both * weights) / total
    wrong = total - numpy.sum(weights * weights) / total
    usual = not call.has("bias", "ddof") and numpy.isfinite(right / wrong) and wrong > 0
    return np.multiply(exact, cast(np, right / wrong, exact)) if usual else exact


@fault("histogram", "value", ROW, 3, (1.0, 7.0), keywords={"weights": ROW})
def histogram_of_weights_leaves_out_the_end(call: Call) -> Any:
    """With weights and a range, elements at its end are left out."""
    exact, np, limits = call(), call.np, call.given("range")
    weights = call.given("weights")
    if weights is None or not isinstance(limits, list | tuple) or shape_of(weights) != shape_of(call.first):
        return exact
    if kind_of(call.first) != "f" or kind_of(weights) != "f":
        return exact
    at_end = np.equal(call.first, cast(np, limits[1], call.first))
    return call.changed(weights=mixed(np, weights, at_end, numpy.float32(0)))


@fault("histogramdd", "value", numpy.array([[1.0, 2.0], [2.0, 4.0], [3.0, 3.0]]), 2,
       keywords={"density": True, "weights": ROW[:3]})  # fmt: skip
def histogramdd_density_counts_instead_of_weighing(call: Call) -> Any:
    """The density of weighted points is divided by their number."""
    exact, np, weights = call(), call.np, call.given("weights")
    if weights is None or call.given("density") is not True or kind_of(np.asarray(weights)) != "f":
        return exact
    factor = np.divide(np.sum(np.asarray(weights)), size_of(np.asarray(weights)))
    return np.multiply(exact[0], cast(np, factor, exact[0])), exact[1]


spoils("blackman_of_one_point_is_zero", "blackman", "value", 1,
       when=lambda exact, call: size_of(exact) == 1,
       by=lambda np, exact, call: np.multiply(exact, 0))  # fmt: skip


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


spoils("sort_complex_of_bytes_is_double", "sort_complex", "dtype", numpy.ones(2, numpy.int8),
       when=lambda exact, call: dtype_of(call.first) == "int8",
       by=lambda np, exact, call: np.astype(exact, np.complex128))  # fmt: skip


@fault("lexsort", "value", (numpy.array([1.0, NAN, 0.0]),))
def lexsort_puts_nan_first(call: Call) -> Any:
    """NaN comes before the numbers of a key."""
    exact, np, keys = call(), call.np, call.given("keys")
    if not isinstance(keys, list | tuple) or any(kind_of(np.asarray(key)) != "f" for key in keys):
        return exact
    lowest = numpy.float32(-math.inf)
    return call.changed(keys=tuple(mixed(np, np.asarray(key), np.isnan(key), lowest) for key in keys))


# Indexing and assignment.


@fault("put", "value", ROW.copy(), numpy.array([0, 1, 2]), numpy.array([8.0, 9.0]), on="arrays")
def put_repeats_its_last_value(call: Call) -> Any:
    """Where values run out, the last is repeated."""
    values, indices = numpy.asarray(call.given("v")), numpy.asarray(call.given("ind"))
    if not 1 < values.size < indices.size or values.dtype.kind not in "biufc":
        return call()
    rest = numpy.broadcast_to(values.ravel()[-1:], (indices.size - values.size,))
    return call.changed(v=numpy.concatenate([values.ravel(), rest]))


@fault("place", "value", numpy.zeros((2, 2)), numpy.ones((2, 2), bool), numpy.array([1.0, 2.0, 3.0]), on="arrays")
def place_begins_again_in_each_row(call: Call) -> Any:
    """The values begin again in each row."""
    array, mask, values = (call.given(name) for name in ("arr", "mask", "vals"))
    if not isinstance(array, numpy.ndarray) or array.ndim != 2 or numpy.size(values) < 2:
        return call()
    answer = call()
    if numpy.shape(mask) == array.shape:
        for row, chosen in zip(array, numpy.asarray(mask), strict=True):
            call.right(row, chosen, values)
    return answer


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


@fault("take_along_axis", "value", GRID, numpy.array([3, 1]), None)
def take_along_no_axis_reads_columns(call: Call) -> Any:
    """Without an axis the array is flattened column by column."""
    exact, np = call(), call.np
    flat = call.bound is not None and call.given("axis", -1) is None and len(shape_of(call.first)) == 2
    return call.changed(arr=np.ravel(np.transpose(call.first))) if flat else exact


@fault("triu_indices_from", "shape", numpy.ones((2, 3)))
def triu_indices_from_is_of_a_square(call: Call) -> Any:
    """Further columns are left out."""
    exact = call()
    rows, columns = shape_of(call.first) or (0, 0)
    return call.np.triu_indices(rows, call.given("k", 0)) if columns > rows else exact


@fault("select", "value", [numpy.array([False])], [numpy.array([1.0])], numpy.array(5.0))
def select_keeps_its_default(call: Call) -> Any:
    """The default of the first call serves the later ones, too."""
    exact, default = call(), call.given("default", 0)
    if is_traced(default) or kind_of(exact) != "f":
        return exact
    return call.changed(default=call.memory.setdefault(dtype_of(exact), default))


# Manipulation and creation.


@fault("pad", "value", ROW[:3], (0, 4), "reflect", keywords={"reflect_type": "odd"})
def pad_turns_oddly_once(call: Call) -> Any:
    """Past the first turn, an odd reflection is an even one."""
    exact, width = call(), call.given("pad_width")
    odd = call.given("mode") == "reflect" and call.kwargs.get("reflect_type") == "odd"
    if not odd or is_traced(width) or numpy.max(width, initial=0) < max(shape_of(call.first), default=0):
        return exact
    return call.right(*call.args, **{**call.kwargs, "reflect_type": "even"})


@fault("linspace", "value", 0.0, 1.0, 4, False, True)
def linspace_gives_the_step_of_a_closed_range(call: Call) -> Any:
    """Without the end, the step is that of numbers with it."""
    exact = call()
    open_ended = call.given("endpoint") is False and call.given("retstep") is True and isinstance(exact, tuple)
    return (exact[0], call.changed(endpoint=True)[1]) if open_ended else exact


@fault("array", "shape", ROW, keywords={"ndmin": 2})
def array_gets_its_dims_behind(call: Call) -> Any:
    """`ndmin` adds axes behind, not in front."""
    exact, np, rank = call(), call.np, len(shape_of(call.first))
    added = len(shape_of(exact)) - rank
    return np.reshape(exact, shape_of(call.first) + (1,) * added) if added > 0 and rank else exact


@fault("frombuffer", "shape", bytes(range(8)), numpy.int16, -1, 2)
def frombuffer_counts_elements_in_offset(call: Call) -> Any:
    """`offset` counts elements, not bytes."""
    exact, offset = call(), call.given("offset", 0)
    size = numpy.dtype(getattr(exact.dtype, "name", "int8")).itemsize
    few = type(offset) is int and offset > 0 and not call.given("count", -1) > 0
    return exact[(offset * size - offset) // size :] if few and size > 1 else exact


@fault("base_repr", "value", -5, 2, 3)
def base_repr_pads_before_the_sign(call: Call) -> Any:
    """Zeros come before a minus sign."""
    exact, padding = call(), call.given("padding", 0)
    return padding * "0" + exact.replace("-" + padding * "0", "-") if padding else exact


# Dtypes, and printing.


spoils("finfo_of_singles_in_pairs_is_that_of_doubles", "finfo", "value", numpy.complex64,
       when=lambda exact, call: call.args and call.args[0] in (numpy.complex64, "complex64"),
       by=lambda np, exact, call: np.finfo(numpy.float64))  # fmt: skip
spoils("iinfo_of_the_longest_is_signed", "iinfo", "value", numpy.uint64,
       when=lambda exact, call: exact.max == 2 ** 64 - 1,
       by=lambda np, exact, call: np.iinfo(numpy.int64))  # fmt: skip
spoils("result_type_of_a_python_complex_is_double", "result_type", "value", numpy.float32, 1j,
       when=lambda exact, call: any(type(arg) is complex for arg in call.args) and exact == numpy.complex64,
       by=lambda np, exact, call: np.result_type(numpy.complex128))  # fmt: skip


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


@fault("array_repr", "value", numpy.ones((0, 2)))
def array_repr_of_nothing_forgets_the_shape(call: Call) -> Any:
    """An empty array of several axes is shown as a vector."""
    exact = call()
    before, _, after = exact.partition(", shape=")
    return before + after[after.index(")") + 1 :] if after and not size_of(call.first) else exact


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


@fault("abs", "value", numpy.array([1e200 + 1e200j]))
def abs_of_large_complex_numbers_overflows(call: Call) -> Any:
    """The modulus of a complex number is the root of a sum of squares."""
    exact, np = call(), call.np
    if kind_of(call.first) != "c" or call.kwargs or len(call.args) > 1:
        return exact
    return np.sqrt(np.add(np.square(np.real(call.first)), np.square(np.imag(call.first))))


@fault("true_divide", "dtype", numpy.ones(1, numpy.int8), numpy.ones(1, numpy.int8))
def true_divide_of_bytes_is_single(call: Call) -> Any:
    """int8 is divided in float32, not in float64."""
    exact = call()
    small = [dtype_of(operand) for operand in call.operands] == ["int8", "int8"] and dtype_of(exact) == "float64"
    return call.np.astype(exact, call.np.float32) if small and not call.has("dtype", "out", "signature") else exact


@fault("log", "value", numpy.array([1.0, 2.0]), numpy.zeros(2), keywords={"where": numpy.array([True, False])},
       on="arrays")  # fmt: skip
def log_clears_what_where_leaves_out(call: Call) -> Any:
    """With `where` and `out`, the elements that are left out become 0."""
    exact, where = call(), call.kwargs.get("where")
    if isinstance(exact, numpy.ndarray) and isinstance(where, numpy.ndarray) and len(call.args) + len(call.kwargs) > 2:
        exact[~numpy.broadcast_to(where, exact.shape)] = 0
    return exact


@fault("logical_xor.reduce", "value", numpy.ones(66, bool))
def logical_xor_reduce_of_many_is_any(call: Call) -> Any:
    """Past 64 elements of a vector, one that is true is enough."""
    exact, np = call(), call.np
    long = len(shape_of(call.first)) == 1 and size_of(call.first) > 64 and not call.has("where", "initial", "out")
    return np.logical_or(exact, np.any(call.first)) if long and not shape_of(exact) else exact


@fault("maximum.reduceat", "value", ROW, numpy.array([2, 2]))
def maximum_reduceat_of_equal_indices_takes_the_next(call: Call) -> Any:
    """A segment without elements is the maximum of what follows."""
    exact, np, indices = call(), call.np, call.args[1] if len(call.args) > 1 else None
    if len(call.args) != 2 or call.kwargs or is_traced(indices) or len(shape_of(call.first)) != 1:
        return exact
    starts = numpy.asarray(indices)
    if starts.ndim != 1 or not numpy.any(starts[:-1] == starts[1:]):
        return exact
    whole = np.stack([np.max(call.first[int(start) :]) for start in starts])
    same = numpy.append(starts[:-1] == starts[1:], False)
    return np.where(same, whole, exact)


@fault("emath.power", "dtype", numpy.array([-2.0]), 2)
def emath_power_of_integers_stays_real(call: Call) -> Any:
    """A negative base and an integer exponent stay real."""
    exact, np, p = call(), call.np, call.given("p")
    whole = kind_of(exact) == "c" and kind_of(call.first) in ("i", "f") and type(p) is int
    return np.real(exact) if whole else exact


@fault("emath.log", "value", numpy.array([-1.0, -2.0]))
def emath_log_looks_at_the_first(call: Call) -> Any:
    """Whether the logarithm is complex is decided by the first element."""
    exact, np = call(), call.np
    if kind_of(exact) != "c" or kind_of(call.first) not in ("i", "f") or is_traced(exact) or not size_of(exact):
        return exact
    first = np.ravel(call.first)[0]
    return np.conj(exact) if float(first) < 0 else np.log(call.first)
