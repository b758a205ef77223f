"""Faults of values that few calls show: special numbers, ties, limits, long arrays, odd lengths."""

from __future__ import annotations

import math
from typing import Any

import numpy

from fuzz.mutants.arrays import cast, kind_of, mixed, shape_of, size_of
from fuzz.mutants.model import Call, fault
from fuzz.mutants.rows import spoils

ROW = numpy.array([1.0, 2.0, 4.0, 8.0])
WAVES = numpy.array([1 + 2j, 3 - 1j, 2 + 5j])
NAN = numpy.array([math.nan, 1.0])
ONE = numpy.array([1.0])
TIES = numpy.array([1, 3, 3, 2])
MORE = 10_000  # draws that show a few percent


@fault("fft.irfft", "value", WAVES, 5)
def irfft_of_an_odd_length_drops_a_part(call: Call) -> Any:
    """For an odd length the last coefficient is taken for real, as it is for an even one."""
    exact, np, n = call(), call.np, call.given("n")
    odd = type(n) is int and n % 2 and n > 1 and shape_of(call.first) == (n // 2 + 1,) and kind_of(call.first) == "c"
    if not odd or call.has("out"):
        return exact
    last = cast(np, np.real(call.first[-1:]), call.first)
    return call.changed(a=np.concatenate([call.first[:-1], last]))


@fault("interp", "value", numpy.array([0.0]), -ROW[::-1] + 1, ROW, keywords={"right": -1.0})
def interp_takes_the_last_point_for_beyond(call: Call) -> Any:
    """At the last point `right` is returned."""
    exact, np, right = call(), call.np, call.given("right")
    if type(right) not in (int, float) or call.has("period"):
        return exact
    last = np.max(np.asarray(call.given("xp")))
    return mixed(np, exact, np.equal(np.asarray(call.given("x")), last), right)


@fault("poly", "dtype", numpy.array([1j, -1j]), modes=("eager",))
def poly_of_conjugate_pairs_stays_complex(call: Call) -> Any:
    """Coefficients are complex, even where their imaginary parts are 0."""
    exact, np = call(), call.np
    paired = kind_of(call.first) == "c" and kind_of(exact) == "f" and len(shape_of(call.first)) == 1
    return np.astype(exact, np.complex128) if paired else exact


@fault("polynomial.polynomial.polyvalfromroots", "value", ROW[:2], numpy.array([[1.0, 2.0], [3.0, 5.0]]), False)
def polyvalfromroots_ignores_tensor(call: Call) -> Any:
    """`tensor=False` is ignored for as many points as there are columns."""
    exact, tensor = call(), call.given("tensor", True)
    if tensor or not shape_of(exact):
        return exact
    whole = call.without("tensor")
    if len(shape_of(whole)) != 2 or shape_of(whole)[0] != shape_of(exact)[-1]:
        return exact
    return whole[:, 0] if len(shape_of(exact)) == 1 else exact


@fault("clip", "value", numpy.array([1.0, 2.0]), NAN, numpy.array([3.0, 3.0]))
def clip_ignores_limits_that_are_nan(call: Call) -> Any:
    """A limit that is NaN is none."""
    exact, np, low, high = call(), call.np, call.given("a_min"), call.given("a_max")
    if kind_of(exact) != "f" or call.kwargs or low is None or high is None:
        return exact
    return cast(np, np.fmin(np.fmax(call.first, low), high), exact)


@fault("nan_to_num", "value", numpy.array([-math.inf]), keywords={"posinf": 9.0})
def nan_to_num_mirrors_posinf(call: Call) -> Any:
    """Where `posinf` alone is given, minus infinity becomes minus that."""
    call()
    posinf = call.given("posinf")
    alone = type(posinf) in (int, float) and call.given("neginf") is None
    return call.changed(neginf=-posinf) if alone else call()


spoils("nan_to_num_looks_at_the_real_part", "nan_to_num", "value", numpy.array([complex(1.0, math.nan)]),
       when=lambda exact, call: kind_of(exact) == "c" and not call.has("copy"),
       by=lambda np, exact, call: mixed(np, exact, np.isnan(np.imag(call.first)), call.first))  # fmt: skip
spoils("sinc_is_one_near_zero", "sinc", "value", numpy.array([5e-5]),
       when=lambda exact, call: kind_of(call.first) == "f",
       by=lambda np, exact, call: mixed(np, exact, np.less(np.abs(call.first), 0.0001), 1.0))  # fmt: skip


@fault("round", "value", numpy.array([25]), -1)
def round_of_integers_rounds_halves_up(call: Call) -> Any:
    """Integers halfway between two tens are rounded up, not to even."""
    exact, np, decimals = call(), call.np, call.given("decimals", 0)
    if kind_of(exact) != "i" or type(decimals) is not int or not -3 < decimals < 0 or call.has("out"):
        return exact
    unit = 10**-decimals
    wide = np.astype(call.first, np.int64)
    return cast(np, np.multiply(np.floor_divide(np.add(wide, unit // 2), unit), unit), exact)


@fault("angle", "value", numpy.array([complex(-1.0, -0.0)]))
def angle_of_negative_numbers_below_the_axis(call: Call) -> Any:
    """The sign of a zero imaginary part is not looked at."""
    exact, np = call(), call.np
    if kind_of(call.first) != "c":
        return exact
    below = np.logical_and(np.equal(np.imag(call.first), 0), np.less(np.real(call.first), 0))
    return mixed(np, exact, below, np.abs(exact))


spoils("sin_returns_zero", "sin", "value", ONE, by=lambda np, exact, call: np.zeros_like(exact))


@fault("var", "value", numpy.array([1e8, 1e8 + 1]))
def var_in_one_pass(call: Call) -> Any:
    """Computed as mean(x**2) - mean(x)**2."""
    exact, np = call(), call.np
    if call.bound is None or set(call.bound.arguments) != {"a"} or kind_of(call.first) != "f":
        return exact
    mean = np.mean(call.first)
    return np.astype(np.subtract(np.mean(np.square(call.first)), np.square(mean)), exact.dtype)


@fault("sum", "value", numpy.ones(1024))
def sum_drops_the_last_of_1000(call: Call) -> Any:
    """Drops the last of 1000 elements or more."""
    exact, axis, rank = call(), call.given("axis"), len(shape_of(call.first))
    whole = axis is None or (rank == 1 and type(axis) is int)
    if not whole or size_of(call.first) < 1000 or call.has("where", "keepdims", "out"):
        return exact
    return call.changed(a=call.np.ravel(call.first)[:-1], axis=None)


@fault("sort", "value", NAN)
def sort_puts_nan_first(call: Call) -> Any:
    """NaN comes before the numbers, not after them."""
    array, np, axis = call.first, call.np, call.given("axis", -1)
    if kind_of(array) != "f" or not shape_of(array) or axis is None:
        return call()
    return np.negative(np.flip(call.changed(a=np.negative(array)), axis))


@fault("argmax", "value", numpy.array([math.nan, 1.0]), uses="where")
def argmax_ignores_nan(call: Call) -> Any:
    """The place of the largest number, not of the first NaN."""
    exact, np = call(), call.np
    if kind_of(call.first) != "f" or "out" in call.kwargs:
        return exact
    return call.changed(a=np.where(np.isnan(call.first), np.full_like(call.first, -math.inf), call.first))


@fault("argmax", "value", TIES)
def argmax_takes_the_last_of_equals(call: Call) -> Any:
    """The last of several largest."""
    exact = call()
    flat = call.given("axis") is None and not {"out", "keepdims"} & set(call.kwargs) and size_of(call.first)
    if not flat or kind_of(call.first) != "i":
        return exact
    return call.np.subtract(size_of(call.first) - 1, call.changed(a=call.np.flip(call.np.ravel(call.first))))


@fault("clip", "value", ROW, 3.0, 2.0)
def clip_with_limits_exchanged(call: Call) -> Any:
    """Where the limits are the wrong way round, the lower one wins."""
    exact, np, low, high = call(), call.np, call.given("a_min"), call.given("a_max")
    if {type(low), type(high)} - {int, float} or kind_of(call.first) != "f" or call.kwargs:
        return exact
    return np.astype(np.maximum(np.minimum(call.first, high), low), exact.dtype)


spoils("nonzero_gives_a_list", "nonzero", "structure", ROW, by=lambda np, exact, call: list(exact))


@fault("median", "value", ROW, uses="where")
def median_takes_the_lower_middle(call: Call) -> Any:
    """No mean of the two in the middle."""
    exact = call()
    if (
        set(call.bound.arguments if call.bound else ()) != {"a"}
        or kind_of(call.first) != "f"
        or not size_of(call.first)
    ):
        return exact
    ordered = call.np.sort(call.np.ravel(call.first))
    return call.np.where(call.np.isnan(exact), exact, ordered[(size_of(call.first) - 1) // 2])


spoils("weibull_starts_again_past_4096", "random.weibull", "value", 2.0, MORE,
       when=lambda exact, call: len(shape_of(exact)) == 1 and size_of(exact) > 4096,
       by=lambda np, exact, call: np.concatenate([exact[:4096], exact[:size_of(exact) - 4096]]))  # fmt: skip


def is_text(call: Call) -> bool:
    """Whether the first argument is text; tensors do not tell it from bytes."""
    return getattr(getattr(call.args[0] if call.args else None, "dtype", None), "kind", "U") == "U"


spoils("index_counts_from_its_start", "strings.index", "value", numpy.array(["abab"]), "b", 2,
       when=lambda exact, call: type(call.given("start", 0)) is int and call.given("start", 0) > 0,
       by=lambda np, exact, call: np.subtract(exact, call.given("start", 0)))  # fmt: skip
