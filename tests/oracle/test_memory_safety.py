"""Calls in which NumPy would read or write outside its arrays: they are not made."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, Subject, compare_outcomes, run_numpy
from oracle.compare.comparison import NO_ANSWER
from oracle.execution.modes import run_case

HALVES = np.arange(8, dtype=np.float16)
SHORTS, MASK = np.arange(20, dtype=np.int16), np.arange(20) > 3


def scalar():
    return np.array(0.0, np.float16)


UNSAFE = [
    Case("maximum.accumulate", (HALVES, 0, None, scalar())),
    Case("add.accumulate", (HALVES,), {"out": (scalar(),)}),
    Case("nancumprod", (HALVES,), {"out": scalar()}),
    Case("cumulative_sum", (HALVES,), {"out": scalar()}),
    Case("ndarray.cumsum", (HALVES, 0, None, scalar())),
    Case("negative", (Case("cumsum", (HALVES,), {"out": scalar()}),)),
    Case("greater", (SHORTS, -(2**63)), {"out": np.zeros(20, bool), "where": MASK}),
    Case("equal", (2**40, SHORTS), {"where": False}),
    Case("less", (Case("negative", (SHORTS,)), 2**40), {"where": MASK}),
    Case("diag", (np.zeros((1, 1)), -(2**31))),
    Case("ndarray.trace", (np.zeros((1, 1)), np.array(-(2**31)))),
    Case("linalg.diagonal", (np.zeros((1, 1)),), {"offset": np.int32(-(2**31))}),
]
SAFE = [
    Case("maximum.accumulate", (HALVES, 0, None, HALVES.copy())),
    Case("add.reduce", (HALVES, 0, None, scalar())),
    Case("cumsum", (HALVES,), {"out": HALVES.copy()}),
    Case("greater", (SHORTS, -(2**63)), {"where": True}),
    Case("greater", (SHORTS, -(2**63))),
    Case("greater", (SHORTS, 5), {"out": np.zeros(20, bool), "where": MASK}),
    Case("greater", (SHORTS, 1e300), {"out": np.zeros(20, bool), "where": MASK}),
    Case("add", (SHORTS, 5), {"out": SHORTS.copy(), "where": MASK}),
    Case("diag", (np.zeros((1, 1)), 1 - 2**31)),
    Case("roll", (SHORTS, -(2**31))),
]


@pytest.mark.parametrize("case", UNSAFE, ids=str)
def test_an_unsafe_call_has_no_answer(case):
    assert run_numpy(case).kind == "unsupported"
    comparison = compare_outcomes(case, run_numpy(case), Outcome(np.zeros(3)), Mode("eager"))
    assert (comparison.deviations, comparison.undecided) == ([], NO_ANSWER)


@pytest.mark.parametrize("case", SAFE, ids=str)
def test_a_safe_call_has_one(case):
    assert run_numpy(case).ok


def test_an_allowance_makes_no_unsafe_call_of_an_invalid_one():
    """NumPy refuses the axis; with one that it takes, the call would write to memory that it does not own."""
    case = Case("maximum.accumulate", (HALVES, 5, None, scalar()))
    other = Case("greater", (SHORTS, -(2**63)), {"out": np.zeros(3, bool), "where": MASK})
    for one in (case, other):
        expected = Outcome.raised(np.exceptions.AxisError(5, 1))
        comparison = compare_outcomes(one, expected, Outcome.raised(KeyError("axis")), Mode("eager"))
        assert comparison.harness_faults == []
        assert [difference.kind for difference in comparison.deviations] == ["different error"]


def test_a_library_that_hands_its_arguments_to_numpy_is_not_given_them():
    asked = []

    def less(*args, **kwargs):
        asked.append(args)
        return np.True_

    module = ModuleType("hands_on")
    module.ndarray, module.less = np.ndarray, less
    subject = Subject("hands_on", module)
    assert run_case(Mode("eager"), Case("less", (SHORTS, 2**40), {"where": MASK}), subject).kind == "unsupported"
    assert not asked
    assert run_case(Mode("eager"), Case("less", (SHORTS, 5), {"where": MASK}), subject).ok
