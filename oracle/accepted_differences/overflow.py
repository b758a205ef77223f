"""Allowances for overflow: sums and products that are infinite in one order and nan in another."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.accepted_differences import sums
from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.accepted_differences.subnormals import LINK
from oracle.case.model import Case
from oracle.equality import scaling, ulp
from oracle.equality.numeric import at
from oracle.reference.dtypes import EPSILON, to_longdouble
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy
from oracle.transforms import precision

SINGLE = np.finfo(np.float32)
OPTIONS = ("rowvar", "bias", "ddof", "fweights", "aweights")


def are_lost_in_both(query: Query) -> np.ndarray:
    """Return which elements are infinite or nan in both results."""
    return ~np.isfinite(np.asarray(query.expected_part)) & ~np.isfinite(np.asarray(query.actual_part))


def _sum_sizes(case: Case, rank: int) -> np.ndarray:
    """Return twice the sums of the sizes that are transformed together: numbers without a counterpart count twice."""
    array = np.asarray(bind_arguments(case)["a"])
    return 2 * np.abs(array.astype(np.clongdouble)).sum(scaling.axes(case, rank), keepdims=True)


def transforms_past_single(case: Case, expected: Outcome) -> bool:
    """Return whether finite numbers of single precision add up to more than it holds."""
    array = np.asarray(bind_arguments(case).get("a", 0))
    if array.dtype not in (np.float32, np.complex64):
        return False
    return bool(_are_too_large(_sum_sizes(case, np.ndim(expected.value))).any())


def _are_too_large(sums: np.ndarray) -> np.ndarray:
    """Return which sums of finite numbers do not fit single precision."""
    return (sums > SINGLE.max) & np.isfinite(sums)


def are_past_single(query: Query) -> np.ndarray | bool:
    """Return which elements are not finite, or as near the exact value as transforms are, where the sums do not fit."""
    actual, reference = np.asarray(query.actual_part), at(query.evidence.upcast, query.deviation.path)
    if not isinstance(reference, np.ndarray) or reference.shape != actual.shape:
        return False
    sums = _sum_sizes(query.case, actual.ndim)
    with np.errstate(all="ignore"):
        # each number passes log2(n) stages of a product and a sum (Higham 24.1)
        near = np.abs(actual - reference) <= 4 * float(SINGLE.eps) * (np.log2(max(actual.size, 2)) + 1) * sums
    return _are_too_large(sums) & (near | ~np.isfinite(actual))


def _spread(case: Case) -> tuple[np.ndarray, int]:
    """Return the standard deviations of variables, in the widest dtype, and how many numbers there are at most."""
    arguments = bind_arguments(case)
    first = "m" if "m" in arguments else "x"
    upcast: dict[str, Any] = {
        name: value if value is None else to_longdouble(value)
        for name, value in arguments.items()
        if name in ("m", "x", "y")
    }
    options = {name: arguments[name] for name in OPTIONS if arguments.get(name, np._NoValue) is not np._NoValue}
    with np.errstate(all="ignore"):
        covariances = np.cov(upcast.pop(first), **upcast, **options)
        count = sum(np.size(value) for value in (arguments[first], arguments["y"]) if value is not None)
        return np.sqrt(np.abs(np.diag(np.atleast_2d(covariances)))), count


def has_lost_elements(case: Case, expected: Outcome) -> bool:
    """Return whether elements of NumPy's result are infinite or nan."""
    values = [part for part in (expected.value, *expected.after) if isinstance(part, (np.ndarray, np.generic))]
    return bool(bind_arguments(case)) and any(not np.isfinite(part).all() for part in values if part.dtype.kind in "fc")


def overflow_with_terms(query: Query) -> np.ndarray:
    """Return which elements are lost in both results, where the terms add up past the range: products of two variables,
    or those of the trapezoidal rule.
    """
    expected = np.asarray(query.expected_part)
    with np.errstate(all="ignore"):
        if query.case.name == "trapezoid":
            sizes = 2 * sums.find_trapezoids(query.arguments)[0]
        else:
            spread, count = _spread(query.case)
            sizes = np.outer(spread, spread) * count
        return are_lost_in_both(query) & np.reshape(sizes > ulp.largest(expected.dtype), expected.shape)


