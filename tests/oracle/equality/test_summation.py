"""Sums are as exact as their accumulator, with as many terms as they have."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from oracle import Case, run_numpy
from oracle.equality.summation import count_terms
from tests.oracle.elements import judge_elements

BFLOAT16 = ml_dtypes.bfloat16


def numbers(count, dtype):
    return (np.random.default_rng(0).random(count) + 0.5).astype(dtype)


def last_dropped(dtype, count):
    """Sums of several kinds, and what they would be without their last term."""
    x = numbers(count, dtype)
    wide = x.astype(np.float64)
    yield Case("sum", (x,)), wide[:-1].sum()
    yield Case("add.reduce", (x,)), wide[:-1].sum()
    yield Case("dot", (x, x)), (wide[:-1] ** 2).sum()
    yield Case("matmul", (x, x)), (wide[:-1] ** 2).sum()
    yield Case("convolve", (x, x), {"mode": "valid"}), [(wide[:-1] * wide[:0:-1]).sum()]
    if dtype is np.float16:
        yield Case("einsum", ("i,i->", x, x)), (wide[:-1] ** 2).sum()


@pytest.mark.parametrize(("dtype", "count"), [(np.float16, 12), (np.float16, 64), (np.float16, 200), (BFLOAT16, 12)])
def test_a_sum_of_halves_without_its_last_term_is_wrong(dtype, count):
    for case, value in last_dropped(dtype, count):
        expected = run_numpy(case).value
        assert judge_elements(case, np.asarray(value).astype(np.asarray(expected).dtype)) == "wrong", case.name


def test_a_sum_of_bfloat16_is_not_zero():
    assert judge_elements(Case("sum", (np.ones(200, BFLOAT16),)), np.asarray(BFLOAT16(0))) == "wrong"
    assert judge_elements(Case("sum", (np.ones(200, BFLOAT16),)), np.asarray(BFLOAT16(200))) == "equal"


def test_a_mean_counts_the_reduced_dims_alone():
    x = numbers(128, np.float16).reshape(2, 64)
    case = Case("mean", (x,), {"axis": 0})
    value = x.astype(np.float64).mean(0).astype(np.float16)
    assert judge_elements(case, value) == "equal"
    assert judge_elements(case, (value * np.float16(1.06))) == "wrong"


def test_where_numpy_adds_halves_to_halves_its_result_and_the_truth_are_right():
    case = Case("sum", (np.ones((5000, 3), np.float16),), {"axis": 0})
    assert run_numpy(case).value.tolist() == [2048.0] * 3
    for value, told in ((5000, "equal"), (2048, "equal"), (4000, "wrong"), (2100, "wrong")):
        assert judge_elements(case, np.full(3, value, np.float16)) == told
    running = Case("cumsum", (np.full(4000, 1, np.float16),))
    assert run_numpy(running).value[-1] == 2048
    assert judge_elements(running, np.arange(1, 4001).astype(np.float16)) == "equal"
    other = run_numpy(running).value.copy()
    other[-1] = 3000
    assert judge_elements(running, other) == "wrong"


@pytest.mark.parametrize(
    ("case", "count"),
    [
        (Case("sum", (np.ones((2, 64)),), {"axis": 0}), 2),
        (Case("sum", (np.ones((2, 64)),)), 128),
        (Case("sum", (np.ones((2, 64)), (0, 1))), 128),
        (Case("sum", (np.ones((2, 64)), -1)), 64),
        (Case("ndarray.mean", (np.ones((2, 64)), 1)), 64),
        (Case("add.reduce", (np.ones((2, 64)),)), 2),
        (Case("sum", (np.ones((2, 64)), 1), {"where": np.arange(64) < 3}), 4),
        (Case("matmul", (np.ones((5, 3)), np.ones((3, 7)))), 3),
        (Case("einsum", ("ij,kj->", np.ones((5, 3), np.float16), np.ones((2, 3), np.float16))), 30),
        (Case("trace", (np.ones((5, 3)),)), 3),
        (Case("bincount", (np.array([0, 1, 0]), np.array([0.5, 2, 3]))), 2),
        (Case("polyval", (np.ones(4), 0.5)), 4),
        (Case("kron", (np.ones(3), np.ones(4))), 1),
    ],
    ids=str,
)
def test_terms_are_counted_by_element(case, count):
    value = np.atleast_1d(run_numpy(case).value)
    assert np.max(count_terms(case, (0,), value)) == count


def test_the_sign_of_a_zero_is_open_where_zeros_of_both_signs_meet():
    minus = np.asarray(-0.0)
    for numbers_, told in (([0.0, 0.0], "wrong"), ([1.0, -1.0], "wrong"), ([0.0, -0.0], "equal"), ([-0.0], "equal")):
        assert judge_elements(Case("sum", (np.array(numbers_),)), minus) == told
    assert judge_elements(Case("prod", (np.array([0.0, 1.0]),)), minus) == "wrong"
    assert judge_elements(Case("dot", (np.array([0.0, 2.0]), np.array([1.0, 0.0]))), minus) == "wrong"


def test_the_order_decides_among_the_results_that_some_order_has():
    largest = np.float32([3e38, 3e38, -3e38, -3e38])
    for value, told in ((0, "order"), (np.nan, "order"), (np.inf, "equal"), (-np.inf, "order"), (1e38, "wrong")):
        case = Case("sum", (largest,))
        if not np.array_equal(run_numpy(case).value, value, equal_nan=True):
            assert judge_elements(case, np.asarray(np.float32(value))) == ("wrong" if told == "equal" else told)
    positive = Case("sum", (np.float32([3e38, 3e38]),))
    for value in (-np.inf, np.nan, 0, 3e38):
        assert judge_elements(positive, np.asarray(np.float32(value))) == "wrong"


def test_no_order_makes_a_number_of_infinities():
    both = Case("sum", (np.array([np.inf, -np.inf, 1.0]),))
    for value in (np.inf, -np.inf, 1.0):
        assert judge_elements(both, np.asarray(value)) == "wrong"
    one = Case("sum", (np.array([np.inf, -1e308, -1e308]),))
    for value, told in ((np.nan, "order"), (-np.inf, "wrong"), (1.0, "wrong")):
        assert judge_elements(one, np.asarray(value)) == told
    assert judge_elements(Case("sum", (np.array([np.inf, -1e308]),)), np.asarray(np.nan)) == "wrong"
    assert judge_elements(Case("sum", (np.array([np.nan, 1.0]),)), np.asarray(1.0)) == "wrong"


def test_a_complex_product_that_overflows_is_no_other_number():
    case = Case("prod", (np.array([1e200 + 1e200j, 1e200, 1e-300]),))
    assert judge_elements(case, np.asarray(complex(np.inf, np.nan))) in ("order", "equal")
    assert judge_elements(case, np.asarray(7j)) == "wrong"


def test_the_order_of_factors_gives_infinity_zero_or_the_product():
    case = Case("prod", (np.array([1e200, 1e200, 1e-300]),))
    assert run_numpy(case).value == np.inf
    for value, told in ((1e100, "order"), (7.0, "wrong"), (0.0, "wrong"), (-np.inf, "wrong"), (np.nan, "wrong")):
        assert judge_elements(case, np.asarray(value)) == told


def test_a_product_that_underflows_on_the_way_may_be_flushed():
    x, y = np.float32([1e-20, 1.0]), np.float32([1e-20, 1e-38])
    case = Case("dot", (x, y))
    assert judge_elements(case, np.asarray(np.float32(0))) == "flushed"
    assert judge_elements(case, np.asarray(np.float32(1e-30))) == "wrong"


def test_a_ufunc_applied_again_and_again_rounds_each_step():
    case = Case("logaddexp.reduce", (np.arange(52) % 3 == 0,))
    expected = run_numpy(case).value
    assert expected.dtype == np.float16
    assert judge_elements(case, np.asarray(expected + np.float16(0.008))) == "equal"
    assert judge_elements(case, np.asarray(expected + np.float16(0.4))) == "wrong"


def test_a_complex_product_has_no_sign_of_zero_in_a_real_output():
    x = np.array([1j, 1j, 0, 0])
    case = Case("multiply.reduce", (x,), {"out": np.zeros(())})
    assert judge_elements(case, -run_numpy(case).value) == "equal"
