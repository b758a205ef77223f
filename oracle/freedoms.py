"""What NumPy's manual leaves open: the order of equal elements, and of those about which nothing was asked.

A result that differs from NumPy's is as good if it is an answer to the same question. This is asked after a difference
of values was found, of single calls only: what a program does with an arbitrary order is not told here.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise
from operator import attrgetter
from typing import Any

import ml_dtypes
import numpy as np

from oracle import domains, fits, folds, matrices, roots, spectra, steps, variations
from oracle.case import Case
from oracle.names import POLYNOMIAL_CLASSES, POLYNOMIAL_MODULES

Arguments = dict[str, Any]


def allow(case: Case, expected: Any, actual: Any) -> bool:
    """Whether the result is another right answer."""
    name = case.name.removeprefix("ndarray.")  # a method leaves open what the function does
    rule = RULES.get(name)
    if rule is None or len(case.calls()) > 1:
        return False
    if not OF_ANY_SHAPE.match(name) and _shapes_of(expected) != _shapes_of(actual):
        return False
    try:
        bound = inspect.signature(attrgetter(name)(np)).bind(*case.args, **case.kwargs)
        bound.apply_defaults()
        return rule(bound.arguments, expected, actual)
    except (AttributeError, TypeError, ValueError, IndexError):
        return False


OF_ANY_SHAPE = re.compile(r"unique|union1d|intersect1d|setdiff1d|setxor1d|poly|roots|linalg\.lstsq")
"""Functions of whose results it is open, too, how many there are."""


def _shapes_of(result: Any) -> list[Any]:
    return [np.shape(part) for part in (result if isinstance(result, (tuple, list)) else [result])]


def _sorted(given: Arguments, expected: Any, actual: Any) -> bool:
    """Equal numbers that look different: zeros of both signs."""
    return bool(np.all((expected == actual) | (np.isnan(expected) & np.isnan(actual))))


def _trapezoids(given: Arguments, expected: Any, actual: Any) -> bool:
    """What cancels, to the last bit where places come back, is as far off as rounding errors of its terms are. Whether
    the sum of terms that overflow, and infinity, is infinite or nan, hangs on their order.
    """
    sizes = np.where(np.isfinite(given["y"]), np.abs(given["y"]), 0).astype(np.longdouble)
    with np.errstate(all="ignore"):
        overflows = (
            np.trapezoid(sizes, given["x"], given["dx"], given["axis"]) > np.finfo(np.asarray(expected).dtype).max
        )
    lost = overflows & ~np.isfinite(expected) & ~np.isfinite(actual)
    if given["x"] is None:
        return bool(np.all(lost | (expected == actual)))
    y, x, axis = np.abs(np.asarray(given["y"])), np.asarray(given["x"]), given["axis"]
    widths = np.abs(np.diff(x)).reshape([-1 if place == axis % y.ndim else 1 for place in range(y.ndim)])
    terms = np.trapezoid(y, dx=widths if x.ndim == 1 else np.abs(np.diff(x, axis=axis)), axis=axis)
    unit = np.finfo(np.result_type(expected, np.float32)).eps
    return bool(np.all(np.abs(np.subtract(expected, actual)) <= 4 * x.size * unit * terms))


def _extremes(given: Arguments, expected: Any, actual: Any) -> bool:
    """The same of minima and maxima, of which some are subnormal and some of those are flushed."""
    return _sorted(given, *(variations.flushed_array(np.asarray(array)) for array in (expected, actual)))


def _order(given: Arguments, expected: Any, actual: Any) -> bool:
    """Any order that sorts, unless a stable one was asked for."""
    if given.get("stable") or str(given.get("kind") or "q")[0] in "sm":
        return False
    array, axis = _along(given)
    return _is_permutation(actual, axis) and _sorted(given, _taken(array, expected, axis), _taken(array, actual, axis))


def _order_of_keys(given: Arguments, expected: Any, actual: Any) -> bool:
    """NumPy misorders keys that are not in the machine's byte order."""
    native = [np.asarray(key).astype(np.asarray(key).dtype.newbyteorder("=")) for key in given["keys"]]
    return bool((np.lexsort(native, given["axis"]) == actual).all())


