"""What no evidence decides is neither wrong nor right, and is counted by its reason."""

from __future__ import annotations

import numpy as np

from oracle import Case, Mode, Outcome, run_numpy
from oracle.compare.pipeline import compare_outcomes
from oracle.equality import conditioning, numeric
from oracle.equality.numeric import NumericComparison


def undecided(case, value):
    """The wrong elements, and the reasons why others are undecided."""
    outcome = run_numpy(case)
    evidence = NumericComparison(case, outcome, compiled=False)
    wrong = evidence.wrong((0,), np.asarray(outcome.value), np.asarray(value))
    return int(wrong.sum()), dict(evidence.undecided)


def test_a_bound_as_large_as_the_value_decides_nothing():
    case = Case("var", (np.array([1e8, 1e8 + 1e-7, 1e8]),))
    assert undecided(case, 2 * run_numpy(case).value) == (0, {conditioning.VACUOUS: 1})
    assert undecided(case, np.asarray(1.0)) == (1, {})


def test_where_rounding_decides_whether_it_is_finite_it_is_undecided():
    case = Case("divide.reduce", (np.array([1.0, 2.0, 3.0]),))
    assert undecided(case, np.asarray(np.inf)) == (1, {})
    inner = Case("subtract", (Case("exp", (np.array([1.0]),)), np.exp(np.array([1.0]))))
    case = Case("log", (inner,))
    assert run_numpy(case).value == -np.inf
    assert undecided(case, np.array([-36.7])) == (0, {conditioning.CLASS_BY_ROUNDING: 1})
    assert undecided(case, np.array([36.7])) == (1, {})


def test_where_rounding_decides_the_class_of_every_complex_number_it_is_undecided():
    case = Case("sin", (Case("divide", (-5.1e27, complex(1.5, 0.0))),))
    assert undecided(case, np.asarray(complex(0.5, 0.0))) == (0, {conditioning.CLASS_BY_ROUNDING: 1})
    case = Case("sin", (Case("divide", (-5.1, complex(1.5, 0.0))),))
    assert undecided(case, np.asarray(complex(0.5, 0.0))) == (1, {})


def test_where_rounding_decides_the_signs_of_infinite_parts_they_are_undecided():
    turned = Case("sin", (Case("sin", (Case("sin", (np.array(1 - 4j, np.complex64),)),)),))
    assert undecided(turned, np.array(complex(np.inf, -np.inf), np.complex64)) == (
        0,
        {conditioning.CLASS_BY_ROUNDING: 1},
    )
    assert undecided(turned, np.array(complex(1.0, -np.inf), np.complex64))[0] == 1
    cancelled = Case("multiply", (5e37, Case("square", (np.array([1.3e19 + 1.3e19j], np.complex64),))))
    assert undecided(cancelled, np.array([complex(0, np.inf)], np.complex64))[0] == 0
    assert undecided(cancelled, np.array([complex(0, -np.inf)], np.complex64))[0] == 1
    known = Case("exp", (np.array(1000 + 1j),))
    assert undecided(known, np.array(complex(np.inf, -np.inf))) == (1, {})


def test_where_the_sign_of_a_zero_sum_decides_it_is_undecided():
    quotient = Case("divide", (1.0, Case("mean", (np.array([-0.0]),))))
    assert undecided(quotient, np.asarray(-np.inf)) == (0, {conditioning.CLASS_BY_ROUNDING: 1})
    assert undecided(quotient, np.asarray(1.0)) == (1, {})
    quotient = Case("divide", (1.0, Case("negative", (np.array([-0.0]),))))
    assert undecided(quotient, np.array([-np.inf])) == (1, {})


def test_where_no_perturbed_run_succeeds_it_is_undecided(monkeypatch):
    case = Case("var", (np.array([1.0, 2.0]),))
    evidence = NumericComparison(case, run_numpy(case), compiled=False)
    evidence.__dict__.update(moved=[], moved_again=[])
    expected = np.asarray(run_numpy(case).value)
    assert not evidence.wrong((0,), expected, expected * 2).any()
    assert evidence.undecided == {numeric.NO_PERTURBED_RUN: 1}


def test_draws_by_parameters_that_rounding_moves_are_undecided():
    for shape, drawn, reason in (
        (Case("multiply", (5e8, Case("exp", (np.float32(20),)))), 1.0000002, numeric.INNER_CALLS),
        (Case("exp", (np.float32(2),)), 100.0, ""),
    ):
        case = Case("random.Generator.gamma", (Case("random.default_rng", ()), shape))
        value = np.float64(run_numpy(shape).value * drawn)
        comparison = compare_outcomes(case, run_numpy(case), Outcome(value), Mode("eager"))
        assert comparison.undecided == reason
        assert (comparison.deviation is None) == bool(reason)
