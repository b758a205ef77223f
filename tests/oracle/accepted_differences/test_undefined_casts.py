"""Casts that C leaves open, and only those."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case, Mode, Outcome, run_numpy
from oracle.accepted_differences.undefined_casts import fits, open_elements
from oracle.harness import find_deviation

EAGER = Mode("eager")
AWKWARD = np.array([np.nan, 1.5, np.inf, -1.0, 3e9, -3e38])


def difference(case, change):
    """What is said of NumPy's own result after a change."""
    expected = run_numpy(case)
    value = np.array(expected.value)
    change(value)
    return find_deviation(case, expected, Outcome(value), EAGER)


def test_what_fits():
    assert fits(np.array([255.9, 256.0, -0.5, -1.0, np.nan]), np.dtype(np.uint8)).tolist() == [1, 0, 1, 0, 0]
    assert fits(np.array([2.0**63, -(2.0**63)]), np.dtype(np.int64)).tolist() == [0, 1]


CASTS = [
    Case("astype", (AWKWARD, np.dtype(np.int32))),
    Case("asarray", (AWKWARD,), {"dtype": "i4"}),
    Case("require", (AWKWARD, np.int32)),
    Case("array", ([AWKWARD],), {"dtype": np.int32, "ndmin": 2}),
    Case("concatenate", ([AWKWARD, AWKWARD],), {"dtype": np.int32, "casting": "unsafe"}),
    Case("full_like", (np.zeros(6, np.int32), AWKWARD)),
    Case("insert", (np.zeros(2, np.int32), 0, AWKWARD)),
    Case("cumsum", (AWKWARD,), {"dtype": np.int32}),
]


@pytest.mark.parametrize("case", CASTS, ids=lambda case: case.name)
def test_what_does_not_fit_is_open(case):
    expected = run_numpy(case).value
    assert open_elements(case, (0,), expected).ravel()[0]


def test_what_fits_is_judged():
    def change(index):
        return lambda value: value.__setitem__(index, 77)

    assert difference(CASTS[0], change(0)) is None
    assert difference(CASTS[0], change(4)) is None
    assert difference(CASTS[0], change(1)).kind == "value"
    assert difference(CASTS[0], change(3)).kind == "value"


def test_what_is_cast_on_the_way_is_open():
    case = Case("arccosh.at", (np.array([6, 9], np.uint32), np.array([0, 0, 0, 0, 1])))
    assert open_elements(case, (1, 0), run_numpy(case).after[0]).tolist() == [True, False]


def test_what_follows_from_a_subnormal_number_is_open():
    array, power = np.array([1 + 1j, 7 + 10j], np.complex64), 100j
    case = Case("float_power.at", (array, [1, 1, 0], power))
    expected = run_numpy(case)
    for place, kind in ((1, None), (0, "value")):
        other = expected.after[0].copy()
        other[place] = complex(np.nan, np.nan)
        found = find_deviation(case, expected, Outcome(None, after=(other,)), EAGER)
        assert (found and found.kind) == kind


def test_what_is_written_to_is_open_too():
    case = Case("copyto", (np.zeros(6, np.int32), AWKWARD, "unsafe"))
    expected = run_numpy(case)
    other = [array.copy() for array in expected.after]
    other[0][2] = 5
    assert find_deviation(case, expected, Outcome(None, after=tuple(other)), EAGER) is None
    other[0][1] = 5
    assert find_deviation(case, expected, Outcome(None, after=tuple(other)), EAGER).kind == "value"


def test_integers_that_are_no_casts_are_judged():
    assert open_elements(Case("argsort", (AWKWARD,)), (0,), run_numpy(Case("argsort", (AWKWARD,))).value) is None


def test_a_subnormal_number_made_boolean_is_open():
    case = Case("nextafter.at", (np.array([False, False]), 0, 1.0))
    expected = run_numpy(case)
    assert find_deviation(case, expected, Outcome(None, after=(np.array([False, False]),)), EAGER) is None
    assert find_deviation(case, expected, Outcome(None, after=(np.array([True, True]),)), EAGER).kind == "value"


