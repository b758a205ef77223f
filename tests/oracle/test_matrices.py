"""What linear algebra leaves open, and what it does not."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, run_numpy
from oracle.harness import find_deviation
from tests.oracle.planted import verdict

EDGE = np.array([[2.0, -2, 10], [3, 1, 7], [10, 10, 10]])
"""Singular but for rounding errors."""
LOST = np.array([[np.nan, 0], [0, 1]])
LAME = np.array([[1.0, 1], [1, 1], [2, 2]])
RIGHT = np.arange(3.0)


def differs(case, value, mode="eager"):
    return find_deviation(case, run_numpy(case), Outcome(value), Mode(mode)) is not None


@pytest.mark.parametrize(("matrix", "missing"), [(np.zeros((2, 2)), True), (np.array([[1.0, 3], [3, 9]]) / 10, False)])
def test_whether_a_matrix_is_singular(matrix, missing):
    case = Case("linalg.inv", (matrix,))
    found = find_deviation(case, run_numpy(case), Outcome(np.ones((2, 2))), Mode("eager"))
    assert (found is not None and found.kind == "missing error") == missing


def test_integers_move_as_the_numbers_that_they_become():
    case = Case("linalg.pinv", (np.array([[2, 0], [9, 1]]),))
    assert not differs(case, run_numpy(case).value * (1 + 2.0**-49))
    assert differs(case, run_numpy(case).value * (1 + 1e-9))


def test_xla_may_fill_residuals_with_nan_where_there_are_none():
    case = Case("linalg.lstsq", (LAME, RIGHT))
    solution, _, rank, values = run_numpy(case).value
    assert not differs(case, (solution, np.array([np.nan]), rank, values), "xla")
    assert differs(case, (solution, np.array([0.5]), rank, values), "xla")


def test_eigenvalues_are_complex_in_a_graph():
    case = Case("linalg.eigvals", (np.diag([1.0, 2]),))
    assert not differs(case, np.array([2, 1 + 0j]), "graph")
    assert differs(case, np.array([2, 1 + 0j]))
    assert differs(case, np.array([2, 3 + 0j]), "graph")


def test_roots_are_real_where_no_rounding_error_decides_it():
    c = np.array([0.0, 3, 0, 1])
    case = Case("polynomial.hermite_e.hermeroots", (c,))
    for several in (case, Case("polynomial.HermiteE.roots", (Case("polynomial.HermiteE", (c,)),))):
        assert not differs(several, np.array([-1e-8, 0, 1e-8]))
    assert differs(case, np.array([-1e-3, 0, 1e-3]))
    case = Case("roots", (np.array([1.0, 0, 1]),))
    assert differs(case, np.array([0.0, 0]))
    assert differs(Case("roots", (np.array([1.0, -3, 2]),)), np.array([2, 1 + 0j]))


def roots_of(*coefficients):
    """The case of a class of series."""
    return Case("polynomial.Laguerre.roots", (Case("polynomial.Laguerre", (np.array(coefficients),)),))


def test_a_double_root_may_be_two_as_far_apart_as_a_rounding_error_has_it():
    twice = roots_of(10.0, 4, 4)
    for mode in ("eager", "graph"):
        assert not differs(twice, np.array([3 - 3e-8j, 3 + 3e-8j]), mode)
        assert differs(twice, np.array([3 - 1e-6j, 3 + 1e-6j]), mode)
        assert differs(twice, np.array([3 - 1e-6, 3]) + 0j, mode)
    assert not differs(twice, np.array([3 - 3e-8, 3 + 3e-8]))
    assert differs(twice, np.array([3.0, 3 + 1e-13]))
    assert differs(twice, np.array([3 - 1e-6j, 3 + 3e-8j]))
    assert not differs(Case("roots", (np.array([1.0, -6, 9]),)), np.array([3 - 3e-8j, 3 + 3e-8j]))


def test_roots_that_are_far_apart_are_no_double_ones():
    case = roots_of(5.0, -8, 2)
    found = run_numpy(case).value
    assert found.dtype == np.float64
    for mode in ("eager", "graph"):
        assert not differs(case, found * (1 + 2.0**-50), mode)
        assert differs(case, found * (1 + 2.0**-40), mode)
    assert differs(case, found.astype(np.complex128))
    assert not differs(case, found.astype(np.complex128), "graph")


@pytest.mark.parametrize(("units", "wrong"), [(12, False), (80, True)])
def test_roots_are_as_near_as_those_of_a_balanced_matrix(units, wrong):
    case = Case("roots", (np.array([1.0, -3, 2]),))
    assert differs(case, run_numpy(case).value + np.array([units * 2.0**-51, 0])) == wrong


def test_subnormal_numbers_are_no_nan():
    case = Case("linalg.inv", (np.array([[1, 1e-310], [0, 1]]),))
    assert differs(case, np.full((2, 2), np.nan))
    assert not differs(case, np.eye(2))


def test_a_norm_is_as_infinite_as_its_terms():
    assert differs(Case("linalg.norm", (np.array([1, np.inf]),)), np.float64(7))
    assert differs(Case("linalg.matrix_norm", (np.array([[1, np.inf], [1, 1]]),)), np.float64(7))
    assert not differs(Case("linalg.norm", (LOST, 2)), np.float64(np.inf))


@pytest.mark.parametrize("name", ["linalg.inv", "linalg.det", "linalg.cholesky", "fft.fft"])
def test_each_problem_has_its_own_scale(name):
    stack = np.stack([np.eye(2) * 1e20, np.array([[2.0, 1], [1, 3]])])
    for case in (Case(name, (stack,)), Case(name, (stack[::-1],))):
        for place in (0, 1):
            wrong = run_numpy(case).value.copy()
            wrong[place] *= 1.001
            assert differs(case, wrong)


def test_eigenvectors_are_judged_by_the_balanced_matrix():
    """Of entries that balancing makes negligible, either vector will do."""
    matrix = np.array([[1.0, -2e-308], [1.0, 0.0]])
    case, found = Case("linalg.eig", (matrix,)), np.linalg.eig(matrix)
    true = np.array([[0.5**0.5, 0], [0.5**0.5, 1]])
    assert not differs(case, found._replace(eigenvectors=true))
    assert differs(case, found._replace(eigenvectors=np.array([[1.0, 0.6], [0.0, 0.8]])))


def test_what_numpy_makes_of_the_greatest_numbers_is_open_if_it_overflows():
    greatest, value = np.finfo(float).max, (np.eye(2), np.array([2.0, 1]), np.eye(2))
    case = Case("linalg.svd", (np.array([[1.0, greatest], [1, 0]]),))
    assert not np.isfinite(run_numpy(case).value[1]).all()
    assert not differs(case, type(run_numpy(case).value)(*value))
    case = Case("linalg.svd", (np.array([[1.0, greatest / 4], [1, 0]]),))
    assert differs(case, type(run_numpy(case).value)(*value))


def test_factors_of_what_is_not_finite_are_open():
    case = Case("linalg.qr", (np.stack([np.array([[np.inf], [1]]), np.array([[3.0], [4]])]),))
    fine = np.array([[0.6], [0.8]]), np.array([[5.0]])
    kind = type(run_numpy(case).value)

    def of(first, second):
        return kind(*map(np.stack, zip(first, second, strict=True)))

    assert not differs(case, of((np.array([[1.0], [0]]), np.array([[np.inf]])), fine))
    assert differs(case, of((np.array([[1.0], [0]]), np.array([[7.0]])), fine))
    assert differs(case, of((np.array([[1.0], [0]]), np.array([[np.inf]])), (fine[0], 2 * fine[1])))


def solve_by_qr(a, b):
    q, r = np.linalg.qr(a)
    return np.linalg.solve(r, q.T @ b)


def invert_by_qr(a):
    q, r = np.linalg.qr(a)
    return np.linalg.inv(r) @ q.T


def det_by_logarithm(a):
    sign, logarithm = np.linalg.slogdet(a)
    return sign * np.exp(logarithm)


def draw_systems(count):
    """Matrices with small integers, far from singular, and right sides, in single and double precision by turns."""
    for seed in range(count):
        rng = np.random.default_rng(seed)
        size, dtype = rng.integers(1, 5), (np.float32, np.float64)[seed % 2]
        matrix = rng.integers(-5, 10, (size, size)).astype(dtype)
        if abs(np.linalg.det(matrix)) > 0.5:
            yield matrix, rng.integers(-5, 10, size).astype(dtype)


STABLE = {"linalg.solve": solve_by_qr, "linalg.inv": invert_by_qr, "linalg.det": det_by_logarithm}


@pytest.mark.parametrize("name", STABLE)
def test_a_backward_stable_algorithm_is_right_in_its_own_precision(name):
    """NumPy calculates linear algebra of float32 in double precision, which nobody promises."""
    for matrix, right in draw_systems(150):
        case = Case(name, (matrix, right) if name == "linalg.solve" else (matrix,))
        assert verdict(case, **{name.replace(".", "__"): STABLE[name]}).agrees, case


@pytest.mark.parametrize("name", STABLE)
def test_an_error_beyond_single_precision_is_wrong(name):
    """The same algorithms, off by a thousand units of the answer's precision."""
    for matrix, right in draw_systems(40):
        case = Case(name, (matrix, right) if name == "linalg.solve" else (matrix,))
        error = 1 + 1000 * np.finfo(matrix.dtype).eps

        def wrong(*args, error=error, dtype=matrix.dtype):
            return (STABLE[name](*args) * error).astype(dtype)

        found = verdict(case, **{name.replace(".", "__"): wrong})
        is_well_conditioned = np.linalg.cond(matrix.astype(float)) < 20 and np.any(run_numpy(case).value)
        assert not is_well_conditioned or [one.kind for one in found.deviations] == ["value"], case
