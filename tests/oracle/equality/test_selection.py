"""A selection is an element of its input, bit for bit, and the right one."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, judge, run_numpy
from oracle.equality.jumps import find_settled
from oracle.equality.selection import selects
from tests.oracle.elements import judge_elements
from tests.oracle.made import made

tf = pytest.importorskip("tensorflow")

BFLOAT16 = ml_dtypes.bfloat16
NINE = np.arange(9.0)


@pytest.mark.parametrize("method", ["lower", "higher", "nearest", "inverted_cdf", "closest_observation"])
@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile"])
def test_an_exact_method_at_an_exact_position_selects_one_element(name, method):
    case = Case(name, (NINE, 50 if name == "percentile" else 0.5), {"method": method})
    expected = run_numpy(case).value
    for step in (-1, 1, 2**-40):
        assert judge_elements(case, np.asarray(expected + step)) == "wrong"


def test_a_method_that_numpy_does_not_look_at_selects_nothing():
    case = Case("nanpercentile", (np.array([np.nan]), 50.0), {"method": {"a": 1}})
    assert not selects(case)
    assert judge_elements(case, np.asarray(0.0)) == "wrong"


def test_where_rounding_decides_the_position_either_neighbour_is_undecided():
    case = Case("quantile", (np.arange(11.0), 0.3), {"method": "lower"})
    assert run_numpy(case).value == 3
    assert judge_elements(case, np.asarray(2.0)) == "undecided"
    assert judge_elements(case, np.asarray(1.0)) == "wrong"
    assert judge_elements(case, np.asarray(2.5)) == "wrong"


@pytest.mark.parametrize("name", ["quantile", "percentile"])
def test_the_ends_of_the_range_of_quantiles_are_judged(name):
    top = 100.0 if name == "percentile" else 1.0
    for q in (np.full(3, top), np.array([0, 0.5, 1, 1]) * top, [top] * 5, top):
        case = Case(name, (NINE, q))
        assert judge_elements(case, np.full(np.shape(q), -123.0)) == "wrong"
        assert judge_elements(case, np.asarray(run_numpy(case).value) * (1 + 2.0**-52)) == "equal"


def test_a_median_of_an_odd_number_is_one_of_them():
    case = Case("median", (np.array([1, 2, 300], np.float16),))
    assert judge_elements(case, np.asarray(np.float16(2.02))) == "wrong"
    assert judge_elements(case, np.asarray(np.nextafter(np.float16(2), np.float16(3)))) == "wrong"
    rows = Case("nanmedian", (np.array([[1, 2, 300], [1, 2, np.nan]]),), {"axis": 1})
    assert judge_elements(rows, np.array([2, 1.5 * (1 + 2.0**-52)])) == "equal"
    assert judge_elements(rows, np.array([2 * (1 + 2.0**-52), 1.5])) == "wrong"


def test_a_median_of_an_even_number_is_between_two():
    case = Case("median", (np.array([1, 2, 3, 300], np.float16),))
    assert judge_elements(case, np.asarray(np.float16(2.502))) == "equal"
    assert judge_elements(case, np.asarray(np.float16(2.51))) == "wrong"


def test_what_is_no_number_is_replaced_and_nothing_else_is_touched():
    for dtype in (np.float16, np.float64):
        case = Case("nan_to_num", (np.array([1, np.nan, np.inf, -np.inf], dtype),))
        expected = run_numpy(case).value
        for index in range(4):
            value = expected.copy()
            value[index] = value[index] * dtype(0.99) if expected[index] else 0.01
            assert judge_elements(case, value) == "wrong"


def test_evenly_spaced_halves_are_rounded_once():
    for dtype in (np.float16, BFLOAT16):
        for case in (Case("arange", (100,), {"dtype": dtype}), Case("linspace", (0, 99, 100), {"dtype": dtype})):
            expected = run_numpy(case).value
            assert judge_elements(case, np.arange(100.0).astype(dtype)) == "equal"
            for wrong in (1.3, 3.0):
                value = expected.copy()
                value[1] = wrong
                assert judge_elements(case, value) == "wrong"
    case = Case("arange", (0, 1, 0.1), {"dtype": np.float16})  # which NumPy makes of 0 and of 0.1, rounded
    assert judge_elements(case, (np.arange(10) * 0.1).astype(np.float16)) == "equal"
    assert judge_elements(case, run_numpy(case).value + np.float16(0.01)) == "wrong"


def test_a_function_that_jumps_is_near_one_of_the_results_to_both_sides():
    for turns in ([0, 1, 2, 3], [0, 1, 0, 1]):
        case = Case("unwrap", (np.pi * np.array(turns),))
        expected = run_numpy(case).value
        assert judge_elements(case, expected * (1 + 2.0**-52)) == "equal"
        assert judge_elements(case, np.array([0.0, 30, -40, 7])) == "wrong"


@pytest.mark.parametrize(
    ("case", "is_settled"),
    [
        (Case("histogram", (np.array([1.0, 2, 3, 7]), 3, (1.0, 7.0))), [False, False, True]),
        (Case("histogram", (np.array([1.0, 2, 4, 7]), np.array([1.0, 2.5, 4, 7]))), [True, True, True]),
        (Case("histogram", (np.array([0.1, 0.4, 0.7]), 4, (0.1, 0.7))), [True, False, False, True]),
        (Case("histogram", (np.array([0.1, 0.7]), 3, (0.1, 0.7)), {"weights": [0.5, 3.0]}), [True, True, True]),
        (Case("histogram", (np.array([0.1, 0.7]), 3, (0.1, 0.7)), {"weights": [0.1, 3.0]}), [False, False, False]),
        (Case("histogram", (np.float32([0.1, 0.7]), np.array([0.1, 0.5, 0.7]))), [False, False]),
        (Case("histogramdd", ([[1.0, 2.0], [5.0, 6.0]], [2, [5.0, 6.0]])), [[True], [True]]),
        (Case("histogram2d", (np.array([0.0, 1, 3, 3]), np.array([0.0, 1, 2, 0]), [3, 2])), [[False] * 2] * 3),
        (
            Case("histogram2d", (np.array([0.0, 1, 4, 4]), np.array([0.0, 5, 2, 3]), [4, 2])),
            [[False] * 2] * 2 + [[True] * 2] * 2,
        ),
    ],
)
def test_points_far_from_rounded_edges_are_in_one_bin(case, is_settled):
    counts = run_numpy(case).value[0]
    assert find_settled(case, counts).tolist() == is_settled


def test_an_end_that_is_left_out_of_a_histogram_is_wrong():
    case = Case("histogram", (np.array([1.0, 2.0, 4.0, 7.0]), 3, (1.0, 7.0)))
    counts, edges = run_numpy(case).value
    wrong = judge(case, ["eager"], made(histogram=lambda *args: (tf.constant(counts - [0, 0, 1]), tf.constant(edges))))
    assert [found.kind for found in wrong.deviations] == ["value"]


def test_an_order_of_text_may_be_another_that_partitions_it_as_well():
    case = Case("argpartition", (np.array(["b", "a", "a"]), 1))
    assert judge(case, ["eager"], made(argpartition=lambda text, kth: tf.constant([2, 1, 0], tf.int64))).agrees
    wrong = judge(case, ["eager"], made(argpartition=lambda text, kth: tf.constant([0, 1, 2], tf.int64)))
    assert [found.kind for found in wrong.deviations] == ["value"]