def test_a_reduction_that_begins_with_what_its_out_does_not_hold_is_open():
    case = Case("logaddexp2.reduce", (0.0,), {"out": np.array(0, np.uint32)})
    value = np.array(2**31, np.uint32)
    assert find_deviation(case, run_numpy(case), Outcome(value, after=(value,)), EAGER) is None
    settled = Case("logaddexp2.reduce", (1.0,), {"out": np.array(0, np.uint32), "initial": 1.0})
    assert find_deviation(settled, run_numpy(settled), Outcome(value, after=(value,)), EAGER).kind == "value"


@pytest.mark.parametrize("name", ["max", "ndarray.max", "maximum.reduce"])
def test_a_reduction_that_begins_with_one_of_its_numbers_is_open_where_that_does_not_fit(name):
    for number, kind in ((-1.0, None), (0.0, "value")):
        case = Case(name, (np.array([number, 1.0]),), {"out": np.array(0, np.uint64)})
        value = np.array(5, np.uint64)
        found = find_deviation(case, run_numpy(case), Outcome(value, after=(value,)), EAGER)
        assert (found and found.kind) == kind


def test_a_text_with_a_comma_is_no_dtype():
    """NumPy reads it as Python, and may find it no Python at all."""
    case = Case("fill_diagonal", (np.zeros((1, 1), np.int64), 1.5, ","))
    assert not np.any(open_elements(case, (1, 0), np.zeros((1, 1), np.int64)))


def test_a_loop_of_integers_that_do_not_hold_what_floats_come_and_go_is_open():
    for number, kind in ((5e9, None), (5.0, "value")):
        case = Case("remainder.accumulate", (np.array([number]), 0, np.dtype(np.uint32), np.zeros(1)))
        found = find_deviation(case, run_numpy(case), Outcome(np.ones(1), after=(np.ones(1),)), EAGER)
        assert (found and found.kind) == kind


def test_integers_made_of_what_is_not_exact_are_open_by_a_rounding_error():
    case = Case("hypot.at", (np.array([0], np.uint64), np.zeros(3, int), 5.5e18))
    expected = run_numpy(case)
    for units, kind in ((2048, None), (2**20, "value")):
        found = find_deviation(case, expected, Outcome(None, after=(expected.after[0] - np.uint64(units),)), EAGER)
        assert (found and found.kind) == kind
    case = Case("floor_divide.at", (np.array([7], np.uint64), 0, 2.0))
    assert (
        find_deviation(case, run_numpy(case), Outcome(None, after=(np.array([2], np.uint64),)), EAGER).kind == "value"
    )


def test_numbers_next_to_a_whole_one_may_be_cut_to_either_side():
    case = Case("power.accumulate", (np.array([7.0, -2.0, -1.0]),), {"out": np.zeros(3, np.int64)})
    expected = run_numpy(case)
    assert expected.value.tolist() == [7, 0, 49]
    for found, kind in (([7, 0, 48], None), ([7, 0, 50], "value"), ([7, 1, 49], "value")):
        outcome = Outcome(np.array(found), after=(np.array(found),))
        difference = find_deviation(case, expected, outcome, EAGER)
        assert (difference and difference.kind) == kind


def test_tens_that_an_integer_does_not_hold_are_open():
    for number, kind in ((2**32 - 1, None), (2**32 - 11, "value")):
        case = Case("round", (np.array(number, np.uint32), -1))
        found = find_deviation(case, run_numpy(case), Outcome(np.array(0, np.uint32)), EAGER)
        assert (found and found.kind) == kind


def test_what_passes_through_a_subnormal_number_is_open():
    for last, kind in ((-3e29, None), (-3e9, "value")):
        case = Case("divide.reduceat", (np.array([6e16, 1e32, last, 0.0], np.float32), [0]))
        found = find_deviation(case, run_numpy(case), Outcome(np.array([np.nan], np.float32)), EAGER)
        assert (found and found.kind) == kind
