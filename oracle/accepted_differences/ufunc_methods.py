"""Ufunc methods that apply one step after another: the order of steps, and growing errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter

import numpy as np

from oracle.accepted_differences.model import Query, is_provided
from oracle.case.model import Case
from oracle.equality import ulp
from oracle.equality.equal_elements import are_equal
from oracle.equality.iterated_ufunc import divide_real_parts
from oracle.equality.reduction_order import accumulate_with_noise, reduce_in_order
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy
from oracle.transforms import precision


def _ufunc(case: Case) -> np.ufunc:
    ufunc: np.ufunc = attrgetter(case.name.rpartition(".")[0])(np)
    return ufunc


def _is_compiled(query: Query) -> bool:
    return query.mode.is_compiled


def _are_within(values: np.ndarray, errors: np.ndarray, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return which elements are the values, within errors; any, if errors are infinite and NumPy's are others."""
    with np.errstate(all="ignore"):
        values = values.astype(actual.dtype)
        gap = actual != values if actual.dtype == bool else np.abs(actual - values)
        near = np.isfinite(values) & (gap <= errors) & (errors > 0)
        same = are_equal(values, actual) & ~ulp.zero_signs_differ(values, actual)
    return same | near | (np.isinf(errors) & ~are_equal(values, expected))


def joins_several(case: Case, expected: Outcome) -> bool:
    """Return whether three operands or more are combined: of two there is one order."""
    arguments = bind_arguments(case)
    if not arguments:
        return False
    has_more = is_provided(arguments.get("kwargs", {}).get("initial")) or is_provided(arguments.get("out"))
    return np.size(arguments["array"]) + has_more > 2


def are_in_order(query: Query) -> np.ndarray:
    """Return which elements are what the ufunc gives, called on two numbers at a time, from the first on."""
    actual = np.asarray(query.actual_part)
    arguments = bind_arguments(query.case)
    right = np.zeros(actual.shape, bool)
    for i, (values, errors) in enumerate(reduce_in_order(_ufunc(query.case), arguments, _is_compiled(query))):
        if values.size == actual.size:  # NumPy takes an `out` of other shapes, too
            flushed = precision.flush_array(actual) if i else actual
            result = values.reshape(actual.shape), errors.reshape(actual.shape)
            right |= _are_within(*result, np.asarray(query.expected_part), flushed)
    return right


def has_nan(case: Case, expected: Outcome) -> bool:
    """Return whether an argument has nan."""
    return any(array.dtype.kind in "fV" and bool(np.isnan(array).any()) for array in case.arrays())


def is_nan_or_overflow(query: Query) -> np.ndarray | bool:
    """Return which elements are nan, or infinite, of nan and finite numbers whose hypotenuse is past the range."""
    wrong = query.deviation.wrong
    if wrong is None:
        return False
    without_nan, infinite, nan = (
        run_numpy(query.case.map_arrays(partial(_keep, which))).value
        for which in (lambda a: ~np.isnan(a), np.isinf, np.isnan)
    )
    actual = np.asarray(query.actual_part)
    accepted = np.isinf(without_nan) & ~np.isinf(infinite) & np.isnan(nan) & (np.isnan(actual) | np.isposinf(actual))
    return np.broadcast_to(accepted, wrong.shape)


def _keep(which: Callable[[np.ndarray], np.ndarray], array: np.ndarray) -> np.ndarray:
    """Return the array with zeros for all floats but some."""
    return np.where(which(array), array, np.zeros((), array.dtype)) if array.dtype.kind in "fV" else array


def joins_halves(case: Case, expected: Outcome) -> bool:
    """Return whether three operands or more give half precision."""
    return joins_several(case, expected) and getattr(expected.value, "dtype", None) == np.float16


def are_rounded_in_order(query: Query) -> np.ndarray:
    """Return which elements are what halves give that are rounded after each step."""
    actual = np.asarray(query.actual_part)
    values, _ = next(reduce_in_order(_ufunc(query.case), bind_arguments(query.case), _is_compiled(query)))
    if values.size != actual.size:
        return np.zeros(actual.shape, bool)
    values = values.reshape(actual.shape).astype(actual.dtype)
    return (values == actual) | (np.isnan(values) & np.isnan(actual))


def accumulates_complex(case: Case, expected: Outcome) -> bool:
    """Return whether three operands or more give complex numbers."""
    return joins_several(case, expected) and np.asarray(expected.value).dtype.kind == "c"


NOISES = 4
"""How many times farther than with random noise a result may be: eight runs do not find the worst."""


def are_near_or_lost(query: Query) -> np.ndarray:
    """Return which elements are as near as noise in each step lets them be, or have no digit left."""
    arguments, actual = bind_arguments(query.case), np.asarray(query.actual_part)
    values, spread = accumulate_with_noise(_ufunc(query.case), arguments, _is_compiled(query))
    if values.shape != actual.shape:
        return np.zeros(actual.shape, bool)
    with np.errstate(all="ignore"):
        is_lost = ~(spread < np.abs(values)) & (spread > 0)
        return is_lost | (np.isfinite(spread) & (np.abs(actual - values) <= NOISES * spread))


def divides_by_complex(case: Case, expected: Outcome) -> bool:
    """Return whether real numbers are divided by complex ones, and keep the real parts of the quotients."""
    arguments = bind_arguments(case)
    if not arguments:
        return False
    array, divisors = np.asarray(arguments["a"]), np.asarray(arguments["b"])
    return array.dtype.kind == "f" and array.dtype.itemsize >= 4 and divisors.dtype.kind == "c"


def are_real_parts(query: Query) -> np.ndarray:
    """Return which elements are as near as the whole quotients are."""
    arguments = bind_arguments(query.case)
    operands = np.asarray(arguments["a"]), arguments["indices"], np.asarray(arguments["b"])
    values, errors = divide_real_parts(*operands, _is_compiled(query))
    with np.errstate(all="ignore"):
        return np.isfinite(errors) & (np.abs(np.asarray(query.actual_part) - values) <= errors)
