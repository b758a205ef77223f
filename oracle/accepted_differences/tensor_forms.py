"""Tensor forms: what a tensor is where NumPy has a Python number, a dtype, a shape, or a dtype that values decide.

A graph has one structure, dtype and rank for all values, and for all shapes that it does not know. `FORMS` is the table
of what may stand for a part of NumPy's result. Values are compared in any case.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from oracle.accepted_differences.model import (
    SHAPELESS,
    SHAPELESS_UNDER_XLA,
    TRACED,
    Allowance,
    Detail,
    Query,
    Reason,
    by_details,
)
from oracle.case.model import Case
from oracle.equality import linalg, table
from oracle.equality.forms import are_all, is_numeric_array
from oracle.equality.numeric import at
from oracle.equality.random import check_draws, is_random
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.outcome import run_numpy
from oracle.transforms import refill
from oracle.transforms.reshape import vary_shapes

EVERY_NAME = ("*",)
ROOTS = ("poly", "poly1d", "roots", "linalg.eig", "linalg.eigvals", "polynomial.*roots")
SERIES = ("polynomial.*", "poly1d", "polydiv", "polymul", "polyadd", "polysub")
RESULTS_AS_PYTHON = (
    *("allclose", "array_equal", "array_equiv", "count_nonzero", "linalg.matrix_rank", "iscomplex", "isreal"),
    *("ndarray.item", "ndarray.tolist", "ndarray.__bool__", "ndarray.__float__", "ndarray.__int__"),
    *("ndarray.__complex__", "ndarray.__contains__", "random.*"),
)
"""Functions whose results are Python objects though they depend on values."""

LETTERS_OF_TYPES = {bool: "b", int: "iu", float: "f", complex: "c", str: "OSUT", bytes: "OSUT"}


def _is_scalar_tensor(query: Query) -> bool:
    """Return whether an array without dimensions has the Python object's class: its value is compared besides."""
    expected, actual = query.expected_part, query.actual_part
    if not isinstance(actual, np.ndarray) or actual.ndim or type(expected) not in LETTERS_OF_TYPES:
        return False
    if actual.dtype.kind not in LETTERS_OF_TYPES[type(expected)] and actual.dtype != BFLOAT16:
        return False
    return not is_random(query.case) or not check_draws(query.case, expected, actual).deviations


def _is_integer_tensor(query: Query) -> bool:
    return type(query.expected_part) in (int, bool) and _is_scalar_tensor(query)


def _has_same_dims(query: Query) -> bool:
    """Return whether a shape is NumPy's, with None where a dim is unknown; a tensor of the dims is accepted, too."""
    expected, actual, shape = query.expected_part, query.actual_part, query.expected.value
    if not (isinstance(shape, (tuple, list)) and all(type(part) is int for part in shape)):
        return False
    if actual is None:
        return True  # an unknown rank
    if not isinstance(expected, (tuple, list)):
        return False
    if isinstance(actual, np.ndarray):
        is_shape = query.deviation.kind == "structure" and actual.dtype.kind in "iu"
        return is_shape and actual.tolist() == list(expected)
    if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
        return False
    pairs = zip(actual, expected, strict=True)
    return all(got is None or (isinstance(got, (int, np.integer)) and got == dim) for got, dim in pairs)


def _is_same_dtype(query: Query) -> bool:
    """Return whether a `tf.DType` is the one of NumPy's dtype."""
    expected, kind = query.expected_part, getattr(query.actual_part, "kind", "")
    if not isinstance(expected, np.dtype):
        return False
    return kind == f"tf.{expected.name}" or (kind == "tf.string" and expected.kind in "US")


def _is_complex_of_real(query: Query) -> bool:
    """Return whether the result is complex where NumPy's is real, and of the same precision; of no roots, for which
    NumPy gives float64, of that of the coefficients.
    """
    case = query.case
    one, other = (getattr(part, "dtype", None) for part in (query.expected_part, query.actual_part))
    if not (case.name in ROOTS or table.finds_roots(case.name)) or one is None or other is None or one.kind != "f":
        return False
    dtypes = [one] if np.size(query.expected_part) else [one, *(array.dtype for array in case.arrays())]
    return any(other == np.result_type(dtype, np.complex64) for dtype in dtypes)


def _is_dtype_of_others(vary: Callable[[Case], Iterator[Case]], query: Query) -> bool:
    """Return whether NumPy's result has this dtype for some of the cases that `vary` makes."""
    dtype, path = getattr(query.actual_part, "dtype", None), query.deviation.path
    if dtype is None:
        return False
    parts = (at(run_numpy(other), path) for other in vary(query.case))
    return any(isinstance(part, np.ndarray) and part.dtype == dtype for part in parts)


def _vary_inputs(case: Case) -> Iterator[Case]:
    """Return the case with valid values in the same shapes, scalars included."""
    ones = case.map_leaves(np.ones_like, lambda leaf: type(leaf)(1) if isinstance(leaf, np.inexact) else leaf)
    return itertools.chain(refill.vary_values(case), [ones])


