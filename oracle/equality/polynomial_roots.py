"""Backward error of polynomial roots (Ipsen and Rehman, 2008): multiple ones move far, their product hardly."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.eigenvalues import multiply_roots
from oracle.reference.dtypes import EPSILON
from oracle.reference.polynomials import mixes_with_ones


def are_of_one_matrix(case: Case, expected: Any, actual: Any, traced: bool) -> bool:
    """Return whether both may be the eigenvalues of one companion matrix, but for rounding errors of the size that they
    may have where no root is multiple.

    What is added to a matrix A of n rows, of the norm e, changes the coefficient of degree n - k of its characteristic
    polynomial by no more than k binomial(n, k) e |A|^(k - 1), in first order (Ipsen and Rehman, Perturbation bounds for
    determinants and characteristic polynomials, SIAM J. Matrix Anal. Appl. 30, 2008). Here e is as many units in the
    last place of |A| as are allowed of roots, and |A|, which is not less than they, the largest of them, or 1 where
    numbers of about 1 are in A.
    """
    if not table.finds_roots(case.name) or not isinstance(actual, np.ndarray):
        return False
    first, second = np.asarray(expected), np.asarray(actual)
    if first.ndim != 1 or first.shape != second.shape or not first.size or not _may_differ(first, second, traced):
        return False
    both = np.stack([first, second]).astype(np.clongdouble)
    size = max(np.abs(both[0]).max(), 1 if mixes_with_ones(case.name) else 0)
    if not np.isfinite(both).all() or size == 0:
        return False
    one, other = map(multiply_roots, both / size)
    n, k = first.size, np.arange(first.size + 1)
    binomials = np.cumprod(np.append(1.0, (n - k[:-1]) / k[1:]))
    units = table.ROOTS.ulps * EPSILON[np.result_type(first, second)]
    return bool(np.all(np.abs(one - other) <= units * k * binomials))


def _may_differ(first: np.ndarray, second: np.ndarray, traced: bool) -> bool:
    """Return whether the dtypes are one, or one is complex, for roots that come in pairs or, in a graph, for any."""
    if first.dtype == second.dtype:
        return first.dtype in EPSILON
    if first.real.dtype != second.real.dtype or first.real.dtype not in EPSILON:
        return False
    complex_roots = first if first.dtype.kind == "c" else second
    in_pairs = np.array_equal(np.sort(complex_roots), np.sort(complex_roots.conj()))
    return (traced and complex_roots is second) or bool(complex_roots.imag.any() and in_pairs)
