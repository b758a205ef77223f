"""Dtypes that hang on the numbers in the arrays: a graph, which does not know them, has one for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle import fillings, matrices, tolerance, variations
from oracle.case import Case
from oracle.outcome import reference

REAL_BY_VALUES = frozenset({"poly", "poly1d", "roots"}) | matrices.GENERAL
"""Functions whose results are real if all eigenvalues are, or if roots come in pairs: in a graph they are complex."""


QUANTILES = frozenset({"quantile", "percentile", "nanquantile", "nanpercentile"})


def is_real_by_values(case: Case, expected: np.dtype, dtype: np.dtype) -> bool:
    """Whether NumPy's result is real for these numbers, for others complex, as is that of a graph."""
    is_of_roots = case.name in REAL_BY_VALUES or tolerance.finds_roots(case.name)
    return is_of_roots and (expected.kind, dtype.kind) == ("f", "c")


def is_barely_real(case: Case) -> bool:
    """Whether a rounding error decides if eigenvalues are real, or come in pairs, or roots."""
    finds_them = case.name in REAL_BY_VALUES and len(case.calls()) == 1
    if case.name == "poly":  # of real matrices they come in pairs to the last bit, and zeros that are given are exact
        finds_them &= any(array.ndim == 2 and array.dtype.kind == "c" for array in case.arrays())
    return (finds_them or tolerance.finds_roots(case.name)) and matrices.is_barely_real(case)


def is_dtype_of_others(case: Case, expected: np.dtype, dtype: np.dtype) -> bool:
    """Whether NumPy's result has one dtype for these numbers, but for harmless ones of the same shapes another: as the
    edges of bins of bfloat16 numbers, which are float32 if all are equal, or quantiles of nan, which are not
    calculated, or products of series, whose leading zeros are left out. A graph has to know it when it is traced.
    """
    found = (reference(other) for other in fillings.plain(case))
    shortens = case.name.startswith("polynomial.") and case.name.endswith(("div", "mul", "pow"))
    by_values = shortens or case.name in QUANTILES
    return (by_values or variations.BFLOAT16 in (expected, dtype)) and any(
        other.ok and dtype in _dtypes_of(other.value) for other in found
    )


def _dtypes_of(value: Any) -> list[Any]:
    parts = value if isinstance(value, (tuple, list)) else [value]
    return [getattr(part, "dtype", None) for part in parts]