def _vary_inputs_and_shapes(case: Case) -> Iterator[Case]:
    for source in (case, case.map_arrays(np.ones_like)):
        yield from vary_shapes(source, ranks=False)


def _is_variance_of_one(query: Query) -> bool:
    """Return whether a matrix of one variable is one by one, where NumPy gives a number."""
    one, other = query.expected_part, query.actual_part
    if np.shape(one) or np.shape(other) != (1, 1):
        return False
    return not query.evidence.wrong(query.deviation.path, np.asarray(one), np.reshape(other, ())).any()


def _keeps_zeros(query: Query) -> bool:
    """Return whether coefficients beyond NumPy's are zeros, those of the highest powers, and the others are NumPy's."""
    path, one, other = query.deviation.path, query.expected_part, query.actual_part
    if path[-1] not in ("coef", "coeffs") or np.ndim(one) != 1 or np.ndim(other) != 1 or len(other) <= len(one):
        return False
    low_first = other if path[-1] == "coef" else other[::-1]
    leading = low_first[: len(one)] if path[-1] == "coef" else low_first[: len(one)][::-1]
    return not low_first[len(one) :].any() and not query.evidence.wrong(path, one, leading.astype(one.dtype)).any()


def _is_longer_zero(query: Query) -> bool:
    """Return whether an integral of one coefficient is followed by zeros: NumPy integrates a single zero to one."""
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    if expected.ndim != 1 or actual.shape != (2,) or len(expected) != 1 or expected.dtype != actual.dtype:
        return False
    return not actual[1] and not query.evidence.wrong(query.deviation.path, expected, actual[:1]).any()


def _is_trimmed_quotient(query: Query) -> bool:
    """Return whether a quotient is NumPy's without the zeros at its end."""
    if not all(map(is_numeric_array, (query.expected_part, query.actual_part))):
        return False
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    if query.deviation.path[1:] != (0,) or expected.ndim != 1 or actual.ndim != 1 or len(actual) >= len(expected):
        return False
    if expected.dtype != actual.dtype or expected[len(actual) :].any() or not len(actual):
        return False
    padded = np.concatenate([actual, expected[len(actual) :]])
    return not query.evidence.wrong(query.deviation.path, expected, padded).any()


def _are_nan_residuals(query: Query) -> bool:
    """Return whether residuals are nan where NumPy has none, and all else is right."""
    arguments, expected, value = query.arguments, query.expected.value, query.actual.value
    if not arguments or not isinstance(value, tuple) or len(value) != 4 or not all(map(is_numeric_array, value)):
        return False
    if np.size(expected[1]) or not are_all(np.isnan(value[1])):
        return False
    return not linalg.check_compiled_residuals(arguments, expected, value).deviations


FORMS = (
    Detail("a Python number that depends on values is a tensor", _is_scalar_tensor, ("structure",), RESULTS_AS_PYTHON),
    Detail("the dtype of a tensor is a tf.DType", _is_same_dtype, ("structure",), ("ndarray.dtype",)),
    Detail("roots are complex, real or not", _is_complex_of_real, ("dtype",), ROOTS, TRACED),
    Detail(
        "a dtype is that of other values",
        lambda query: _is_dtype_of_others(_vary_inputs, query),
        ("dtype",),
        modes=TRACED,
    ),
    Detail("a series keeps zeros of the highest powers", _keeps_zeros, ("shape",), SERIES, TRACED),
    Detail(
        "a quotient is trimmed instead of the dividend, of coefficients that underflow in the division, too",
        _is_trimmed_quotient,
        ("shape",),
        ("polynomial.*div",),
        TRACED,
    ),
    Detail(
        "the integral of a zero has two coefficients, as of other series whose length is unknown",
        _is_longer_zero,
        ("shape",),
        ("polynomial.*int",),
        SHAPELESS_UNDER_XLA,
    ),
    Detail("residuals that do not exist are nan", _are_nan_residuals, ("shape", "value"), ("linalg.lstsq",), ("xla",)),
    Detail("a number that depends on a shape is a tensor", _is_integer_tensor, ("structure",), modes=SHAPELESS),
    Detail("unknown dims of a shape are None", _has_same_dims, ("structure", "value"), modes=SHAPELESS),
    Detail(
        "a dtype is that of other shapes",
        lambda query: _is_dtype_of_others(_vary_inputs_and_shapes, query),
        ("dtype",),
        modes=SHAPELESS,
    ),
    Detail("the variance of one variable is a matrix", _is_variance_of_one, ("shape",), ("cov", "corrcoef"), SHAPELESS),
)

ALLOWANCES = (
    Allowance(
        id="tensor.form",
        reason=Reason.DECISION,
        names=EVERY_NAME,
        kinds=("structure", "dtype", "shape", "value"),
        applies=lambda case, expected: expected.ok,
        **by_details(FORMS),
        why="a tensor, which has one structure, dtype and rank for all values, stands for a part of NumPy's result",
        most=1.0,
        link="docs/verdicts.md",
    ),
)