def _find_vanishing(case: Case, expected: np.ndarray) -> np.ndarray:
    """Return which correlations are of a variable whose variance is subnormal, or zero."""
    spread, count = _spread(case)
    with np.errstate(all="ignore"):
        vanishes = (spread > 0) & (spread**2 < float(np.finfo(expected.dtype).tiny) * count)
    return np.reshape(vanishes[:, None] | vanishes, expected.shape)


def _has_vanishing_variances(case: Case, expected: Outcome) -> bool:
    return bool(bind_arguments(case)) and bool(_find_vanishing(case, np.asarray(expected.value)).any())


def _are_quotients_of_zeros(query: Query) -> np.ndarray:
    """Return which correlations of a vanishing variable are nan, zero, or the bounds to which infinity is cut."""
    actual = np.asarray(query.actual_part)
    parts = (actual.real, actual.imag) if actual.dtype.kind == "c" else (actual,)
    are_open = [np.isnan(part) | (part == 0) | (np.abs(part) == 1) for part in parts]
    return _find_vanishing(query.case, np.asarray(query.expected_part)) & np.logical_and.reduce(are_open)


def multiplies_past_range(case: Case, expected: Outcome) -> bool:
    """Return whether the large ones of three factors and more overflow by themselves."""
    operands = bind_arguments(case).get("operands", ())
    return sum(isinstance(operand, (np.ndarray, float, complex, np.generic)) for operand in operands) > 2 and bool(
        _find_overflowing(case, expected).any()
    )


def _find_overflowing(case: Case, expected: Outcome) -> np.ndarray:
    """Return which elements overflow when every factor below one is one."""
    large = run_numpy(precision.sizes(case, np.maximum).map_arrays(_raise_to_one))
    shape = np.shape(expected.value)
    same = large.ok and np.shape(large.value) == shape
    return ~np.isfinite(large.value) if same else np.zeros(shape, bool)


def _raise_to_one(array: np.ndarray) -> np.ndarray:
    """Return integers and truth values with ones for zeros."""
    return np.where(array == 0, array.dtype.type(1), array) if array.dtype.kind in "biu" else array


def are_of_some_order(query: Query) -> np.ndarray:
    """Return which elements are lost, or right in more precision, where the large factors overflow by themselves."""
    actual, path = np.asarray(query.actual_part), query.deviation.path
    reference, terms = at(query.evidence.upcast, path), at(query.evidence.magnitudes, path)
    near = np.zeros(actual.shape, bool)
    if (
        isinstance(reference, np.ndarray)
        and isinstance(terms, np.ndarray)
        and reference.shape == terms.shape == actual.shape
    ):
        count = max([1, *(array.size for array in query.case.arrays())])
        with np.errstate(all="ignore"):
            near = np.isfinite(terms) & (np.abs(actual - reference) <= count * EPSILON.get(actual.dtype, 0.0) * terms)
    return _find_overflowing(query.case, query.expected) & (near | ~np.isfinite(actual))


def multiplies_to_lost_parts(case: Case, expected: Outcome) -> bool:
    """Return whether products of complex numbers are infinite or nan; or those of given roots."""
    results = [part for part in (expected.value, *expected.after) if isinstance(part, (np.ndarray, np.generic))]
    is_of_complex = case.name == "poly" or any(part.dtype.kind == "c" for part in results)
    return is_of_complex and has_lost_elements(case, expected)


def multiplies_by_infinity(case: Case, expected: Outcome) -> bool:
    """Return whether one of two operands is an infinite scalar, or smaller than the other and infinite."""
    operands = bind_arguments(case).get("operands", ())
    factors = [np.asarray(operand) for operand in operands if not isinstance(operand, (list, str))]
    if len(factors) != 2 or any(factor.dtype.kind not in "biufc" for factor in factors):
        return False
    small, large = sorted(factors, key=np.size)
    return small.size < large.size and bool(np.isinf(small).any())


ALLOWANCES = (
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="underflow.in-variances",
        reason=Reason.TENSORFLOW_FAULT,
        names=("corrcoef",),
        applies=_has_vanishing_variances,
        holds=_are_quotients_of_zeros,
        why="TensorFlow flushes a subnormal variance to zero, so that correlations with it are divided by zero",
        link=LINK,
        until="2.23",
    ),
)
