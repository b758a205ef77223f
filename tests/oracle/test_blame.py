"""Calls with two faults, of which either may be named."""

from __future__ import annotations

import numpy as np

from oracle import Case, Mode, Outcome, compare, reference

EAGER = Mode("eager")


def difference(case, error):
    return compare(case, reference(case), Outcome.raised(error), EAGER)


def test_either_of_two_faults_may_be_named():
    case = Case("concatenate", ([np.zeros(2)], 5), {"casting": 3})
    assert reference(case).error.name == "TypeError"
    assert difference(case, TypeError("casting")) is None
    assert difference(case, np.exceptions.AxisError("axis")) is None
    assert difference(case, KeyError("what")).kind == "different error"


def test_a_fault_in_what_is_required_is_seen_too():
    case = Case("insert", (np.zeros(2, np.int64), np.array(9), 1e300))
    assert reference(case).error.name == "IndexError"
    assert difference(case, OverflowError("too large")) is None


def test_a_single_fault_has_one_name():
    case = Case("concatenate", ([np.zeros(2)], 5))
    assert difference(case, np.exceptions.AxisError("axis")) is None
    assert difference(case, TypeError("no")).kind == "different error"
