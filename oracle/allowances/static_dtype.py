"""Allowances for dtypes and shapes that depend on values or unknown shapes: a graph has one for all."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from oracle.allowances import static_domain, subnormals
from oracle.allowances.model import SHAPELESS, TRACED, Allowance, Question, Reason, by_answer_to
from oracle.case.model import Case
from oracle.checkers import matrix_perturbation
from oracle.checkers.numeric import at
from oracle.reference.environments import flush_subnormals
from oracle.reference.outcome import Outcome, run_numpy
from oracle.relations import table as families
from oracle.transforms import precision, refill
from oracle.transforms.reshape import vary_shapes

REAL_BY_VALUES = ("poly", "poly1d", "roots", "linalg.eig", "linalg.eigvals", "polynomial.*roots")
QUANTILES = ("quantile", "percentile", "nanquantile", "nanpercentile")


def _finds_roots(case: Case, expected: Outcome) -> bool:
    return case.name in REAL_BY_VALUES or families.finds_roots(case.name)


def _is_complex_of_real(question: Question) -> bool:
    """Return whether the result is complex where NumPy's is real, and of the same precision; of no roots, for which
    NumPy gives float64, of that of the coefficients.
    """
    one, other = _dtypes(question)
    if one is None or other is None or one.kind != "f":
        return False
    dtypes = [one] if np.size(question.expected_part) else [one, *(array.dtype for array in question.case.arrays())]
    return any(other == np.result_type(dtype, np.complex64) for dtype in dtypes)


def _dtypes(question: Question) -> tuple[np.dtype | None, np.dtype | None]:
    dtypes = [getattr(part, "dtype", None) for part in (question.expected_part, question.actual_part)]
    return dtypes[0], dtypes[1]


def _is_of_either_kind(question: Question) -> bool:
    one, other = _dtypes(question)
    if one is None or other is None or {one.kind, other.kind} != {"f", "c"}:
        return False
    return np.empty(0, one).real.dtype == np.empty(0, other).real.dtype


def _is_barely_real(case: Case, expected: Outcome) -> bool:
    """Return whether a rounding error decides if eigenvalues are real, or come in pairs, or roots."""
    if len(case.calls()) > 1 or not _finds_roots(case, expected) or not expected.ok:
        return False
    if case.name == "poly":  # of real matrices they come in pairs to the last bit, and zeros that are given are exact
        is_of_a_matrix = any(array.ndim == 2 and array.dtype.kind == "c" for array in case.arrays())
        return is_of_a_matrix and matrix_perturbation.is_barely_real(case)
    return matrix_perturbation.is_barely_real(case)


def _is_dtype_of_other_shapes(question: Question) -> bool:
    """Return whether NumPy's result has this dtype where the arrays have other shapes."""
    _, dtype = _dtypes(question)
    sources = (question.case, question.case.map_arrays(np.ones_like))
    others = itertools.chain.from_iterable(vary_shapes(source, ranks=False) for source in sources)
    return any(getattr(at(run_numpy(other), question.departure.path), "dtype", None) == dtype for other in others)


def _is_dtype_of_other_values(question: Question) -> bool:
    """Return whether NumPy's result has this dtype for valid values in the same shapes, scalars included."""
    _, dtype = _dtypes(question)
    case = question.case
    ones = case.map_leaves(np.ones_like, lambda leaf: type(leaf)(1) if isinstance(leaf, np.inexact) else leaf)
    others = map(run_numpy, [*refill.vary_values(case), ones])
    return any(other.ok and dtype in _dtypes_of(other.value) for other in others)


def _dtype_hangs_on_values(case: Case, expected: Outcome) -> bool:
    shortens = case.name.startswith("polynomial.") and case.name.endswith(("div", "mul", "pow"))
    has_bfloat16 = any(array.dtype == precision.BFLOAT16 for array in case.arrays())
    return shortens or case.name in QUANTILES or has_bfloat16


def _dtypes_of(value: Any) -> list[Any]:
    parts = value if isinstance(value, (tuple, list)) else [value]
    return [getattr(part, "dtype", None) for part in parts]


def _is_variance_of_one(question: Question) -> bool:
    """Return whether a matrix of one variable is one by one, where NumPy gives a number."""
    one, other = question.expected_part, question.actual_part
    if np.shape(one) or np.shape(other) != (1, 1):
        return False
    return not question.evidence.wrong(question.departure.path, np.asarray(one), np.reshape(other, ())).any()


