"""What linear algebra leaves open: LAPACK says nothing of infinities and nan, nor which matrix is just not singular."""

from __future__ import annotations

import operator
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
    if case.name not in FACTORED | {"gradient"}:
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
    return array.dtype.kind in "fc" and not np.isfinite(array).all()


ITERATED = frozenset(
    f"linalg.{name}"
    for name in (
        *("cond", "eig", "eigh", "eigvals", "eigvalsh", "lstsq", "matrix_norm", "matrix_rank", "norm", "pinv"),
        *("svd", "svdvals"),
    )
)
"""Decompositions by iterations, which do not converge where a matrix is not finite."""

INVERTED = frozenset(
    f"linalg.{name}" for name in ("cholesky", "cond", "inv", "matrix_power", "solve", "tensorinv", "tensorsolve")
)
"""What is not made of a matrix that is singular, or not positive definite."""


def may_be_refused(case: Case) -> bool:
    """Whether a matrix may be refused for numbers at which NumPy does not stop: no sum or product of them is."""
    lost = are_lost(case)
    if case.name in SUMMED and not (_is_spectral(case) if case.name in ITERATED else _is_negative_power(case)):
        return False
    return (case.name in ITERATED and lost) or (case.name in INVERTED and (lost or is_at_the_edge(case)))


def _is_spectral(case: Case) -> bool:
    order = case.kwargs.get("ord", (*case.args, None, None)[1])
    return type(order) is str or (order is not None and abs(order) == 2)


def _is_negative_power(case: Case) -> bool:
    power = case.kwargs.get("n", (*case.args, 0, 0)[1])
    return np.ndim(power) == 0 and operator.index(power) < 0


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
    """Whether a rounding error decides if eigenvalues are real: they are in one of several outcomes, or all their
    imaginary parts are less than what one moves them by.
    """
    wide = case.map_arrays(_in_double)  # as they are calculated, even where the result is rounded
    outcomes = [reference(case), *[moved(wide, UNIT, seed) for seed in SEEDS]]
    first, *others = [np.asarray(_parts(outcome.value)[0]) for outcome in outcomes if outcome.ok]
    if {other.dtype.kind for other in others} - {first.dtype.kind}:
        return True
    spread = max((np.abs(other - first).max(initial=0) for other in others if other.shape == first.shape), default=0)
    return first.dtype.kind == "c" and bool(np.all(np.abs(first.imag) <= spread))


def _in_double(array: np.ndarray) -> np.ndarray:
    double = {"f": np.float64, "c": np.complex128}.get(array.dtype.kind)
    return array.astype(double) if double is not None and array.dtype.char not in "gG" else array


def may_be_lost(given: Arguments, expected: Any, actual: Any) -> bool:
    """What is made of a matrix that is not finite, if any number of it is not either; of the others in a stack of
    matrices all has to be near.
    """
    lost = _lost_in_stack(given)
    if not lost.any():
        return False
    return all(_are_near(np.asarray(one), np.asarray(other), lost) for one, other in _pairs(expected, actual))


def _lost_in_stack(given: Arguments) -> np.ndarray:
    """Which matrices of a stack are not finite."""
    lost = np.zeros((), bool)
    for name in ("a", "A", "x", "b"):
        array = np.asarray(given.get(name, 0))
        if array.dtype.kind in "fc":
            lost = lost | (~np.isfinite(array)).any((-2, -1) if array.ndim > 1 else None)
    return lost if {"ind", "axes"}.isdisjoint(given) else np.asarray(lost.any())


def _pairs(expected: Any, actual: Any) -> list[tuple[Any, Any]]:
    return list(zip(_parts(expected), _parts(actual), strict=True))


def _parts(result: Any) -> list[Any]:
    return list(result) if isinstance(result, tuple) else [result]


def _are_near(expected: np.ndarray, actual: np.ndarray, lost: Any = False) -> bool:
    """Matrix by matrix; of those that are lost only what is finite on both sides."""
    if expected.shape != actual.shape:
        return False
    stack = np.shape(lost) if expected.shape[: np.ndim(lost)] == np.shape(lost) else ()
    within = tuple(range(len(stack), expected.ndim))
    open_ended = ~np.isfinite(expected) | ~np.isfinite(actual)
    size = np.max(np.abs(expected), axis=within, where=~open_ended, initial=0, keepdims=True)
    near = np.isclose(expected, actual, rtol=1e-5, atol=1e-5 * size, equal_nan=True)
    free = np.asarray(lost if stack else np.any(lost)) & open_ended.any(within)
    return bool(np.all(near.all(within) | free))


def norm(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of singular values, which are known as exactly as the largest of them; what is a sum of sizes is as finite as its
    terms.
    """
    x, axis = np.asarray(given["x"]), given.get("axis")
    is_of_matrices = np.size(axis) == 2 if axis is not None else x.ndim == 2 or "axis" not in given
    if given["ord"] not in (2, -2, "nuc") or not is_of_matrices or np.shape(expected) != np.shape(actual):
        return False
    stack = x if axis is None else np.moveaxis(x, axis, (-2, -1))
    sides = stack.shape[:-2]  # those of the result, too, but for what `keepdims` keeps
    expected, actual = np.reshape(expected, sides), np.reshape(actual, sides)
    if may_be_lost({"x": stack}, expected, actual):
        return True
    largest = np.linalg.norm(stack.astype(np.result_type(stack, np.float64)), 2, (-2, -1))
    bound = SINGULAR_VALUES * float(np.finfo(np.asarray(expected).dtype).eps) * largest
    return given["ord"] == -2 and bool(np.all(np.abs(expected - actual) <= bound))


SINGULAR_VALUES = 8
"""Units in the last place of the largest that each may be away: what is allowed of all of them."""


def solution(given: Arguments, expected: Any, actual: Any) -> bool:
    """Where equations do not determine a solution there are no residuals, of which XLA, unable to tell, makes nan."""
    if may_be_lost(given, expected, actual):
        return True
    if expected[2] != actual[2]:
        return _is_unsettled(expected[3], _limits(given, expected[3]))
    if np.size(expected[1]) or not np.isnan(actual[1]).all():
        return False
    return all(_are_near(np.asarray(expected[place]), np.asarray(actual[place])) for place in (0, 3))


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
    """Where a matrix is singular but for rounding errors, its determinant is any small number, of any sign; where it is
    not finite, whether nan meets a zero hangs on the order of pivots.
    """
    largest = np.log(np.linalg.norm(given["a"], axis=-1)).sum(-1)  # Hadamard's bound
    sizes = [np.asarray(result[1]) - largest for result in (expected, actual)]
    small = (sizes[0] < -np.log(NEARLY_SINGULAR)) & (sizes[1] < -np.log(NEARLY_SINGULAR))
    near = np.isclose(expected[0], actual[0], rtol=1e-5) & np.isclose(expected[1], actual[1], rtol=1e-5)
    return bool(np.all(small | near | _lost_in_stack(given)))


def determinant(given: Arguments, expected: Any, actual: Any) -> bool:
    """Of its logarithm, so that it is as far off as that is large; anything where the matrix is not finite."""
    with np.errstate(all="ignore"):
        size = np.abs(np.log(np.abs(expected)))
    near = np.abs(np.subtract(expected, actual)) <= 8 * UNIT * (1 + size) * np.abs(expected)
    return bool(np.all(near | _lost_in_stack(given)))


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
    **dict.fromkeys(("linalg.matrix_norm", "linalg.norm"), norm),
    **dict.fromkeys(("linalg.matrix_power", "linalg.multi_dot"), product),
}
