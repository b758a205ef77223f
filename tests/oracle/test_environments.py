"""NumPy in other rounding modes: answers among its own there are right, and others are not."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, run_numpy
from oracle.harness import find_deviation
from oracle.reference.environments import find_directed_modes, run_rounded

LINE = (np.array([18]), np.array([6, 21]), [5, -1])
LOGARITHMS = (10, np.array([7, 100], np.int16))
REPEATED = (np.array([-2.0, 4.0], np.float32), np.zeros(5, int))

pytestmark = pytest.mark.skipif(not find_directed_modes(), reason="this processor's rounding mode cannot be set")


def test_each_mode_rounds_in_its_direction():
    case = Case("divide", (np.array([1.0, -1.0]), 3.0))
    nearest, above = 1 / 3, float(np.nextafter(1 / 3, 1.0))
    results = [outcome.value.tolist() for outcome in run_rounded(case)]
    assert results == [[nearest, -above], [above, -nearest], [nearest, -nearest]]


def test_the_mode_is_as_before_even_after_an_error():
    assert run_rounded(Case("add", (np.ones(2), np.ones(3))))[0].error is not None
    assert np.divide(1.0, 3.0) == 1 / 3
    assert np.divide(-2.0, 3.0) == -2 / 3


@pytest.mark.parametrize(
    ("name", "args", "answer", "kind"),
    [
        ("interp", LINE, np.array([0.2]), None),
        ("interp", LINE, np.array([0.2 + 2e-13]), "value"),
        ("interp", LINE, np.array([0.2], np.float32), "dtype"),
        ("interp", (np.array([18, 21]), *LINE[1:]), np.array([0.2, 0.0]), "value"),
        ("emath.logn", LOGARITHMS, np.array([0.8450981191895203, 2.000000146982803]), None),
        ("emath.logn", LOGARITHMS, np.array([0.84511, 2.00003]), "value"),
        ("emath.logn", (10, np.array([7.0])), np.array([0.845098068817750]) * (1 + 1e-7), "value"),
    ],
)
def test_an_answer_among_those_of_the_rounding_modes_is_right(name, args, answer, kind):
    case = Case(name, args)
    found = find_deviation(case, run_numpy(case), Outcome(answer), Mode("eager"))
    assert (found and found.kind) == kind


@pytest.mark.parametrize(
    ("answer", "kind"),
    [((11373663232.0, 4.0), None), ((11384924160.0, 4.0), "value"), ((11373663232.0, 4.00004), "value")],
)
def test_what_is_written_may_be_among_them_too(answer, kind):
    case = Case("exp.at", REPEATED)
    actual = Outcome(after=(np.array(answer, np.float32),))
    found = find_deviation(case, run_numpy(case), actual, Mode("eager"))
    assert (found and found.kind) == kind


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "sqrt"])
def test_an_exact_function_stays_exact(name):
    case = Case(name, (np.array([0.1, 0.3]),) + ((np.array([0.7, 0.9]),) if name != "sqrt" else ()))
    expected = run_numpy(case)
    actual = Outcome(np.nextafter(expected.value, 2.0))
    found = find_deviation(case, expected, actual, Mode("eager"))
    assert found is not None