def _keeps_zeros(question: Question) -> bool:
    """Return whether coefficients beyond NumPy's are zeros, those of the highest powers, and the others are NumPy's."""
    key, one, other = question.departure.path[-1], question.expected_part, question.actual_part
    if key not in ("coef", "coeffs") or np.ndim(one) != 1 or np.ndim(other) != 1 or len(other) <= len(one):
        return False
    cut = len(one) if key == "coef" else len(other) - len(one)
    leading, trailing = (other[:cut], other[cut:]) if key == "coef" else (other[cut:], other[:cut])
    return (
        not trailing.any()
        and not question.evidence.wrong(question.departure.path, one, leading.astype(one.dtype)).any()
    )


def _flushed_twin(case: Case) -> Case | None:
    """Return the twin of a case with zeros for subnormal numbers; None where there are none."""
    if not precision.has_subnormals(case):
        return None
    other = static_domain.make_complex_twin(precision.flush(case))
    return None if other is None else precision.flush(other)


def _is_flushed_twin(question: Question) -> bool:
    """Return whether the outcome is right for the twin; its dtype is only where values are unknown."""
    flushed, twin = _flushed_twin(question.case), static_domain.make_complex_twin(question.case)
    is_unknown = question.departure.kind == "value" or question.mode.is_traced
    if flushed is None or not is_unknown:
        return False
    return not question.compare(flushed) or (twin is not None and not question.compare(twin, within=flush_subnormals))


ALLOWANCES = (
    Allowance(
        id="dtype.complex-roots",
        reason=Reason.DECISION,
        names=REAL_BY_VALUES,
        modes=TRACED,
        kinds=("dtype",),
        applies=_finds_roots,
        holds=_is_complex_of_real,
        why="whether roots and eigenvalues are real is told by values: in a graph they are complex",
        most=1.0,
    ),
    Allowance(
        id="dtype.barely-real",
        reason=Reason.NUMPY_OPEN,
        names=("poly", "poly1d", "linalg.eig", "linalg.eigvals"),
        kinds=("dtype",),
        applies=_is_barely_real,
        holds=_is_of_either_kind,
        why="a rounding error decides whether eigenvalues are real, or come in pairs",
        most=0.6,
        link="https://numpy.org/doc/stable/reference/generated/numpy.linalg.eig.html",
    ),
    Allowance(
        id="dtype.of-other-shapes",
        reason=Reason.DECISION,
        names=("*",),
        modes=SHAPELESS,
        kinds=("dtype",),
        applies=lambda case, expected: bool(case.arrays()),
        holds=_is_dtype_of_other_shapes,
        why="NumPy's dtype depends on a shape that is unknown while tracing: a graph has to settle for one",
        most=0.3,
    ),
    Allowance(
        id="dtype.of-other-values",
        reason=Reason.DECISION,
        names=("*",),
        modes=TRACED,
        kinds=("dtype",),
        applies=_dtype_hangs_on_values,
        holds=_is_dtype_of_other_values,
        why="NumPy's dtype depends on values: edges of equal numbers of bfloat16, quantiles of nan, products of series "
        "whose leading zeros are left out",
        most=0.3,
    ),
    Allowance(
        id="shape.variance-of-one",
        reason=Reason.DECISION,
        names=("cov", "corrcoef"),
        modes=SHAPELESS,
        kinds=("shape",),
        holds=_is_variance_of_one,
        why="the covariance of an unknown number of variables is a matrix, of one, too",
        most=1.0,
    ),
    Allowance(
        id="domain.complex",
        reason=Reason.DECISION,
        names=("emath.*",),
        modes=TRACED,
        kinds=("dtype", "value", "shape", "structure", "spurious error"),
        **by_answer_to(static_domain.make_complex_twin),
        why="a graph takes the complex function for every number that may lie outside the real one's domain",
        most=1.0,
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="domain.complex-of-subnormal",
        reason=Reason.TENSORFLOW_FAULT,
        names=("emath.*",),
        kinds=("dtype", "value"),
        applies=lambda case, expected: _flushed_twin(case) is not None,
        holds=_is_flushed_twin,
        asks_again=True,
        why="complex functions, which a graph takes for all numbers, flush subnormal numbers to zero, too",
        link=subnormals.LINK,
        until="2.23",
        most=0.3,
    ),
    Allowance(
        id="shape.zeros-of-high-powers",
        reason=Reason.DECISION,
        names=("polynomial.*", "poly1d", "polydiv", "polymul", "polyadd", "polysub"),
        modes=TRACED,
        kinds=("shape",),
        applies=lambda case, expected: isinstance(expected.value, dict),
        holds=_keeps_zeros,
        why="a graph has to know the degree of a series: its classes keep zeros after the last coefficient",
        most=1.0,
    ),
)
