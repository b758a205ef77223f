"""Series that are objects are judged by what they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, Subject, judge, run_numpy
from oracle.harness import find_deviation
from oracle.reference.polynomials import list_parts


def test_parts():
    parts = list_parts(np.polynomial.Legendre([1, 2]))
    assert parts["class"] == "Legendre"
    assert parts["coef"].tolist() == [1, 2]
    assert all(list_parts(value) is None for value in (np.ones(2), 3, np.polynomial.Legendre, "coef"))


@pytest.mark.parametrize(("name", "kind"), [("Hermite", "value"), ("Polynomial", "")])
def test_another_series_is_a_difference(name, kind):
    class Home:
        """A namespace whose Polynomial is NumPy's, and whose Hermite doubles its coefficients."""

        ndarray = np.ndarray

        class polynomial:  # noqa: N801 - NumPy's name
            Polynomial = np.polynomial.Polynomial

            class Hermite(np.polynomial.Hermite):
                def __init__(self, coef):
                    super().__init__(np.multiply(coef, 2))

    verdict = judge(Case(f"polynomial.{name}", (np.array([1.0, 2.0]),)), ("eager",), Subject("home", Home))
    assert [one.kind for one in verdict.deviations] == [kind] * bool(kind)


@pytest.mark.parametrize(("of_roots", "kind"), [(True, None), (False, "value")])
def test_coefficients_of_roots_are_as_near_as_those_of_poly(of_roots, kind):
    case = Case("poly1d", (np.array([0.1, 1.0, 1.5], np.float32), of_roots))
    parts = run_numpy(case).value
    near = Outcome({**parts, "coeffs": np.nextafter(parts["coeffs"], np.float32(9))})
    found = find_deviation(case, run_numpy(case), near, Mode("eager"))
    assert (found and found.kind) == kind
    far = Outcome({**parts, "coeffs": parts["coeffs"] * np.float32(1.0001)})
    assert find_deviation(case, run_numpy(case), far, Mode("eager")).kind == "value"


def test_roots_of_more_precision_than_tensors_have():
    case = Case("polynomial.chebyshev.chebroots", (np.array([1, 2j], np.clongdouble),))
    expected = run_numpy(case)
    assert find_deviation(case, expected, Outcome(expected.value + 0), Mode("eager")) is None
    assert find_deviation(case, expected, Outcome(expected.value * 2), Mode("eager")).kind == "value"
