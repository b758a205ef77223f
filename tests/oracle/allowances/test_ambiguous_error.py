"""Calls with two faults, of which either may be named."""

from __future__ import annotations

import numpy as np

from oracle import Case, Mode, Outcome, find_difference, run_numpy

EAGER = Mode("eager")


def difference(case, error, mode=EAGER):
    return find_difference(case, run_numpy(case), Outcome.raised(error), mode)


def test_either_of_two_faults_may_be_named():
    case = Case("concatenate", ([np.zeros(2)], 5), {"casting": 3})
    assert run_numpy(case).error.name == "TypeError"
    assert difference(case, TypeError("casting")) is None
    assert difference(case, np.exceptions.AxisError("axis")) is None
    assert difference(case, KeyError("what")).kind == "different error"


def test_a_fault_in_what_is_required_is_seen_too():
    case = Case("insert", (np.zeros(2, np.int64), np.array(9), 1e300))
    assert run_numpy(case).error.name == "IndexError"
    assert difference(case, OverflowError("too large")) is None


def test_a_single_fault_has_one_name():
    case = Case("concatenate", ([np.zeros(2)], 5))
    assert difference(case, np.exceptions.AxisError("axis")) is None
    assert difference(case, TypeError("no")).kind == "different error"


def test_two_faults_may_be_in_one_argument():
    case = Case("einsum", ("ij->ij", np.zeros((1, 1))), {"dtype": "c16", "out": np.zeros(())})
    assert run_numpy(case).error.name == "ValueError"  # of its shape; of its dtype it would be
    assert difference(case, TypeError("casting")) is None
    case = Case("cumulative_prod", (0.0,), {"axis": (1, 0)})
    assert run_numpy(case).error.name == "AxisError"
    assert difference(case, ValueError("several")) is None
    assert difference(case, OverflowError("what")).kind == "different error"


def test_arrays_that_do_not_go_together_are_a_fault():
    case = Case("stack", ((0.0, np.zeros(1)),), {"casting": None})
    assert run_numpy(case).error.name == "ValueError"
    assert difference(case, TypeError("casting must be str")) is None
    assert difference(case, IndexError("what")).kind == "different error"


def test_a_graph_calls_functions_that_numpy_passes_over():
    case = Case("piecewise", (np.array(0, np.uint32), [np.array(False)], [np.square, -1]), {"bogus": 0})
    assert run_numpy(case).error.name == "OverflowError"
    assert difference(case, TypeError("bogus"), Mode("graph")) is None
    assert difference(case, TypeError("bogus")).kind == "different error"
    assert difference(case, KeyError("what"), Mode("graph")).kind == "different error"
