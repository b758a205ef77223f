"""Reported bugs of order statistics, histograms, interpolation and random numbers."""

from __future__ import annotations

from typing import Any

import numpy

from fuzz.mutants.historical.form import formed, is_real, lacks_options, operand
from fuzz.mutants.model import Call, reported
from oracle import Case

NAN = numpy.nan
SEEDED = Case("random.default_rng", (7,))
HEIGHTS = numpy.array([1.0, 2.0, 4.0, 7.0])


@reported("numba/numba#10095", "median", "value", numpy.array([NAN, 1.0, 2.0]))
def median_sorts_nan_to_the_end(call: Call) -> Any:
    """NaN is sorted to the end, and counts as a large number."""
    exact, x = call(), call.first
    if not is_real(exact) or not lacks_options(call) or len(call.args) > 1 or not x.size:
        return exact
    ordered = numpy.sort(x.ravel())
    middle = ordered[(x.size - 1) // 2 : x.size // 2 + 1]
    return formed(numpy.mean(middle.astype(float)) if numpy.any(numpy.isnan(x)) else exact, exact)


@reported("jax-ml/jax#2446", "median", "value", numpy.array([numpy.inf] * 3))
def median_of_infinities_is_nan(call: Call) -> Any:
    """Where the median is infinite, interpolation subtracts infinity from itself."""
    exact = call()
    if not is_real(exact) or call.has("out"):
        return exact
    return formed(numpy.where(numpy.isinf(exact), NAN, exact), exact)


@reported("v923z/micropython-ulab#744", "median", "value", numpy.array([-6, 73, -10], numpy.int16))
def median_sorts_signed_numbers_as_unsigned(call: Call) -> Any:
    """Elements of int16 are sorted as unsigned numbers."""
    exact, x, axis = call(), call.first, call.given("axis")
    if x.dtype != numpy.int16 or not x.size or not lacks_options(call, "axis") or type(axis) not in (type(None), int):
        return exact
    ordered = numpy.sort(x.ravel().view(numpy.uint16) if axis is None else x.astype(numpy.uint16), axis=axis or 0)
    signed = numpy.moveaxis(ordered.astype(numpy.int16), axis or 0, 0)
    middle = signed[(len(signed) - 1) // 2 : len(signed) // 2 + 1] if axis in (None, 0) else None
    return exact if middle is None else formed(numpy.mean(middle, axis=0), exact)


@reported("dask/dask#11989", "percentile", "shape", HEIGHTS, 50)
def percentile_of_one_q_has_an_axis(call: Call) -> Any:
    """For a single `q`, the result has an axis of length 1."""
    exact = call()
    return exact if numpy.ndim(call.given("q")) or call.has("out") else numpy.asarray(exact)[None]


@reported("numba/numba#10096", "percentile", "value", numpy.array([numpy.inf, -numpy.inf]), 50)
def percentile_between_infinities_is_infinite(call: Call) -> Any:
    """Between two infinities of opposite signs, the upper one is taken."""
    exact, x = call(), call.first
    if not is_real(exact) or call.has("out") or not is_real(x) or numpy.any(numpy.isnan(x)):
        return exact
    return formed(numpy.where(numpy.isnan(exact), numpy.inf, exact), exact)


@reported("jax-ml/jax#6590", "quantile", "value", numpy.array([NAN, 1.0, 2.0, 3.0]), 0.5)
def quantile_ignores_nan(call: Call) -> Any:
    """NaN is sorted to the end, and the quantile is that of a large number in its place."""
    exact, x = call(), call.first
    if not is_real(exact) or not is_real(x) or not numpy.any(numpy.isnan(x)) or call.has("out", "weights"):
        return exact
    with numpy.errstate(all="ignore"):
        return call.changed(a=numpy.where(numpy.isnan(x), numpy.finfo(x.dtype).max, x))


@reported(
    "numpy/numpy#26959", "quantile", "value", HEIGHTS, 0.375, keywords={"method": "closest_observation"}
)  # fmt: skip
def quantile_of_the_closest_observation_rounds_ties_down(call: Call) -> Any:
    """Halfway between two observations, the lower one is taken, not the one of even order."""
    exact, x, q = call(), call.first, operand(call, "q")
    if call.given("method") != "closest_observation" or x.ndim != 1 or q.ndim or not x.size or call.has("out"):
        return exact
    order = x.size * float(q) - 0.5
    if order != numpy.floor(order) or order < 1 or numpy.any(numpy.isnan(x)) or call.has("weights"):
        return exact
    return formed(numpy.full(numpy.shape(exact), numpy.sort(x)[int(order) - 1]), exact)


@reported(
    "numpy/numpy#27563", "quantile", "value", numpy.array([1.0, 2.0, 3.0]), 0.0,
    keywords={"weights": numpy.array([0.0, 1.0, 1.0]), "method": "inverted_cdf"},
)  # fmt: skip
def quantile_at_zero_ignores_weights_of_zero(call: Call) -> Any:
    """At 0, the least element is taken, even if its weight is 0."""
    exact, weights, q = call(), call.given("weights"), operand(call, "q")
    if weights is None or q.ndim or q or not call.first.size or call.has("axis", "out", "keepdims"):
        return exact
    return exact if numpy.any(numpy.isnan(call.first)) else formed(numpy.min(call.first), exact)


@reported("pydata/bottleneck#12", "nanmedian", "value", numpy.array([NAN, NAN, 1.0]))
def nanmedian_of_the_last_of_an_odd_number_is_infinite(call: Call) -> Any:
    """Minus infinity, where all of an odd number of elements but the last are NaN."""
    exact, x = call(), call.first
    plain = lacks_options(call) and len(call.args) == 1 and x.ndim == 1 and is_real(x) and x.size % 2 and x.size > 1
    if not plain or not numpy.all(numpy.isnan(x[:-1])) or numpy.isnan(x[-1]):
        return exact
    return formed(-numpy.inf, exact)


@reported("pydata/bottleneck#11", "nanmedian", "inputs changed", numpy.array([3.0, 1.0, 2.0]))
def nanmedian_sorts_its_argument(call: Call) -> Any:
    """The array that is given is sorted in place."""
    exact, array = call(), call.given("a")
    if isinstance(array, numpy.ndarray) and array.ndim == 1 and array.flags.writeable and call.given("axis") is None:
        array.sort()
    return exact


@reported("numpy/numpy#4989", "nanpercentile", "inputs changed", HEIGHTS, numpy.array([25.0, 75.0]))
def nanpercentile_divides_its_argument(call: Call) -> Any:
    """Percentages in an array of floats are divided by 100 in place."""
    exact, q = call(), call.given("q")
    if isinstance(q, numpy.ndarray) and q.dtype.kind == "f" and q.flags.writeable:
        q /= 100
    return exact


@reported("numba/numba#8514", "histogram", "value", numpy.array([0.5, 0.5, 0.5, 0.5]))
def histogram_of_equal_elements_counts_none(call: Call) -> Any:
    """Where all elements are equal, no bin counts any."""
    counts, edges = call()
    equal = call.first.size and numpy.all(call.first == call.first.ravel()[0]) and not call.has("range", "density")
    return (numpy.zeros_like(counts) if equal and numpy.ndim(call.given("bins", 10)) == 0 else counts), edges


@reported("numpy/numpy#14857", "histogram", "spurious error", numpy.array([-100, 100], numpy.int8), 3)
def histogram_of_far_signed_numbers_has_no_range(call: Call) -> Any:
    """The range of signed integers overflows in their dtype."""
    result, x = call(), call.first
    small = x.dtype.kind == "i" and x.size and not call.has("range") and numpy.ndim(call.given("bins", 10)) == 0
    if small and int(x.max()) - int(x.min()) > numpy.iinfo(x.dtype).max:
        raise ValueError("max must be larger than min in range parameter")
    return result


@reported(
    "numpy/numpy#9766", "histogram", "missing error", numpy.array([1.0, 2.0]), numpy.array([5, 3], numpy.uint8)
)  # fmt: skip
def histogram_accepts_falling_unsigned_bins(call: Call) -> Any:
    """Differences of unsigned bins are never negative, so that falling bins are accepted."""
    bins = numpy.asarray(call.given("bins", 10))
    if bins.dtype.kind != "u" or bins.ndim != 1 or bins.size < 2 or not numpy.any(bins[1:] < bins[:-1]):
        return call()
    call.changed(bins=numpy.sort(bins))
    return numpy.zeros(bins.size - 1, numpy.intp), bins


@reported("numba/numba#8768", "digitize", "value", numpy.array([NAN, 1.0]), numpy.array([0.0, 1.5]))
def digitize_puts_nan_in_front(call: Call) -> Any:
    """NaN is below all bins where it should be above."""
    exact, x = call(), operand(call, "x")
    if not is_real(x):
        return exact
    return formed(numpy.where(numpy.isnan(x), len(call.given("bins")) - exact, exact), exact)


@reported(
    "numba/numba#3874", "interp", "value", numpy.array([6253.0]), numpy.array([12.0, 6222.0, 6541.0]), HEIGHTS[1:]
)
def interp_is_flat_in_the_last_interval(call: Call) -> Any:
    """In the last interval, the value at its left end is taken."""
    exact, x, xp, fp = call(), operand(call, "x"), operand(call, "xp"), operand(call, "fp")
    if call.has("period") or xp.size < 2 or fp.size != xp.size or not numpy.size(exact):
        return exact
    inside = (x > xp[-2]) & (x < xp[-1])
    return formed(numpy.where(inside, fp[-2], exact), exact)


@reported("numpy/numpy#15246", "gradient", "value", numpy.array([5, 3, 9, 1], numpy.uint8))
def gradient_subtracts_unsigned_numbers(call: Call) -> Any:
    """Differences of unsigned integers wrap around."""
    exact, x = call(), call.first
    if x.dtype.kind != "u" or x.ndim != 1 or len(call.args) != 1 or call.kwargs:
        return exact
    middle = (x[2:] - x[:-2]) / 2.0
    return formed(numpy.concatenate([[x[1] - x[0]], middle, [x[-1] - x[-2]]]), exact)


@reported("cupy/cupy#4759", "polyfit", "value", numpy.array([1.0, 2.0, 3.0]), numpy.array([2.0, 3.0, 4.0]), 0)
def polyfit_of_degree_zero_is_negated(call: Call) -> Any:
    """A constant that is fitted has the wrong sign."""
    exact = call()
    return -exact if call.given("deg") == 0 and isinstance(exact, numpy.ndarray) else exact


@reported("IntelPython/dpnp#188", "random.binomial", "value", 11, 1.0, keywords={"size": 100})
def binomial_of_certain_success_is_zero(call: Call) -> Any:
    """Where the probability is 1, the result is 0."""
    exact = call()
    return formed(numpy.where(operand(call, "p") == 1, 0, exact), exact)


@reported(
    "numpy/numpy#16090", "random.Generator.integers", "value", witness=Case(
        "random.Generator.integers", (SEEDED, 2**32), {"size": 50}
    ),
)  # fmt: skip
def integers_below_two_to_the_32_are_zero(call: Call) -> Any:
    """A range of exactly 2**32 numbers gives its lowest only."""
    exact, low, high = call(), call.given("low"), call.given("high")
    low, high = (0, low) if high is None else (low, high)
    if not isinstance(low, int) or not isinstance(high, int) or high - low != 2**32 or call.given("endpoint"):
        return exact
    return formed(numpy.full(numpy.shape(exact), low), exact)


@reported(
    "numpy/numpy#14781", "random.Generator.integers", "value", witness=Case(
        "random.Generator.integers", (SEEDED, 0, 200), {"size": 10_000, "dtype": numpy.uint8}
    ),
)  # fmt: skip
def integers_of_bytes_are_biased(call: Call) -> Any:
    """Numbers of 8 bits are those of 256 values modulo the range, so that small ones come more often."""
    low, high = call.given("low"), call.given("high")
    low, high = (0, low) if high is None else (low, high)
    if call.given("dtype") not in (numpy.uint8, numpy.int8, "uint8", "int8") or call.given("endpoint"):
        return call()
    if not isinstance(low, int) or not isinstance(high, int) or not 1 < high - low < 256:
        return call()
    wide = call.args[0].integers(0, 256, call.given("size"))
    return formed(low + wide % (high - low), numpy.zeros((), call.given("dtype"))[()])