def _partition(given: Arguments, expected: Any, actual: Any) -> bool:
    axis = 0 if given["axis"] is None else given["axis"]
    return _parts_agree(given, np.asarray(expected), np.asarray(actual), axis)


def _partition_order(given: Arguments, expected: Any, actual: Any) -> bool:
    array, axis = _along(given)
    taken = _taken(array, expected, axis), _taken(array, actual, axis)
    return _is_permutation(actual, axis) and _parts_agree(given, *taken, axis)


def _parts_agree(given: Arguments, expected: np.ndarray, actual: np.ndarray, axis: int) -> bool:
    """The same elements between one place asked for and the next."""
    side = expected.shape[axis]
    places = sorted({int(place) % side for place in np.ravel(given["kth"])})
    bounds = [0, *[bound for place in places for bound in (place, place + 1)], side]
    for start, stop in pairwise(bounds):
        part = [np.sort(array.take(range(start, stop), axis), axis) for array in (expected, actual)]
        if not _sorted(given, *part):
            return False
    return True


def _place(given: Arguments, expected: Any, actual: Any) -> bool:
    """Any place at all among elements that are in no order."""
    array = np.asarray(given["a"])
    if given["sorter"] is not None:
        array = array[np.asarray(given["sorter"])]
    return not _sorted(given, np.sort(array), array)


def _choice(given: Arguments, expected: Any, actual: Any) -> bool:
    """Into an `out=` that is not as it would like it, NumPy writes in vain, unless `mode` is "raise"."""
    if given["out"] is None or given["mode"] == "raise":
        return False
    wanted = np.choose(given["a"], given["choices"], mode=given["mode"]).astype(np.asarray(expected).dtype)
    return np.array_equal(wanted, actual, equal_nan=wanted.dtype.kind in "fc")


def _values(given: Arguments, expected: Any, actual: Any) -> bool:
    """In any order, where none was asked for. NumPy tells zeros apart by their signs if bytes are in another order."""
    if isinstance(expected, np.ndarray) and not np.asarray(next(iter(given.values()))).dtype.isnative:
        expected = np.unique(expected.astype(actual.dtype))
    if given.get("sorted", False):
        return _alike(given, expected, actual)
    return not isinstance(expected, tuple) and _same_set(expected, actual)


