"""Forward error bound of summation (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 4.2).

A sum of n terms in any order is away from the exact one by no more than (n - 1) u times the sum of the terms' sizes,
where u is the unit roundoff of the accumulator.

The accumulator of float16 is float32: so NumPy adds along a contiguous axis, in `mean` and in matrix products; where it
adds halves to halves its own result is accepted too, and no other of that kind. The same holds of bfloat16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table, ulp
from oracle.reference.dtypes import EPSILON, is_inexact
from oracle.reference.outcome import bind_arguments, run_numpy
from oracle.transforms import precision

UNIT_ROUNDOFF_OF_FLOAT32 = 2.0**-24
METHODS = (".reduce", ".accumulate", ".reduceat")
REDUCTIONS = frozenset(
    {"sum", "nansum", "mean", "nanmean", "average", "cumsum", "nancumsum", "cumulative_sum", "prod", "nanprod"}
)
INDEXED = frozenset({"bincount"})
"""Functions of whose arrays one holds indices: those are no terms."""


def is_half(dtype: np.dtype) -> bool:
    """Return whether this is float16 or bfloat16."""
    return dtype.itemsize == 2 and is_inexact(dtype)


def count_terms(case: Case, path: tuple[Any, ...], expected: np.ndarray) -> Any:
    """Return how many terms each element of the result is the sum of, at most: a number, or an array of the result's
    shape.

    Of reductions it is the product of the reduced dims. Of sums of products NumPy tells it: the same call on ones.
    """
    reduced = _count_reduced(case)
    if reduced is not None:
        return max(reduced, 1)
    if case.name not in ("apply_along_axis", "apply_over_axes"):
        value: Any = run_numpy(_with_ones(case))
        value = (value.value, value.after) if value.ok else ((), ())
        try:
            for step in path:
                value = value[step]
        except (LookupError, TypeError):
            value = None
        if isinstance(value, (np.ndarray, np.generic)) and np.size(value) == expected.size:
            return np.maximum(np.abs(np.asarray(value).real.astype(np.float64)), 1).reshape(expected.shape)
    return longest(case, expected)


def longest(case: Case, expected: np.ndarray) -> int:
    """Return the largest dim, or number of inputs to an element of the result: no sum has more terms."""
    arrays = [array for array in case.arrays() if array.size]
    per_element = max([array.size // max(expected.size, 1) for array in arrays], default=1)
    dims, values = [dim for array in arrays for dim in array.shape], (*case.args, *case.kwargs.values())
    return max(1, per_element, *dims, *[len(value) for value in values if isinstance(value, (list, tuple))])


def _with_ones(case: Case) -> Case:
    """Return the case with a one for every number that may be a term, in float64."""
    has_indices = case.name in INDEXED or case.name.endswith(".at")

    def of_array(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind == "b" or (array.dtype.kind in "iu" and has_indices):
            return array
        return np.ones(array.shape) if is_inexact(array.dtype) else np.ones_like(array)

    def of_other(value: Any) -> Any:
        is_term = isinstance(value, (float, complex)) or (isinstance(value, np.generic) and value.dtype.kind in "fcV")
        return 1.0 if is_term else value

    return precision.widen(case).map_leaves(of_array, of_other)


def _count_reduced(case: Case) -> int | None:
    """Return the product of the reduced dims, but for what `where` leaves out; None of another function."""
    name = case.name.removeprefix("ndarray.")
    if name not in REDUCTIONS and not name.endswith(METHODS):
        return None
    arguments = bind_arguments(case, programs=True)
    if not arguments:
        return None
    try:
        array = np.asarray(next(iter(arguments.values())))
        axis = arguments.get("axis")
        chosen = arguments.get("where", True)
        every = tuple(range(array.ndim)) if axis is None else tuple(np.atleast_1d(axis).tolist())
        if isinstance(chosen, (np.ndarray, list)):
            shape = np.broadcast_shapes(np.shape(chosen), array.shape)
            return int(np.max(np.sum(np.broadcast_to(np.asarray(chosen, bool), shape), every), initial=0)) + 1
        return int(np.prod([array.shape[i] for i in every], dtype=np.int64)) + ("initial" in case.kwargs)
    except (AttributeError, IndexError, TypeError, ValueError):
        return None


def unit_roundoff(case: Case, dtype: np.dtype) -> float:
    """Return the unit roundoff of the accumulator."""
    if is_half(dtype) and not table.rounds_each_step(case.name):
        return UNIT_ROUNDOFF_OF_FLOAT32
    return precision.epsilon(case, dtype) / 2 if not is_half(dtype) else EPSILON[dtype] / 2


def bound_error(
    case: Case, terms: np.ndarray, count: Any, dtype: np.dtype, ulps: float, working: np.dtype
) -> np.ndarray:
    """Return how far a sum may be from the exact one: the error of summation, without the rounding of the result to its
    dtype.

    `terms` is the sum of the terms' sizes. Where the inputs are rounded before they are added, and where an einsum
    rounds what it contracts first, that is a rounding error for each term more.
    """
    operations = (2 * count if table.has_trait(case.name, "rounded_each_step") else count) + ulps  # Horner: 5.1
    unit = unit_roundoff(case, dtype)
    steps = operations * unit * (2 if dtype.kind == "c" else 1)
    dtype_of_terms = precision.requested_dtype(case)
    if dtype_of_terms is not None and any(
        not precision.holds(dtype_of_terms, array.dtype) for array in _operands(case)
    ):
        steps = steps + EPSILON.get(dtype_of_terms, 0.0) / 2
    if case.kwargs.get("optimize"):
        steps = steps + operations * EPSILON.get(working, 0.0)
    return steps * terms


def _operands(case: Case) -> list[np.ndarray]:
    return [array for array in case.arrays() if array.dtype.kind in "iufcV"]


def round_once(reference: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return half a unit in the last place of the exact sum in this dtype, and a little: the rounding of the result."""
    return np.abs(reference) * (EPSILON[dtype] / 2 * 1.01) + ulp.smallest_subnormal(dtype)


def may_be_of_either_sign(case: Case, terms: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return where a zero may have either sign: where zeros of both signs meet, the +0 of the beginning included, which
    NumPy has in a reduction and has not in some products of matrices; and where products underflow.
    """
    any_negative = any(bool(np.signbit(array.real).any()) for array in case.arrays() if array.dtype.kind in "fcV")
    any_negative |= any(array.dtype.kind == "i" and bool((array < 0).any()) for array in case.arrays())
    any_negative |= any(isinstance(leaf, (int, float, np.number)) and np.signbit(leaf) for leaf in _reals(case))
    tiny = ulp.underflow(dtype)
    return ((terms == 0) & any_negative) | ((terms > 0) & (terms <= tiny))


def _reals(case: Case) -> list[Any]:
    return [
        leaf for leaf in case.leaves() if isinstance(leaf, (float, int, np.floating)) and not isinstance(leaf, bool)
    ]


def possible_infinities(
    sizes: np.ndarray, total: np.ndarray, extreme: np.ndarray, largest: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where some order of the terms gives +inf, where one gives -inf, and where one gives nan.

    `sizes` and `total` are the sum of the sizes of the finite terms and their sum, so that (sizes + total) / 2 is what
    the positive ones add up to, and (sizes - total) / 2 what the negative ones do. `extreme` is
    infinite where a term is.
    """
    plus, minus = (sizes + total) / 2 >= largest, (sizes - total) / 2 >= largest
    plus, minus = plus | np.isposinf(extreme), minus | np.isneginf(extreme)
    return plus & ~np.isneginf(extreme), minus & ~np.isposinf(extreme), plus & minus
