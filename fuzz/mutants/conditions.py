"""Faults under a condition that operators do not know, or few drawn calls meet: a size, a layout in memory, a dtype, an
order of elements, a call that should have been rejected.
"""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.arrays import cast, dtype_of, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault, spoils

ROW = numpy.array([1.0, 2.0, 4.0, 8.0])
GRID = numpy.array([[1.0, 2.0], [3.0, 5.0]])
NAN = numpy.array([numpy.nan, 1.0])
BYTES = numpy.array([1], numpy.int8)


def is_flat(call: Call) -> bool:
    """Return whether a vector is reduced as a whole, and nothing else is given."""
    return len(shape_of(call.first)) == 1 and set(call.arguments) == {"a"}


# Values.


spoils("sin_returns_zero", "sin", "value", numpy.array([1.0]), by=lambda np, exact, call: np.zeros_like(exact))


@fault("sort", "value", NAN)
def sort_puts_nan_first(call: Call) -> Any:
    """NaN comes before the numbers, not after them."""
    array, np, axis = call.first, call.np, call.given("axis", -1)
    if kind_of(array) != "f" or not shape_of(array) or axis is None:
        return call()
    return np.negative(np.flip(call.changed(a=np.negative(array)), axis))


@fault("median", "value", ROW)
def median_takes_the_lower_middle(call: Call) -> Any:
    """No mean of the two in the middle."""
    exact, np = call(), call.np
    if not is_flat(call) or kind_of(call.first) != "f" or not size_of(call.first):
        return exact
    return np.where(np.isnan(exact), exact, np.sort(call.first)[(size_of(call.first) - 1) // 2])


@fault("digitize", "value", numpy.array([2.0]), ROW[::-1].copy())
def digitize_of_falling_bins_takes_right_for_left(call: Call) -> Any:
    """Where bins fall, `right` means left."""
    exact, np = call(), call.np
    bins = np.asarray(call.given("bins"))
    if len(shape_of(bins)) != 1 or not size_of(bins) or type(call.given("right", False)) is not bool:
        return exact
    turned = call.changed(right=not call.given("right", False))
    return np.where(np.greater(bins[0], bins[-1]), turned, exact)


@fault("pad", "value", numpy.array([1, 2, 3, 5]), 7, "reflect")
def pad_reflects_once(call: Call) -> Any:
    """A pad wider than the array repeats its edge once it has been reflected."""
    exact, width, length = call(), call.given("pad_width"), size_of(call.first) - 1
    plain = type(width) is int and call.given("mode") == "reflect" and set(call.kwargs) <= {"mode", "pad_width"}
    if not plain or len(shape_of(call.first)) != 1 or not 0 < length < width:
        return exact
    return call.np.pad(call.np.pad(call.first, length, "reflect"), width - length, "edge")


@fault("linalg.pinv", "value", numpy.stack([GRID, 1e-20 * GRID]), uses="linalg.svd")
def pinv_of_a_stack_has_one_cutoff(call: Call) -> Any:
    """Singular values are compared with the largest one of all matrices."""
    exact, np = call(), call.np
    plain = len(shape_of(call.first)) == 3 and size_of(exact) and kind_of(call.first) == "f" and call.is_plain
    if not plain or dtype_of(call.first) != "float64":
        return exact
    largest = np.linalg.svd(call.first, compute_uv=False)[:, 0]
    return call.changed(rcond=np.divide(1e-15 * np.max(largest), np.maximum(largest, 1e-300)))


# Sizes and dtypes.


@fault("sum", "value", numpy.ones(1024))
def sum_drops_the_last_of_1000(call: Call) -> Any:
    """Drops the last of 1000 elements or more."""
    exact, axis, rank = call(), call.given("axis"), len(shape_of(call.first))
    whole = axis is None or (rank == 1 and type(axis) is int)
    if not whole or size_of(call.first) < 1000 or call.has("where", "keepdims", "out"):
        return exact
    return call.changed(a=call.np.ravel(call.first)[:-1], axis=None)


spoils("weibull_starts_again_past_4096", "random.weibull", "value", 2.0, 10_000,
       when=lambda exact, call: len(shape_of(exact)) == 1 and size_of(exact) > 4096,
       by=lambda np, exact, call: np.concatenate([exact[:4096], exact[:size_of(exact) - 4096]]))  # fmt: skip
spoils("mean_of_halves_in_halves", "mean", "value", numpy.array([100.0, 127.0, 1.0, 3.14, 128.0], numpy.float16),
       when=lambda exact, call: is_flat(call) and dtype_of(call.first) == "float16" and size_of(call.first),
       by=lambda np, exact, call: cast(np, np.divide(np.sum(call.first), size_of(call.first)), exact))  # fmt: skip
spoils("divide_of_small_integers_is_half", "divide", "dtype", BYTES, BYTES,
       when=lambda exact, call: dtype_of(call.first) == "int8" and dtype_of(exact) == "float64",
       by=lambda np, exact, call: np.astype(exact, np.float16))  # fmt: skip
spoils("split_gives_a_tuple", "split", "structure", numpy.array([1, 2]), 2,
       by=lambda np, exact, call: tuple(exact))  # fmt: skip
spoils("nanmax_of_minus_infinity_is_nan", "nanmax", "value", numpy.array([-numpy.inf, numpy.nan]),
       when=lambda exact, call: kind_of(exact) == "f" and not call.has("out", "initial", "where"),
       by=lambda np, exact, call: mixed(np, exact, np.equal(exact, -numpy.inf), numpy.float32(numpy.nan)))  # fmt: skip

spoils("index_counts_from_its_start", "strings.index", "value", numpy.array(["abab"]), "b", 2,
       when=lambda exact, call: type(call.given("start", 0)) is int and call.given("start", 0) > 0,
       by=lambda np, exact, call: np.subtract(exact, call.given("start", 0)))  # fmt: skip


# Calls that should have been rejected, or otherwise.


@fault("max", "missing error", numpy.ones(0))
def max_of_nothing_is_zero(call: Call) -> Any:
    """0 for the largest of no elements."""
    if size_of(call.first) or len(call.args) > 1 or call.kwargs:
        return call()
    return call.np.zeros((), call.first.dtype)


@fault("argmin", "missing error", numpy.ones((2, 0)), keywords={"axis": 1})
def argmin_of_empty_rows_is_zero(call: Call) -> Any:
    """0 for the rows of an array that have no elements."""
    try:
        return call()
    except ValueError:
        axis = call.given("axis")
        dims = shape_of(call.first)
        inside = type(axis) is int and -len(dims) <= axis < len(dims)
        if not inside or dims[axis] or call.has("out", "keepdims"):
            raise
        return call.np.zeros([dim for number, dim in enumerate(dims) if number != axis % len(dims)], call.np.int64)


@fault("delete", "missing error", numpy.array([1, 2, 3]), 3)
def delete_clamps_what_is_out_of_bounds(call: Call) -> Any:
    """An index beyond the end is taken for the last."""
    index = call.given("obj")
    if type(index) is int and call.given("axis") is None and 0 < size_of(call.first) <= index:
        return call.changed(obj=size_of(call.first) - 1)
    return call()


@fault("polynomial.legendre.legpow", "missing error", ROW[:2], 3, 2, modes=("eager",))
def legpow_ignores_maxpower(call: Call) -> Any:
    """A power above `maxpower` is calculated."""
    try:
        return call()
    except ValueError as error:
        if "too large" not in str(error):
            raise
        return call.changed(maxpower=None)


@fault("sum", "different error", numpy.ones(1), 5)
def sum_raises_a_bare_value_error(call: Call) -> Any:
    """ValueError for AxisError, which is an IndexError as well."""
    try:
        return call()
    except IndexError as error:
        raise ValueError(str(error)) from None


@fault("linalg.cholesky", "different error", -numpy.eye(2), modes=("eager",))
def cholesky_raises_an_arithmetic_error(call: Call) -> Any:
    """ArithmeticError for a matrix that is not positive definite."""
    try:
        return call()
    except ValueError as error:
        if "positive definite" not in str(error):
            raise
        raise ArithmeticError(str(error)) from None


# Layouts, which only NumPy's own arrays have.


def is_alone(call: Call) -> bool:
    """Return whether one of NumPy's own arrays is all that is given."""
    return len(call.args) == 1 and not call.kwargs and isinstance(call.args[0], numpy.ndarray)


@fault("cumsum", "value", numpy.asfortranarray(GRID), on="arrays")
def cumsum_reads_columns(call: Call) -> Any:
    """Elements come as they lie in memory, which is wrong for columns."""
    is_by_columns = is_alone(call) and call.first.flags.f_contiguous and not call.first.flags.c_contiguous
    return call.changed(a=call.first.ravel("K")) if is_by_columns else call()


@fault("exp", "value", ROW[::-1], on="arrays")
def exp_ignores_a_negative_stride(call: Call) -> Any:
    """Elements that run backwards are read forwards."""
    is_reversed = is_alone(call) and call.first.ndim and call.first.strides[-1] < 0
    return call.right(call.first[..., ::-1]) if is_reversed else call()


@fault("sin", "value", numpy.array([1.0], ">f8"), on="arrays")
def sin_ignores_the_byte_order(call: Call) -> Any:
    """Bytes in the other order are read as they are."""
    is_swapped = is_alone(call) and not call.first.dtype.isnative
    return call.right(call.first.view(call.first.dtype.newbyteorder("="))) if is_swapped else call()


@fault("sum", "value", numpy.ones(8)[::2], on="arrays")
def sum_skips_where_there_are_gaps(call: Call) -> Any:
    """The last element is missed where others lie between."""
    has_gaps = is_alone(call) and call.first.ndim == 1 and call.first.strides[0] == 2 * call.first.itemsize
    return call.changed(a=call.first[:-1]) if has_gaps and call.first.size > 1 else call()