def _alike(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of equal elements, any stands for all: of zeros either, as sorting has it that is not stable."""
    if not isinstance(expected, tuple):
        expected, actual = (expected,), (actual,)
    pairs = list(zip(expected, actual, strict=True))
    shaped = all(np.shape(left) == np.shape(right) for left, right in pairs)
    return shaped and all(_sorted(given, np.asarray(left), np.asarray(right)) for left, right in pairs)


def _same_set(expected: Any, actual: Any) -> bool:
    if not isinstance(expected, np.ndarray) or expected.shape != actual.shape:
        return False
    return _sorted({}, np.sort(expected), np.sort(actual))


def _inverse(given: Arguments, expected: Any, actual: Any) -> bool:
    """Whatever makes the array of the values again: nan is like no other, and so in any order."""
    array = np.asarray(given["x"])
    rebuilt = np.asarray(actual[0])[np.asarray(actual[1])]
    distinct = np.unique(actual[1]).size == actual[0].size
    return distinct and _same_set(expected[0], actual[0]) and _sorted({}, array, rebuilt)


def _set(given: Arguments, expected: Any, actual: Any) -> bool:
    """Anything at all, of elements that were said to be unique and are not, or are not any more in the common dtype."""
    arrays = [np.asarray(value) for value in list(given.values())[:2]]
    if not given["assume_unique"]:
        arrays = [np.unique(array) for array in arrays]
        if _alike(given, expected, actual):
            return True
    common = np.result_type(*arrays)
    return any(np.unique(array.astype(common)).size != array.size for array in arrays)


def _membership(given: Arguments, expected: Any, actual: Any) -> bool:
    """Anything, too, where `invert` is a text: NumPy joins it to truth values, and reads those as texts."""
    return isinstance(given["invert"], str | bytes) or _set(given, expected, actual)


def _along(given: Arguments) -> tuple[np.ndarray, int]:
    array = np.asarray(given["a"])
    if given["axis"] is None or array.ndim == 0:
        return array.ravel(), 0
    return array, given["axis"]


def _taken(array: np.ndarray, places: np.ndarray, axis: int) -> np.ndarray:
    return np.take_along_axis(array, places, axis)


def _is_permutation(places: np.ndarray, axis: int) -> bool:
    counted = np.moveaxis(np.sort(places, axis), axis, -1)
    return bool((counted == np.arange(counted.shape[-1])).all())


def _extreme(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of two zeros of different signs, either: which one NumPy takes, differs with dtypes, lengths and processors."""
    x, y = np.asarray(given["x1"]), np.asarray(given["x2"])
    either = _are_opposite_zeros(x, y)
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    alike = same & (either | (np.signbit(expected) == np.signbit(actual)) | np.isnan(expected))
    if expected.dtype.kind in "fV" and expected.dtype != np.float16:  # subnormal numbers are zeros to TensorFlow
        tiny = ml_dtypes.finfo(expected.dtype).smallest_normal
        close = (np.abs(x) < tiny) & (np.abs(y) < tiny) & ((x != 0) | (y != 0))
        alike |= (close | ((expected != 0) & (np.abs(expected) < tiny))) & (np.abs(actual) < tiny)
    return bool(np.all(alike | (~np.asarray(given["where"]) & (given["out"] is None))))


def _extreme_of_pairs(given: Arguments, expected: Any, actual: Any) -> bool:
    """As `_extreme`, of the pairs of an outer call."""
    x, y = np.asarray(given["A"]), np.asarray(given["B"])
    options = {"where": True, "out": None, **given["kwargs"]}
    return _extreme({"x1": x.reshape(x.shape + (1,) * y.ndim), "x2": y, **options}, expected, actual)


def _clipped(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of an element and a bound, or of both bounds, that are zeros of different signs, either, as above."""
    bounds = [given[name] for name in ("a_min", "a_max", "min", "max")]
    bounds = [np.asarray(bound) for bound in bounds if bound is not None and bound is not np._NoValue]
    a, expected, actual, *bounds = (
        variations.flushed_array(np.asarray(v)) for v in (given["a"], expected, actual, *bounds)
    )
    either: Any = False
    for one, other in combinations((a, *bounds), 2):
        either = either | _are_opposite_zeros(one, other)
    alike = (expected == actual) & (either | (np.signbit(expected) == np.signbit(actual)))
    return bool(np.all(alike | (np.isnan(expected) & np.isnan(actual))))


def _are_opposite_zeros(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))


def _interpolated(given: Arguments, expected: Any, actual: Any) -> bool:
    """Anything at all between points of which several are one: NumPy sorts those of a period, and not stably. Else what
    is as exact as the numbers on both sides are.
    """
    places, heights = np.asarray(given["xp"], float), np.abs(given["fp"])
    if given["period"] is None:
        left = np.clip(np.searchsorted(places, given["x"], "right") - 1, 0, len(places) - 2)
        bound = 8 * np.finfo(float).eps * np.maximum(heights[left], heights[left + 1])
        return bool(np.all((np.abs(expected - actual) <= bound) | (np.isnan(expected) & np.isnan(actual))))
    places %= abs(given["period"])
    return np.unique(places).size != places.size


def _padding(given: Arguments, expected: Any, actual: Any) -> bool:
    """What is calculated, a mean or a ramp, has no sign that zero must keep, and a rounding error of its terms."""
    if given["mode"] in ("maximum", "minimum"):  # of complex numbers whose real parts are alike when flushed
        array = np.asarray(given["array"])
        known = np.concatenate([array.ravel(), variations.flushed_array(array).ravel()])
        return bool(variations.are_subnormal(array.real).any() and np.isin(actual, known).all())
    if given["mode"] not in ("mean", "median", "linear_ramp"):
        return False
    wide = np.complex128 if np.asarray(expected).dtype.kind == "c" else np.float64
    left, right = np.asarray(expected, wide), np.asarray(actual, wide)
    error = 8 * ml_dtypes.finfo(np.asarray(expected).dtype).eps * np.max(np.abs(left[np.isfinite(left)]), initial=0.0)
    return bool(np.all((left == right) | (np.abs(left - right) <= error) | (np.isnan(left) & np.isnan(right))))


def _widest(value: Any) -> Any:
    array = np.asarray(value)
    return None if value is None else array.astype(np.clongdouble if array.dtype.kind == "c" else np.longdouble)


def _spread(given: Arguments) -> np.ndarray:
    """The standard deviations of variables, in the widest dtype."""
    wide = {name: _widest(value) if name in ("m", "x", "y") else value for name, value in given.items()}
    first = wide.pop("m", None) if "m" in wide else wide.pop("x")
    return np.sqrt(np.abs(np.diag(np.atleast_2d(np.cov(first, **wide | {"dtype": None})))))


def _correlated(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of variables whose squares are so small that TensorFlow takes them for zero, anything."""
    with np.errstate(all="ignore"):
        spread = _spread(given)
        vanishes = spread**2 < np.finfo(np.asarray(expected).dtype).tiny * np.size(given["x"])
    flushed = np.reshape(vanishes[:, None] | vanishes, np.shape(expected)) & (expected != 0)
    return _overflown(given, expected, np.where(flushed, expected, actual))


def _overflown(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of products that overflow, the order of their sum says whether it is infinite or nan."""
    kind = np.finfo(np.asarray(expected).dtype)
    with np.errstate(all="ignore"):
        spread = _spread(given)
        overflows = np.outer(spread, spread) * np.size(next(iter(given.values()))) > kind.max
    lost = ~np.isfinite(expected) & ~np.isfinite(actual)
    largest = np.max(np.abs(expected), where=np.isfinite(expected), initial=0.0)
    near = (expected == actual) | (np.abs(np.subtract(expected, actual)) <= 64 * kind.eps * largest)
    return bool(np.all((lost & overflows) | near | (np.isnan(expected) & np.isnan(actual))))


def _mapped_from_a_point(given: Arguments, expected: Any, actual: Any) -> bool:
    """Coefficients that are not finite, of a series whose domain is a point: the map from there is infinite, or nan."""
    left, right = expected["coef"], actual["coef"]
    is_point = len(set(expected["domain"].tolist())) == 1 and left.shape == right.shape
    finite = is_point and np.isfinite(left) & np.isfinite(right)
    return is_point and np.allclose(left[finite], right[finite], rtol=1e-6)


def _multiplied_out(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of products that are infinite or overflow, and of parts of complex ones, which is infinite and which nan."""
    lost = ~np.isfinite(expected) & ~np.isfinite(actual)
    near = np.isclose(expected, actual, rtol=64 * np.finfo(expected.dtype).eps, atol=0, equal_nan=True)
    return bool(lost.any() and np.all(lost | near))


def _binned(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of nothing but zeros and numbers so small that TensorFlow takes them for zero, in any bin. Complex numbers
    between the edges where they are in order, which NumPy looks for elsewhere if bins are even. Densities as exact as
    the sum of the weights is in their own dtype.
    """
    array, weights = np.asarray(given["a"]), np.asarray(given["weights"])
    total = weights.astype(np.longdouble) if weights.dtype.kind == "f" else np.zeros(0)
    if given["density"] and total.sum() != 0 and np.array_equal(expected[1], actual[1]):
        allowed = 64 * variations.EPSILON[weights.dtype] * float(np.abs(total).sum() / np.abs(total.sum()))
        if np.allclose(actual[0], expected[0], rtol=allowed, atol=0):
            return True
    if array.dtype.kind == "c":
        counts, edges = np.histogram(array, expected[1], density=given["density"], weights=given["weights"])
        near = partial(np.allclose, rtol=64 * np.finfo(edges.dtype).eps, atol=0, equal_nan=True)
        return bool(near(actual[0], counts) and near(actual[1], edges))
    return bool(np.all(variations.are_subnormal(array) | (array == 0)))


def _filled(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of no text at all NumPy looks for a sign beyond its end, in memory that holds anything."""
    is_empty = np.broadcast_to(np.strings.str_len(given["a"]) == 0, np.shape(expected))
    return bool(np.all((expected == actual) | is_empty))


RULES: dict[str, Callable[[Arguments, Any, Any], bool]] = {
    **dict.fromkeys(("power", "pow", "power.outer", "pow.outer"), roots.may_be_either),
    **dict.fromkeys(("maximum", "minimum", "fmax", "fmin"), _extreme),
    **{f"{name}.outer": _extreme_of_pairs for name in ("maximum", "minimum", "fmax", "fmin")},
    **{
        f"{name}.{method}": _extremes
        for name in ("maximum", "minimum", "fmax", "fmin")
        for method in ("reduce", "accumulate", "reduceat", "at")
    },
    **dict.fromkeys(("min", "max", "amin", "amax", "nanmin", "nanmax", "ndarray.min", "ndarray.max"), _extremes),
    "trapezoid": _trapezoids,
    "clip": _clipped,
    "emath.logn": domains.may_be_rounded,
    **dict.fromkeys(spectra.TRANSFORMS, spectra.may_overflow),
    "sort": _sorted,
    "sort_complex": _sorted,
    "argsort": _order,
    "lexsort": _order_of_keys,
    "partition": _partition,
    "argpartition": _partition_order,
    "searchsorted": _place,
    "choose": _choice,
    "unique": _values,
    "unique_all": _alike,
    "unique_counts": _alike,
    "unique_values": _values,
    "union1d": _alike,
    "unique_inverse": _inverse,
    "isin": _membership,
    "intersect1d": _set,
    "setdiff1d": _set,
    "setxor1d": _set,
    "interp": _interpolated,
    "pad": _padding,
    "histogram": _binned,
    "einsum": folds.multiplied,
    "strings.zfill": _filled,
    **matrices.RULES,
    "poly": _multiplied_out,
    "polydiv": fits.division,
    "polyfit": fits.fit,
    **{
        f"polynomial.{home}.{prefix}fit": partial(fits.series_fit, attrgetter(f"{home}.{prefix}vander")(np.polynomial))
        for home, prefix in POLYNOMIAL_MODULES.items()
    },
    **{f"polynomial.{kind}.fromroots": _mapped_from_a_point for kind in POLYNOMIAL_CLASSES},
    "cov": _overflown,
    "corrcoef": _correlated,
    **dict.fromkeys(("arctan2.reduce", "arctan2.reduceat"), partial(folds.joined, np.arctan2)),
    **dict.fromkeys(("power.reduce", "power.reduceat"), partial(folds.joined, np.power)),
    "float_power.accumulate": partial(folds.running, np.float_power),
    "power.accumulate": partial(folds.running, np.power),
    **{
        f"{ufunc.__name__}.{method}": partial(folds.carried, ufunc)
        for ufunc in (np.divide, np.subtract)
        for method in ("reduce", "reduceat")
    },
    "ldexp.reduce": partial(folds.joined, np.ldexp),
    **steps.RULES,
}
