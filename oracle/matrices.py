"""What linear algebra leaves open: LAPACK says nothing of infinities and nan, nor which matrix is just not singular."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from oracle import perturbations, variations
from oracle.case import Case
from oracle.outcome import Outcome, reference

Arguments = dict[str, Any]

FACTORED = frozenset(
    f"linalg.{name}"
    for name in (
        *(
            "cholesky",
            "cond",
            "det",
            "eig",
            "eigh",
            "eigvals",
            "eigvalsh",
            "inv",
            "lstsq",
            "matrix_norm",
            "matrix_power",
        ),
        *("matrix_rank", "norm", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensorinv", "tensorsolve"),
    )
)
"""Functions that decompose a matrix first."""

GENERAL = frozenset({"linalg.eig", "linalg.eigvals"})
"""Eigenvalues of matrices that need not be Hermitian: XLA knows none."""

NUMERICAL = re.compile(r"did not converge|Singular matrix|not positive definite")
"""What NumPy says of a matrix for its numbers."""

NEARLY_SINGULAR = 1e13
UNIT = 2.0**-52
SEEDS = (1, 2, 3)


SUMMED = frozenset({"linalg.matrix_norm", "linalg.matrix_power", "linalg.norm"})
"""Those of them that mostly add and multiply, element by element."""


def in_floats(case: Case) -> Case:
    """The case with integers as the floating numbers that they are calculated in."""
    if case.name not in FACTORED:
        return case
    return case.map_arrays(lambda array: array.astype(np.float64) if array.dtype.kind in "biu" else array)


def moved(case: Case, epsilon: float, seed: int) -> Outcome:
    """NumPy's outcome when numbers move by a rounding error. One of a matrix that is decomposed is a rounding error of
    its largest elements: that is how far the decompositions are stable.
    """
    floats = in_floats(case)
    if case.name not in FACTORED - SUMMED:
        return perturbations.moved(floats, epsilon, seed)
    random = np.random.default_rng(seed)

    def shaken(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind not in "fc" or array.ndim < 2 or not array.size:
            return array
        size = np.where(np.isfinite(array), np.abs(array), 0).max((-2, -1), keepdims=True)
        return (array + epsilon * size * random.choice([-1.0, 1.0], array.shape)).astype(array.dtype)

    return perturbations.moved(floats.map_arrays(shaken), epsilon, seed)


def are_lost(case: Case) -> bool:
    """Whether a matrix that is to be decomposed is not finite."""
    return case.name in FACTORED and any(_is_lost(array) for array in case.arrays())


def _is_lost(array: np.ndarray) -> bool:
    """Subnormal numbers, flushed to zero, may make a matrix singular."""
    return array.dtype.kind in "fc" and not (np.isfinite(array).all() and not variations.are_subnormal(array).any())


def is_at_the_edge(case: Case) -> bool:
    """Whether a rounding error decides if NumPy raises: it makes a matrix singular, or indefinite, or not."""
    if case.name not in FACTORED:
        return False
    others = [moved(case, UNIT, seed) for seed in SEEDS]
    if variations.has_subnormals(case):
        others.append(reference(variations.flushed(case)))
    decided = len({reference(case).ok, *[other.ok for other in others]}) == 1
    return not decided or (reference(case).ok and any(map(_is_nearly_singular, case.arrays())))


def _is_nearly_singular(array: np.ndarray) -> bool:
    if array.ndim < 2 or array.shape[-1] != array.shape[-2] or not array.size:
        return False
    found = reference(Case("linalg.cond", (array,)))
    return found.ok and bool(np.any(np.asarray(found.value) > NEARLY_SINGULAR))


def is_barely_real(case: Case) -> bool:
    """Whether a rounding error decides if eigenvalues are real."""
    if case.name not in GENERAL or len(case.calls()) > 1:
        return False
    outcomes = [reference(case), *[moved(case, UNIT, seed) for seed in SEEDS]]
    return len({np.asarray(_parts(outcome.value)[0]).dtype.kind for outcome in outcomes if outcome.ok}) > 1


def may_be_lost(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where a matrix is not finite, elements that are not either, or not in NumPy's result."""
    if not any(_is_lost(np.asarray(value)) for value in given.values() if isinstance(value, (np.ndarray, list, tuple))):
        return False
    pairs = [tuple(map(np.asarray, pair)) for pair in zip(_parts(expected), _parts(actual), strict=True)]
    is_one = all(one.ndim < 3 for one, _ in pairs)
    if is_one and any(not np.isfinite(one).all() or not np.isfinite(other).all() for one, other in pairs):
        return all(one.shape == other.shape for one, other in pairs)
    return all(_are_near(*pair) for pair in pairs)


