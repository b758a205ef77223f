"""Wrong results that were once taken for right, or that the judge could not judge."""

from __future__ import annotations

import warnings

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, Mode, Outcome, run_numpy
from oracle.harness import find_deviation

TINY = np.array([6e-39, 0.0, 1e-39], np.float32)


def differs(case, value, mode="eager"):
    return find_deviation(case, run_numpy(case), Outcome(value), Mode(mode)) is not None


def test_coefficients_are_lost_on_a_domain_that_is_a_point():
    case = Case("polynomial.Polynomial.fromroots", (np.array([0.0]),), {"domain": [2.0, 2.0]})
    expected = run_numpy(case).value
    assert np.isnan(expected["coef"][0])
    assert not differs(case, expected)
    for wrong in (1.0, -7.0, np.inf):
        assert differs(case, {**expected, "coef": np.array([wrong, 0.0])})


def test_roots_whose_domain_is_found_are_rounded_as_others_are():
    """The coefficient of P2 is a rounding error: mapped to the window, the roots are exactly 1 and -1."""
    case = Case("polynomial.Legendre.fromroots", (np.array([0.0, 0.0, 0.0, 0.0, 0.0, -1.0]),), {"domain": None})
    expected = run_numpy(case).value
    coef, index = expected["coef"], np.arange(7)
    assert 0 < abs(coef[2]) < 1e-17
    assert not differs(case, {**expected, "coef": np.where(index == 2, -coef, coef)})
    assert differs(case, {**expected, "coef": np.where(index == 2, 1e-12, coef)})
    assert differs(case, {**expected, "coef": np.where(index == 3, coef * (1 + 1e-12), coef)})
    assert differs(case, {**expected, "domain": np.array([1e-12 - 1, 0.0])})


def test_edges_between_subnormal_numbers():
    case = Case("histogram_bin_edges", (TINY, 3))
    edges = run_numpy(case).value
    flushed = np.histogram_bin_edges(np.zeros(3, np.float32), 3)
    for right in (edges, 0 * edges, flushed):
        assert not differs(case, right)
    for wrong in (np.ones_like(edges), edges + 1, edges - np.float32(0.5), flushed[::-1]):
        assert differs(case, wrong)


def test_counts_are_of_one_reading_of_subnormal_numbers():
    case = Case("searchsorted", (np.array([0.0, 2e-310, 1.0]), np.array([1e-310, 3e-310, 0.0])))
    zeros = Case("searchsorted", (np.array([0.0, 0.0, 1.0]), np.zeros(3)))
    plain, flushed = (run_numpy(one).value for one in (case, zeros))
    assert not differs(case, plain)
    assert not differs(case, flushed)
    for mixed in ([plain[0], flushed[1], 0], [flushed[0], plain[1], 0]):
        assert differs(case, np.array(mixed))


@pytest.mark.parametrize("wrong", [3.0, np.nan])
def test_the_two_halves_are_judged_beside_each_other(wrong):
    case = Case("sum", (np.array([1e-30, 1], ml_dtypes.bfloat16),), {"dtype": np.float16})
    assert not differs(case, np.float16(1))
    assert differs(case, np.float16(wrong))


def test_text_is_no_cast():
    case = Case("pad", (np.str_("b"), 3), {"mode": "median", "stat_length": 2})
    assert not differs(case, np.array("b"))
    assert differs(case, np.array("c"))


def test_an_order_is_no_deprecated_dtype():
    case = Case("add", (np.array([1, 2]), 1), {"order": "a"})
    with warnings.catch_warnings(action="error"):
        assert differs(case, np.array([5, 6]))


def test_a_jump_that_nothing_was_rounded_for():
    case = Case("unwrap", (np.array([0.0, 6.0]),), {"discont": 6, "period": 4})
    assert not differs(case, np.array([0.0, 2.0]))
    for wrong in (6.0, -2.0):
        assert differs(case, np.array([0.0, wrong]))
    rounded = Case("unwrap", (np.array([0.0, 0.3]),), {"discont": 0.1 + 0.2, "period": 0.2})
    assert not differs(rounded, np.array([0.0, 0.3]))


def test_the_last_point_is_not_beyond_the_last():
    points = np.array([1.0, 2.0, 3.0])
    case = Case("interp", (np.array([3.0, 1.0, 4.0]), points, 10 * points), {"left": -5.0, "right": -1.0})
    assert not differs(case, np.array([30.0, 10.0, -1.0]))
    for wrong in ([-1.0, 10.0, -1.0], [30.0, -5.0, -1.0], [30.0, 10.0, 30.0]):
        assert differs(case, np.array(wrong))