def _parts(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]


def _are_near(expected: Any, actual: Any) -> bool:
    expected, actual = np.asarray(expected), np.asarray(actual)
    if expected.shape != actual.shape:
        return False
    open_ended = ~np.isfinite(expected) | ~np.isfinite(actual)
    kept = np.isclose(expected, actual, rtol=1e-5, atol=1e-5 * np.max(np.abs(expected), where=~open_ended, initial=0))
    return bool(np.all(open_ended | kept))


def solution(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where equations do not determine a solution there are no residuals, of which XLA, unable to tell, makes nan."""
    if may_be_lost(given, expected, actual):
        return True
    if expected[2] != actual[2]:
        return _is_unsettled(expected[3], _limits(given, expected[3]))
    if np.size(expected[1]) or not np.isnan(actual[1]).all():
        return False
    return all(_are_near(expected[place], actual[place]) for place in (0, 3))


def rank(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where a singular value lies about the limit, whether it counts."""
    if np.ndim(given["A"]) < 2 or may_be_lost(given, expected, actual):
        return np.ndim(given["A"]) > 1
    values = np.linalg.svd(given["A"], compute_uv=False, hermitian=given["hermitian"])
    if given["tol"] is not None:
        return _is_unsettled(values, np.asarray(given["tol"])[..., None])
    return _is_unsettled(values, _limits({"a": given["A"], "rcond": given["rtol"]}, values))


def _limits(given: Arguments, values: np.ndarray) -> Any:
    """What singular values have to be greater than."""
    ratio = max(np.shape(given["a"])[-2:]) * UNIT if given["rcond"] is None else given["rcond"]
    return np.maximum(np.asarray(ratio), UNIT)[..., None] * values.max(axis=-1, initial=0, keepdims=True)


def _is_unsettled(values: np.ndarray, limits: Any) -> bool:
    noise = 64 * values.shape[-1] * UNIT * values.max(axis=-1, initial=0, keepdims=True)
    return bool(np.any(np.abs(values - limits) <= noise))


def condition(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where a matrix is singular but for rounding errors, the number is any large one."""
    large = (np.asarray(expected) > NEARLY_SINGULAR) & (np.asarray(actual) > NEARLY_SINGULAR)
    near = np.isclose(expected, actual, rtol=1e-5)
    return may_be_lost(given, expected, actual) or bool(np.all(large | near))


def logarithm(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where a matrix is singular but for rounding errors, its determinant is any small number, of any sign."""
    largest = np.log(np.linalg.norm(given["a"], axis=-1)).sum(-1)  # Hadamard's bound
    sizes = [np.asarray(result[1]) - largest for result in (expected, actual)]
    small = (sizes[0] < -np.log(NEARLY_SINGULAR)) & (sizes[1] < -np.log(NEARLY_SINGULAR))
    near = np.isclose(expected[0], actual[0], rtol=1e-5) & np.isclose(expected[1], actual[1], rtol=1e-5)
    return may_be_lost(given, expected, actual) or bool(np.all(small | near))


def determinant(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of its logarithm, so that it is as far off as that is large."""
    with np.errstate(all="ignore"):
        size = np.abs(np.log(np.abs(expected)))
    near = np.abs(np.subtract(expected, actual)) <= 8 * UNIT * (1 + size) * np.abs(expected)
    return may_be_lost(given, expected, actual) or bool(np.all(near))


def product(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where products overflow, the order of sums says whether they are infinite or nan."""
    if "arrays" in given:
        sizes = np.linalg.multi_dot([np.abs(np.asarray(array) * 1.0) for array in given["arrays"]])
    else:
        power = int(given["n"])
        whole = np.linalg.inv(given["a"]) if power < 0 else np.asarray(given["a"]) * 1.0
        sizes = np.linalg.matrix_power(np.abs(whole), abs(power))
    lost = ~np.isfinite(sizes.astype(np.asarray(expected).real.dtype))
    near = np.abs(np.subtract(expected, actual)) <= 1e-5 * np.where(lost, 0, sizes)
    return bool(np.all(lost | near))


RULES = {
    **dict.fromkeys(FACTORED, may_be_lost),
    "linalg.cond": condition,
    "linalg.det": determinant,
    "linalg.lstsq": solution,
    "linalg.matrix_rank": rank,
    "linalg.slogdet": logarithm,
    **dict.fromkeys(("linalg.matrix_power", "linalg.multi_dot"), product),
}
